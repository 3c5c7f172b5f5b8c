import type { UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../room/list/rows.ts'
import { messageLike } from '../testing/messages.ts'
import { EPHEMERAL_MAX, type EphemeralEdit } from './ephemeral.ts'
import { emptyRoom, type Room, visibleMessages } from './room.ts'
import type { RoomEvent } from './roomEvent.ts'
import { reduceRoom } from './roomReducer.ts'

const ME = '7' as UserId
const said = (seq: number, more: Partial<Message> = {}) => messageLike(seq, more)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => said(from + i))
const page = (...messages: Message[]): RoomEvent => ({ type: 'pageLoaded', before: null, epoch: 0, messages })
const run = (...events: RoomEvent[]) => events.reduce(reduceRoom, emptyRoom(ME))
/** The `n`th ephemeral message after message `seq`. */
const whisper = (seq: number, n = 0, to: string = ME): RoomEvent => {
  const like = messageLike(seq, { content: `quiet ${seq}.${n}` })
  const id = like.id.replace('00000000-', `0000000${n + 1}-`) as Message['id']
  return {
    type: 'ephemeralReceived',
    ephemeral: { message: { ...like, id, create_at: like.create_at + 10 + n }, to },
  }
}
const view = (of: Message, content: string, at: number): RoomEvent => {
  const { mention, mention_all, mention_here, mention_roles, kmarkdown } = of
  const body: EphemeralEdit = {
    msg_id: of.id,
    channel_id: of.channel_id,
    channel_type: 1,
    revision: of.revision,
    content,
    mention,
    mention_all,
    mention_here,
    mention_roles,
    kmarkdown,
    quote: null,
    attachments: null,
    updated_at: at,
    visible_only: ME,
  }
  return { type: 'ephemeralEditReceived', edit: body }
}
const text = (room: Room) =>
  rowsOf(room).flatMap((row) => (row.kind === 'message' ? row.message.content : []))

describe('ephemeral messages', () => {
  test('are not messages of the room: they prove, read and count nothing', () => {
    const room = run(page(...range(1, 3)))
    const { ephemeral, ...rest } = reduceRoom(room, whisper(3))
    expect({ ...rest, ephemeral: [] }).toEqual(room)
    expect(ephemeral).toHaveLength(1)
  })

  test('are shown after the message they followed, ungrouped, whatever the authors before and after', () => {
    const room = run(page(...range(1, 3)), whisper(2))
    expect(text(room)).toEqual(['message 1', 'message 2', 'quiet 2.0', 'message 3'])
    const heads = rowsOf(room).flatMap((row) => ('head' in row ? row.head : []))
    expect(heads).toEqual([true, false, true, true])
    const [row] = rowsOf(room).filter((it) => it.kind === 'message' && it.isEphemeral)
    expect(row).toMatchObject({ ephemeralTo: ME, head: true })
  })

  test('are shown once and in the same place in whatever order events arrive', () => {
    const events: RoomEvent[] = [
      whisper(1, 0),
      whisper(1, 1),
      whisper(2, 0),
      whisper(4, 0),
      ...[3, 4].map((seq): RoomEvent => ({ type: 'messageReceived', message: said(seq) })),
    ]
    const start = run(page(said(1), said(2)))
    const wanted = text(events.reduce(reduceRoom, start))
    expect(wanted).toEqual([
      'message 1',
      'quiet 1.0',
      'quiet 1.1',
      'message 2',
      'quiet 2.0',
      'message 3',
      'message 4',
      'quiet 4.0',
    ])
    const twice = [...events, ...events]
    fc.assert(
      fc.property(fc.shuffledSubarray(twice, { minLength: twice.length }), (shuffled) => {
        expect(text(shuffled.reduce(reduceRoom, start))).toEqual(wanted)
      }),
      { seed: 27 },
    )
  })

  test('wait for the history they belong to, and are not shown at the end of a history window', () => {
    const room = run(page(...range(101, 150)), whisper(90), whisper(120))
    expect(text(room)).not.toContain('quiet 90.0')
    expect(text(room)).toContain('quiet 120.0')
    const more = { type: 'pageLoaded', before: said(101).id, epoch: 0, messages: range(51, 100) } as const
    expect(text(reduceRoom(room, more))).toContain('quiet 90.0')
    const back = { type: 'windowLoaded', at: said(20).id, epoch: 0, messages: range(1, 40) } as const
    expect(text(reduceRoom(reduceRoom(room, whisper(40)), back))).toEqual(
      range(1, 40).map((it) => it.content),
    )
    expect(text(reduceRoom(reduceRoom(room, whisper(39)), back))).toContain('quiet 39.0')
  })

  test('are shown in an empty room', () => {
    expect(text(run(page(), whisper(5)))).toEqual(['quiet 5.0'])
  })

  test('remain when a new session begins, and are removed when they are dismissed', () => {
    const room = run(page(...range(1, 3)), whisper(2), { type: 'sessionReset' }, page(...range(1, 3)))
    expect(room.ephemeral).toHaveLength(1)
    const { message } = room.ephemeral[0]!
    expect(reduceRoom(room, { type: 'dismissed', id: message.id }).ephemeral).toEqual([])
  })

  test('follow author changes, and lose a quote whose message is deleted', () => {
    const received = whisper(2)
    if (received.type !== 'ephemeralReceived') throw new Error('no ephemeral message')
    const { id, author } = said(1)
    const quote = { id, type: 9, content: 'message 1', can_jump: true, author }
    const { ephemeral } = received
    const answering = { ...received, ephemeral: { ...ephemeral, message: { ...ephemeral.message, quote } } }
    const as = { nickname: '会长', roles: [] }
    const room = run(page(...range(1, 3)), answering, { type: 'authorChanged', userId: author.id, as })
    expect(room.ephemeral[0]?.message.author.nickname).toBe('会长')
    const gone = reduceRoom(room, { type: 'messageDeleted', id })
    expect(gone.ephemeral[0]?.message.quote).toMatchObject({ content: '', can_jump: false })
  })

  test('are limited to the newest', () => {
    const many = Array.from({ length: EPHEMERAL_MAX + 5 }, (_, at) => whisper(at + 1))
    const room = run(page(said(1)), ...many)
    expect(room.ephemeral).toHaveLength(EPHEMERAL_MAX)
    expect(room.ephemeral.at(-1)?.message.content).toBe(`quiet ${EPHEMERAL_MAX + 5}.0`)
  })
})

describe('ephemeral edits', () => {
  const first = said(1)
  test('the latest replaces the shown content and is marked; the message itself does not change', () => {
    const room = run(page(first, said(2)), view(first, 'newer', 20), view(first, 'older', 10))
    expect(text(room)).toEqual(['newer', 'message 2'])
    expect(room.run[0]).toBe(first)
    expect(rowsOf(room).find((row) => row.kind === 'message')).toMatchObject({ ephemeralTo: ME })
    // The same object again, so the row is not rendered again.
    expect(visibleMessages(room)[0]).toBe(visibleMessages(reduceRoom(room, whisper(2)))[0])
  })

  test('end when they are dismissed, or when the message is edited later for everybody', () => {
    const room = run(page(first), view(first, 'mine', 20))
    expect(text(reduceRoom(room, { type: 'dismissed', id: first.id }))).toEqual(['message 1'])
    const update = (updated_at: number): RoomEvent => {
      const { mention, mention_all, mention_here, mention_roles, kmarkdown } = first
      const body = {
        msg_id: first.id,
        channel_id: first.channel_id,
        channel_type: 1,
        revision: 1,
        updated_at,
        content: 'for all',
        mention,
        mention_all,
        mention_here,
        mention_roles,
        kmarkdown,
        quote: null,
        attachments: null,
      }
      return { type: 'messageChanged', change: { name: 'updated_message', body } }
    }
    expect(text(reduceRoom(room, update(10)))).toEqual(['mine'])
    expect(text(reduceRoom(room, update(30)))).toEqual(['for all'])
    expect(rowsOf(reduceRoom(room, update(30))).some((row) => 'ephemeralTo' in row)).toBe(false)
  })

  test('wait for the message, and are deleted with it', () => {
    const room = run(view(first, 'mine', 20), page(first))
    expect(text(room)).toEqual(['mine'])
    expect(text(reduceRoom(room, { type: 'messageDeleted', id: first.id }))).toEqual([])
  })
})
