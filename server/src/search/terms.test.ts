import { expect, test } from 'vitest'
import { openReader } from './reader.ts'
import { joined } from './terms.ts'

const reader = await openReader()
const marked = (text: string, wanted: string, isPhrase = false) => {
  const [sought] = reader.sought([{ text: wanted, isPhrase }])
  return sought?.marksOf(reader.units(text)).map(({ from, to }) => text.slice(from, to))
}
const spelled = (text: string, wanted: string) =>
  reader
    .spelled([{ text: wanted, isPhrase: false }])
    ?.flatMap((it) => it.marksOf(reader.units(text)).map(({ from, to }) => text.slice(from, to)))

test.each([
  ['图书馆', '图馆'],
  ['图 书', '图书'],
  ['headphone', 'phone'],
  ['x2phone', '2'],
  ['', '书'],
])('%j does not have %j', (text, wanted) => {
  expect(marked(text, wanted)).toEqual([])
})

test.each([
  ['去圖書館', '图书', ['圖書']],
  ['ＣＡＦÉ cafes', 'cafe', ['ＣＡＦÉ', 'cafe']],
  ['哈哈哈哈', '哈哈', ['哈哈', '哈哈']],
  ['哈哈哈', '哈哈', ['哈哈']],
  ['习iphone', 'iphone', ['iphone']],
  ['😄好😄', '😄', ['😄', '😄']],
])('%j has %j', (text, wanted, found) => {
  expect(marked(text, wanted)).toEqual(found)
})

test('a phrase ends with a whole word, and a run of spaces in a text is one', () => {
  expect(marked('good   morning', 'good morning', true)).toEqual(['good   morning'])
  expect(marked('good mornings', 'good morning', true)).toEqual([])
})

test('a mark that stands alone is no term', () => {
  expect(marked('好！', '！')).toBe(undefined)
})

test('marks that meet or overlap are one, in order', () => {
  expect(joined([])).toEqual([])
  expect(
    joined([
      { from: 8, to: 9 },
      { from: 0, to: 4 },
      { from: 1, to: 2 },
      { from: 4, to: 5 },
    ]),
  ).toEqual([
    { from: 0, to: 5 },
    { from: 8, to: 9 },
  ])
})

test.each(['n', '你好', 'ni hao', 'n1', 'x'.repeat(41)])('%j is no pinyin', (wanted) => {
  expect(spelled('你好', wanted)).toBe(undefined)
})

test.each([
  ['说你好吗', 'nihao', ['你好']],
  ['说你好吗', 'nh', ['你好']],
  ['说你好吗', 'nhao', ['你好']],
  ['NH', 'nh', []],
  ['你不好', 'nihao', []],
  ['去西安', 'xian', ['西安']],
  ['先生', 'xian', ['先']],
  ['长大', 'zhangda', ['长大']],
  ['很长', 'henchang', ['很长']],
  ['女人', 'nvren', ['女人']],
])('%j by pinyin: %j', (text, wanted, found) => {
  expect(spelled(text, wanted)).toEqual(found)
})
