/** The days of a guild's boosts as the chart shows them. Pure. commerce.md §4 "Boost level per day". */
import { type DayCount, type DayMarks, type KeptLevel, nextThreshold } from '@guildhall/wire/boost/trend.ts'

export type TrendDay = DayCount & DayMarks & KeptLevel

/** Days one after the other that have the same level by the same packs' worth. */
export interface LevelRun {
  /** The index of its first day. */
  readonly from: number
  readonly length: number
  /** The level that the guild has, a grace included. */
  readonly level: number
  /** A grace keeps it. */
  readonly isGrace: boolean
  /** The level that its packs are enough for. */
  readonly worth: number
  /** The packs that the level after that needs, as high as the columns are; null at the highest. */
  readonly next: number | null
}

export function levelRuns(days: readonly TrendDay[]): LevelRun[] {
  const runs: LevelRun[] = []
  for (const [from, { kept_level: level, kept_until, level: worth }] of days.entries()) {
    const run = { from, length: 1, level, isGrace: kept_until !== '', worth, next: nextThreshold(worth) }
    const last = runs.at(-1)
    if (last?.level === level && last.isGrace === run.isGrace && last.worth === worth)
      runs[runs.length - 1] = { ...last, length: last.length + 1 }
    else runs.push(run)
  }
  return runs
}

/** How high the column of a day is, from 0 to 1. */
export const partOf = ({ count, level }: TrendDay): number =>
  Math.min(1, count / (nextThreshold(level) ?? Math.max(count, 1)))

/** The first day on which the guild has another level than on the first one; null: there is none. */
export const nextChange = (days: readonly TrendDay[]): TrendDay | null =>
  days.find(({ kept_level }) => kept_level !== days[0]?.kept_level) ?? null
