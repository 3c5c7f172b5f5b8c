import { MESSAGES_CHOSEN_MAX } from '@guildhall/wire/message/limit.ts'
import { expect, test } from 'vitest'
import { messageLike } from '../../testing/messages.ts'
import type { Row } from '../list/rows.ts'
import { choosable, stepped, toggled, upTo } from './chosen.ts'

const all = Array.from({ length: MESSAGES_CHOSEN_MAX + 1 }, (_, at) => messageLike(at + 1))
const [one, two, three, four] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0], (typeof all)[0]]
const rowOf = (message: (typeof all)[0], ephemeralTo?: string) =>
  ({ kind: 'message', key: message.id, message, head: true, ephemeralTo }) as unknown as Row
const rows = [{ kind: 'start', key: 's' } as Row, ...all.slice(0, 4).map((it) => rowOf(it))]

test('what only its reader sees cannot be chosen', () => {
  expect(choosable([...rows, rowOf(messageLike(9), '7')])).toEqual([one, two, three, four])
})

test('more than the limit cannot be chosen', () => {
  const most = all.slice(0, MESSAGES_CHOSEN_MAX)
  expect(toggled(most, all.at(-1)!)).toBeNull()
  expect(toggled(most, one)).toHaveLength(MESSAGES_CHOSEN_MAX - 1)
})

test('a message is chosen and left, in the order in which they were sent', () => {
  expect(toggled([three], one)).toEqual([one, three])
  expect(toggled([one, three], three)).toEqual([one])
})

test('a range goes either way, keeps what was chosen, and is one message where its begin is not loaded', () => {
  expect(upTo([four], four.id, two, rows)).toEqual([two, three, four])
  expect(upTo([one], one.id, three, rows)).toEqual([one, two, three])
  expect(upTo([one], 'gone', three, rows)).toEqual([one, three])
})

test('keys take along what one comes by, and leave it on the way back', () => {
  expect(stepped([], three, two)).toEqual([two, three])
  expect(stepped([two, three], two, three)).toEqual([three])
})
