/** Names and other words that people give, as they are read and stored. In a file of its own: the invite needs none of it. */
import { isVisible, withoutOverrides } from './visible.ts'

const HIDING = /[\u00ad\u180e\u200b\u2060-\u2065\ufeff]|(?!\s)[\p{Cc}\p{Cs}]/gu

/** Words of one or more lines as they are stored; empty when nothing of them is seen. */
/* @__NO_SIDE_EFFECTS__ */
export const readWords = (typed: string): string => (isVisible(typed) ? withoutOverrides(typed).trim() : '')

/**
 * A name as it is stored: in one line, with single spaces, without what turns the page round or hides between letters; empty when nothing of
 * it is seen. What joins emoji and Persian letters stays.
 */
/* @__NO_SIDE_EFFECTS__ */
export const readName = (typed: string): string =>
  readWords(typed.normalize('NFC').replace(HIDING, '').replace(/\s+/g, ' '))

/** Whether a name is as `readName` stores it, and has so many characters. */
/* @__NO_SIDE_EFFECTS__ */
export function isNameOf(name: string, least: number, most: number): boolean {
  const { length } = [...name]
  return name === readName(name) && length >= least && length <= most
}
