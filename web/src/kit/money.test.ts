import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fenOf, yuan } from './money.ts'

test.each([
  [0, '¥0.00'],
  [1, '¥0.01'],
  [10, '¥0.10'],
  [1230, '¥12.30'],
  [99_900, '¥999.00'],
  [-250, '-¥2.50'],
  [Number.MAX_SAFE_INTEGER, '¥90071992547409.91'],
])('%i fen is %s', (fen, words) => {
  expect(yuan(fen)).toBe(words)
})

test('every sum is read back as the same number of fen', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (fen) => {
      const digits = BigInt(yuan(fen).replace(/[¥.]/g, ''))
      expect(digits).toBe(BigInt(fen))
    }),
    { seed: 5, numRuns: 1_000 },
  )
})

test.each(['', '.', '1.234', '-1', '+1', '1e3', '1,000', '¥1', 'x', '99999999'])(
  'what was typed is no sum: %j',
  (typed) => {
    expect(fenOf(typed)).toBeNull()
  },
)

test('every sum is typed in yuan and read in fen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (fen) => {
      expect(fenOf(` ${yuan(fen).slice(1)} `)).toBe(fen)
    }),
    { seed: 5, numRuns: 1_000 },
  )
  expect([fenOf('12'), fenOf('12.3'), fenOf('012.30')]).toEqual([1200, 1230, 1230])
})
