import { emojiParts } from '@guildhall/wire/kmarkdown/jumbo.ts'
import styles from './EmojiText.module.css'

/** A text whose emoji are drawn with the emoji font: a font of letters draws some of them without colour. */
export function EmojiText({ children }: { children: string }) {
  const parts = emojiParts(children)
  if (parts.length === 1 && !parts[0]?.isEmoji) return children
  return parts.map(({ text, isEmoji }, index) =>
    isEmoji ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
      <span key={index} className={styles.emoji}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}
