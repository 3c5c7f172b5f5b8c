import { dateOf } from '@guildhall/wire/beijing.ts'
import { keptLevel, trendOf } from '@guildhall/wire/boost/trend.ts'
import { expect, test } from 'vitest'
import { levelRuns, nextChange, partOf } from './levelRuns.ts'

/** A day of each count, the first of which is today. */
const days = (...counts: number[]) => {
  const all = counts.map((count, n) => ({ date: dateOf(20_000 + n), count }))
  return trendOf(
    all.map((it, n) => ({ ...it, ...keptLevel(all.slice(0, n), it.count) })),
    dateOf(20_000),
  )
}

test('no day is no run, and nothing changes', () => {
  expect(levelRuns([])).toEqual([])
  expect(nextChange([])).toBeNull()
  expect(nextChange(days(0))).toBeNull()
})

test('days of one level are one run, also where their packs differ', () =>
  expect(levelRuns(days(30, 24, 20))).toEqual([
    { from: 0, length: 3, level: 3, isGrace: false, worth: 3, next: 40 },
  ]))

test('a grace is a run of its own, with what its packs are short of', () =>
  expect(
    levelRuns(days(20, 18, 18, 18, 18)).map(({ level, isGrace, next, length }) => [
      level,
      isGrace,
      next,
      length,
    ]),
  ).toEqual([
    [3, false, 40, 1],
    [3, true, 20, 3],
    [2, false, 20, 1],
  ]))

test('a level ends with its grace', () => {
  expect(nextChange(days(20, 18, 18, 18, 18))).toMatchObject({ date: dateOf(20_004), kept_level: 2 })
})

test('a column is as high as the packs are a part of what the next level needs; the highest level is full', () =>
  expect(days(30, 18, 0, 150, 900).map(partOf)).toEqual([0.75, 0.9, 0, 1, 1]))
