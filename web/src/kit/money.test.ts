import fc from 'fast-check'
import { expect, test } from 'vitest'
import { yuan } from './money.ts'

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
