/** What payment providers write as text: yuan, and times of Beijing. No amount is ever a fraction of a number here. */
import { DAY_MS, type Fen, HOUR_MS, type Millis } from '@guildhall/wire/unit.ts'

/** Beijing is eight hours ahead of UTC, all year, since 1992. */
const AHEAD_MS = 8 * HOUR_MS
const YUAN = /^(-?)(0|[1-9]\d{0,11})\.(\d{2})$/
const AMOUNT = /^(-?\d{1,12})(?:\.(\d{1,2})(\d*))?$/
const TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{3}))?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** `1230` is `12.30`. */
export function yuanOf(fen: Fen): string {
  if (!Number.isSafeInteger(fen)) throw new RangeError('an amount is whole fen')
  const digits = String(Math.abs(fen)).padStart(3, '0')
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The fen of `12.30`, also of `-12.30`; null for anything that is not written so, such as `12.3`, `012.30` and `-0.00`. */
export function fenOf(yuan: string): Fen | null {
  const [, sign, whole, cents] = YUAN.exec(yuan) ?? []
  if (whole === undefined || cents === undefined) return null
  const fen = Number(whole + cents)
  if (sign === '') return fen
  return fen === 0 ? null : -fen
}

/**
 * The fen of an amount as a provider wrote it: with fewer or more decimals than two, such as `12`, `12.3` and `0.04000`, also as a number
 * of JSON; null for anything else, and for one with a part of a fen.
 */
export function readFen(yuan: unknown): Fen | null {
  const text = typeof yuan === 'number' ? String(yuan) : yuan
  const [, whole, cents = '', rest = ''] = (typeof text === 'string' && AMOUNT.exec(text)) || []
  if (whole === undefined || /[1-9]/.test(rest)) return null
  const fen = fenOf(`${whole}.${cents.padEnd(2, '0')}`)
  return whole === '-0' && fen === null && Number(cents) === 0 ? 0 : fen
}

/** `YYYY-MM-DD HH:mm:ss` of Beijing; what is left of a second is cut off. */
export const beijingTime = (at: Millis): string =>
  new Date(at + AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')

/** `YYYY-MM-DD` of Beijing. */
export const beijingDay = (at: Millis): string => beijingTime(at).slice(0, 10)

/** The moment of `YYYY-MM-DD HH:mm:ss` of Beijing, also with `.SSS`; null for what is no time. */
export function fromBeijingTime(text: string): Millis | null {
  const [, day, time, millis = '000'] = TIME.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}.${millis}Z`) - AHEAD_MS
  // The parser takes a thirtieth of February, and twenty-four o'clock, for a time of the next day.
  return Number.isFinite(at) && beijingTime(at) === text.slice(0, 19) ? at : null
}

/** The moments at which a day of Beijing begins and the next one does; null for what is no day. */
export function beijingDaySpan(day: string): { readonly from: Millis; readonly to: Millis } | null {
  const from = DAY.test(day) ? fromBeijingTime(`${day} 00:00:00`) : null
  return from === null ? null : { from, to: from + DAY_MS }
}
