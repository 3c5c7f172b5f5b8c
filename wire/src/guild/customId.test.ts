import { expect, test } from 'vitest'
import { customIdMin, isCustomId, isReservedId } from './customId.ts'

test.each(['', 'abc', 'ab cdef', '-abcdef', 'abcdef-', 'a_bcdef', '星海公会厅们', 'a'.repeat(33), 'abc/def'])(
  '%j is no custom id at any level',
  (id) => expect(isCustomId(id, 6)).toBe(false),
)

test('four characters are enough at level 6, and six are needed below', () => {
  expect([customIdMin(5), customIdMin(6)]).toEqual([6, 4])
  expect(isCustomId('star', 6)).toBe(true)
  expect(isCustomId('stars', 5)).toBe(false)
  for (const level of [5, 6]) {
    expect(isCustomId('Star-Sea', level)).toBe(true)
    expect(isCustomId('a'.repeat(32), level)).toBe(true)
  }
})

test('reserved words are reserved in any case', () => {
  expect(isReservedId('Official')).toBe(true)
  expect(isReservedId('official-fans')).toBe(false)
})
