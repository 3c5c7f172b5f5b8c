import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageLike } from '../testing/messages.ts'
import { GAP_PAGES_MAX } from './history/historyPages.ts'
import { HISTORY_WINDOW_MAX } from './history/historyWindow.ts'
import type { MessageAction } from './messageChange.ts'
import {
  currentMessages,
  emptyRoom,
  neededPage,
  neededWindow,
  nextToSend,
  type Room,
  visibleMessages,
} from './room.ts'
import type { RoomEvent } from './roomEvent.ts'
import { reduceRoom } from './roomReducer.ts'

const ME = '7'
/** The channel as the server has it: message n has seq n. */
const said = (seq: number, more: Partial<Message> = {}) => messageLike(seq, more)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => said(from + i))
const seqs = (room: Room) => room.run.map((it) => it.seq)
const run = (...events: RoomEvent[]) => events.reduce(reduceRoom, emptyRoom(ME))
/** `epoch`: that of the room when the page was requested. */
const newest = (messages: Message[], epoch = 0): RoomEvent => ({
  type: 'pageLoaded',
  before: null,
  epoch,
  messages,
})
const before = (message: Message, messages: Message[], epoch = 0): RoomEvent => ({
  type: 'pageLoaded',
  before: message.id,
  epoch,
  messages,
})
const arrived = (message: Message): RoomEvent => ({ type: 'messageReceived', message })
const send = (nonce: string): RoomEvent => ({ type: 'send', nonce, content: `text of ${nonce}`, at: 1 })
const mine = (seq: number, nonce: string) =>
  said(seq, { nonce, author: { ...said(1).author, id: ME as never } })

const sent = (seq: number, nonce: string, epoch = 0): RoomEvent => ({
  type: 'sent',
  nonce,
  epoch,
  message: mine(seq, nonce),
})

describe('loading history', () => {
  test('a new room needs the newest page, and nothing more once it is loaded', () => {
    expect(neededPage(run())).toEqual({ before: null })
    expect(neededPage(run(newest(range(1, 3))))).toBeNull()
    expect(neededPage(run(newest([])))).toBeNull()
  })

  test('a page that is not full is the whole channel; a full page is not', () => {
    expect(run(newest(range(1, HISTORY_PAGE_SIZE - 1))).atStart).toBe(true)
    expect(run(newest(range(1, HISTORY_PAGE_SIZE))).atStart).toBe(false)
    expect(run(newest([])).atStart).toBe(true)
  })

  test('older pages are prepended until a short one marks the start', () => {
    const room = run(newest(range(101, 150)), before(said(101), range(51, 100)))
    expect(seqs(room)).toEqual(range(51, 150).map((it) => it.seq))
    expect(room.atStart).toBe(false)
    const whole = reduceRoom(room, before(said(51), range(41, 50)))
    expect(whole.atStart).toBe(true)
    expect(whole.run.length).toBe(110)
  })

  test('a page that is no longer needed is discarded', () => {
    const room = run(newest(range(101, 150)))
    expect(reduceRoom(room, before(said(90), range(40, 89)))).toEqual(room)
  })

  test('a message received before the first page is neither lost nor duplicated', () => {
    const room = run(arrived(said(51)), arrived(said(52)), newest(range(2, 51)))
    expect(seqs(room)).toEqual(range(2, 52).map((it) => it.seq))
  })

  test('messages are ordered by seq, each once, in whatever order they are received', () => {
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

describe('after a new session began', () => {
  test('the newest page is needed, and one that overlaps fills the gap', () => {
    const room = run(newest(range(1, 20)), { type: 'sessionReset' })
    expect(neededPage(room)).toEqual({ before: null })
    expect(seqs(room)).toHaveLength(20)
    const closed = reduceRoom(room, newest(range(11, 60), 1))
    expect(seqs(closed)).toEqual(range(1, 60).map((it) => it.seq))
    expect(closed.atStart).toBe(true)
  })

  test('messages loaded earlier stay on screen and are loaded again, as they may have changed', () => {
    let room = run(newest(range(1, 20)), { type: 'sessionReset' }, newest(range(11, 60), 1))
    expect(neededPage(room)).toEqual({ before: said(11).id })
    const again = [...range(1, 3), said(4, { content: 'changed', revision: 2 }), ...range(6, 10)]
    room = reduceRoom(room, before(said(11), again, 1))
    expect(neededPage(room)).toBeNull()
    expect(room.run.slice(0, 5).map((it) => it.content)).toEqual([
      'message 1',
      'message 2',
      'message 3',
      'changed',
      'message 6',
    ])
  })

  test('a gap wider than a page is filled page by page', () => {
    let room = run(newest(range(1, 20)), { type: 'sessionReset' }, newest(range(101, 150), 1))
    expect(neededPage(room)).toEqual({ before: said(101).id })
    expect(seqs(room)).toHaveLength(20)
    room = reduceRoom(room, arrived(said(151)))
    room = reduceRoom(room, before(said(101), range(51, 100), 1))
    expect(neededPage(room)).toEqual({ before: said(51).id })
    room = reduceRoom(room, before(said(51), range(1, 50), 1))
    expect(neededPage(room)).toBeNull()
    expect(seqs(room)).toEqual(range(1, 151).map((it) => it.seq))
  })

  test('a gap too wide to fill drops the old messages, and history loads again on scroll', () => {
    let room = run(newest(range(1, 20)), { type: 'sessionReset' }, newest(range(951, 1000), 1))
    for (let i = 1; i < GAP_PAGES_MAX; i++) {
      const first = 951 - 50 * (i - 1)
      room = reduceRoom(room, before(said(first), range(first - 50, first - 1), 1))
    }
    expect(neededPage(room)).toBeNull()
    expect(room.run[0]?.seq).toBe(501)
    expect(room.atStart).toBe(false)
  })

  test('a message deleted while disconnected is gone afterwards', () => {
    const room = run(
      newest(range(1, 60).slice(-50)),
      { type: 'sessionReset' },
      newest([...range(11, 39), ...range(41, 61)], 1),
    )
    expect(seqs(room)).not.toContain(40)
    expect(seqs(room)).toContain(61)
  })

  test('a page requested before the reset does not fill the new gap', () => {
    const room = run(newest(range(1, 50)), { type: 'sessionReset' }, before(said(1), []))
    expect(neededPage(room)).toEqual({ before: null })
    const again = run(newest(range(1, 50)), { type: 'sessionReset' }, newest(range(1, 50), 0))
    expect(neededPage(again)).toEqual({ before: null })
  })

  test('an own message that was ahead of the connection does not hide messages before it', () => {
    const room = run(newest(range(1, 50)), sent(53, 'a'), { type: 'sessionReset' }, newest(range(53, 102), 1))
    expect(neededPage(room)).toEqual({ before: said(53).id })
    expect(seqs(reduceRoom(room, before(said(53), range(3, 52), 1)))).toEqual(
      range(1, 102).map((it) => it.seq),
    )
  })

  test('an old message is not taken for the start of the loaded history', () => {
    const late = run(newest(range(101, 150)), sent(7, 'a'), arrived(said(8)))
    expect(seqs(late)[0]).toBe(101)
    const early = run(arrived(said(8)), newest(range(101, 150)))
    expect(seqs(early)[0]).toBe(101)
    const filling = run(
      newest(range(1, 20)),
      { type: 'sessionReset' },
      newest(range(101, 150), 1),
      sent(30, 'a', 1),
    )
    expect(neededPage(filling)).toEqual({ before: said(101).id })
  })
})

describe('sending', () => {
  const open = run(newest(range(1, 3)))

  test('one message is sent at a time, in the order of sending', () => {
    let room = [send('a'), send('b')].reduce(reduceRoom, open)
    expect(nextToSend(room)?.nonce).toBe('a')
    room = reduceRoom(room, { type: 'sending', nonce: 'a' })
    expect(nextToSend(room)).toBeNull()
    room = reduceRoom(room, sent(4, 'a'))
    expect(nextToSend(room)?.nonce).toBe('b')
    expect(seqs(room)).toEqual([1, 2, 3, 4])
  })

  test.each([
    ['the answer first', ['sent', 'arrived']],
    ['the event first', ['arrived', 'sent']],
  ])('a message shows once: %s', (_, order) => {
    let room = [send('a'), { type: 'sending', nonce: 'a' } as RoomEvent].reduce(reduceRoom, open)
    for (const type of order) {
      room = reduceRoom(room, type === 'sent' ? sent(4, 'a') : arrived(mine(4, 'a')))
      expect(room.sendQueue).toEqual([])
      expect(seqs(room)).toEqual([1, 2, 3, 4])
    }
  })

  test('a send that timed out but was stored stops being failed when it arrives', () => {
    let room = [send('a'), { type: 'sendFailed', nonce: 'a', why: 'x' } as RoomEvent].reduce(reduceRoom, open)
    expect(room.sendQueue[0]).toMatchObject({ state: 'failed', why: 'x' })
    room = reduceRoom(room, newest([]))
    room = reduceRoom(reduceRoom(room, { type: 'sessionReset' }), newest([...range(1, 3), mine(4, 'a')], 1))
    expect(room.sendQueue).toEqual([])
    expect(seqs(room)).toEqual([1, 2, 3, 4])
  })

  test("another author's message with the same nonce removes nothing from the send queue", () => {
    const room = [send('a'), arrived(said(4, { nonce: 'a' }))].reduce(reduceRoom, open)
    expect(room.sendQueue).toHaveLength(1)
  })

  test('without an answer a message waits at the head of the queue; a refusal concerns one message only', () => {
    const two = [send('a'), send('b'), { type: 'sending', nonce: 'a' } as RoomEvent].reduce(reduceRoom, open)
    const lost = reduceRoom(two, { type: 'sendUnanswered', nonce: 'a' })
    expect(lost.sendQueue.map((it) => it.state)).toEqual(['queued', 'queued'])
    expect(nextToSend(lost)?.nonce).toBe('a')
    const refused = reduceRoom(two, { type: 'sendFailed', nonce: 'a', why: 'r' })
    expect(refused.sendQueue.map((it) => it.state)).toEqual(['failed', 'queued'])
    expect(nextToSend(refused)?.nonce).toBe('b')
  })

  test('messages that an earlier page left unsent precede new ones, unless they are stored already', () => {
    const left = (nonce: string) => ({ nonce, content: '', at: 0, state: 'queued' as const, why: '' })
    const room = [
      newest([mine(4, 'stored')]),
      send('now'),
      { type: 'queueRestored', sendQueue: ['stored', 'a', 'now', 'b'].map(left) } as RoomEvent,
    ].reduce(reduceRoom, emptyRoom(ME))
    expect(room.sendQueue.map((it) => it.nonce)).toEqual(['a', 'b', 'now'])
  })

  test('a failed message can be retried under its nonce, or discarded', () => {
    const failed = [send('a'), { type: 'sendFailed', nonce: 'a', why: 'n' } as RoomEvent].reduce(
      reduceRoom,
      open,
    )
    expect(nextToSend(failed)).toBeNull()
    expect(nextToSend(reduceRoom(failed, { type: 'retry', nonce: 'a' }))).toMatchObject({
      nonce: 'a',
      why: '',
    })
    expect(reduceRoom(failed, { type: 'discard', nonce: 'a' }).sendQueue).toEqual([])
  })
})

const location = (seq: number, revision: number) => ({
  msg_id: said(seq).id,
  channel_id: '20' as ChannelId,
  channel_type: 1,
  revision,
})
const thumb = { id: '[#128077;]', name: '👍' }
const reaction = (name: 'added_reaction' | 'deleted_reaction', seq: number, revision: number, by = '3') =>
  ({
    type: 'messageChanged',
    change: { name, body: { ...location(seq, revision), user_id: by as UserId, emoji: thumb } },
  }) satisfies RoomEvent
const edited = (seq: number, revision: number, content: string) =>
  ({
    type: 'messageChanged',
    change: {
      name: 'updated_message',
      body: {
        ...location(seq, revision),
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
    type: 'messageChanged',
    change: { name: 'deleted_message', body: { ...location(seq, revision), seq } },
  }) satisfies RoomEvent
const pinned = (name: 'pinned_message' | 'unpinned_message', seq: number, revision: number) =>
  ({
    type: 'messageChanged',
    change: { name, body: { ...location(seq, revision), operator_id: '3' as UserId } },
  }) satisfies RoomEvent

const embedded = (seq: number, revision: number, ...embeds: unknown[]) => {
  const { msg_id, channel_id } = location(seq, revision)
  const whose = { rong_id: msg_id, msg_id, channel_id, guild_id: '10' as GuildId }
  return {
    type: 'messageChanged',
    change: { name: 'embeds_append', body: { ...whose, embeds, revision } },
  } satisfies RoomEvent
}

describe('a change of a message', () => {
  const open = run(newest(range(1, 3)))

  test('its embeds are shown, are removed with the old content, and are ignored when outdated', () => {
    const [first, second] = [embedded(2, 1, 'page'), embedded(2, 3, 'film')]
    const changes = [first, edited(2, 2, 'new'), second]
    expect(reduceRoom(open, first).run[1]?.embeds).toEqual(['page'])
    expect([first, edited(2, 2, 'new')].reduce(reduceRoom, open).run[1]?.embeds).toEqual([])
    expect(changes.reduce(reduceRoom, open).run[1]).toMatchObject({ embeds: ['film'], revision: 3 })
    expect([...changes, ...changes].reduce(reduceRoom, open).run[1]?.embeds).toEqual(['film'])
    expect([edited(2, 2, 'new'), first].reduce(reduceRoom, open).run[1]?.embeds).toEqual([])
  })

  test('is applied once, and idempotent', () => {
    const changes = [
      edited(2, 1, 'new'),
      reaction('added_reaction', 2, 2),
      reaction('added_reaction', 2, 3, ME),
      reaction('deleted_reaction', 2, 4),
      pinned('pinned_message', 2, 5),
    ]
    const once = changes.reduce(reduceRoom, open)
    expect(once.run[1]).toMatchObject({
      content: 'new',
      updated_at: 5,
      reactions: [{ emoji: thumb, count: 1, me: true }],
      is_pinned: true,
      revision: 5,
    })
    expect([...changes, ...changes].reduce(reduceRoom, once).run).toEqual(once.run)
    const undone = [pinned('unpinned_message', 2, 6), reaction('deleted_reaction', 2, 7, ME)].reduce(
      reduceRoom,
      once,
    )
    expect(undone.run[1]).toMatchObject({ reactions: [], is_pinned: false })
  })

  test('changes only its message: the others stay the same objects', () => {
    const room = reduceRoom(open, reaction('added_reaction', 2, 1))
    expect(room.run[0]).toBe(open.run[0])
    expect(room.run[2]).toBe(open.run[2])
  })

  test('is not undone by a page from before it', () => {
    const room = [
      { type: 'historyRequested' } as const,
      edited(1, 1, 'new'),
      deleted(2),
      reaction('added_reaction', 1, 2),
      newest(range(1, 3)),
    ].reduce(reduceRoom, emptyRoom(ME))
    expect(room.run.map((it) => [it.seq, it.content, it.reactions.length])).toEqual([
      [1, 'new', 1],
      [3, 'message 3', 0],
    ])
  })

  test('is not applied twice to a page that includes it', () => {
    const has = said(1, { reactions: [{ emoji: thumb, count: 1, me: false }], revision: 1 })
    const events = [{ type: 'historyRequested' } as const, reaction('added_reaction', 1, 1), newest([has])]
    expect(events.reduce(reduceRoom, emptyRoom(ME)).run[0]?.reactions[0]?.count).toBe(1)
  })

  test('a deletion is not undone by a late answer to the send, nor by one from an earlier session', () => {
    const here = [send('a'), arrived(mine(4, 'a')), deleted(4), sent(4, 'a')].reduce(reduceRoom, open)
    expect([seqs(here), here.sendQueue]).toEqual([[1, 2, 3], []])
    const away = [
      send('a'),
      { type: 'sessionReset' } as const,
      newest(range(1, 3), 1),
      sent(4, 'a', 0),
    ].reduce(reduceRoom, open)
    expect([seqs(away), away.sendQueue]).toEqual([[1, 2, 3], []])
  })

  test('when all verified messages are deleted, the newest page is loaded again', () => {
    let room = run(newest(range(1, 60).slice(-50)), { type: 'sessionReset' }, newest(range(51, 100), 1))
    for (let seq = 51; seq <= 100; seq += 1) room = reduceRoom(room, deleted(seq))
    expect(neededPage(room)).toEqual({ before: null })
    let whole = run(newest(range(1, 2)))
    whole = [deleted(1), deleted(2)].reduce(reduceRoom, whole)
    expect([neededPage(whole), whole.run, whole.atStart]).toEqual([null, [], true])
  })
})

describe('an optimistic action', () => {
  const open = run(newest(range(1, 3)))
  const act = (key: number, action: MessageAction, seq = 2): RoomEvent => ({
    type: 'actionStarted',
    key,
    id: said(seq).id,
    action,
  })
  const identities = (room: Room) => visibleMessages(room)[1]?.reactions.map((it) => [it.count, it.me])

  test('is shown at once, and once, whether the answer or the event comes first', () => {
    const began = reduceRoom(open, act(1, { kind: 'react', emoji: thumb }))
    expect(identities(began)).toEqual([[1, true]])
    expect(began.run).toBe(open.run)
    const acted: RoomEvent = { type: 'actionConfirmed', key: 1, revision: 2 }
    const other = reaction('added_reaction', 2, 1)
    const own = reaction('added_reaction', 2, 2, ME)
    for (const order of [
      [acted, other, own],
      [other, own, acted],
      [other, acted, own],
    ]) {
      let room = began
      for (const event of order) {
        room = reduceRoom(room, event)
        expect(identities(room)?.[0]?.[1]).toBe(true)
      }
      expect(identities(room)).toEqual([[2, true]])
      expect(room.optimisticActions).toEqual([])
    }
  })

  test('is taken back when it fails, and dropped with its message', () => {
    const began = reduceRoom(open, act(1, { kind: 'edit', content: 'new' }))
    expect(visibleMessages(began)[1]?.content).toBe('new')
    expect(visibleMessages(reduceRoom(began, { type: 'actionFailed', key: 1 }))).toEqual(open.run)
    expect(reduceRoom(began, deleted(2)).optimisticActions).toEqual([])
    expect(reduceRoom(began, { type: 'messageDeleted', id: said(2).id }).run).toHaveLength(2)
  })
})

describe('the history window', () => {
  const server = range(1, 300)
  const window = (
    at: number,
    messages = server.slice(Math.max(0, at - 25), at + 25),
    epoch = 0,
  ): RoomEvent => ({
    type: 'windowLoaded',
    at: said(at).id,
    epoch,
    messages,
  })
  const more = (side: 'before' | 'after', anchor: number, messages: Message[], epoch = 0): RoomEvent => ({
    type: 'windowExtended',
    side,
    anchor: said(anchor).id,
    epoch,
    messages,
  })
  const seen = (room: Room) => visibleMessages(room).map((it) => it.seq)
  const open = run(newest(server.slice(-50)))

  test('does not contain new messages; they are there when the reader returns to the newest', () => {
    const back = [window(100), arrived(said(301))].reduce(reduceRoom, open)
    expect(seen(back)).toEqual(range(76, 125).map((it) => it.seq))
    expect(back.historyWindow?.atStart).toBe(false)
    const home = reduceRoom(back, { type: 'returnedToNewest' })
    expect([seen(home).at(-1), seen(home).length]).toEqual([301, 51])
    expect(visibleMessages(reduceRoom(back, send('a')))).toBe(back.run)
  })

  test('is bounded around a reader who scrolls on, and loads again what they return to', () => {
    const long = range(1, 5_000)
    const page = (from: number) => long.slice(from - 1, from + 49)
    let room = reduceRoom(run(newest(long.slice(-50))), window(1, page(1)))
    expect(room.historyWindow?.atStart).toBe(true)
    for (let last = 50; last < 4_000; last += 50) room = reduceRoom(room, more('after', last, page(last + 1)))
    expect([seen(room)[0], seen(room).at(-1), room.historyWindow?.atStart]).toEqual([2_001, 4_000, false])
    expect(seen(room)).toContain(
      currentMessages(room).find(({ id }) => id === room.historyWindow?.anchorId)?.seq,
    )
    for (let first = 2_001; first > 1; first -= 50)
      room = reduceRoom(room, more('before', first, page(first - 50)))
    room = reduceRoom(room, more('before', 1, []))
    expect([seen(room)[0], seen(room).at(-1), room.historyWindow?.atStart]).toEqual([
      1,
      HISTORY_WINDOW_MAX,
      true,
    ])
  })

  test('a window without the message, or requested before a new session, is discarded', () => {
    expect(reduceRoom(open, window(100, [])).historyWindow).toBeNull()
    expect(reduceRoom(open, window(100, undefined, 7))).toEqual(open)
    const elsewhere = reduceRoom(open, window(100))
    expect(seen(reduceRoom(elsewhere, more('after', 99, [said(126)])))).toEqual(seen(elsewhere))
  })

  test('grows at both ends, knows the start, and merges with the newest messages when they meet', () => {
    let room = [window(100), more('before', 76, server.slice(25, 75))].reduce(reduceRoom, open)
    expect([seen(room)[0], room.historyWindow?.atStart]).toEqual([26, false])
    room = reduceRoom(room, more('before', 26, server.slice(0, 25)))
    expect([seen(room)[0], room.historyWindow?.atStart]).toEqual([1, true])
    room = reduceRoom(room, more('after', 125, server.slice(125, 175)))
    room = reduceRoom(room, more('after', 175, server.slice(175, 225)))
    expect(room.historyWindow).not.toBeNull()
    room = reduceRoom(room, more('after', 225, server.slice(225, 275)))
    expect([room.historyWindow, room.atStart, neededPage(room)]).toEqual([null, true, null])
    expect(seqs(room)).toEqual(server.map((it) => it.seq))
    expect(reduceRoom(open, window(10)).historyWindow?.atStart).toBe(true)
  })

  test('shows edits, deletions and optimistic actions, as the newest messages do', () => {
    let room = [window(100), edited(100, 1, 'new'), deleted(101)].reduce(reduceRoom, open)
    expect(visibleMessages(room).find((it) => it.seq === 100)?.content).toBe('new')
    expect(seen(room)).not.toContain(101)
    room = reduceRoom(room, {
      type: 'actionStarted',
      key: 1,
      id: said(99).id,
      action: { kind: 'react', emoji: thumb },
    })
    expect(visibleMessages(room).find((it) => it.seq === 99)?.reactions).toHaveLength(1)
  })

  test('is loaded again after a new session began, once the newest messages are complete', () => {
    let room = [window(100), { type: 'sessionReset' } as const].reduce(reduceRoom, open)
    expect([neededPage(room), neededWindow(room)]).toEqual([{ before: null }, null])
    room = reduceRoom(room, newest(server.slice(-50), 1))
    expect([neededPage(room), neededWindow(room)]).toEqual([null, said(100).id])
    expect(seen(room)).toHaveLength(50)
    room = reduceRoom(room, window(100, server.slice(80, 120), 1))
    expect([neededWindow(room), seen(room).length]).toEqual([null, 40])
  })

  test('is closed when its last message is deleted', () => {
    const room = [window(5, [said(5)]), deleted(5)].reduce(reduceRoom, open)
    expect([room.historyWindow, seen(room).length]).toEqual([null, 50])
  })

  test('a reply to a deleted message shows none of its content, whether deleted before or after loading', () => {
    const quote = { ...said(2), can_jump: true }
    const gone = { content: '', can_jump: false }
    const room = [newest([said(2), said(3, { quote })]), deleted(2), arrived(said(4, { quote }))].reduce(
      reduceRoom,
      emptyRoom(ME),
    )
    expect(room.run.map((it) => it.quote)).toMatchObject([gone, gone])
  })

  test('a reply whose original is deleted remains, without a quote', () => {
    const quote = { id: 'x', type: 9, content: 'hi', author: { id: '3', username: 'ann' }, can_jump: true }
    const failed: RoomEvent = { type: 'sendFailed', nonce: 'a', why: 'w', unquoted: true }
    const room = [{ ...(send('a') as object), quote } as RoomEvent, failed].reduce(reduceRoom, open)
    expect(room.sendQueue[0]).toMatchObject({ state: 'failed', quote: { content: '', can_jump: false } })
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

  test('with pages, new messages and jumps in any order, the list shows what the server has there, each message once', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.array(step, { maxLength: 100 }), (already, story) => {
        let living = range(1, already)
        let last = already
        let room = emptyRoom(ME)
        const at = (id: string) => Number(id.slice(-12))
        const pageBefore = (seq: number) => living.filter((it) => it.seq < seq).slice(-HISTORY_PAGE_SIZE)
        const pageAfter = (seq: number) => living.filter((it) => it.seq > seq).slice(0, HISTORY_PAGE_SIZE)
        const around = (seq: number) => [...pageBefore(seq + 1).slice(-25), ...pageAfter(seq).slice(0, 25)]
        /** The pending page: read when it was requested, delivered later. */
        let underWay: RoomEvent | null = null
        const ask = (event: RoomEvent | null) => {
          if (underWay || !event) return
          room = reduceRoom(room, { type: 'historyRequested' })
          underWay = event
        }
        const answer = () => {
          if (underWay) room = reduceRoom(room, underWay)
          underWay = null
        }
        const need = (): RoomEvent | null => {
          const want = neededPage(room)
          const { epoch } = room
          if (want) {
            const from = want.before === null ? Number.POSITIVE_INFINITY : at(want.before)
            return { type: 'pageLoaded', before: want.before, epoch, messages: pageBefore(from) }
          }
          const id = neededWindow(room)
          return id === null ? null : { type: 'windowLoaded', at: id, epoch, messages: around(at(id)) }
        }
        const fill = () => {
          answer()
          for (let next = need(); next; next = need()) {
            ask(next)
            answer()
          }
        }
        const check = () => {
          const all = visibleMessages(room)
          if (room.historyWindow?.isStale) return
          const [first, end] = [all[0]?.seq ?? 0, all.at(-1)?.seq ?? 0]
          const there = living.filter((it) => it.seq >= first && it.seq <= end)
          expect(all.map((it) => [it.seq, it.content])).toEqual(there.map((it) => [it.seq, it.content]))
          const atStart = (room.historyWindow ?? room).atStart
          if (atStart && all.length > 0) expect(first).toBe(living[0]?.seq)
        }
        fill()
        for (const each of story) {
          const one = 'of' in each ? living[each.of % (living.length || 1)] : undefined
          const { epoch, historyWindow } = room
          switch (each.do) {
            case 'say': {
              last += 1
              living = [...living, said(last)]
              room = reduceRoom(room, arrived(said(last)))
              break
            }
            case 'edit': {
              if (!one) break
              const now = { ...one, content: `${one.content}!`, revision: one.revision + 1 }
              living = living.map((it) => (it.id === one.id ? now : it))
              room = reduceRoom(room, edited(one.seq, now.revision, now.content))
              break
            }
            case 'delete': {
              if (!one) break
              living = living.filter((it) => it.id !== one.id)
              room = reduceRoom(room, deleted(one.seq, one.revision + 1))
              break
            }
            case 'jump':
              if (one) ask({ type: 'windowLoaded', at: one.id, epoch, messages: around(one.seq) })
              break
            case 'before': {
              const first = visibleMessages(room)[0]
              if (!first || need()) break
              const messages = pageBefore(first.seq)
              if (historyWindow)
                ask({ type: 'windowExtended', side: 'before', anchor: first.id, epoch, messages })
              else ask({ type: 'pageLoaded', before: first.id, epoch, messages })
              break
            }
            case 'after': {
              const end = historyWindow?.messages.at(-1)
              if (end && !need())
                ask({
                  type: 'windowExtended',
                  side: 'after',
                  anchor: end.id,
                  epoch,
                  messages: pageAfter(end.seq),
                })
              break
            }
            case 'answer':
              answer()
              ask(need())
              break
            case 'reset':
              room = reduceRoom(room, { type: 'sessionReset' })
              break
            case 'present':
              room = reduceRoom(room, { type: 'returnedToNewest' })
          }
          if (!underWay && !need()) check()
        }
        fill()
        check()
        room = reduceRoom(room, { type: 'returnedToNewest' })
        fill()
        const shownNow = visibleMessages(room)
        expect(shownNow.map((it) => [it.seq, it.content])).toEqual(
          living.slice(living.length - shownNow.length).map((it) => [it.seq, it.content]),
        )
        expect(shownNow.length).toBeGreaterThanOrEqual(Math.min(living.length, 1))
      }),
      { seed: 24, numRuns: 600 },
    )
  })
})

test('after lost, repeated and reordered events the room ends in the state of the server', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 }),
      fc.array(
        fc.oneof(
          { weight: 6, arbitrary: fc.record({ received: fc.boolean(), twice: fc.boolean() }) },
          { weight: 1, arbitrary: fc.constant('reset' as const) },
          { weight: 1, arbitrary: fc.constant('older' as const) },
        ),
        { maxLength: 120 },
      ),
      (already, story) => {
        const server = range(1, already)
        const answer = (anchor: string | null) => {
          const end = anchor === null ? server.length : server.findIndex((it) => it.id === anchor)
          return server.slice(Math.max(0, end - HISTORY_PAGE_SIZE), end)
        }
        let room = emptyRoom(ME)
        const fill = () => {
          for (let want = neededPage(room); want; want = neededPage(room))
            room = reduceRoom(room, {
              type: 'pageLoaded',
              before: want.before,
              epoch: room.epoch,
              messages: answer(want.before),
            })
        }
        fill()
        let isDisconnected = false
        for (const what of story) {
          if (what === 'reset') {
            isDisconnected = false
            room = reduceRoom(room, { type: 'sessionReset' })
            fill()
          } else if (what === 'older') {
            const first = room.run[0]
            if (first && !room.atStart)
              room = reduceRoom(room, {
                type: 'pageLoaded',
                before: first.id,
                epoch: room.epoch,
                messages: answer(first.id),
              })
          } else {
            const message = said(server.length + 1)
            server.push(message)
            // After a missed event nothing is delivered until a new session begins.
            if (!what.received) isDisconnected = true
            if (!isDisconnected) room = reduceRoom(room, arrived(message))
            if (!isDisconnected && what.twice) room = reduceRoom(room, arrived(message))
          }
        }
        room = reduceRoom(room, { type: 'sessionReset' })
        fill()
        const shown = seqs(room)
        expect(shown).toEqual(server.slice(server.length - shown.length).map((it) => it.seq))
        expect(room.atStart).toBe(shown.length === server.length)
      },
    ),
    { seed: 11, numRuns: 200 },
  )
})
