import type { Channel } from '@guildhall/wire/channel/channel.ts'
import { expect, test } from 'vitest'
import { channelOf } from '../../testing/fixtures.ts'
import { moved, moveOf, rowsOf, spansOf, stepOf } from './order.ts'

const inside = (parent_id: string, ...ids: string[]) => ids.map((id) => channelOf(id, id, { parent_id }))
const category = (id: string, ...ids: string[]) =>
  channelOf(id, id, { type: 0, is_category: true, channels: inside(id, ...ids) })
/** Rows: 0 none, 1 and 2 in none, 3 category 30, 4 and 5 in it, 6 category 40, 7 category 50, 8 in it. */
const tree = [...inside('', '1', '2'), category('30', '31', '32'), category('40'), category('50', '51')]
const shape = (channels: readonly Channel[]) =>
  channels.map((it) => (it.is_category ? [it.id, ...it.channels.map(({ id }) => id)].join(' ') : it.id))
const after = (from: number, to: number) => {
  const move = moveOf(tree, from, to)
  return move && shape(moved(tree, move))
}

test('what is gone meanwhile moves nothing', () => {
  for (const [channel_id, parent_id] of [
    ['9', ''],
    ['1', '99'],
  ] as const)
    expect(shape(moved(tree, { channel_id, parent_id, before_id: '' }))).toEqual(shape(tree))
  expect(moveOf(tree, 0, 3)).toBeNull()
})

test('a category stays whose row is moved among its own channels', () => {
  expect([after(3, 4), after(3, 5), after(7, 8)]).toEqual([null, null, null])
})

test('a guild without categories has no row for those in none', () => {
  expect(rowsOf(tree).map((row) => row?.id)).toEqual([
    undefined,
    '1',
    '2',
    '30',
    '31',
    '32',
    '40',
    '50',
    '51',
  ])
  expect(rowsOf(inside('', '1'))).toHaveLength(1)
})

test('a channel comes into the category whose row is above it', () => {
  expect(after(1, 2)).toEqual(['2', '1', '30 31 32', '40', '50 51'])
  expect(after(1, 3)).toEqual(['2', '30 1 31 32', '40', '50 51'])
  expect(after(4, 6)).toEqual(['1', '2', '30 32', '40 31', '50 51'])
  expect(after(8, 1)).toEqual(['51', '1', '2', '30 31 32', '40', '50'])
  expect(after(4, 3)).toEqual(['1', '2', '31', '30 32', '40', '50 51'])
})

test('one that comes into another category follows none any more', () => {
  const [, , first] = moved(tree, { channel_id: '51', parent_id: '30', before_id: '32' })
  expect(first?.channels[1]).toMatchObject({ id: '51', parent_id: '30', permission_sync: 0 })
})

test('a category passes whole ones and takes its channels along', () => {
  expect(after(3, 6)).toEqual(['1', '2', '40', '30 31 32', '50 51'])
  expect(after(3, 8)).toEqual(['1', '2', '40', '50 51', '30 31 32'])
  expect(after(7, 5)).toEqual(['1', '2', '50 51', '30 31 32', '40'])
  expect(after(7, 1)).toEqual(['1', '2', '50 51', '30 31 32', '40'])
})

test('a category is dragged with its channels among the other ones, and a channel alone', () => {
  expect(spansOf(tree, 6)).toEqual([
    [3, 5],
    [6, 6],
    [7, 8],
  ])
  expect([spansOf(tree, 0), spansOf(tree, 1), spansOf(tree, 4)]).toEqual([null, null, null])
})

test('a step takes a category past the next one, and a channel past the next row', () => {
  expect([stepOf(tree, 3, 1), stepOf(tree, 6, 1), stepOf(tree, 7, 1)]).toEqual([6, 8, 7])
  expect([stepOf(tree, 7, -1), stepOf(tree, 6, -1), stepOf(tree, 3, -1)]).toEqual([6, 3, 3])
  expect([stepOf(tree, 4, -1), stepOf(tree, 4, 1)]).toEqual([3, 5])
})
