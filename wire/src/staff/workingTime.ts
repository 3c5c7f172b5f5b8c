/**
 * The promise of one working day: an answer within 24 hours that do not fall on a weekend, by days of
 * Beijing.
 */
import { dayNumber, dayStart } from '../beijing.ts'
import { DAY_MS } from '../unit.ts'

/** 1970-01-01 was a Thursday; 0 is Sunday. */
const FIRST_DAY = 4
const PROMISED_MS = DAY_MS

const isWeekend = (day: number): boolean => [0, 6].includes((day + FIRST_DAY) % 7)

/** The hours between two moments that do not fall on a weekend, ms. Public holidays count as working days. */
export function workingMsBetween(from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; ) {
    const day = dayNumber(at)
    const end = Math.min(to, dayStart(day + 1))
    if (!isWeekend(day)) sum += end - at
    at = end
  }
  return sum
}

/** When something that came at a moment is promised to be answered, ms. */
export function promisedBy(from: number): number {
  let left = PROMISED_MS
  for (let at = from; ; ) {
    const day = dayNumber(at)
    const end = dayStart(day + 1)
    if (!isWeekend(day)) {
      if (end - at >= left) return at + left
      left -= end - at
    }
    at = end
  }
}
