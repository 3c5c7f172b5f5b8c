/** The promise of one working day: an answer within 24 hours that do not fall on a weekend, in the time of China. */
import { DAY_MS, HOUR_MS } from '../unit.ts'

const CHINA_MS = 8 * HOUR_MS
/** 1970-01-01 was a Thursday; 0 is Sunday. */
const FIRST_DAY = 4
const PROMISED_MS = DAY_MS

const isWeekend = (day: number): boolean => [0, 6].includes((day + FIRST_DAY) % 7)

/** The hours between two moments that do not fall on a weekend, ms. Public holidays count as working days. */
export function workingMsBetween(from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; ) {
    const day = Math.floor((at + CHINA_MS) / DAY_MS)
    const end = Math.min(to, (day + 1) * DAY_MS - CHINA_MS)
    if (!isWeekend(day)) sum += end - at
    at = end
  }
  return sum
}

/** When something that came at a moment is promised to be answered, ms. */
export function promisedBy(from: number): number {
  let left = PROMISED_MS
  for (let at = from; ; ) {
    const day = Math.floor((at + CHINA_MS) / DAY_MS)
    const end = (day + 1) * DAY_MS - CHINA_MS
    if (!isWeekend(day)) {
      if (end - at >= left) return at + left
      left -= end - at
    }
    at = end
  }
}
