import { useText } from '../kit/i18n.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import styles from './ChatsScreen.module.css'
import { text } from './text.ts'

/** A person's picture with a dot while they are online. */
export function OnlineAvatar(props: {
  size: number
  person: {
    readonly id: string
    readonly username: string
    readonly avatar: string
    readonly vip_avatar?: string
    readonly online: boolean
  }
}) {
  const t = useText(text)
  const { id, username, avatar, vip_avatar, online } = props.person
  return (
    <span className={styles.avatar}>
      <Avatar id={id} name={username} src={avatar} moving={vip_avatar} size={props.size} />
      {online && (
        <span className={styles.dot}>
          <span className="unseen">{t.online}</span>
        </span>
      )}
    </span>
  )
}
