import type { MessageId } from '@guildhall/wire/id.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { expect, test } from 'vitest'
import type { SearchedRow } from '../message/message.ts'
import { findIn, type Source, type Wanted } from './find.ts'
import { openReader } from './reader.ts'

const reader = await openReader()
const NOW = 20_000 * DAY_MS + 5

const row = (index: number, create_at: number, raw_content = '红包'): SearchedRow => {
  const id = String(index).padStart(8, '0') as MessageId
  return {
    id,
    seq: index,
    create_at,
    raw_content,
    kind: 'kmarkdown',
    cards: null,
    file_name: null,
    titles: [],
  }
}
/** Messages as a table answers them, newest first. Rows are given oldest first. */
function sourceOf(rows: readonly SearchedRow[], newest = NOW): Source & { readonly reads: () => number } {
  let reads = 0
  return {
    scopes: ['#c1'],
    newest,
    reads: () => reads,
    read: async ({ since, until, before }, limit) => {
      reads += 1
      return rows
        .filter(
          ({ create_at, seq }) => create_at >= since && create_at < until && (!before || seq < before.seq),
        )
        .toReversed()
        .slice(0, limit)
    },
  }
}
const wantedOf = (more: Partial<Wanted> = {}): Wanted => ({
  sought: reader.sought([{ text: '红包', isPhrase: false }]),
  filter: {
    since: 0,
    until: Number.MAX_SAFE_INTEGER,
    authorIds: null,
    mentioned: [],
    has: [],
    is: [],
  },
  before: null,
  kinds: [],
  most: 100_000,
  mostRead: 100_000,
  ...more,
})
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

test('what has the lexemes and not the words is no hit', async () => {
  const rows = [row(1, NOW - 2, '红的包'), row(2, NOW - 1, '红包')]
  const { hits, isAll } = await findIn(sourceOf(rows), wantedOf(), reader)
  expect([idsOf(hits), isAll]).toEqual([['00000002'], true])
})

test('every message is found once, at every border of a span and of what is read at once', async () => {
  const times = [
    0,
    1,
    NOW - 900 * DAY_MS,
    ...[3, 2, 1].flatMap((days) => [-1, 0, 1].map((by) => NOW - days * DAY_MS + by)),
    // More than is read at once, many of them in one moment.
    ...Array.from({ length: 3000 }, (_, index) => NOW - 1000 + Math.floor(index / 1300)),
    NOW,
  ]
  const rows = times.map((at, index) => row(index, at))
  const { hits, isAll } = await findIn(sourceOf(rows), wantedOf(), reader)
  expect(idsOf(hits)).toEqual(idsOf(rows.toReversed()))
  expect(isAll).toBe(true)
})

test('pages before the last hit make up the whole', async () => {
  const rows = Array.from({ length: 50 }, (_, index) =>
    row(index, NOW - 60 * DAY_MS + Math.floor(index / 7) * DAY_MS),
  )
  const found: string[] = []
  let before: Wanted['before'] = null
  for (let page = 0; page < 8; page += 1) {
    const { hits } = await findIn(sourceOf(rows), wantedOf({ before, most: 7 }), reader)
    found.push(...idsOf(hits))
    before = hits.at(-1) ?? before
  }
  expect(found).toEqual(idsOf(rows.toReversed()))
})

test('a message of a time that is to come is found, as clocks go back', async () => {
  const later = NOW + 90 * DAY_MS
  const { hits } = await findIn(sourceOf([row(1, NOW), row(2, later)], later), wantedOf(), reader)
  expect(idsOf(hits)).toEqual(['00000002', '00000001'])
})

test('a bound of hits or of what is read says that there may be more', async () => {
  const rows = Array.from({ length: 1200 }, (_, index) =>
    row(index, NOW - 1200 + index, index < 10 ? '红包' : '红的包'),
  )
  expect(await findIn(sourceOf(rows), wantedOf({ mostRead: 1100 }), reader)).toEqual({
    hits: [],
    isAll: false,
  })
  expect((await findIn(sourceOf(rows), wantedOf({ most: 3 }), reader)).hits).toHaveLength(3)
})

test('nothing in a long time is asked for in few reads', async () => {
  const source = sourceOf([row(1, 1)])
  expect(idsOf((await findIn(source, wantedOf(), reader)).hits)).toEqual(['00000001'])
  expect(source.reads()).toBeLessThan(5)
})
