import { expect, test } from 'vitest'
import { LETTER_COLORS, letterColor, letters } from './letter.ts'

test.each([
  ['星海公会', '星'],
  ['ann', 'AN'],
  ['A', 'A'],
  ['  bo', 'BO'],
  ['a海', 'A海'],
  ['🎮game', '🎮G'],
  ['', '?'],
])('%j is drawn as %s', (name, drawn) => {
  expect(letters(name)).toBe(drawn)
})

test('a name always has one of the colours', () => {
  for (const name of ['', '星海', 'ann', 'a very long name with spaces']) {
    expect(letterColor(name)).toBe(letterColor(name))
    expect(letterColor(name)).toBeLessThan(LETTER_COLORS)
    expect(letterColor(name)).toBeGreaterThanOrEqual(0)
  }
})
