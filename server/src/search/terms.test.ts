import { beforeAll, describe, expect, it } from 'vitest'
import { openReader, type Reader } from './reader.ts'
import { joined } from './terms.ts'

let reader: Reader
beforeAll(async () => {
  reader = await openReader()
})

/** What is marked of a text for a word, or for a phrase in quotes. */
function marked(text: string, typed: string): string[] {
  const isPhrase = typed.startsWith('"')
  const [sought] = reader.sought([{ text: typed.replaceAll('"', ''), isPhrase }])
  return sought?.marksOf(reader.units(text)).map(({ from, to }) => text.slice(from, to)) ?? []
}

describe('a text has', () => {
  it.each([
    ['', '书', []],
    ['不明天', '明大', []],
    ['图书馆', '图馆', []],
    ['图 书馆', '图书', []],
    ['图，书馆', '图书', []],
    ['say hello', 'ello', []],
    ['用phone', 'hone', []],
    ['iPhone15', 'phone', []],
    ['x2phone', '2', []],
    ['hello world', '"hello wor"', []],
    ['hellos', '"hello"', []],
    ['v2.3.1', '2.3', []],
    ['!!', '!', []],
  ])('nothing of %s for %s', (text, typed, expected) => {
    expect(marked(text, typed)).toEqual(expected)
  })

  it.each([
    ['明天明天', '明天', ['明天', '明天']],
    ['哈哈哈', '哈哈', ['哈哈']],
    ['哈哈哈哈', '哈哈', ['哈哈', '哈哈']],
    ['在圖書館', '图书馆', ['圖書館']],
    ['用ＰＨＯＮＥ拍', 'phone', ['ＰＨＯＮＥ']],
    ['Hello hello', 'hel', ['Hel', 'hel']],
    ['Résumé', 'resume', ['Résumé']],
    ['a  b\nc', '"a b c"', ['a  b\nc']],
    ['v 2.3.1', '2.3', ['2.3']],
    ['😂好😂', '😂', ['😂', '😂']],
    ['ПРИВЕТ', 'привет', ['ПРИВЕТ']],
  ])('%s has %s', (text, typed, expected) => {
    expect(marked(text, typed)).toEqual(expected)
  })
})

it('a mark that stands alone is no term', () => {
  expect(reader.sought([{ text: '！', isPhrase: false }])).toEqual([])
})

it('marks that meet or overlap are one, and marks are in order', () => {
  expect(joined([])).toEqual([])
  expect(
    joined([
      { from: 5, to: 7 },
      { from: 0, to: 3 },
      { from: 3, to: 4 },
      { from: 1, to: 2 },
      { from: 6, to: 9 },
    ]),
  ).toEqual([
    { from: 0, to: 4 },
    { from: 5, to: 9 },
  ])
})

describe('pinyin', () => {
  const spelled = (text: string, typed: string) => {
    const [sought] = reader.spelled([{ text: typed, isPhrase: false }]) ?? []
    return sought?.marksOf(reader.units(text)).map(({ from, to }) => text.slice(from, to)) ?? []
  }

  it.each(['n', '你好', 'ni hao', 'n1', 'x'.repeat(41)])('is not %s', (typed) => {
    expect(reader.spelled([{ text: typed, isPhrase: false }])).toBeNull()
  })

  it.each([
    ['NH', 'nh'],
    ['你不好', 'nihao'],
    ['吃火锅吧', 'huogu'],
    ['吃火锅吧', 'guohuo'],
    ['吃火锅吧', 'hx'],
  ])('of nothing in %s is %s', (text, typed) => {
    expect(spelled(text, typed)).toEqual([])
  })

  it.each([
    ['吃火锅吧', 'huoguo', '火锅'],
    ['吃火锅吧', 'hg', '火锅'],
    ['吃火锅吧', 'hguo', '火锅'],
    ['吃火锅吧', 'HuoGuo', '火锅'],
    ['去西安', 'xian', '西安'],
    ['先生', 'xian', '先'],
    ['长大', 'zhangda', '长大'],
    ['很长', 'henchang', '很长'],
    ['女人', 'nvren', '女人'],
  ])('in %s, %s is %s', (text, typed, expected) => {
    expect(spelled(text, typed)).toEqual([expected])
  })
})
