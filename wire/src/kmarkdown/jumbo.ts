/** Texts made only of emoji. chat.md §5. */
import type { KmNode } from './node.ts'

/** More emoji than this are shown at text size. */
export const JUMBO_MAX = 10
/** The longest Unicode emoji are sequences of about ten UTF-16 units. */
const LENGTH_MAX = JUMBO_MAX * 24
/** One emoji: a flag, a keycap, or pictures joined, each with its skin tone or tags. */
const ONE =
  /(?:\p{Regional_Indicator}{2}|[\d#*]\u{FE0F}?\u{20E3}|(?:\p{Emoji_Presentation}\u{FE0F}?|\p{Extended_Pictographic}(?:\u{FE0F}|(?=\p{Emoji_Modifier})))\p{Emoji_Modifier}?[\u{E0020}-\u{E007F}]{0,8}(?:\u{200D}\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?){0,6})/uy

const EACH = new RegExp(ONE.source, 'gu')
const PICTORIAL = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20E3}/u

/** The number of emoji in a text of only emoji and spaces; 0 for other texts, and for too many emoji. */
export function emojiAlone(nodes: readonly KmNode[]): number {
  let count = 0
  for (const node of nodes) {
    if (node.type === 'tag') {
      if (node.tagName !== 'emj') return 0
      count += 1
    } else {
      if (node.content.length > LENGTH_MAX) return 0
      const found = emojiIn(node.content)
      if (found === null) return 0
      count += found
    }
    if (count > JUMBO_MAX) return 0
  }
  return count
}

/** The number of emoji in a text, or null when it contains anything else. */
function emojiIn(content: string): number | null {
  const whole = content.replace(/\s/g, '')
  let count = 0
  for (let at = 0; at < whole.length; at = ONE.lastIndex) {
    ONE.lastIndex = at
    if (!ONE.test(whole)) return null
    count += 1
  }
  return count
}

/** A text in parts: its emoji, those next to each other in one part, and the text between them. */
export function emojiParts(text: string): { readonly text: string; readonly isEmoji: boolean }[] {
  // Most texts have none.
  if (!PICTORIAL.test(text)) return [{ text, isEmoji: false }]
  const parts: { text: string; isEmoji: boolean }[] = []
  const add = (part: string, isEmoji: boolean) => {
    const last = parts.at(-1)
    if (last?.isEmoji === isEmoji) last.text += part
    else if (part !== '') parts.push({ text: part, isEmoji })
  }
  let from = 0
  for (const found of text.matchAll(EACH)) {
    add(text.slice(from, found.index), false)
    add(found[0], true)
    from = found.index + found[0].length
  }
  add(text.slice(from), false)
  return parts
}
