/**
 * Codes that people type and paste, as they are read. Keyboards write full-width digits, and what is copied
 * brings spaces, dashes and marks of direction along. The page folds before a field cuts, the server before
 * it measures. What the invite does not need is in `words.ts`.
 */
import { BLANK, UNSEEN } from './visible.ts'

const APART = new RegExp(`[${UNSEEN}${BLANK}\\p{Pd}\\u2212\\u30fc]`, 'gu')

/**
 * A code, such as that of a message, an invite or a voucher: without spaces and dashes of any kind, and what
 * nobody sees.
 */
/* @__NO_SIDE_EFFECTS__ */
export const foldCode = (typed: string): string => typed.normalize('NFKC').replace(APART, '')

/** A code of digits alone. */
/* @__NO_SIDE_EFFECTS__ */
export const foldDigits = (typed: string): string => foldCode(typed).replace(/\D/g, '')
