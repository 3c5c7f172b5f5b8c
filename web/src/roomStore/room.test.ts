import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { PAGE_SIZE } from '@guildhall/wire/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageLike } from '../testing/messages.ts'
import type { Doing } from './messageChange.ts'
import {
  allOf,
  apply,
  emptyRoom,
  HOLE_PAGES,
  nextToSend,
  PAST_MAX,
  type Room,
  type RoomEvent,
  shown,
  wanted,
  wantedAround,
} from './room.ts'

const ME = '7'
/** The channel as the server has it: message n has seq n. */
const said = (seq: number, more: Partial<Message> = {}) => messageLike(seq, more)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => said(from + i))
const seqs = (room: Room) => room.run.map((it) => it.seq)
const run = (...events: RoomEvent[]) => events.reduce(apply, emptyRoom(ME))
/** `turn`: how often the line had begun anew when it was asked for. */
const newest = (messages: Message[], turn = 0): RoomEvent => ({ type: 'page', before: null, turn, messages })
const before = (message: Message, messages: Message[], turn = 0): RoomEvent => ({
  type: 'page',
  before: message.id,
  turn,
  messages,
})
const arrived = (message: Message): RoomEvent => ({ type: 'arrived', message })
const send = (nonce: string): RoomEvent => ({ type: 'send', nonce, content: `text of ${nonce}`, at: 1 })
const mine = (seq: number, nonce: string) =>
  said(seq, { nonce, author: { ...said(1).author, id: ME as never } })

const sent = (seq: number, nonce: string, turn = 0): RoomEvent => ({
  type: 'sent',
  nonce,
  turn,
  message: mine(seq, nonce),
})

describe('reading', () => {
  test('a new room wants the newest page, and nothing once it has it', () => {
    expect(wanted(run())).toEqual({ before: null })
    expect(wanted(run(newest(range(1, 3))))).toBeNull()
    expect(wanted(run(newest([])))).toBeNull()
  })

  test('fewer than a page is the whole channel; a full page is not', () => {
    expect(run(newest(range(1, PAGE_SIZE - 1))).atStart).toBe(true)
    expect(run(newest(range(1, PAGE_SIZE))).atStart).toBe(false)
    expect(run(newest([])).atStart).toBe(true)
  })

  test('older pages go in front, until a short one says that there is nothing older', () => {
    const room = run(newest(range(101, 150)), before(said(101), range(51, 100)))
    expect(seqs(room)).toEqual(range(51, 150).map((it) => it.seq))
    expect(room.atStart).toBe(false)
    const whole = apply(room, before(said(51), range(41, 50)))
    expect(whole.atStart).toBe(true)
    expect(whole.run.length).toBe(110)
  })

  test('a page that answers a question nobody has any more is left aside', () => {
    const room = run(newest(range(101, 150)))
    expect(apply(room, before(said(90), range(40, 89)))).toEqual(room)
  })

  test('what arrives before the first page is neither lost nor doubled', () => {
    const room = run(arrived(said(51)), arrived(said(52)), newest(range(2, 51)))
    expect(seqs(room)).toEqual(range(2, 52).map((it) => it.seq))
  })

  test('messages stand in the order of seq, however they arrive, each once', () => {
    const room = run(
      newest(range(1, 3)),
      arrived(said(6)),
      arrived(said(5)),
      arrived(said(6)),
      arrived(said(4)),
    )
    expect(seqs(room)).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('after the line began anew', () => {
  test('the newest page is asked for, and a page that touches closes the hole', () => {
    const room = run(newest(range(1, 20)), { type: 'reset' })
    expect(wanted(room)).toEqual({ before: null })
    expect(seqs(room)).toHaveLength(20)
    const closed = apply(room, newest(range(11, 60), 1))
    expect(seqs(closed)).toEqual(range(1, 60).map((it) => it.seq))
    expect(closed.atStart).toBe(true)
  })

  test('what was read earlier stays on screen and is read again, for it may have changed', () => {
    let room = run(newest(range(1, 20)), { type: 'reset' }, newest(range(11, 60), 1))
    expect(wanted(room)).toEqual({ before: said(11).id })
    const again = [...range(1, 3), said(4, { content: 'changed', revision: 2 }), ...range(6, 10)]
    room = apply(room, before(said(11), again, 1))
    expect(wanted(room)).toBeNull()
    expect(room.run.slice(0, 5).map((it) => it.content)).toEqual([
      'message 1',
      'message 2',
      'message 3',
      'changed',
      'message 6',
    ])
  })

  test('a hole wider than a page is filled page by page', () => {
    let room = run(newest(range(1, 20)), { type: 'reset' }, newest(range(101, 150), 1))
    expect(wanted(room)).toEqual({ before: said(101).id })
    expect(seqs(room)).toHaveLength(20)
    room = apply(room, arrived(said(151)))
    room = apply(room, before(said(101), range(51, 100), 1))
    expect(wanted(room)).toEqual({ before: said(51).id })
    room = apply(room, before(said(51), range(1, 50), 1))
    expect(wanted(room)).toBeNull()
    expect(seqs(room)).toEqual(range(1, 151).map((it) => it.seq))
  })

  test('a hole too wide to fill lets the old part go, and the past loads again on scroll', () => {
    let room = run(newest(range(1, 20)), { type: 'reset' }, newest(range(951, 1000), 1))
    for (let i = 1; i < HOLE_PAGES; i++) {
      const first = 951 - 50 * (i - 1)
      room = apply(room, before(said(first), range(first - 50, first - 1), 1))
    }
    expect(wanted(room)).toBeNull()
    expect(room.run[0]?.seq).toBe(501)
    expect(room.atStart).toBe(false)
  })

  test('a message removed while nobody was told is gone afterwards', () => {
    const room = run(
      newest(range(1, 60).slice(-50)),
      { type: 'reset' },
      newest([...range(11, 39), ...range(41, 61)], 1),
    )
    expect(seqs(room)).not.toContain(40)
    expect(seqs(room)).toContain(61)
  })

  test('a page asked for before the reset does not close the new hole', () => {
    const room = run(newest(range(1, 50)), { type: 'reset' }, before(said(1), []))
    expect(wanted(room)).toEqual({ before: null })
    const again = run(newest(range(1, 50)), { type: 'reset' }, newest(range(1, 50), 0))
    expect(wanted(again)).toEqual({ before: null })
  })

  test('one’s own words that were ahead of the line do not hide what lies before them', () => {
    const room = run(newest(range(1, 50)), sent(53, 'a'), { type: 'reset' }, newest(range(53, 102), 1))
    expect(wanted(room)).toEqual({ before: said(53).id })
    expect(seqs(apply(room, before(said(53), range(3, 52), 1)))).toEqual(range(1, 102).map((it) => it.seq))
  })

  test('an old message does not pass for the end of what was read', () => {
    const late = run(newest(range(101, 150)), sent(7, 'a'), arrived(said(8)))
    expect(seqs(late)[0]).toBe(101)
    const early = run(arrived(said(8)), newest(range(101, 150)))
    expect(seqs(early)[0]).toBe(101)
    const filling = run(newest(range(1, 20)), { type: 'reset' }, newest(range(101, 150), 1), sent(30, 'a', 1))
    expect(wanted(filling)).toEqual({ before: said(101).id })
  })
})

describe('sending', () => {
  const open = run(newest(range(1, 3)))

  test('one is under way at a time, and the order of pressing is kept', () => {
    let room = [send('a'), send('b')].reduce(apply, open)
    expect(nextToSend(room)?.nonce).toBe('a')
    room = apply(room, { type: 'sending', nonce: 'a' })
    expect(nextToSend(room)).toBeNull()
    room = apply(room, sent(4, 'a'))
    expect(nextToSend(room)?.nonce).toBe('b')
    expect(seqs(room)).toEqual([1, 2, 3, 4])
  })

  test.each([
    ['the answer first', ['sent', 'arrived']],
    ['the line first', ['arrived', 'sent']],
  ])('a message shows once: %s', (_, order) => {
    let room = [send('a'), { type: 'sending', nonce: 'a' } as RoomEvent].reduce(apply, open)
    for (const type of order) {
      room = apply(room, type === 'sent' ? sent(4, 'a') : arrived(mine(4, 'a')))
      expect(room.outbox).toEqual([])
      expect(seqs(room)).toEqual([1, 2, 3, 4])
    }
  })

  test('a send that timed out but was stored stops being failed when it arrives', () => {
    let room = [send('a'), { type: 'failed', nonce: 'a', why: 'x' } as RoomEvent].reduce(apply, open)
    expect(room.outbox[0]).toMatchObject({ state: 'failed', why: 'x' })
    room = apply(room, newest([]))
    room = apply(apply(room, { type: 'reset' }), newest([...range(1, 3), mine(4, 'a')], 1))
    expect(room.outbox).toEqual([])
    expect(seqs(room)).toEqual([1, 2, 3, 4])
  })

  test("somebody else's message with the same nonce takes nothing out of the outbox", () => {
    const room = [send('a'), arrived(said(4, { nonce: 'a' }))].reduce(apply, open)
    expect(room.outbox).toHaveLength(1)
  })

  test('without an answer a message waits at the head of the queue; a refusal concerns one message only', () => {
    const two = [send('a'), send('b'), { type: 'sending', nonce: 'a' } as RoomEvent].reduce(apply, open)
    const lost = apply(two, { type: 'unanswered', nonce: 'a' })
    expect(lost.outbox.map((it) => it.state)).toEqual(['queued', 'queued'])
    expect(nextToSend(lost)?.nonce).toBe('a')
    const refused = apply(two, { type: 'failed', nonce: 'a', why: 'r' })
    expect(refused.outbox.map((it) => it.state)).toEqual(['failed', 'queued'])
    expect(nextToSend(refused)?.nonce).toBe('b')
  })

  test('what an earlier page left unsent goes before what is written now, unless it is here already', () => {
    const left = (nonce: string) => ({ nonce, content: '', at: 0, state: 'queued' as const, why: '' })
    const room = [
      newest([mine(4, 'stored')]),
      send('now'),
      { type: 'restored', outbox: ['stored', 'a', 'now', 'b'].map(left) } as RoomEvent,
    ].reduce(apply, emptyRoom(ME))
    expect(room.outbox.map((it) => it.nonce)).toEqual(['a', 'b', 'now'])
  })

  test('a failed message can be tried again under its old nonce, or thrown away', () => {
    const failed = [send('a'), { type: 'failed', nonce: 'a', why: 'n' } as RoomEvent].reduce(apply, open)
    expect(nextToSend(failed)).toBeNull()
    expect(nextToSend(apply(failed, { type: 'retry', nonce: 'a' }))).toMatchObject({ nonce: 'a', why: '' })
    expect(apply(failed, { type: 'discard', nonce: 'a' }).outbox).toEqual([])
  })
})

const place = (seq: number, revision: number) => ({
  msg_id: said(seq).id,
  channel_id: '20' as ChannelId,
  channel_type: 1,
  revision,
})
const thumb = { id: '[#128077;]', name: '👍' }
const reaction = (name: 'added_reaction' | 'deleted_reaction', seq: number, revision: number, by = '3') =>
  ({
    type: 'changed',
    change: { name, body: { ...place(seq, revision), user_id: by as UserId, emoji: thumb } },
  }) satisfies RoomEvent
const edited = (seq: number, revision: number, content: string) =>
  ({
    type: 'changed',
    change: {
      name: 'updated_message',
      body: {
        ...place(seq, revision),
        content,
        mention: [],
        mention_all: false,
        mention_here: false,
        mention_roles: [],
        updated_at: 5,
        kmarkdown: { ...said(1).kmarkdown, raw_content: content },
        quote: null,
        attachments: null,
      },
    },
  }) satisfies RoomEvent
const deleted = (seq: number, revision = 1) =>
  ({
    type: 'changed',
    change: { name: 'deleted_message', body: { ...place(seq, revision), seq } },
  }) satisfies RoomEvent
const pinned = (name: 'pinned_message' | 'unpinned_message', seq: number, revision: number) =>
  ({
    type: 'changed',
    change: { name, body: { ...place(seq, revision), operator_id: '3' as UserId } },
  }) satisfies RoomEvent

const embedded = (seq: number, revision: number, ...embeds: unknown[]) => {
  const { msg_id, channel_id } = place(seq, revision)
  const whose = { rong_id: msg_id, msg_id, channel_id, guild_id: '10' as GuildId }
  return {
    type: 'changed',
    change: { name: 'embeds_append', body: { ...whose, embeds, revision } },
  } satisfies RoomEvent
}

describe('what happens to a message', () => {
  const open = run(newest(range(1, 3)))

  test('what its addresses lead to shows, goes with its words, and comes late to nothing', () => {
    const [first, second] = [embedded(2, 1, 'page'), embedded(2, 3, 'film')]
    const told = [first, edited(2, 2, 'new'), second]
    expect(apply(open, first).run[1]?.embeds).toEqual(['page'])
    expect([first, edited(2, 2, 'new')].reduce(apply, open).run[1]?.embeds).toEqual([])
    expect(told.reduce(apply, open).run[1]).toMatchObject({ embeds: ['film'], revision: 3 })
    expect([...told, ...told].reduce(apply, open).run[1]?.embeds).toEqual(['film'])
    expect([edited(2, 2, 'new'), first].reduce(apply, open).run[1]?.embeds).toEqual([])
  })

  test('shows, and twice changes nothing more', () => {
    const changes = [
      edited(2, 1, 'new'),
      reaction('added_reaction', 2, 2),
      reaction('added_reaction', 2, 3, ME),
      reaction('deleted_reaction', 2, 4),
      pinned('pinned_message', 2, 5),
    ]
    const once = changes.reduce(apply, open)
    expect(once.run[1]).toMatchObject({
      content: 'new',
      updated_at: 5,
      reactions: [{ emoji: thumb, count: 1, me: true }],
      is_pinned: true,
      revision: 5,
    })
    expect([...changes, ...changes].reduce(apply, once).run).toEqual(once.run)
    const undone = [pinned('unpinned_message', 2, 6), reaction('deleted_reaction', 2, 7, ME)].reduce(
      apply,
      once,
    )
    expect(undone.run[1]).toMatchObject({ reactions: [], is_pinned: false })
  })

  test('touches its message alone: the others stay the same objects', () => {
    const room = apply(open, reaction('added_reaction', 2, 1))
    expect(room.run[0]).toBe(open.run[0])
    expect(room.run[2]).toBe(open.run[2])
  })

  test('is not undone by a page that was read before it happened', () => {
    const room = [
      { type: 'asked' } as const,
      edited(1, 1, 'new'),
      deleted(2),
      reaction('added_reaction', 1, 2),
      newest(range(1, 3)),
    ].reduce(apply, emptyRoom(ME))
    expect(room.run.map((it) => [it.seq, it.content, it.reactions.length])).toEqual([
      [1, 'new', 1],
      [3, 'message 3', 0],
    ])
  })

  test('and is not done twice by a page that has it already', () => {
    const has = said(1, { reactions: [{ emoji: thumb, count: 1, me: false }], revision: 1 })
    const events = [{ type: 'asked' } as const, reaction('added_reaction', 1, 1), newest([has])]
    expect(events.reduce(apply, emptyRoom(ME)).run[0]?.reactions[0]?.count).toBe(1)
  })

  test('a deleted message does not come back by a late answer to its send, nor by one of before', () => {
    const here = [send('a'), arrived(mine(4, 'a')), deleted(4), sent(4, 'a')].reduce(apply, open)
    expect([seqs(here), here.outbox]).toEqual([[1, 2, 3], []])
    const away = [send('a'), { type: 'reset' } as const, newest(range(1, 3), 1), sent(4, 'a', 0)].reduce(
      apply,
      open,
    )
    expect([seqs(away), away.outbox]).toEqual([[1, 2, 3], []])
  })

  test('when all that is known to be true is deleted, the newest page is read again', () => {
    let room = run(newest(range(1, 60).slice(-50)), { type: 'reset' }, newest(range(51, 100), 1))
    for (let seq = 51; seq <= 100; seq += 1) room = apply(room, deleted(seq))
    expect(wanted(room)).toEqual({ before: null })
    let whole = run(newest(range(1, 2)))
    whole = [deleted(1), deleted(2)].reduce(apply, whole)
    expect([wanted(whole), whole.run, whole.atStart]).toEqual([null, [], true])
  })
})

describe('what this person does to a message', () => {
  const open = run(newest(range(1, 3)))
  const act = (key: number, doing: Doing, seq = 2): RoomEvent => ({
    type: 'act',
    key,
    id: said(seq).id,
    doing,
  })
  const faces = (room: Room) => shown(room)[1]?.reactions.map((it) => [it.count, it.me])

  test('shows at once, and once, whichever comes first: the answer or the event', () => {
    const began = apply(open, act(1, { kind: 'react', emoji: thumb }))
    expect(faces(began)).toEqual([[1, true]])
    expect(began.run).toBe(open.run)
    const acted: RoomEvent = { type: 'acted', key: 1, revision: 2 }
    const other = reaction('added_reaction', 2, 1)
    const own = reaction('added_reaction', 2, 2, ME)
    for (const order of [
      [acted, other, own],
      [other, own, acted],
      [other, acted, own],
    ]) {
      let room = began
      for (const event of order) {
        room = apply(room, event)
        expect(faces(room)?.[0]?.[1]).toBe(true)
      }
      expect(faces(room)).toEqual([[2, true]])
      expect(room.acts).toEqual([])
    }
  })

  test('is taken back when it did not happen, and forgotten with its message', () => {
    const began = apply(open, act(1, { kind: 'edit', content: 'new' }))
    expect(shown(began)[1]?.content).toBe('new')
    expect(shown(apply(began, { type: 'unacted', key: 1 }))).toEqual(open.run)
    expect(apply(began, deleted(2)).acts).toEqual([])
    expect(apply(began, { type: 'removed', id: said(2).id }).run).toHaveLength(2)
  })
})

describe('far back', () => {
  const server = range(1, 300)
  const window = (
    at: number,
    messages = server.slice(Math.max(0, at - 25), at + 25),
    turn = 0,
  ): RoomEvent => ({
    ...{ type: 'window', at: said(at).id, turn, messages },
  })
  const more = (side: 'before' | 'after', anchor: number, messages: Message[], turn = 0): RoomEvent => ({
    ...{ type: 'more', side, anchor: said(anchor).id, turn, messages },
  })
  const seen = (room: Room) => shown(room).map((it) => it.seq)
  const open = run(newest(server.slice(-50)))

  test('what arrives does not get in, and is there when the reader goes back to the end', () => {
    const back = [window(100), arrived(said(301))].reduce(apply, open)
    expect(seen(back)).toEqual(range(76, 125).map((it) => it.seq))
    expect(back.past?.atStart).toBe(false)
    const home = apply(back, { type: 'present' })
    expect([seen(home).at(-1), seen(home).length]).toEqual([301, 51])
    expect(shown(apply(back, send('a')))).toBe(back.run)
  })

  test('keeps a bounded part around a reader who goes on and on, and reads again what they return to', () => {
    const long = range(1, 5_000)
    const page = (from: number) => long.slice(from - 1, from + 49)
    let room = apply(run(newest(long.slice(-50))), window(1, page(1)))
    expect(room.past?.atStart).toBe(true)
    for (let last = 50; last < 4_000; last += 50) room = apply(room, more('after', last, page(last + 1)))
    expect([seen(room)[0], seen(room).at(-1), room.past?.atStart]).toEqual([2_001, 4_000, false])
    expect(seen(room)).toContain(allOf(room).find(({ id }) => id === room.past?.at)?.seq)
    for (let first = 2_001; first > 1; first -= 50)
      room = apply(room, more('before', first, page(first - 50)))
    room = apply(room, more('before', 1, []))
    expect([seen(room)[0], seen(room).at(-1), room.past?.atStart]).toEqual([1, PAST_MAX, true])
  })

  test('a window without the message, or asked for before the line began anew, is none', () => {
    expect(apply(open, window(100, [])).past).toBeNull()
    expect(apply(open, window(100, undefined, 7))).toEqual(open)
    const elsewhere = apply(open, window(100))
    expect(seen(apply(elsewhere, more('after', 99, [said(126)])))).toEqual(seen(elsewhere))
  })

  test('it grows at both ends, knows the beginning, and becomes one with the newest when they touch', () => {
    let room = [window(100), more('before', 76, server.slice(25, 75))].reduce(apply, open)
    expect([seen(room)[0], room.past?.atStart]).toEqual([26, false])
    room = apply(room, more('before', 26, server.slice(0, 25)))
    expect([seen(room)[0], room.past?.atStart]).toEqual([1, true])
    room = apply(room, more('after', 125, server.slice(125, 175)))
    room = apply(room, more('after', 175, server.slice(175, 225)))
    expect(room.past).not.toBeNull()
    room = apply(room, more('after', 225, server.slice(225, 275)))
    expect([room.past, room.atStart, wanted(room)]).toEqual([null, true, null])
    expect(seqs(room)).toEqual(server.map((it) => it.seq))
    expect(apply(open, window(10)).past?.atStart).toBe(true)
  })

  test('edits, deletes and what this person does show in it, as they do at the end', () => {
    let room = [window(100), edited(100, 1, 'new'), deleted(101)].reduce(apply, open)
    expect(shown(room).find((it) => it.seq === 100)?.content).toBe('new')
    expect(seen(room)).not.toContain(101)
    room = apply(room, { type: 'act', key: 1, id: said(99).id, doing: { kind: 'react', emoji: thumb } })
    expect(shown(room).find((it) => it.seq === 99)?.reactions).toHaveLength(1)
  })

  test('after the line began anew it is read again, once the newest is whole', () => {
    let room = [window(100), { type: 'reset' } as const].reduce(apply, open)
    expect([wanted(room), wantedAround(room)]).toEqual([{ before: null }, null])
    room = apply(room, newest(server.slice(-50), 1))
    expect([wanted(room), wantedAround(room)]).toEqual([null, said(100).id])
    expect(seen(room)).toHaveLength(50)
    room = apply(room, window(100, server.slice(80, 120), 1))
    expect([wantedAround(room), seen(room).length]).toEqual([null, 40])
  })

  test('with its last message deleted it is left', () => {
    const room = [window(5, [said(5)]), deleted(5)].reduce(apply, open)
    expect([room.past, seen(room).length]).toEqual([null, 50])
  })

  test('whoever answers a removed message shows none of its words, before or after it was read', () => {
    const quote = { ...said(2), can_jump: true }
    const gone = { content: '', can_jump: false }
    const room = [newest([said(2), said(3, { quote })]), deleted(2), arrived(said(4, { quote }))].reduce(
      apply,
      emptyRoom(ME),
    )
    expect(room.run.map((it) => it.quote)).toMatchObject([gone, gone])
  })

  test('an answer whose original is gone stays, and answers nothing from then on', () => {
    const quote = { id: 'x', type: 9, content: 'hi', author: { id: '3', username: 'ann' }, can_jump: true }
    const failed: RoomEvent = { type: 'failed', nonce: 'a', why: 'w', unquoted: true }
    const room = [{ ...(send('a') as object), quote } as RoomEvent, failed].reduce(apply, open)
    expect(room.outbox[0]).toMatchObject({ state: 'failed', quote: { content: '', can_jump: false } })
  })

  type Step =
    | { readonly do: 'say' | 'before' | 'after' | 'reset' | 'present' | 'answer' }
    | { readonly do: 'jump' | 'edit' | 'delete'; readonly of: number }
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom<Step>({ do: 'say' }, { do: 'before' }, { do: 'after' }, { do: 'answer' }),
    },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'reset' }, { do: 'present' }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('jump' as const, 'edit' as const, 'delete' as const),
        of: fc.nat({ max: 400 }),
      }),
    },
  )

  test('pages, news and jumps in any order: what is shown is what the server has there, each once', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.array(step, { maxLength: 100 }), (already, story) => {
        let living = range(1, already)
        let last = already
        let room = emptyRoom(ME)
        const at = (id: string) => Number(id.slice(-12))
        const pageBefore = (seq: number) => living.filter((it) => it.seq < seq).slice(-PAGE_SIZE)
        const pageAfter = (seq: number) => living.filter((it) => it.seq > seq).slice(0, PAGE_SIZE)
        const around = (seq: number) => [...pageBefore(seq + 1).slice(-25), ...pageAfter(seq).slice(0, 25)]
        /** The page that is under way: read when it was asked for, told later. */
        let underWay: RoomEvent | null = null
        const ask = (event: RoomEvent | null) => {
          if (underWay || !event) return
          room = apply(room, { type: 'asked' })
          underWay = event
        }
        const answer = () => {
          if (underWay) room = apply(room, underWay)
          underWay = null
        }
        const need = (): RoomEvent | null => {
          const want = wanted(room)
          const { turn } = room
          if (want) {
            const from = want.before === null ? Number.POSITIVE_INFINITY : at(want.before)
            return { type: 'page', before: want.before, turn, messages: pageBefore(from) }
          }
          const id = wantedAround(room)
          return id === null ? null : { type: 'window', at: id, turn, messages: around(at(id)) }
        }
        const fill = () => {
          answer()
          for (let next = need(); next; next = need()) {
            ask(next)
            answer()
          }
        }
        const check = () => {
          const all = shown(room)
          if (room.past?.isOld) return
          const [first, end] = [all[0]?.seq ?? 0, all.at(-1)?.seq ?? 0]
          const there = living.filter((it) => it.seq >= first && it.seq <= end)
          expect(all.map((it) => [it.seq, it.content])).toEqual(there.map((it) => [it.seq, it.content]))
          const atStart = (room.past ?? room).atStart
          if (atStart && all.length > 0) expect(first).toBe(living[0]?.seq)
        }
        fill()
        for (const each of story) {
          const one = 'of' in each ? living[each.of % (living.length || 1)] : undefined
          const { turn, past } = room
          switch (each.do) {
            case 'say': {
              last += 1
              living = [...living, said(last)]
              room = apply(room, arrived(said(last)))
              break
            }
            case 'edit': {
              if (!one) break
              const now = { ...one, content: `${one.content}!`, revision: one.revision + 1 }
              living = living.map((it) => (it.id === one.id ? now : it))
              room = apply(room, edited(one.seq, now.revision, now.content))
              break
            }
            case 'delete': {
              if (!one) break
              living = living.filter((it) => it.id !== one.id)
              room = apply(room, deleted(one.seq, one.revision + 1))
              break
            }
            case 'jump':
              if (one) ask({ type: 'window', at: one.id, turn, messages: around(one.seq) })
              break
            case 'before': {
              const first = shown(room)[0]
              if (!first || need()) break
              const messages = pageBefore(first.seq)
              if (past) ask({ type: 'more', side: 'before', anchor: first.id, turn, messages })
              else ask({ type: 'page', before: first.id, turn, messages })
              break
            }
            case 'after': {
              const end = past?.messages.at(-1)
              if (end && !need())
                ask({ type: 'more', side: 'after', anchor: end.id, turn, messages: pageAfter(end.seq) })
              break
            }
            case 'answer':
              answer()
              ask(need())
              break
            case 'reset':
              room = apply(room, { type: 'reset' })
              break
            case 'present':
              room = apply(room, { type: 'present' })
          }
          if (!underWay && !need()) check()
        }
        fill()
        check()
        room = apply(room, { type: 'present' })
        fill()
        const shownNow = shown(room)
        expect(shownNow.map((it) => [it.seq, it.content])).toEqual(
          living.slice(living.length - shownNow.length).map((it) => [it.seq, it.content]),
        )
        expect(shownNow.length).toBeGreaterThanOrEqual(Math.min(living.length, 1))
      }),
      { seed: 24, numRuns: 600 },
    )
  })
})

test('whatever is lost, doubled or swapped between, the room ends as the server has it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 }),
      fc.array(
        fc.oneof(
          { weight: 6, arbitrary: fc.record({ heard: fc.boolean(), twice: fc.boolean() }) },
          { weight: 1, arbitrary: fc.constant('reset' as const) },
          { weight: 1, arbitrary: fc.constant('older' as const) },
        ),
        { maxLength: 120 },
      ),
      (already, story) => {
        const server = range(1, already)
        const answer = (anchor: string | null) => {
          const end = anchor === null ? server.length : server.findIndex((it) => it.id === anchor)
          return server.slice(Math.max(0, end - PAGE_SIZE), end)
        }
        let room = emptyRoom(ME)
        const fill = () => {
          for (let want = wanted(room); want; want = wanted(room))
            room = apply(room, {
              type: 'page',
              before: want.before,
              turn: room.turn,
              messages: answer(want.before),
            })
        }
        fill()
        let deaf = false
        for (const what of story) {
          if (what === 'reset') {
            deaf = false
            room = apply(room, { type: 'reset' })
            fill()
          } else if (what === 'older') {
            const first = room.run[0]
            if (first && !room.atStart)
              room = apply(room, {
                type: 'page',
                before: first.id,
                turn: room.turn,
                messages: answer(first.id),
              })
          } else {
            const message = said(server.length + 1)
            server.push(message)
            // Once an event is missed the line is broken until it begins anew.
            if (!what.heard) deaf = true
            if (!deaf) room = apply(room, arrived(message))
            if (!deaf && what.twice) room = apply(room, arrived(message))
          }
        }
        room = apply(room, { type: 'reset' })
        fill()
        const shown = seqs(room)
        expect(shown).toEqual(server.slice(server.length - shown.length).map((it) => it.seq))
        expect(room.atStart).toBe(shown.length === server.length)
      },
    ),
    { seed: 11, numRuns: 200 },
  )
})
