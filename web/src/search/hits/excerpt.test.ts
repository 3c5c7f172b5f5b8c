import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const found = (pieces: ReturnType<typeof excerptOf>) =>
  pieces.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join('')

test('a text in which nothing is marked begins at its beginning', () => {
  expect(found(excerptOf('好，一会儿见', []))).toBe('好，一会儿见')
})

test('what was found is apart, and lines become one', () => {
  expect(
    found(
      excerptOf('一会儿\n\n见，一会儿', [
        { from: 0, to: 3 },
        { from: 7, to: 10 },
      ]),
    ),
  ).toBe('[一会儿] 见，[一会儿]')
})

test('a long text begins shortly before what was found, and cuts no emoji in two', () => {
  const raw = `${'👋'.repeat(200)}找到${'👋'.repeat(200)}`
  const pieces = excerptOf(raw, [{ from: 400, to: 402 }])
  expect(found(pieces)).toMatch(/^…👋+\[找到\]👋+…$/u)
  expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true)
})

test('what turns the direction of writing is left out, and the marks stay where they were', () => {
  expect(found(excerptOf('a\u202e找到', [{ from: 2, to: 4 }]))).toBe('a[找到]')
})
