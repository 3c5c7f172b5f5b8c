import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOf } from '../beijing.ts'
import { LEVEL_BOOSTS } from './levels.ts'
import { keptLevel, levelOf, levelWithGrace, nextThreshold, trendOf } from './trend.ts'

const days = (...counts: number[]) => counts.map((count, n) => ({ date: dateOf(20_000 + n), count }))
const first = dateOf(20_000)

describe('the level of a day', () => {
  test.each([
    [0, 0],
    [2, 0],
    [3, 1],
    [9, 1],
    [10, 2],
    [20, 3],
    [150, 6],
    [100_000, 6],
  ])('%i packs are level %i', (count, level) => expect(levelOf(count)).toBe(level))

  test('is the highest one whose threshold is reached, for every count', () => {
    fc.assert(
      fc.property(fc.nat(400), (count) => {
        const level = levelOf(count)
        expect(LEVEL_BOOSTS[level]).toBeLessThanOrEqual(count)
        expect(nextThreshold(level) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(count)
      }),
      { seed: 1, numRuns: 400 },
    )
  })
})

describe('the grace after a drop', () => {
  const graceOf = (...counts: number[]) => trendOf(days(...counts), first).map((it) => it.buffer_index)

  test('is counted from 0 to 2 and is over on the fourth day', () =>
    expect(graceOf(10, 3, 3, 3, 3)).toEqual([-1, 0, 1, 2, -1]))
  test('begins anew with another drop', () => expect(graceOf(20, 10, 3, 3)).toEqual([-1, 0, 0, 1]))
  test('ends when the level rises', () => expect(graceOf(10, 3, 10, 10)).toEqual([-1, 0, -1, -1]))
  test('does not begin where the count falls within a level', () =>
    expect(graceOf(15, 11, 10)).toEqual([-1, -1, -1]))
  test('is known of the days before today, which are left out', () => {
    const shown = trendOf(days(10, 3, 3, 3), dateOf(20_002))
    expect(shown.map(({ date, buffer_index }) => [date, buffer_index])).toEqual([
      [dateOf(20_002), 1],
      [dateOf(20_003), 2],
    ])
  })

  test('keeps the level exactly on the days that it marks, after a single drop', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(5), (from, to) => {
        fc.pre(to < from)
        const counts = [from, from, from, to, to, to, to].map((level) => LEVEL_BOOSTS[level] ?? 0)
        const marks = trendOf(days(...counts), first)
        for (let day = 3; day < counts.length; day++) {
          const kept = levelWithGrace(counts.slice(0, day), counts[day]!) === from
          expect(kept).toBe(marks[day]!.buffer_index >= 0)
        }
      }),
      { seed: 2 },
    )
  })
})

describe('the level that a guild keeps', () => {
  const keptAfter = (...counts: number[]) => keptLevel(days(...counts.slice(0, -1)), counts.at(-1)!)

  test('is that of its packs where they are enough', () =>
    expect(keptAfter(10, 10, 10, 12)).toEqual({ kept_level: 2, kept_until: '' }))
  test('ends with the third day of the grace, the day of the drop included', () =>
    expect([
      keptAfter(10, 3),
      keptAfter(10, 3, 3),
      keptAfter(10, 3, 3, 3),
      keptAfter(10, 3, 3, 3, 3),
    ]).toEqual([
      { kept_level: 2, kept_until: dateOf(20_003) },
      { kept_level: 2, kept_until: dateOf(20_003) },
      { kept_level: 2, kept_until: dateOf(20_003) },
      { kept_level: 1, kept_until: '' },
    ]))
  test('ends later where it was reached again within the grace', () =>
    expect(keptAfter(10, 3, 10, 3)).toEqual({ kept_level: 2, kept_until: dateOf(20_005) }))
})

describe('days', () => {
  test('are written as month and day', () =>
    expect(trendOf([{ date: '2026-01-05', count: 0 }], '2026-01-05')[0]?.time_tips).toBe('1/5'))
})
