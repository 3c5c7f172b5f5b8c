import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readableColor } from './contrast.ts'

const parts = (css: string) => css.match(/\d+/g)?.map(Number) as [number, number, number]

test('0 is no colour', () => {
  expect(readableColor(0, 'light')).toBeNull()
  expect(readableColor(-1, 'dark')).toBeNull()
  expect(readableColor(0x1000000, 'dark')).toBeNull()
})

test('black on white is 21 to 1', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5)
})

test('a readable colour is unchanged', () => {
  expect(readableColor(0x0b7a53, 'light')).toBe('rgb(11 122 83)')
})

test('every colour is readable on both themes, also in a message that mentions the reader', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0xffffff }), (color) => {
      for (const ground of [
        [243, 245, 247],
        [255, 255, 255],
        [227, 244, 236],
      ] as const)
        expect(contrast(parts(readableColor(color, 'light') ?? ''), ground)).toBeGreaterThanOrEqual(4.5)
      for (const ground of [
        [25, 29, 35],
        [34, 40, 49],
        [23, 51, 40],
      ] as const)
        expect(contrast(parts(readableColor(color, 'dark') ?? ''), ground)).toBeGreaterThanOrEqual(4.5)
    }),
    { seed: 3, numRuns: 500 },
  )
})
