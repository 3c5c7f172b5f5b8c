import { expect, test } from 'vitest'
import { piecesOf } from './marked.ts'

const shown = (words: string, ...marks: [number, number][]) =>
  piecesOf(
    words,
    marks.map(([from, to]) => ({ from, to })),
  )
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('')

test('of a text without marks the beginning is shown, in one line', () => {
  expect(shown('')).toBe('')
  expect(shown('一\n\n二   三')).toBe('一 二 三')
  expect(shown('字'.repeat(500))).toBe(`${'字'.repeat(200)}…`)
})

test('what was found is marked, and of a long text that part is shown', () => {
  expect(shown('哈哈好哈哈', [0, 2], [3, 5])).toBe('[哈哈]好[哈哈]')
  const words = `${'前'.repeat(100)}找到${'后'.repeat(300)}`
  expect(shown(words, [100, 102])).toBe(`…${'前'.repeat(24)}[找到]${'后'.repeat(174)}…`)
  expect(shown(`${'a'.repeat(30)}b`, [30, 31])).toBe(`…${'a'.repeat(24)}[b]`)
})

test('an emoji is not cut in two', () => {
  const words = `${'😂'.repeat(20)}找到`
  expect(shown(words, [40, 42])).toBe(`…${'😂'.repeat(12)}[找到]`)
  expect(shown(`x${words}`, [41, 43])).toBe(`…${'😂'.repeat(12)}[找到]`)
})
