import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readSimplified } from './simplified.ts'
import { isWord, WordFilter } from './wordFilter.ts'

const simplified = await readSimplified()
const filterOf = (...words: string[]) =>
  new WordFilter(
    words.map((word, index) => ({ id: String(index), word })),
    simplified,
  )
const foundIn = (filter: WordFilter<{ id: string; word: string }>, text: string) =>
  filter.find(text, 100).map(({ word, from, to }) => [word.word, text.slice(from, to)])
const matches = (word: string, text: string): boolean => foundIn(filterOf(word), text).length > 0

describe('a word is not found', () => {
  it.each([
    ['ass', 'class'],
    ['ass', 'assess'],
    ['ass', 'passport, bass'],
    ['hell', 'he’ll come'],
    ['hell', "he'll come"],
    ['ass', 'as so'],
    ['ass', '455'],
    ['ak', '4K'],
    ['bb', '88'],
    ['88', '1988'],
    ['加v', '加very'],
    ['微信', '微pro信'],
    ['微信', `微${' '.repeat(7)}信`],
    ['微信', '微博'],
    ['buy gold', 'buy golden'],
    ['ass', '见assets'],
  ])('%s in %s', (word, text) => {
    expect(foundIn(filterOf(word), text)).toEqual([])
  })
})

describe('a word is found', () => {
  it.each([
    ['微信', '加我微信吧', '微信'],
    ['微信', '微 信', '微 信'],
    ['微信', '微*信', '微*信'],
    ['微信', 'w微x信', '微x信'],
    ['微信', '微\u200b\u200d\ufeff信', '微\u200b\u200d\ufeff信'],
    ['微信', '微🙂❤️信', '微🙂❤️信'],
    ['赌博', '賭博', '賭博'],
    ['賭博', '赌博', '赌博'],
    ['發票', '开发票', '发票'],
    ['ｑｑ', 'QQ', 'QQ'],
    ['qq', 'ｑＱ', 'ｑＱ'],
    ['加v', '加V：138', '加V'],
    ['加v', '加 v1380', '加 v'],
    ['QQ群', 'qq 群', 'qq 群'],
    ['ass', 'an ASS!', 'ASS'],
    ['ass', 'a55', 'a55'],
    ['ass', 'a$$', 'a$$'],
    ['ass', '@ss hat', '@ss'],
    ['shit', 'sh1t', 'sh1t'],
    ['hell', 'he11', 'he11'],
    ['fuck', 'f.u.c.k', 'f.u.c.k'],
    ['fuck', 'oh f u c k it', 'f u c k'],
    ['fuck', 'fu_ck', 'fu_ck'],
    ['fuck', 'fúçk', 'fúçk'],
    ['fuck', 'f\u0336u\u0336c\u0336k', 'f\u0336u\u0336c\u0336k'],
    ['fuck', '𝕗ⓤ🅲ｋ', '𝕗ⓤ🅲ｋ'],
    ['porn', 'роrn', 'роrn'],
    ['ass', '这是ass吗', 'ass'],
    ['buy gold', 'Buy  gold now', 'Buy  gold'],
    ['13800138000', 'call 138-0013-8000', '138-0013-8000'],
    ['88', '发 88', '88'],
    ['ばか', 'バカ、ばか', 'ばか'],
  ])('%s in %s', (word, text, where) => {
    expect(foundIn(filterOf(word), text)).toContainEqual([word, where])
  })

  test('that is part of a longer one, beside it', () => {
    expect(foundIn(filterOf('法轮', '法轮大法', '大法'), '法轮大法好').map(([word]) => word)).toEqual([
      '法轮',
      '法轮大法',
      '大法',
    ])
  })
})

test('words that are the same to a reader are all found', () => {
  expect(
    foundIn(filterOf('赌博', '賭博', '赌 博'), '賭博')
      .map(([word]) => word)
      .toSorted(),
  ).toEqual(['赌博', '賭博', '赌 博'].toSorted())
})

test('a word of nothing but marks is none', () => {
  for (const word of ['', ' ', '!!!', '🍑', '\u200b', '\u0301']) expect(isWord(word)).toBe(false)
  for (const word of ['微', 'a', '8', 'ｗ']) expect(isWord(word)).toBe(true)
})

const chinese = fc
  .array(fc.constantFrom(...'微信号赌博加我甲乙丙丁'), { minLength: 1, maxLength: 5 })
  .map((all) => all.join(''))
const latin = fc
  .array(fc.constantFrom(...'abcdeknz'), { minLength: 3, maxLength: 7 })
  .map((all) => all.join(''))
const noise = fc
  .array(fc.constantFrom(' ', '*', '。', '🙂', '-', '\n', '\u200b', '\u0301'), { maxLength: 4 })
  .map((all) => all.join(''))
const anything = fc.string({ unit: 'grapheme', maxLength: 40 })

describe('for all words and texts', () => {
  test('a Chinese word is found in everything around it and with noise inside, and where it stands', () => {
    fc.assert(
      fc.property(
        chinese,
        anything,
        anything,
        fc.array(noise, { minLength: 5, maxLength: 5 }),
        (word, before, after, gaps) => {
          const spread = [...word].map((it, index) => (index > 0 ? gaps[index - 1]! : '') + it).join('')
          const all = filterOf(word).find(`${before}${spread}${after}`, 1_000)
          const [from, to] = [before.length, before.length + spread.length]
          expect(all.some((it) => it.from < to && it.to > from)).toBe(true)
        },
      ),
    )
  })

  test('a Latin word is found between boundaries, and not inside a longer one', () => {
    fc.assert(
      fc.property(latin, fc.constantFrom(...'abcdeknz'), (word, letter) => {
        expect(matches(word, `x. ${word.toUpperCase()}, y`)).toBe(true)
        expect(matches(word, `${letter}${word}`)).toBe(false)
        expect(matches(word, `${word}${letter}`)).toBe(false)
      }),
    )
  })

  test('every match is a place in the text', () => {
    const words = fc.array(fc.oneof(chinese, latin, anything.filter(isWord)), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(words, anything, (all, text) => {
        const whole = `${text}${all.join(' ')}`
        for (const { from, to } of filterOf(...all).find(whole, 1_000)) {
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(whole.length)
        }
      }),
    )
  })

  test('many words answer as each of them alone does', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(chinese, latin), { minLength: 1, maxLength: 8 }),
        anything,
        chinese,
        latin,
        (words, a, b, c) => {
          const text = `${a} ${b}${c} ${b} ${c}`
          const together = new Set(foundIn(filterOf(...words), text).map(([word]) => word))
          for (const word of words) expect(together.has(word)).toBe(matches(word, text))
        },
      ),
    )
  })
})

describe('hostile texts are read once', () => {
  const words = Array.from({ length: 5_000 }, (_, n) => `${'微信'.repeat(1 + (n % 20))}${n}`)
  const filter = filterOf(...words, ...Array.from({ length: 50 }, (_, n) => '啊'.repeat(n + 1)), 'aaa')
  it.each([
    ['combining marks', `a${'\u0301'.repeat(10_000)}`],
    ['the beginning of many words', '微信'.repeat(5_000)],
    ['words within words', '啊'.repeat(10_000)],
    ['letters one by one', 'a '.repeat(5_000)],
    ['ligatures of many letters', '\ufdfa'.repeat(10_000)],
    ['half characters', '\ud800'.repeat(10_000)],
    ['spaces', ' '.repeat(10_000)],
  ])('%s', (_name, text) => {
    expect(filter.find(text, 20).length).toBeLessThanOrEqual(20)
  })
})
