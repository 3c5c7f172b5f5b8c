import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fenOf, fenOfMonth, readFen, typedFen, yuan, yuanOf } from './money.ts'

const MOST = 99_999_999_999_999
const amounts = fc.integer({ min: -MOST, max: MOST })

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

describe('for people', () => {
  it.each([
    [0, '¥0.00'],
    [1, '¥0.01'],
    [10, '¥0.10'],
    [1230, '¥12.30'],
    [99_900, '¥999.00'],
    [-250, '-¥2.50'],
    [123_450, '¥1,234.50'],
    [-100_000_000, '-¥1,000,000.00'],
    [Number.MAX_SAFE_INTEGER, '¥90,071,992,547,409.91'],
  ])('%i fen is %s', (fen, content) => {
    expect(yuan(fen)).toBe(content)
  })

  it.each([
    [4_800, 90, 1_600],
    [16_800, 365, 1_381],
    [1_800, 30, 1_800],
    [700, 7, 3_000],
  ])('%i fen for %i days are %i in a month', (price, days, inMonth) => {
    expect(fenOfMonth(price, days)).toBe(inMonth)
  })

  it('every sum is read back as the same number of fen', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (fen) => {
        const digits = BigInt(yuan(fen).replace(/[¥.,]/g, ''))
        expect(digits).toBe(BigInt(fen))
      }),
      { seed: 5, numRuns: 1_000 },
    )
  })

  it.each(['', '.', '1.234', '-1', '+1', '1e3', '1,000', '¥1', 'x', '99999999'])(
    'what was typed is no sum: %j',
    (typed) => {
      expect(typedFen(typed)).toBeNull()
    },
  )

  it('every sum is typed in yuan and read in fen', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (fen) => {
        expect(typedFen(` ${yuanOf(fen)} `)).toBe(fen)
      }),
      { seed: 5, numRuns: 1_000 },
    )
    expect([typedFen('12'), typedFen('12.3'), typedFen('012.30')]).toEqual([1200, 1230, 1230])
  })
})
