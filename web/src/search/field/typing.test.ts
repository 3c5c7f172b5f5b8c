import { expect, test } from 'vitest'
import { typingAt, withOperator, withValue, wordAt } from './typing.ts'

const at = (typed: string) => typingAt(typed, typed.length)

test.each(['hello', 'https://x', '周五:', 'from', 'x from:小满 ', 'from:"小满" '])(
  '%s is no operator',
  (typed) => {
    expect(at(typed)).toBeNull()
  },
)

test.each([
  ['from:', 'from', ''],
  ['你好 来自:小', 'from', '小'],
  ['FROM:Xi', 'from', 'Xi'],
  ['频道：闲', 'in', '闲'],
  ['in:"two wor', 'in', 'two wor'],
  ['on:“上', 'on', '上'],
] as const)('%s is %s with the value %s', (typed, operator, value) => {
  expect(at(typed)).toMatchObject({ operator, value })
})

test('a value takes the place of what was typed of it; one with spaces stands in quotes', () => {
  const typed = '你好 来自:小 再见'
  const typing = typingAt(typed, 7)!
  expect(withValue(typed, typing, '小满#6372')).toEqual({ typed: '你好 来自:小满#6372 再见', caret: 14 })
  expect(withValue('in:"tw', at('in:"tw')!, 'two "words"')).toEqual({ typed: 'in:"two words" ', caret: 15 })
})

test('an operator takes the place of the word that began it', () => {
  expect(wordAt('你好 fr', 5)).toBe('fr')
  expect(withOperator('你好 fr', 5, 'from')).toEqual({ typed: '你好 from:', caret: 8 })
})
