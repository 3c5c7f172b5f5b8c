import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { TextChannelIcon, VoiceIcon } from '../ui/icon/icons.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import styles from './Roles.module.css'
import { type SeenChannel, seenAs } from './seenAs.ts'
import { sheetText, text } from './text.ts'

/** Which channels members see who have this role alone, and where they may write. Only to look at. */
export function SeeAsSheet(props: { guild: Guild; role: Role; isDraft: boolean; onClose: () => void }) {
  const t = useText(sheetText)
  const { seeAs } = useText(text)
  const all = seenAs(props.guild, props.role)
  const channels = all.filter(({ channel }) => !channel.is_category)
  const seen = channels.filter(({ sees }) => sees)
  const written = seen.filter(({ channel, acts }) => acts && channel.type === channelType.text)
  return (
    <Sheet title={`${seeAs} · ${props.role.name}`} onClose={props.onClose}>
      <p>{t.sees(seen.length, channels.length, written.length)}</p>
      {props.isDraft && <p className={styles.notice}>{t.draft}</p>}
      <p className={styles.fact}>{t.mine}</p>
      <ul className={styles.seen} aria-label={t.channels}>
        {all.map((it) => (
          <SeenRow key={it.channel.id} {...it} />
        ))}
      </ul>
      {all.length === 0 && <p className={styles.fact}>{t.none}</p>}
    </Sheet>
  )
}

function SeenRow({ channel, sees, acts, isInCategory }: SeenChannel) {
  const t = useText(sheetText)
  const isVoice = channel.type === channelType.voice
  const Icon = isVoice ? VoiceIcon : TextChannelIcon
  const mayAct = isVoice ? t.joins : t.writes
  const onlySees = isVoice ? t.looks : t.reads
  const open = acts ? mayAct : onlySees
  return (
    <li
      className={styles.seenRow}
      data-category={channel.is_category || undefined}
      data-inside={isInCategory || undefined}
      data-hidden={!sees || undefined}
    >
      {!channel.is_category && <Icon size={18} />}
      <span className={styles.seenName}>
        <EmojiText>{channel.name}</EmojiText>
      </span>
      {!(channel.is_category && sees) && (
        <span className={styles.mark} data-open={(sees && acts) || undefined}>
          {sees ? open : t.hidden}
        </span>
      )}
    </li>
  )
}
