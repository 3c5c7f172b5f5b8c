import { expect, test } from 'vitest'
import { followed, SWIPE_MEANT, wayOf } from './swipe.ts'

test.each([
  ['a finger that hardly moved', -6, 4, null],
  ['a scroll', -8, 30, 'other'],
  ['a slanting scroll', -20, 18, 'other'],
  ['a swipe the other way', 30, 2, 'other'],
  ['a swipe', -14, 3, 'across'],
] as const)('%s', (_, dx, dy, way) => expect(wayOf(dx, dy, -1)).toBe(way))

test('the message goes with the finger until the swipe counts, then less and less', () => {
  expect(followed(-20)).toBe(0)
  expect(followed(SWIPE_MEANT)).toBe(SWIPE_MEANT)
  expect(followed(300)).toBeLessThan(150)
})
