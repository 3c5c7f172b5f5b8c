import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AGAIN_MS, type Cycle, chargeAt, nextStep } from './calendar.ts'

const at = (beijing: string): Millis => Date.parse(`${beijing}+08:00`)
const cycle = (change: Partial<Cycle>): Cycle => ({
  endsAt: at('2026-03-31T15:30:00'),
  announcedAt: null,
  triedAt: null,
  isOver: false,
  ...change,
})
const wait = (beijing: string) => ({ do: 'wait', until: at(beijing) })

describe('nothing is done', () => {
  test('for a period that was charged or given up', () => {
    expect(nextStep(cycle({ isOver: true }), at('2026-03-28T12:00:00'))).toEqual({ do: 'nothing' })
  })
  test('at night', () => {
    expect(nextStep(cycle({}), at('2026-03-26T06:59:59'))).toEqual(wait('2026-03-26T07:00:00'))
    expect(nextStep(cycle({}), at('2026-03-27T22:00:00'))).toEqual(wait('2026-03-28T07:00:00'))
    const announcedAt = at('2026-03-28T12:00:00')
    expect(nextStep(cycle({ announcedAt }), at('2026-03-30T06:59:59'))).toEqual(wait('2026-03-30T07:00:00'))
  })
  test('long before the end', () => {
    expect(nextStep(cycle({}), at('2026-03-01T12:00:00'))).toEqual(wait('2026-03-26T07:00:00'))
  })
  test('within two hours of an attempt that failed', () => {
    const triedAt = at('2026-03-27T09:00:00')
    expect(nextStep(cycle({ triedAt }), at('2026-03-27T09:01:00'))).toEqual(wait('2026-03-27T11:00:00'))
    expect(nextStep(cycle({ triedAt }), at('2026-03-27T11:00:00'))).toEqual({ do: 'announce' })
    // The clock was wrong then.
    expect(nextStep(cycle({ triedAt: at('2027-01-01T09:00:00') }), at('2026-03-27T09:01:00'))).toEqual({
      do: 'announce',
    })
  })
})

describe('a period is given up', () => {
  test('when nobody was told by the third day before its end', () => {
    const why = { do: 'give_up', why: 'notice' }
    expect(nextStep(cycle({}), at('2026-03-28T21:59:59'))).toEqual({ do: 'announce' })
    expect(nextStep(cycle({}), at('2026-03-28T22:00:00'))).toEqual(why)
    expect(nextStep(cycle({}), at('2026-06-01T12:00:00'))).toEqual(why)
  })
  test('when the notice does not lie far enough back, or too far', () => {
    for (const notice of ['2026-03-29T07:00:00', '2026-03-30T07:00:00', '2026-03-20T12:00:00'])
      expect(nextStep(cycle({ announcedAt: at(notice) }), at('2026-03-30T12:00:00'))).toEqual({
        do: 'give_up',
        why: 'notice',
      })
  })
  test('when the day before its end is over', () => {
    const announcedAt = at('2026-03-27T12:00:00')
    expect(nextStep(cycle({ announcedAt }), at('2026-03-30T21:59:59'))).toEqual({ do: 'charge' })
    expect(nextStep(cycle({ announcedAt }), at('2026-03-30T22:00:00'))).toEqual({
      do: 'give_up',
      why: 'charge',
    })
  })
})

test.each([
  ['the end of February', '2027-03-01T00:00:00', '2027-02-26', '2027-02-28'],
  ['a leap day', '2028-03-01T23:59:59', '2028-02-27', '2028-02-29'],
  ['the turn of a year', '2027-01-01T12:00:00', '2026-12-29', '2026-12-31'],
])('at %s, the notice and the charge are on the right days', (_name, ends, notice, charge) => {
  const endsAt = at(ends)
  expect(nextStep(cycle({ endsAt }), at(`${notice}T21:59:00`))).toEqual({ do: 'announce' })
  expect(chargeAt(endsAt)).toBe(at(`${charge}T07:00:00`))
  const announced = cycle({ endsAt, announcedAt: at(`${notice}T21:59:00`) })
  expect(nextStep(announced, at(`${charge}T07:00:00`))).toEqual({ do: 'charge' })
})

// What follows knows the calendar by another way: the words of Intl.
const text = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
})
const dateOf = (time: Millis): string => text.format(time).slice(0, 10)
const hourOf = (time: Millis): number => Number(text.format(time).slice(11, 13))
const daysBetween = (from: Millis, to: Millis): number =>
  (Date.parse(dateOf(to)) - Date.parse(dateOf(from))) / DAY_MS

interface World {
  readonly notices: Millis[]
  readonly charges: Millis[]
  readonly notification: string[]
  /** Steps that were tried and failed. */
  failures: number
}

/** A server that looks every so often, with what befalls it. */
function live(input: {
  readonly endsAt: Millis
  readonly from: Millis
  readonly pauses: readonly Millis[]
  readonly fails: readonly boolean[]
  readonly jumps: readonly Millis[]
}): World {
  const world: World = { notices: [], charges: [], notification: [], failures: 0 }
  let state = cycle({ endsAt: input.endsAt })
  let now = input.from
  for (let n = 0; now < input.endsAt + 3 * DAY_MS && n < 3_000; n += 1) {
    const step = nextStep(state, now)
    const hasFailed = input.fails[n % input.fails.length] ?? false
    if (step.do === 'wait') expect(step.until).toBeGreaterThan(now)
    if (step.do === 'give_up') {
      world.notification.push(step.why)
      state = { ...state, isOver: true }
    } else if (step.do === 'announce' || step.do === 'charge') {
      state = { ...state, triedAt: now }
      if (hasFailed) world.failures += 1
      else if (step.do === 'announce') {
        world.notices.push(now)
        state = { ...state, announcedAt: now, triedAt: null }
      } else {
        world.charges.push(now)
        state = { ...state, isOver: true }
      }
    }
    now += (input.pauses[n % input.pauses.length] ?? MINUTE_MS) - (input.jumps[n % input.jumps.length] ?? 0)
  }
  return world
}

const ends = fc.oneof(
  fc.integer({ min: at('2024-01-01T00:00:00'), max: at('2034-01-01T00:00:00') }),
  // Month ends and leap days, at both ends of the day.
  fc
    .tuple(
      fc.integer({ min: 2024, max: 2036 }),
      fc.integer({ min: 0, max: 11 }),
      fc.integer({ min: -2, max: 2 }),
    )
    .map(([year, month, day]) => Date.UTC(year, month, 1 + day) - 8 * HOUR_MS),
)
const seed = 20_261_124

describe('over thousands of calendars', () => {
  test('nobody is charged twice, untold, too soon after the notice, or outside of the window', () => {
    fc.assert(
      fc.property(
        fc.record({
          endsAt: ends,
          before: fc.integer({ min: 0, max: 12 * DAY_MS }),
          // Minutes while it runs, days while it is down.
          pauses: fc.array(
            fc.oneof(
              fc.integer({ min: MINUTE_MS, max: 3 * HOUR_MS }),
              fc.integer({ min: HOUR_MS, max: 4 * DAY_MS }),
            ),
            { minLength: 1, maxLength: 12 },
          ),
          fails: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
          jumps: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 * HOUR_MS })), {
            minLength: 1,
            maxLength: 12,
          }),
        }),
        ({ before, ...it }) => {
          const { notices, charges, notification } = live({ ...it, from: it.endsAt - before })
          expect(notices.length).toBeLessThanOrEqual(1)
          expect(charges.length + notification.length).toBeLessThanOrEqual(1)
          for (const time of [...notices, ...charges]) {
            expect(hourOf(time)).toBeGreaterThanOrEqual(7)
            expect(hourOf(time)).toBeLessThan(22)
          }
          for (const notice of notices) expect(daysBetween(notice, it.endsAt)).toBeGreaterThanOrEqual(3)
          for (const charge of charges) {
            expect(daysBetween(charge, it.endsAt)).toBe(1)
            expect(notices).toHaveLength(1)
            expect(daysBetween(notices[0]!, charge)).toBeGreaterThanOrEqual(2)
            expect(daysBetween(notices[0]!, charge)).toBeLessThanOrEqual(8)
          }
        },
      ),
      { numRuns: 5_000, seed },
    )
  })

  test('a server that runs charges each period once, also when it fails at first', () => {
    fc.assert(
      fc.property(ends, fc.integer({ min: 0, max: 5 }), (endsAt, failures) => {
        const world = live({
          endsAt,
          from: endsAt - 7 * DAY_MS,
          pauses: [40 * MINUTE_MS],
          jumps: [0],
          fails: [false],
        })
        expect([world.notices.length, world.charges.length, world.notification]).toEqual([1, 1, []])
        // An attempt every two hours: the window of one day has room for seven.
        const tried = failing(endsAt, failures)
        expect([tried.notices.length, tried.charges.length, tried.notification]).toEqual([1, 1, []])
      }),
      { numRuns: 1_000, seed },
    )
  })

  test('what never succeeds ends with the person being told', () => {
    fc.assert(
      fc.property(ends, (endsAt) => {
        const world = live({
          endsAt,
          from: endsAt - 7 * DAY_MS,
          pauses: [40 * MINUTE_MS],
          jumps: [0],
          fails: [true],
        })
        expect([world.notices, world.charges, world.notification]).toEqual([[], [], ['notice']])
        expect(world.failures).toBeGreaterThanOrEqual(3)
      }),
      { numRuns: 1_000, seed },
    )
  })
})

/** A server whose first attempts of the notice and of the charge fail. */
function failing(endsAt: Millis, failures: number): World {
  const world: World = { notices: [], charges: [], notification: [], failures: 0 }
  let state = cycle({ endsAt })
  let left = failures
  for (let now = endsAt - 7 * DAY_MS; now < endsAt + DAY_MS; now += AGAIN_MS / 3) {
    const step = nextStep(state, now)
    if (step.do === 'give_up') {
      world.notification.push(step.why)
      state = { ...state, isOver: true }
    }
    if (step.do !== 'announce' && step.do !== 'charge') continue
    state = { ...state, triedAt: now }
    if (left > 0) {
      left -= 1
      continue
    }
    left = failures
    if (step.do === 'announce') {
      world.notices.push(now)
      state = { ...state, announcedAt: now, triedAt: null }
    } else {
      world.charges.push(now)
      state = { ...state, isOver: true }
    }
  }
  return world
}
