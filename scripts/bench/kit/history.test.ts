import { expect, test } from 'vitest'
import { added, type Measured, pageOf } from './history.ts'

const measured = (commit: string, ...figures: [name: string, value: number][]): Measured => ({
  version: '1.0.0',
  commit,
  day: '2026-11-28',
  machine: '2 × slow',
  figures: figures.map(([name, value]) => ({ name, value, unit: '×' })),
})

test('a figure that is measured again takes the place of that of its commit, and of no other', () => {
  const history = added(added([], measured('a', ['one', 1], ['two', 2])), measured('b', ['one', 3]))
  expect(added(history, measured('a', ['two', 4]))).toEqual([
    measured('b', ['one', 3]),
    measured('a', ['one', 1], ['two', 4]),
  ])
})

test('the page has a row for each figure and the newest commit first', () => {
  const page = pageOf([measured('a', ['one', 1.2345], ['two', 2]), measured('b', ['one', 3])])
  expect(page.split('\n').filter((line) => line.startsWith('|'))).toEqual([
    '| | 1.0.0 b, 2026-11-28 | 1.0.0 a, 2026-11-28 |',
    '|---|---|---|',
    '| one | 3 × | 1.23 × |',
    '| two |  | 2 × |',
  ])
})
