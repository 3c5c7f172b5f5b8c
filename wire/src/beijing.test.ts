import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  beijingDay,
  beijingDaySpan,
  beijingTime,
  dateOf,
  dayNumber,
  dayStart,
  fromBeijingTime,
} from './beijing.ts'
import { DAY_MS } from './unit.ts'

/** Whole seconds from 1993 to the end of 9998. */
const seconds = fc.integer({ min: 725_846_400, max: 253_370_764_800 - 86_400 }).map((it) => it * 1_000)

describe('times of Beijing', () => {
  it.each([
    '',
    '2026-02-30 10:00:00',
    '2025-02-29 10:00:00',
    '2026-13-01 10:00:00',
    '2026-00-01 10:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 10:60:00',
    '2026-01-01 10:00:60',
    '2026-01-01T10:00:00',
    '2026-01-01 10:00',
    '2026-01-01 10:00:00Z',
    '2026-1-1 10:00:00',
    '2026-01-01 10:00:00.1',
    ' 2026-01-01 10:00:00',
    '2026-01-01 10:00:00 ',
    '2026/01/01 10:00:00',
    '２026-01-01 10:00:00',
  ])('%j is no time', (text) => {
    expect(fromBeijingTime(text)).toBeNull()
  })

  it.each(['', '2026-02-30', '2026-1-1', '2026-01-01 00:00:00', '20260101'])('%j is no day', (text) => {
    expect(beijingDaySpan(text)).toBeNull()
  })

  it('are eight hours ahead of UTC', () => {
    const at = Date.UTC(2026, 1, 28, 16, 0, 0, 999)
    expect(beijingTime(at)).toBe('2026-03-01 00:00:00')
    expect(beijingDay(at)).toBe('2026-03-01')
    expect(beijingDay(at - 1_000)).toBe('2026-02-28')
    expect(fromBeijingTime('2026-03-01 00:00:00')).toBe(at - 999)
    expect(fromBeijingTime('2026-03-01 00:00:00.320')).toBe(at - 999 + 320)
  })

  it('are read back as they were written', () => {
    fc.assert(fc.property(seconds, (at) => fromBeijingTime(beijingTime(at)) === at))
  })

  it('a moment is within the day that it is of, and a day begins where the one before ends', () => {
    fc.assert(
      fc.property(seconds, (at) => {
        const span = beijingDaySpan(beijingDay(at))
        const next = beijingDaySpan(beijingDay(at + DAY_MS))
        return span !== null && span.from <= at && at < span.to && next?.from === span.to
      }),
    )
  })
})

describe('days by number', () => {
  it('are those of Beijing, whatever the clock of the machine', () => {
    expect(dateOf(dayNumber(Date.parse('2026-11-23T15:59:59.999Z')))).toBe('2026-11-23')
    expect(dateOf(dayNumber(Date.parse('2026-11-23T16:00:00Z')))).toBe('2026-11-24')
    expect(dateOf(dayNumber(Date.parse('2028-02-28T16:00:00Z')))).toBe('2028-02-29')
  })
  it('begin when the one before ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), (day) => {
        expect(dayNumber(dayStart(day))).toBe(day)
        expect(dayNumber(dayStart(day) - 1)).toBe(day - 1)
      }),
      { seed: 3 },
    )
  })
})
