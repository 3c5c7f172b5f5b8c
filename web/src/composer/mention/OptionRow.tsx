import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Callable } from '@guildhall/wire/message/mention.ts'
import type { ReactNode } from 'react'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { useText } from '../../kit/i18n.ts'
import { CustomEmoji } from '../../kmarkdown/KMarkdown.tsx'
import { emojiPictureOf } from '../../kmarkdown/names.ts'
import { TextChannelIcon, VoiceIcon } from '../../ui/icon/icons.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import { type NameColors, nameLook } from '../../ui/picture/nameLook.ts'
import { laterText } from '../laterText.ts'
import styles from './MentionPicker.module.css'
import type { Option } from './mentionOptions.ts'

/** What an option of the mention picker shows, by its kind. */
export function OptionRow({ option }: { option: Option }) {
  const t = useText(laterText)
  const { of, label } = option
  const name = label.slice(1)
  switch (of.kind) {
    case 'member':
      return <MemberRow member={of.member} name={name} />
    case 'role':
      return <RoleRow colors={of.colors} name={name} />
    case 'all':
    case 'here':
      return (
        <SignRow sign="@" name={name} detail={of.kind === 'all' ? t.notifiesEveryone : t.notifiesOnline} />
      )
    case 'emoji':
      return (
        <>
          <span className={styles.emoji} aria-hidden="true">
            {emojiCharacters(of.emoji.id) ?? (
              <CustomEmoji name={of.emoji.name} src={emojiPictureOf(of.emoji.id)} />
            )}
          </span>
          <span className={styles.name}>{name}</span>
        </>
      )
    case 'channel':
      return (
        <SignRow
          sign={of.isVoice ? <VoiceIcon size={20} /> : <TextChannelIcon size={20} />}
          name={name}
          detail={of.under}
        />
      )
  }
}

function MemberRow({ member, name }: { member: Callable; name: string }) {
  const t = useText(laterText)
  return (
    <>
      <Avatar of={member} size={32} />
      <span className={styles.name}>{name}</span>
      {member.is_vip && <BuffMark />}
      {member.can_view ? (
        <span className={`${styles.detail} ${styles.number}`}>
          {member.username !== name && <span className={styles.username}>{member.username}</span>}
          <span>#{member.identify_num}</span>
        </span>
      ) : (
        <span className={styles.detail} data-warn>
          {t.cannotViewChannel}
        </span>
      )}
    </>
  )
}

function RoleRow({ colors, name }: { colors: NameColors; name: string }) {
  const t = useText(laterText)
  const look = nameLook(colors, useTheme())
  return (
    <>
      {/* The sign is one letter, too small for more than the first colour. */}
      <span className={styles.sign} aria-hidden="true" style={look.style}>
        @
      </span>
      <span className={styles.name} {...look}>
        <EmojiText>{name}</EmojiText>
      </span>
      <span className={styles.detail}>{t.mentionRole}</span>
    </>
  )
}

function SignRow({ sign, name, detail }: { sign: ReactNode; name: string; detail: string }) {
  return (
    <>
      <span className={styles.sign} aria-hidden="true">
        {sign}
      </span>
      <span className={styles.name}>{name}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
    </>
  )
}
