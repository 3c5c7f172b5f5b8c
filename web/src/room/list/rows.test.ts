import type { Message } from '@guildhall/wire/message/message.ts'
import { expect, test } from 'vitest'
import { emptyRoom, type Room } from '../../roomStore/room.ts'
import { reduceRoom } from '../../roomStore/roomReducer.ts'
import { messageLike } from '../../testing/messages.ts'
import { countNewSince, rowsOf } from './rows.ts'

const noon = new Date(2026, 2, 20, 12).getTime()
const room = (...messages: Message[]): Room =>
  reduceRoom(emptyRoom('7'), { type: 'pageLoaded', before: null, epoch: 0, messages })
const by = (id: string) => ({ ...messageLike(1).author, id: id as never })
const shape = (it: Room) =>
  rowsOf(it).map((row) => ('head' in row ? `${row.kind}${row.head ? '!' : ''}` : row.kind))

test('an empty room has only its start row', () => {
  expect(shape(room())).toEqual(['start'])
})

test('messages of one author within ten minutes are grouped', () => {
  const at = (minutes: number) => ({ create_at: noon + minutes * 60_000 })
  expect(
    shape(
      room(
        messageLike(1, at(0)),
        messageLike(2, at(9)),
        messageLike(3, at(19)),
        messageLike(4, { ...at(20), author: by('9') }),
        messageLike(5, { ...at(21), author: by('9'), type: 7 }),
        messageLike(6, { ...at(22), author: by('9') }),
      ),
    ),
  ).toEqual(['start', 'day', 'message!', 'message', 'message!', 'message!', 'message!', 'message!'])
})

test('a new day has a separator and starts a group', () => {
  const midnight = new Date(2026, 2, 21).getTime()
  expect(
    shape(
      room(messageLike(1, { create_at: midnight - 1000 }), messageLike(2, { create_at: midnight + 1000 })),
    ),
  ).toEqual(['start', 'day', 'message!', 'day', 'message!'])
})

test('queued messages come last, and keep their key when they are stored', () => {
  const sent = messageLike(2, { nonce: 'n1', author: by('7'), create_at: noon + 1000 })
  let it = room(messageLike(1, { create_at: noon, author: by('7') }))
  it = reduceRoom(it, { type: 'send', nonce: 'n1', content: 'x', at: noon + 1000 })
  expect(shape(it)).toEqual(['start', 'day', 'message!', 'outgoing'])
  const key = rowsOf(it).at(-1)?.key
  it = reduceRoom(it, { type: 'sent', nonce: 'n1', epoch: 0, message: sent })
  expect(shape(it)).toEqual(['start', 'day', 'message!', 'message'])
  expect(rowsOf(it).at(-1)?.key).toBe(key)
})

test("new messages are counted from the reader's position, without own ones", () => {
  const it = room(messageLike(1), messageLike(2), messageLike(3, { author: by('7') }), messageLike(4))
  expect(countNewSince(it, 1)).toBe(2)
  expect(countNewSince(it, 4)).toBe(0)
})

test('a room with older messages begins with a message row, so that the scroll anchor does not move', () => {
  const page = Array.from({ length: 50 }, (_, i) => messageLike(i + 1, { create_at: noon + i }))
  expect(rowsOf(room(...page))[0]).toMatchObject({ kind: 'message', head: true })
})

test('times under a day separator need no day; those above the first separator do', () => {
  const midnight = new Date(2026, 2, 21).getTime()
  const page = Array.from({ length: 50 }, (_, i) =>
    messageLike(i + 1, { create_at: midnight + (i - 25) * 1000 }),
  )
  const days = (it: Room) => rowsOf(it).flatMap((row) => ('isUnderDay' in row ? row.isUnderDay : []))
  expect(days(room(...page))).toEqual(page.map((_, i) => i >= 25))
  expect(days(room(...page.slice(0, 2)))).toEqual([true, true])
})

test('people who joined one after the other are one row, that keeps its key when older ones are loaded', () => {
  const joins = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => messageLike(from + n, { type: 7, create_at: noon + n }))
  const joined = (it: Room) =>
    rowsOf(it).flatMap((row) =>
      row.kind === 'message' ? [row.joined?.map(({ seq }) => seq) ?? row.key] : [],
    )
  const said = messageLike(25, { create_at: noon })
  expect(joined(room(...joins(21, 24), said, ...joins(26, 27)))).toEqual([
    [21, 22, 23, 24],
    said.id,
    [26, 27],
  ])
  const keys = (it: Room) => rowsOf(it).map(({ key }) => key)
  const later = keys(room(...joins(23, 24), said))
  expect(keys(room(...joins(21, 24), said)).slice(-2)).toEqual(later.slice(-2))
  // So many that a window of messages would be a few rows: they are divided at the same places always.
  expect(joined(room(...joins(118, 241))).map((it) => it.length)).toEqual([2, 120, 2])
})

test('the line of new messages divides a row of joins', () => {
  const it = room(...[1, 2, 3].map((n) => messageLike(n, { type: 7, create_at: noon, author: by('9') })))
  expect(rowsOf(it, 1).map(({ kind }) => kind)).toEqual(['start', 'day', 'message', 'new', 'message'])
})
