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
    ['不明天', '明大', []],
    ['图 书馆', '图书', []],
    ['图，书馆', '图书', []],
    ['say hello', 'ello', []],
    ['用phone', 'hone', []],
    ['iPhone15', 'phone', []],
    ['hello world', '"hello wor"', []],
    ['hellos', '"hello"', []],
    ['!!', '!', []],
  ])('nothing of %s for %s', (text, typed, expected) => {
    expect(marked(text, typed)).toEqual(expected)
  })

  it.each([
    ['明天明天', '明天', ['明天', '明天']],
    ['哈哈哈', '哈哈', ['哈哈']],
    ['在圖書館', '图书馆', ['圖書館']],
    ['用ＰＨＯＮＥ拍', 'phone', ['ＰＨＯＮＥ']],
    ['Hello hello', 'hel', ['Hel', 'hel']],
    ['Résumé', 'resume', ['Résumé']],
    ['a  b\nc', '"a b c"', ['a  b\nc']],
    ['v2.3.1', '2.3', []],
    ['v 2.3.1', '2.3', ['2.3']],
    ['好😂', '😂', ['😂']],
    ['ПРИВЕТ', 'привет', ['ПРИВЕТ']],
  ])('%s has %s', (text, typed, expected) => {
    expect(marked(text, typed)).toEqual(expected)
  })
})

it('marks that meet are one, and marks are in order', () => {
  expect(
    joined([
      { from: 4, to: 6 },
      { from: 0, to: 2 },
      { from: 2, to: 3 },
      { from: 5, to: 8 },
    ]),
  ).toEqual([
    { from: 0, to: 3 },
    { from: 4, to: 8 },
  ])
})

describe('pinyin', () => {
  const spelled = (text: string, typed: string) => {
    const [sought] = reader.spelled([{ text: typed, isPhrase: false }]) ?? []
    return sought?.marksOf(reader.units(text)).map(({ from, to }) => text.slice(from, to)) ?? []
  }

  it('is whole syllables, first letters, or both; of words with other signs there is none', () => {
    expect(reader.spelled([{ text: '你好', isPhrase: false }])).toBeNull()
    expect(reader.spelled([{ text: 'a1', isPhrase: false }])).toBeNull()
    for (const typed of ['huoguo', 'hg', 'hguo', 'HuoGuo'])
      expect(spelled('吃火锅吧', typed)).toEqual(['火锅'])
    for (const typed of ['huogu', 'guohuo', 'hx']) expect(spelled('吃火锅吧', typed)).toEqual([])
    expect(spelled('西安', 'xian')).toEqual(['西安'])
    expect(spelled('先', 'xian')).toEqual(['先'])
  })
})
