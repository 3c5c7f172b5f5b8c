import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOf, type Grant, sinceOf } from './entitlement.ts'

const SEED = 20_261_124
const RUNS = 5_000
const BEGAN = Date.UTC(2026, 0, 1)
const length = fc.integer({ min: 1, max: 400 }).map((days) => days * DAY_MS)

/** Grants as the database keeps them: by their times, which a clock that was set back mixes up. */
const asStored = (grants: readonly Grant[]): Grant[] => grants.toSorted((a, b) => a.grantedAt - b.grantedAt)

/**
 * What happens to a person: the clock goes on, or back by hours, and then something is bought, won or given.
 */
const story = fc.array(
  fc.record({ passes: fc.integer({ min: -48, max: 2_000 }).map((hours) => hours * HOUR_MS), length }),
  { minLength: 1, maxLength: 20 },
)
const grantsOf = (parts: readonly { readonly passes: number; readonly length: number }[]): Grant[] => {
  let now = BEGAN
  return parts.map(({ passes, length }) => {
    now = Math.max(now + passes, BEGAN)
    return { grantedAt: now, length }
  })
}

describe('the end of what was granted', () => {
  test('is none without grants', () => {
    expect(endOf([])).toBe(0)
  })

  test('never moves back when something is granted, and moves by its whole length when something was left', () => {
    fc.assert(
      fc.property(story, (parts) => {
        const grants = grantsOf(parts)
        for (let n = 1; n <= grants.length; n += 1) {
          const before = endOf(asStored(grants.slice(0, n - 1)))
          const after = endOf(asStored(grants.slice(0, n)))
          const { grantedAt, length } = grants[n - 1]!
          expect(after).toBeGreaterThanOrEqual(before)
          expect(after).toBeGreaterThanOrEqual(grantedAt + length)
          if (grantedAt <= before) expect(after).toBeLessThanOrEqual(before + length)
        }
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test('gives everybody the time they paid for and no more, while the clock goes on', () => {
    fc.assert(
      fc.property(story, (parts) => {
        const grants = grantsOf(parts.map((it) => ({ ...it, passes: Math.abs(it.passes) })))
        // Counted in another way: hours with a membership, by walking through them.
        let left = 0
        let had = 0
        let at = BEGAN
        for (const { grantedAt, length } of grants) {
          const used = Math.min(left, grantedAt - at)
          had += used
          left += length - used
          at = grantedAt
        }
        expect(endOf(grants)).toBe(at + left)
        expect(had + left).toBe(grants.reduce((sum, { length }) => sum + length, 0))
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test('moves back by a refund at most by what was refunded, and never forward', () => {
    fc.assert(
      fc.property(story, fc.nat(), (parts, which) => {
        const grants = asStored(grantsOf(parts))
        const gone = which % grants.length
        const rest = grants.filter((_, n) => n !== gone)
        const [before, after] = [endOf(grants), endOf(rest)]
        expect(after).toBeLessThanOrEqual(before)
        if (rest.length > 0 && after > grants[gone]!.grantedAt)
          expect(before - after).toBeLessThanOrEqual(grants[gone]!.length)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test('is the same on every machine: days are of 24 hours, whatever the clocks of a place do', () => {
    const month = { grantedAt: Date.parse('2026-03-08T01:30:00-05:00'), length: 30 * DAY_MS }
    expect(endOf([month])).toBe(Date.parse('2026-04-07T02:30:00-04:00'))
    expect(endOf([{ grantedAt: Date.UTC(2028, 1, 1), length: 30 * DAY_MS }])).toBe(Date.UTC(2028, 2, 2))
  })
})

describe('since when it was granted', () => {
  const at = (days: number, lasts: number): Grant => ({
    grantedAt: BEGAN + days * DAY_MS,
    length: lasts * DAY_MS,
  })

  test('is never without grants, and the first one while each follows before the end', () => {
    expect(sinceOf([])).toBe(0)
    expect(sinceOf([at(0, 30), at(10, 30), at(60, 30)])).toBe(BEGAN)
  })

  test('is what follows a gap, however short', () => {
    expect(sinceOf([at(0, 30), { grantedAt: BEGAN + 30 * DAY_MS + 1, length: 1 }, at(31, 30)])).toBe(
      at(31, 30).grantedAt,
    )
  })

  test('is never after the last grant, nor before the first, and nothing is missing from then to the end', () => {
    fc.assert(
      fc.property(story, (parts) => {
        const grants = asStored(grantsOf(parts))
        const since = sinceOf(grants)
        const from = grants.findIndex(({ grantedAt }) => grantedAt === since)
        expect(from).toBeGreaterThanOrEqual(0)
        const rest = grants.slice(from)
        expect(endOf(rest)).toBe(since + rest.reduce((sum, { length }) => sum + length, 0))
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })
})
