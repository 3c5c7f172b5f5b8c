import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test.each([
  [[], 0, 1],
  [[0, 0], 0, 1],
  [[3], 0, 3],
  [[97], 0, 100],
  [[1234, 5], 0, 1500],
  [[-250, 800], -500, 1000],
  [[-5], -6, 0],
])('the axis of %j goes from %i to %i', (values, from, to) => {
  expect(scaleOf(values)).toMatchObject({ from, to })
})

test('every axis holds its values and zero, on a few lines of whole numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 })), (values) => {
      const { lines, from, to } = scaleOf(values)
      for (const value of [...values, 0]) expect(value >= from && value <= to).toBe(true)
      expect(lines.length).toBeGreaterThanOrEqual(2)
      expect(lines.length).toBeLessThanOrEqual(7)
      expect(lines).toContain(0)
      for (const line of lines) expect(Number.isInteger(line)).toBe(true)
    }),
    { seed: 84, numRuns: 2_000 },
  )
})
