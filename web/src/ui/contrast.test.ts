import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readableColor, readableGradient } from './contrast.ts'

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

const stopsOf = (gradient: string) => [...gradient.matchAll(/rgb\(([^)]*)\)/g)].map(([, it]) => parts(it!))

test('without colours there is no gradient', () => {
  expect(readableGradient([], 'light')).toBeNull()
})

test('a readable gradient has its own colours alone', () => {
  expect(readableGradient([0x0b7a53, 0x5f3dc4], 'light')).toBe(
    'linear-gradient(90deg, rgb(11 122 83), rgb(95 61 196))',
  )
})

test('every gradient is readable from its beginning to its end, on both themes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 0xffffff }), { minLength: 2, maxLength: 4 }), (colors) => {
      for (const [theme, ground] of [
        ['light', [227, 244, 236]],
        ['dark', [23, 51, 40]],
      ] as const) {
        const stops = stopsOf(readableGradient(colors, theme)!)
        for (const [at, to] of stops.entries()) {
          const from = stops[at - 1] ?? to
          for (let share = 0; share <= 1; share += 0.1) {
            const drawn = from.map((part, n) => part + (to[n]! - part) * share)
            // A hundredth is less than the steps of a screen's colours.
            expect(contrast(drawn as [number, number, number], ground)).toBeGreaterThanOrEqual(4.45)
          }
        }
      }
    }),
    { seed: 5, numRuns: 300 },
  )
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
