import { emojiPicture, emojiType, type ListedEmoji } from '@guildhall/wire/emoji/emoji.ts'
import {
  deleteGuildEmoji,
  EMOJI_NAME_MAX,
  isEmojiName,
  updateGuildEmoji,
} from '@guildhall/wire/emoji/manage.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { readName } from '@guildhall/wire/words.ts'
import { type FormEvent, useState } from 'react'
import { emojiChanged } from '../../guild/guild.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useAct } from '../../kit/useAct.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { EditIcon } from '../../ui/icon/channelIcons.tsx'
import { TrashIcon } from '../../ui/icon/laterIcons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import styles from './EmojiSettings.module.css'
import { settingsText } from './settingsText.ts'

/** An emoji of a guild, which is renamed where it stands, and deleted after a question. */
export function EmojiRow({ guildId, emoji }: { guildId: GuildId; emoji: ListedEmoji }) {
  const t = useText(settingsText)
  const [isNaming, setNaming] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const deleting = useAct(deleteGuildEmoji)
  const { id, name, emoji_type, user_info, uses, is_shortcode } = emoji
  const remove = async () => {
    setAsked(false)
    if (await deleting.run({ id }, ({ message }) => toast(message))) toast(t.removed(name))
    emojiChanged(guildId)
  }
  return (
    <li className={styles.row} aria-busy={deleting.isBusy}>
      <img className={styles.emoji} src={emojiPicture(id)} alt="" loading="lazy" width={40} height={40} />
      {isNaming ? (
        <Naming guildId={guildId} emoji={emoji} onClose={() => setNaming(false)} />
      ) : (
        <>
          <div className={styles.text}>
            <p className={styles.name}>{name}</p>
            <p className={styles.fact}>
              {[t.uses(uses), t.by(user_info.username), emoji_type === emojiType.animated && t.animated]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {is_shortcode && <p className={styles.fact}>{t.shadowed}</p>}
          </div>
          <IconButton label={t.renameOf(name)} onPress={() => setNaming(true)}>
            <EditIcon size={20} />
          </IconButton>
          <IconButton label={t.removeOf(name)} onPress={() => setAsked(true)}>
            <TrashIcon size={20} />
          </IconButton>
        </>
      )}
      {isAsked && (
        <Dialog
          title={t.removeTitle(name)}
          message={t.removeWhy}
          confirm={t.remove}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </li>
  )
}

function Naming({ guildId, emoji, onClose }: { guildId: GuildId; emoji: ListedEmoji; onClose: () => void }) {
  const t = useText(settingsText)
  const renaming = useCall(updateGuildEmoji)
  const [name, setName] = useState(emoji.name)
  const [problem, setProblem] = useState('')
  const refused = ({ message, name: why }: CallFailure) => {
    // Somebody else deleted it meanwhile.
    if (why === 'emoji.unknown') emojiChanged(guildId)
    setProblem(message)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = readName(name)
    if (wanted === emoji.name) return onClose()
    if (!isEmojiName(wanted)) return setProblem(t.nameWrong)
    if (!(await renaming.run({ id: emoji.id, name: wanted }, refused))) return
    emojiChanged(guildId)
    onClose()
  }
  return (
    <form className={styles.naming} noValidate onSubmit={(event) => void save(event)}>
      <Field
        label={t.name}
        name="name"
        autoComplete="off"
        autoFocus
        maxLength={EMOJI_NAME_MAX * 2}
        value={name}
        onChange={(value) => {
          setName(value)
          setProblem('')
        }}
        error={problem || undefined}
      />
      <div className={styles.acts}>
        <Button kind="soft" type="submit" busy={renaming.status === 'busy'}>
          {t.save}
        </Button>
        <Button kind="plain" onPress={onClose}>
          {t.cancel}
        </Button>
      </div>
    </form>
  )
}
