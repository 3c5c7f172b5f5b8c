/**
 * Money is whole fen everywhere; here it is written and read as yuan. No amount is ever a fraction of a
 * number.
 */
import type { Fen } from './unit.ts'

const YUAN = /^(-?)(0|[1-9]\d{0,11})\.(\d{2})$/
const AMOUNT = /^(-?\d{1,12})(?:\.(\d{1,2})(\d*))?$/
const TYPED = /^(\d{1,7})(?:\.(\d{0,2}))?$/

/** `1230` is `12.30`. */
export function yuanOf(fen: Fen): string {
  if (!Number.isSafeInteger(fen)) throw new RangeError('an amount is whole fen')
  const digits = String(Math.abs(fen)).padStart(3, '0')
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A sum as people read it: `¥12.30`, `-¥2.50`, `¥1,234.50`. */
export const yuan = (fen: Fen): string =>
  `${fen < 0 ? '-' : ''}¥${yuanOf(Math.abs(fen)).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`

/** What a price comes to in thirty days, in whole fen. `days`: how long it pays for. */
export const fenOfMonth = (price: Fen, days: number): Fen => Math.round((price * 30) / days)

/**
 * The fen of `12.30`, also of `-12.30`; null for anything that is not written so, such as `12.3`, `012.30`
 * and `-0.00`.
 */
export function fenOf(yuan: string): Fen | null {
  const [, sign, whole, cents] = YUAN.exec(yuan) ?? []
  if (whole === undefined || cents === undefined) return null
  const fen = Number(whole + cents)
  if (sign === '') return fen
  return fen === 0 ? null : -fen
}

/**
 * The fen of an amount as a provider wrote it: with fewer or more decimals than two, such as `12`, `12.3` and
 * `0.04000`, also as a number of JSON; null for anything else, and for one with a part of a fen.
 */
export function readFen(yuan: unknown): Fen | null {
  const text = typeof yuan === 'number' ? String(yuan) : yuan
  const [, whole, cents = '', rest = ''] = (typeof text === 'string' && AMOUNT.exec(text)) || []
  if (whole === undefined || /[1-9]/.test(rest)) return null
  const fen = fenOf(`${whole}.${cents.padEnd(2, '0')}`)
  return whole === '-0' && fen === null && Number(cents) === 0 ? 0 : fen
}

/** A sum that somebody typed in yuan, `12`, `12.3` or `12.30`, in fen; null: it is none. */
export function typedFen(typed: string): Fen | null {
  const [, whole, rest = ''] = TYPED.exec(typed.trim()) ?? []
  return whole === undefined ? null : Number(whole + rest.padEnd(2, '0'))
}
