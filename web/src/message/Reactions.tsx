import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji, Message, Reaction } from '@guildhall/wire/message/message.ts'
import { useText } from '../kit/i18n.ts'
import { CustomEmoji } from '../kmarkdown/KMarkdown.tsx'
import { emojiPictureOf } from '../kmarkdown/names.ts'
import { useLongPress } from '../ui/useLongPress.ts'
import styles from './Reactions.module.css'
import { mayReact, type Rights } from './rights.ts'
import { text } from './text.ts'

interface ReactionActions {
  /** Adds or removes the reader's own. */
  readonly onReact: (emoji: Emoji) => void
  /** Shows who reacted. */
  readonly onShowWho: (emoji: Emoji) => void
}

/**
 * The reactions to a message, with their counts; a tap adds or removes the reader's own, holding shows who
 * reacted.
 */
export function Reactions(props: { message: Message; rights: Rights } & ReactionActions) {
  const { message, rights, onReact, onShowWho } = props
  const t = useText(text)
  if (message.reactions.length === 0) return null
  return (
    <ul className={styles.reactions} aria-label={t.reactions}>
      {message.reactions.map((reaction) => (
        <li key={reaction.emoji.id}>
          <ReactionButton
            reaction={reaction}
            onReact={onReact}
            onShowWho={onShowWho}
            canReact={mayReact(message, reaction.emoji.id, rights)}
          />
        </li>
      ))}
    </ul>
  )
}

function ReactionButton(props: { reaction: Reaction; canReact: boolean } & ReactionActions) {
  const { emoji, count, me } = props.reaction
  const t = useText(text)
  const press = useLongPress(() => props.onShowWho(emoji))
  return (
    <button
      type="button"
      className={styles.reaction}
      data-part="reaction"
      aria-pressed={me}
      aria-label={t.reaction(emoji.name || emoji.id, count)}
      // Whoever may not react sees who did.
      onClick={() => (props.canReact ? props.onReact(emoji) : props.onShowWho(emoji))}
      {...press}
    >
      <span className={styles.emoji}>
        <EmojiFace emoji={emoji} />
      </span>
      <span>{count}</span>
    </button>
  )
}

/** An emoji of a reaction: its characters, its picture, or its name. */
export function EmojiFace({ emoji }: { emoji: Emoji }) {
  return (
    emojiCharacters(emoji.id) ?? <CustomEmoji name={emoji.name || emoji.id} src={emojiPictureOf(emoji.id)} />
  )
}
