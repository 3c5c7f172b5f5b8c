/**
 * What people type and paste into fields for numbers and codes, as it is read. Keyboards write full-width digits, and what is copied brings
 * spaces, dashes and marks of direction along. The page folds it before a field cuts it, the server before it measures it.
 */
import { BLANK, UNSEEN } from './visible.ts'

const DASH = /[\p{Pd}\u2212\u30fc]/gu
const LOOSE = new RegExp(`[${UNSEEN}${BLANK}]`, 'gu')
const HIDDEN = new RegExp(`(?!\\s)[${UNSEEN}]`, 'gu')

/** A code, such as that of a message, an invite or a voucher: without spaces and dashes of any kind, and what nobody sees. */
/* @__NO_SIDE_EFFECTS__ */
export const foldCode = (typed: string): string => foldDashed(typed).replaceAll('-', '')

/** A code of digits alone. */
/* @__NO_SIDE_EFFECTS__ */
export const foldDigits = (typed: string): string => foldCode(typed).replace(/\D/g, '')

/** What dashes belong to: a number with a sign, the custom id of a guild, the number of an order. Each dash is a `-`. */
/* @__NO_SIDE_EFFECTS__ */
export const foldDashed = (typed: string): string =>
  typed.normalize('NFKC').replace(LOOSE, '').replace(DASH, '-')

/** A line that may have spaces inside, such as an address. */
/* @__NO_SIDE_EFFECTS__ */
export const foldLine = (typed: string): string => typed.normalize('NFKC').replace(HIDDEN, '').trim()
