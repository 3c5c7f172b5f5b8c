import type { MessageId } from '@guildhall/wire/id.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { beforeAll, expect, it } from 'vitest'
import type { SearchedRow } from '../message/message.ts'
import { findIn, type Source, type Wanted } from './find.ts'
import { openReader, type Reader } from './reader.ts'

let reader: Reader
beforeAll(async () => {
  reader = await openReader()
})

const NOW = Date.parse('2026-11-28T05:00:00Z')

/** A table of messages that were sent so long ago, ms, and all have the word. */
function sourceOf(agos: readonly number[]) {
  const rows = agos
    .map(
      (ago, index): SearchedRow => ({
        id: String(index).padStart(6, '0') as MessageId,
        create_at: NOW - ago,
        updated_at: 0,
        seq: 1_000_000 - index,
        kind: 'text',
        raw_content: `第${index}个词`,
        cards: null,
        file_name: null,
        titles: [],
      }),
    )
    .sort((a, b) => b.create_at - a.create_at || b.seq - a.seq)
  let asked = 0
  const source: Source = {
    scopes: ['#g1'],
    within: '',
    newest: Math.max(NOW, ...rows.map((row) => row.create_at)),
    read: async ({ since, until, before }, limit) => {
      asked += 1
      const isOlder = (row: SearchedRow) =>
        before === null ||
        row.create_at < before.create_at ||
        (row.create_at === before.create_at && row.seq < before.seq)
      return rows
        .filter((row) => row.create_at >= since && row.create_at < until && isOlder(row))
        .slice(0, limit)
    },
  }
  return { rows, source, asked: () => asked }
}

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  sought: reader.sought([{ text: '词', isPhrase: false }]),
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
  most: 1001,
  mostRead: 50_000,
  ...more,
})

it('finds nothing in nothing, and asks no more than twice', async () => {
  const given = sourceOf([])
  expect(await findIn(given.source, wanted(), reader)).toEqual({ hits: [], isAll: true })
  expect(given.asked()).toBe(2)
})

it('finds each message once and in order, whatever lies between them, also from the future', async () => {
  const agos = [-90 * DAY_MS, 0, 0, 0, 1, DAY_MS, DAY_MS, 2 * DAY_MS, 40 * DAY_MS, 4000 * DAY_MS, NOW]
  const given = sourceOf(agos)
  const { hits, isAll } = await findIn(given.source, wanted(), reader)
  expect(hits.map(({ id }) => id)).toEqual(given.rows.map(({ id }) => id))
  expect(isAll).toBe(true)
})

it('finds each of very many once, as many as are wanted, and goes on before one of them', async () => {
  const given = sourceOf(Array.from({ length: 5000 }, (_, at) => Math.floor(at / 7) * 60_000))
  const first = await findIn(given.source, wanted(), reader)
  expect(first.hits.map(({ id }) => id)).toEqual(given.rows.slice(0, 1001).map(({ id }) => id))
  expect(first.isAll).toBe(false)
  const before = given.rows[1000]!
  const next = await findIn(given.source, wanted({ before }), reader)
  expect(next.hits[0]?.id).toBe(given.rows[1001]!.id)
  expect(next.hits).toHaveLength(1001)
})

it('finds each once at every border of a span, and of what is read at once in one moment', async () => {
  const borders = [1, 2, 3].flatMap((days) => [-1, 0, 1].map((by) => days * DAY_MS + by))
  const crowd = Array.from({ length: 3000 }, (_, at) => Math.floor(at / 1300))
  const given = sourceOf([...crowd, ...borders, 900 * DAY_MS])
  const { hits } = await findIn(given.source, wanted({ most: 5000 }), reader)
  expect(hits.map(({ id }) => id)).toEqual(given.rows.map(({ id }) => id))
})

it('has no hit in what has the characters and not the word', async () => {
  const { source } = sourceOf([1, 2])
  const sought = reader.sought([{ text: '词1', isPhrase: false }])
  expect((await findIn(source, wanted({ sought }), reader)).hits).toEqual([])
})

it('reads no more than is allowed, and says that there may be more', async () => {
  const given = sourceOf(Array.from({ length: 5000 }, (_, at) => at))
  const sought = reader.sought([{ text: '没有', isPhrase: false }])
  expect(await findIn(given.source, wanted({ sought, mostRead: 2000 }), reader)).toEqual({
    hits: [],
    isAll: false,
  })
})

it('asks for the months of places, for days, and for neither when that would be very many', async () => {
  const asked: (readonly string[])[] = []
  const source: Source = {
    scopes: ['#g1', '#g2'],
    within: " & !'#c5'",
    newest: NOW,
    read: async ({ conditions }) => {
      asked.push(conditions)
      return []
    },
  }
  await findIn(source, wanted(), reader)
  const month = Math.floor(NOW / (30 * DAY_MS))
  const day = Math.floor(NOW / DAY_MS)
  expect(asked).toEqual([
    ["('词' | '詞')", `('#g1.${month}' | '#g2.${month}') & !'#c5'`, `('#d${day - 1}' | '#d${day}')`],
    ["('词' | '詞')", "('#g1' | '#g2') & !'#c5'"],
  ])
})
