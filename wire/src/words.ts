/**
 * Words, names and numbers with dashes that people type, as they are read and stored, and whether anything of
 * them is seen.
 */
import { BLANK, UNSEEN, withoutOverrides } from './visible.ts'

const SEEN = new RegExp(`[^${UNSEEN}${BLANK}\\p{Mn}\\p{Me}]`, 'u')
const DASH = /[\p{Pd}\u2212\u30fc]/gu
const LOOSE = new RegExp(`[${UNSEEN}${BLANK}]`, 'gu')
const HIDDEN = new RegExp(`(?!\\s)[${UNSEEN}]`, 'gu')

/** Whether anything of a text is seen: "not empty" means that. An accent or a variation alone is nothing. */
export const isVisible = (text: string): boolean => SEEN.test(text)

/**
 * What dashes belong to: a number with a sign, the custom id of a guild, the number of an order. Each dash is
 * a `-`.
 */
/* @__NO_SIDE_EFFECTS__ */
export const foldDashed = (typed: string): string =>
  typed.normalize('NFKC').replace(LOOSE, '').replace(DASH, '-')

/** A line that may have spaces inside, such as an address. */
/* @__NO_SIDE_EFFECTS__ */
export const foldLine = (typed: string): string => typed.normalize('NFKC').replace(HIDDEN, '').trim()

const HIDING = /[\u00ad\u180e\u200b\u2060-\u2065\ufeff]|(?!\s)[\p{Cc}\p{Cs}]/gu

/** Words of one or more lines as they are stored; empty when nothing of them is seen. */
/* @__NO_SIDE_EFFECTS__ */
export const readWords = (typed: string): string => (isVisible(typed) ? withoutOverrides(typed).trim() : '')

/**
 * A name as it is stored: in one line, with single spaces, without what turns the page round or hides between
 * letters; empty when nothing of it is seen. What joins emoji and Persian letters stays.
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
