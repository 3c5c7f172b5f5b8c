import { expect, it } from 'vitest'
import { mergeSorted } from './queue.ts'

const isSmaller = (a: number, b: number) => a < b
const merged = (...lists: (readonly [items: number[], hasMore: boolean])[]) =>
  mergeSorted(
    lists.map(([items, hasMore]) => ({ items, hasMore })),
    isSmaller,
  )

it('lists that are all there are merged whole, in their order', () => {
  expect(merged([[], false], [[], false])).toEqual([])
  expect(merged([[1, 4, 6], false], [[2, 3, 9], false])).toEqual([1, 2, 3, 4, 6, 9])
})

it('nothing is shown behind the end of a list that has more, as what follows there may come before it', () => {
  expect(merged([[1, 4], true], [[2, 3, 9], false])).toEqual([1, 2, 3, 4])
  expect(merged([[1, 4], true], [[2, 3], true])).toEqual([1, 2, 3])
  expect(merged([[5, 6], false], [[1, 2], true])).toEqual([1, 2])
})

it('of equals that of the first list comes first, and a list keeps its own order', () => {
  expect(merged([[3, 2], false], [[3], false])).toEqual([3, 2, 3])
})
