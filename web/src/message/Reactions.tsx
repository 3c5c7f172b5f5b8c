import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { useText } from '../kit/i18n.ts'
import { CustomEmoji } from '../kmarkdown/KMarkdown.tsx'
import { emojiPictureOf } from '../kmarkdown/names.ts'
import styles from './Reactions.module.css'
import { mayReact, type Rights } from './rights.ts'
import { text } from './text.ts'

/** The reactions to a message, with their counts; a tap adds or removes the reader's own. */
export function Reactions(props: { message: Message; rights: Rights; onReact: (emoji: Emoji) => void }) {
  const { message, rights, onReact } = props
  const t = useText(text)
  if (message.reactions.length === 0) return null
  return (
    <ul className={styles.reactions} aria-label={t.reactions}>
      {message.reactions.map(({ emoji, count, me }) => (
        <li key={emoji.id}>
          <button
            type="button"
            className={styles.reaction}
            data-part="reaction"
            aria-pressed={me}
            aria-label={t.reaction(emoji.name || emoji.id, count)}
            disabled={!mayReact(message, emoji.id, rights)}
            onClick={() => onReact(emoji)}
          >
            <span className={styles.emoji}>
              {emojiCharacters(emoji.id) ?? (
                <CustomEmoji name={emoji.name || emoji.id} src={emojiPictureOf(emoji.id)} />
              )}
            </span>
            <span>{count}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
