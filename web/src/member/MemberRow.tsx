import { useMe } from '../auth/auth.ts'
import { useTheme } from '../kit/browser/useTheme.ts'
import { useText } from '../kit/i18n.ts'
import { PhoneIcon } from '../ui/icon/laterIcons.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { nameLook } from '../ui/picture/nameLook.ts'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { useLongPress } from '../ui/useLongPress.ts'
import styles from './MemberListScreen.module.css'
import type { Member } from './memberPages.ts'
import { text } from './text.ts'

const PHONES: ReadonlySet<string> = new Set(['iOS', 'Android'])

/** A member of a list; `row`: its index, for the arrow keys. */
export function MemberRow(props: { member: Member; row: number; onOpen: (member: Member) => void }) {
  const { member } = props
  const t = useText(text)
  const theme = useTheme()
  const name = member.nickname || member.username
  // Whoever looks is here, also when the list was asked for before their connection was there.
  const me = useMe()
  const online = member.online || member.id === me.id
  const open = () => props.onOpen(member)
  const holds = useLongPress(open)
  return (
    <button
      type="button"
      className={styles.member}
      data-row={props.row}
      data-part="member"
      data-offline={!online || undefined}
      onClick={open}
      {...holds}
    >
      <span className={styles.face} data-online={online || undefined}>
        <Avatar of={member} size={40} />
      </span>
      <span className={styles.who}>
        <span className="named">
          <span className={styles.name} {...nameLook(member, theme)}>
            <EmojiText>{name}</EmojiText>
          </span>
          {member.is_vip && <BuffMark />}
        </span>
        {name !== member.username && <span className={styles.username}>{member.username}</span>}
      </span>
      {!online && <span className="unseen">{t.away}</span>}
      {member.is_master && <span className={`${styles.tag} ${styles.master}`}>{t.master}</span>}
      {member.is_admin && <span className={styles.tag}>{t.admin}</span>}
      {member.bot && <span className={styles.tag}>{member.is_sys ? t.official : t.bot}</span>}
      {member.online && PHONES.has(member.os) && (
        <span className={styles.phone} title={t.phone}>
          <PhoneIcon size={18} />
          <span className="unseen">{t.phone}</span>
        </span>
      )}
    </button>
  )
}

export function MemberRowSkeleton() {
  return (
    <div className={styles.member} aria-hidden="true">
      <Skeleton className={styles.blank} />
      <Skeleton width={120} height={16} />
    </div>
  )
}
