/** The channels of a guild as rows that are put in order. Pure. */
import type { Channel } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { type Span, withMoved } from '../../ui/sortable/landing.ts'

type Tree = readonly Channel[]

/** A channel goes into a category, `""`: none, before another one there, `""`: to its end. */
export interface ChannelMove {
  readonly channel_id: string
  readonly parent_id: string
  readonly before_id: string
}

/**
 * The tree row by row: null for those in no category, then they, then each category and its channels.
 * Without categories the channels alone.
 */
export const rowsOf = (tree: Tree): readonly (Channel | null)[] => [
  ...(tree.some(({ is_category }) => is_category) ? [null] : []),
  ...flat(tree),
]

/** The row of the category in which a row is, or that it is itself; -1: it is in none. */
const categoryRow = (rows: readonly (Channel | null)[], at: number): number =>
  rows.findLastIndex((row, index) => index <= at && row?.is_category === true)

/**
 * What it means that a row is moved to another number: a channel comes into the category whose row is
 * above it, a category passes whole ones. Null: nothing changes.
 */
export function moveOf(tree: Tree, from: number, to: number): ChannelMove | null {
  const rows = rowsOf(tree)
  const moved = rows[from]
  if (!moved) return null
  if (moved.is_category) return categoryMove(tree, from, to)
  const after = withMoved(rows, from, to)
  const next = after[to + 1]
  return {
    channel_id: moved.id,
    parent_id: after[categoryRow(after, to)]?.id ?? '',
    before_id: next && !next.is_category ? next.id : '',
  }
}

function categoryMove(tree: Tree, from: number, to: number): ChannelMove | null {
  const rows = rowsOf(tree)
  const categories = tree.filter(({ is_category }) => is_category)
  const own = categories.findIndex(({ id }) => id === rows[from]?.id)
  const passed = rows[categoryRow(rows, to)]
  const there = passed ? categories.indexOf(passed) : 0
  if (there === own) return null
  const before = categories[there > own ? there + 1 : there]
  return { channel_id: categories[own]!.id, parent_id: '', before_id: before?.id ?? '' }
}

/** What is put in order when a category is dragged: each with its channels. Null for a row that is none. */
export function spansOf(tree: Tree, at: number): readonly Span[] | null {
  const rows = rowsOf(tree)
  if (!rows[at]?.is_category) return null
  return rows.flatMap((row, first): Span[] =>
    row?.is_category ? [[first, first + row.channels.length]] : [],
  )
}

/** The number to which one step takes a row: a category passes the next one with all of its channels. */
export function stepOf(tree: Tree, at: number, by: -1 | 1): number {
  const rows = rowsOf(tree)
  const row = rows[at]
  if (!row?.is_category) return at + by
  if (by < 0) return Math.max(categoryRow(rows, at - 1), 0) || at
  const next = at + row.channels.length + 1
  return next < rows.length ? next + (rows[next]?.channels.length ?? 0) : at
}

const withBefore = (channels: Tree, channel: Channel, before: string): Channel[] => {
  const at = channels.findIndex(({ id }) => id === before)
  const index = at < 0 ? channels.length : at
  return [...channels.slice(0, index), channel, ...channels.slice(index)]
}

/** The tree after a move. What is gone meanwhile moves nothing. */
export function moved(tree: Tree, { channel_id, parent_id, before_id }: ChannelMove): Channel[] {
  const channel = flat(tree).find(({ id }) => id === channel_id)
  const isThere = parent_id === '' || tree.some(({ id }) => id === parent_id)
  if (!channel || !isThere) return [...tree]
  const hasMoved = channel.parent_id !== parent_id
  const now = hasMoved
    ? { ...channel, parent_id: parent_id as Channel['parent_id'], permission_sync: 0 }
    : channel
  const rest = tree
    .filter(({ id }) => id !== channel_id)
    .map((it) =>
      it.is_category ? { ...it, channels: it.channels.filter(({ id }) => id !== channel_id) } : it,
    )
  if (parent_id !== '')
    return rest.map((it) =>
      it.id === parent_id ? { ...it, channels: withBefore(it.channels, now, before_id) } : it,
    )
  const isAmong = (it: Channel) => it.is_category === channel.is_category
  const among = withBefore(rest.filter(isAmong), now, before_id)
  const others = rest.filter((it) => !isAmong(it))
  return channel.is_category ? [...others, ...among] : [...among, ...others]
}
