import type { ChannelId } from '@guildhall/wire/id.ts'
import { expect, test } from 'vitest'
import { levelsWith } from './arrange.ts'

const at = (id: string, level: number) => ({ id: id as ChannelId, level })
const others = [at('1', 100), at('2', 200), at('3', 201)]

test('a channel that stands there already keeps its sort key', () => {
  expect(levelsWith(at('9', 150), others, 1, true)).toEqual([])
  expect(levelsWith(at('9', 2_000_000), others, 3, true)).toEqual([])
})

test('one that comes from another category is given one', () => {
  expect(levelsWith(at('9', 150), others, 1, false)).toEqual([at('9', 150)])
})

test('between two channels, above all and below all there is mostly a sort key free', () => {
  expect([0, 1, 3].map((to) => levelsWith(at('9', 7_000), others, to, false))).toEqual([
    [at('9', 50)],
    [at('9', 150)],
    [at('9', 301)],
  ])
})

test('where there is none, those get new ones that need them', () => {
  expect(levelsWith(at('9', 7), others, 2, true)).toEqual([at('9', 300), at('3', 400)])
  expect(levelsWith(at('9', 7), [at('1', 0), at('2', 0)], 1, true)).toEqual([
    at('1', 100),
    at('9', 200),
    at('2', 300),
  ])
  expect(levelsWith(at('9', 7), [at('1', 2 ** 31 - 1)], 1, true)).toEqual([at('1', 100), at('9', 200)])
})
