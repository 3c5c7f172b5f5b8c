/**
 * The arithmetic of boosts: the level of a day, the grace after a drop, and the trend of a guild. Pure, used by the server and by
 * the page. commerce.md §4 "Boost level per day".
 */
import { DAY_MS, HOUR_MS, type Millis } from '../unit.ts'
import { LEVEL_BOOSTS } from './rights.ts'

/** How long a used pack counts. commerce.md §9. */
export const BOOST_LASTS_MS: Millis = 30 * DAY_MS
/** A guild keeps its level for so many days after its packs became too few, the day of the drop included. */
export const GRACE_DAYS = 3
/** Days are those of Beijing, which has no daylight saving. */
const BEIJING_MS: Millis = 8 * HOUR_MS

/** The highest level whose threshold is at or below a count. */
export const levelOf = (count: number): number =>
  Math.max(
    0,
    LEVEL_BOOSTS.findLastIndex((least) => least <= count),
  )

/** Packs that the next level needs; null at the highest. */
export const nextThreshold = (level: number): number | null => LEVEL_BOOSTS[level + 1] ?? null

/** The number of the day of Beijing that a time is in. */
export const dayOf = (at: Millis): number => Math.floor((at + BEIJING_MS) / DAY_MS)

/** When a day begins, ms. */
export const dayStart = (day: number): Millis => day * DAY_MS - BEIJING_MS

/** `YYYY-MM-DD`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Packs of a day. */
export interface DayCount {
  /** `YYYY-MM-DD`, in Beijing. */
  readonly date: string
  readonly count: number
}

export interface TrendDay extends DayCount {
  readonly level: number
  /** The day of the grace after a drop, from 0; -1: there is none. */
  readonly buffer_index: number
  /** Month and day, as `11/24`. */
  readonly time_tips: string
}

/** The days from `today` on, with their levels. The days before it decide the grace and are left out. */
export function trendOf(counts: readonly DayCount[], today: string): TrendDay[] {
  const days: TrendDay[] = []
  let last: TrendDay | null = null
  for (const { date, count } of counts) {
    const level = levelOf(count)
    const day: TrendDay = {
      ...{ date, count, level, buffer_index: bufferIndex(level, last) },
      time_tips: `${Number(date.slice(5, 7))}/${Number(date.slice(8, 10))}`,
    }
    last = day
    if (date >= today) days.push(day)
  }
  return days
}

function bufferIndex(level: number, last: TrendDay | null): number {
  if (!last) return -1
  if (level < last.level) return 0
  const goesOn = level === last.level && (last.buffer_index === 0 || last.buffer_index === 1)
  return goesOn ? last.buffer_index + 1 : -1
}

/**
 * The level that a guild has, of the counts of the days before, the oldest first, and now's: what it had within the grace counts.
 */
export const levelWithGrace = (before: readonly number[], now: number): number =>
  Math.max(levelOf(now), ...before.slice(-GRACE_DAYS).map(levelOf))
