/**
 * The arithmetic of boosts: the level of a day, the grace after a drop, and the trend of a guild. Pure, used
 * by the server and by the page. commerce.md §4 "Boost level per day".
 */
import { dateOf, dayNumber } from '../beijing.ts'
import { DAY_MS, type Millis } from '../unit.ts'
import { LEVEL_BOOSTS } from './levels.ts'

/** How long a used pack counts. commerce.md §9. */
export const BOOST_LASTS_DAYS = 30
export const BOOST_LASTS_MS: Millis = BOOST_LASTS_DAYS * DAY_MS
/** A guild keeps its level for so many days after its packs became too few, the day of the drop included. */
export const GRACE_DAYS = 3

/** The highest level whose threshold is at or below a count. */
export const levelOf = (count: number): number =>
  Math.max(
    0,
    LEVEL_BOOSTS.findLastIndex((least) => least <= count),
  )

/** Packs that the next level needs; null at the highest. */
export const nextThreshold = (level: number): number | null => LEVEL_BOOSTS[level + 1] ?? null

/** Packs of a day. */
export interface DayCount {
  /** `YYYY-MM-DD`, in Beijing. */
  readonly date: string
  readonly count: number
}

/** The level that a guild has, its grace included. */
export interface KeptLevel {
  readonly kept_level: number
  /** The last day on which a grace keeps the level, `YYYY-MM-DD`; empty: the packs are enough for it. */
  readonly kept_until: string
}

/** What commerce.md §4 derives of the packs of a day. */
export interface DayMarks {
  /** What the packs are enough for. */
  readonly level: number
  /** The day of the grace after a drop, from 0; -1: there is none. */
  readonly buffer_index: number
  /** Month and day, as `11/24`. */
  readonly time_tips: string
}

/** The days from `today` on, with their levels. The days before it decide the grace and are left out. */
export function trendOf<Day extends DayCount>(counts: readonly Day[], today: string): (Day & DayMarks)[] {
  const days: (Day & DayMarks)[] = []
  let last: DayMarks | null = null
  for (const each of counts) {
    const level = levelOf(each.count)
    const day: Day & DayMarks = {
      ...each,
      level,
      buffer_index: bufferIndex(level, last),
      time_tips: monthAndDay(each.date),
    }
    last = day
    if (each.date >= today) days.push(day)
  }
  return days
}

/** `11/24` of `2026-11-24`. */
export const monthAndDay = (date: string): string =>
  `${Number(date.slice(5, 7))}/${Number(date.slice(8, 10))}`

function bufferIndex(level: number, last: DayMarks | null): number {
  if (!last) return -1
  if (level < last.level) return 0
  const goesOn = level === last.level && (last.buffer_index === 0 || last.buffer_index === 1)
  return goesOn ? last.buffer_index + 1 : -1
}

/**
 * The level that a guild has, of the counts of the days before, the oldest first, and now's: what it had
 * within the grace counts.
 */
export const levelWithGrace = (before: readonly number[], now: number): number =>
  Math.max(levelOf(now), ...before.slice(-GRACE_DAYS).map(levelOf))

/**
 * The level that a guild has now, and until when a grace keeps it. `before`: the ends of the days before, the
 * oldest first.
 */
export function keptLevel(before: readonly DayCount[], now: number): KeptLevel {
  const kept_level = levelWithGrace(
    before.map(({ count }) => count),
    now,
  )
  if (kept_level === levelOf(now)) return { kept_level, kept_until: '' }
  const last = before.findLast(({ count }) => levelOf(count) >= kept_level)
  return { kept_level, kept_until: last ? dateOf(dayNumber(Date.parse(last.date)) + GRACE_DAYS) : '' }
}
