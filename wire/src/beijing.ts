/** Days and times of Beijing, by which days are counted, bills are made, and payment providers write. */
import { DAY_MS, HOUR_MS, type Millis } from './unit.ts'

/** Beijing is eight hours ahead of UTC, all year, since 1992. */
const AHEAD_MS: Millis = 8 * HOUR_MS
const TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{3}))?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

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

/** From when a day is, and until when. */
export interface DaySpan {
  readonly from: Millis
  readonly to: Millis
}

/**
 * The moments at which a day of Beijing, `YYYY-MM-DD`, begins and the next one does; null for what is no day.
 */
export function beijingDaySpan(day: string): DaySpan | null {
  const from = DAY.test(day) ? fromBeijingTime(`${day} 00:00:00`) : null
  return from === null ? null : { from, to: from + DAY_MS }
}

/** The same of what is known to be a day. @throws RangeError when it is none */
export function spanOfDay(day: string): DaySpan {
  const span = beijingDaySpan(day)
  if (!span) throw new RangeError(`${day} is no day`)
  return span
}

/**
 * The number of the day of Beijing that a moment is in, to count with: the day after it is one more.
 * 1970-01-01 is 0.
 */
export const dayNumber = (at: Millis): number => Math.floor((at + AHEAD_MS) / DAY_MS)

/** When a day begins, by its number. */
export const dayStart = (day: number): Millis => day * DAY_MS - AHEAD_MS

/** `YYYY-MM-DD` of a day, by its number. */
export const dateOf = (day: number): string => beijingDay(dayStart(day))
