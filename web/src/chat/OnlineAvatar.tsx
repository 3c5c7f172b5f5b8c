import { useText } from '../kit/i18n.ts'
import { Avatar, type Face } from '../ui/picture/Avatar.tsx'
import styles from './ChatsScreen.module.css'
import { text } from './text.ts'

/** A person's picture with a dot while they are online. */
export function OnlineAvatar(props: { size: number; person: Face & { readonly online: boolean } }) {
  const t = useText(text)
  return (
    <span className={styles.avatar}>
      <Avatar of={props.person} size={props.size} />
      {props.person.online && (
        <span className={styles.dot}>
          <span className="unseen">{t.online}</span>
        </span>
      )}
    </span>
  )
}
