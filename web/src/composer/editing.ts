/** What keys other than letters do to what is written. */
import { emojiToken } from '@guildhall/wire/emoji/emoji.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import {
  type Draft,
  type DraftWithCaret,
  isEmojiPick,
  isInCode,
  withFragment,
  withoutRange,
} from './draftModel.ts'

/** Where in the words one is: what is marked, or twice the same place. UTF-16 units. */
export type Caret = readonly [from: number, to: number]

/** A text with an emoji in place of what is marked. In code a guild's own is its name, for nothing is drawn there. */
export function insertEmoji(written: Draft, [from, to]: Caret, emoji: Emoji): DraftWithCaret {
  const characters = emojiCharacters(emoji.id)
  const words = characters ?? `:${emoji.name}:`
  const isPick = characters === null && !isInCode(written.words, from)
  const picks = isPick ? [{ start: 0, end: words.length, token: emojiToken(emoji) }] : []
  return withFragment(written, from, to, { words, picks })
}

/** A text without what is marked, or without the last letter before the caret; an emoji is one letter. */
export function backspace(written: Draft, [from, to]: Caret): DraftWithCaret {
  if (from !== to) return withoutRange(written, from, to)
  const own = written.picks.find((it) => isEmojiPick(it) && it.end === from)
  if (own) return withoutRange(written, own.start, own.end)
  return withoutRange(written, from - lastLetter(written.words.slice(0, from)).length, from)
}

/** The longest letters, families with their skin tones, are shorter. */
const LETTER_MAX = 40

function lastLetter(words: string): string {
  const end = words.slice(-LETTER_MAX)
  // Older in-app browsers do not know what people call a letter.
  if (!('Segmenter' in Intl)) return [...end].at(-1) ?? ''
  return [...new Intl.Segmenter().segment(end)].at(-1)?.segment ?? ''
}
