/** Edits of a draft by keys other than letters. */
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
} from './draft/draftModel.ts'

/** The selection, or twice the caret. UTF-16 units. */
export type Caret = readonly [from: number, to: number]

/**
 * Replaces the selection by an emoji. In code a custom emoji is inserted as its name, as none is drawn there.
 */
export function insertEmoji(written: Draft, [from, to]: Caret, emoji: Emoji): DraftWithCaret {
  const characters = emojiCharacters(emoji.id)
  const text = characters ?? `:${emoji.name}:`
  const isPick = characters === null && !isInCode(written.text, from)
  const picks = isPick ? [{ start: 0, end: text.length, token: emojiToken(emoji) }] : []
  return withFragment(written, from, to, { text, picks })
}

/** Deletes the selection, or the character before the caret; an emoji is one character. */
export function backspace(written: Draft, [from, to]: Caret): DraftWithCaret {
  if (from !== to) return withoutRange(written, from, to)
  const own = written.picks.find((it) => isEmojiPick(it) && it.end === from)
  if (own) return withoutRange(written, own.start, own.end)
  return withoutRange(written, from - lastLetter(written.text.slice(0, from)).length, from)
}

/** Longer than any grapheme, family emoji with skin tones included. */
const LETTER_MAX = 40

function lastLetter(text: string): string {
  const end = text.slice(-LETTER_MAX)
  // Older in-app browsers lack Intl.Segmenter.
  if (!('Segmenter' in Intl)) return [...end].at(-1) ?? ''
  return [...new Intl.Segmenter().segment(end)].at(-1)?.segment ?? ''
}
