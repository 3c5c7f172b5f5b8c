import { DAY_MS } from '@guildhall/wire/unit.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  beijingDay,
  beijingDaySpan,
  beijingTime,
  fenOf,
  fromBeijingTime,
  readFen,
  yuanOf,
} from './payUnits.ts'

const MOST = 99_999_999_999_999
const amounts = fc.integer({ min: -MOST, max: MOST })
/** Whole seconds from 1993 to the end of 9998. */
const seconds = fc.integer({ min: 725_846_400, max: 253_370_764_800 - 86_400 }).map((it) => it * 1_000)

describe('yuan', () => {
  it.each([
    '',
    '1',
    '12',
    '12.3',
    '12.300',
    '.30',
    '12.',
    '012.30',
    '00.30',
    '-0.00',
    '+12.30',
    '--1.00',
    ' 12.30',
    '12.30 ',
    '12,30',
    '1,234.00',
    '１２.３０',
    '1e3.00',
    '0x1.00',
    '¥1.00',
    '12.30\n',
    'NaN',
    'Infinity',
    '1234567890123.00',
    '12.3０',
    '1.-1',
  ])('%j is no amount', (text) => {
    expect(fenOf(text)).toBeNull()
  })

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d fen is not written', (fen) => {
    expect(() => yuanOf(fen)).toThrow(RangeError)
  })

  it.each([
    [0, '0.00'],
    [1, '0.01'],
    [-1, '-0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [1_230, '12.30'],
    [-1_230, '-12.30'],
    [9_999_999, '99999.99'],
  ])('%d fen is %s', (fen, text) => {
    expect(yuanOf(fen)).toBe(text)
    expect(fenOf(text)).toBe(fen)
  })

  it('every amount is read back as it was written', () => {
    fc.assert(fc.property(amounts, (fen) => fenOf(yuanOf(fen)) === fen))
  })

  it('every text that is an amount is written again as it was read', () => {
    const near = fc.string({ unit: fc.constantFrom(...'-+0019.. '), maxLength: 8 })
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const fen = fenOf(text)
        return fen === null || yuanOf(fen) === text
      }),
      { numRuns: 20_000 },
    )
  })

  it('more yuan are more fen', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)]
        return less === more || Number(fenOf(yuanOf(less))) < Number(fenOf(yuanOf(more)))
      }),
    )
  })
})

describe('an amount as a provider wrote it', () => {
  it.each([
    '',
    '12.',
    '.30',
    '012.30',
    '+12.30',
    ' 12.30',
    '12,30',
    '1e3',
    '0x10',
    '12.305',
    '0.001',
    '１２.３０',
    12.305,
    1e21,
    Number.NaN,
    null,
    undefined,
    true,
    ['12.30'],
    {},
  ])('%j is none', (yuan) => {
    expect(readFen(yuan)).toBeNull()
  })

  it.each([
    ...([
      ['12.30', 1_230],
      ['12.3', 1_230],
      ['12', 1_200],
      ['12.3000', 1_230],
      ['-0.6', -60],
    ] as const),
    ...([
      [12.3, 1_230],
      [12, 1_200],
      [0.1, 10],
      [1e-2, 1],
      ['-0.00', 0],
      ['-0', 0],
      ['0.04000', 4],
    ] as const),
  ])('%j is %d fen', (yuan, fen) => {
    expect(readFen(yuan)).toBe(fen)
  })

  it('every amount is read, as a text and as a number', () => {
    fc.assert(fc.property(amounts, (fen) => readFen(yuanOf(fen)) === fen))
    const small = fc.integer({ min: -1e12, max: 1e12 })
    fc.assert(fc.property(small, (fen) => readFen(fen / 100) === fen))
  })
})

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
