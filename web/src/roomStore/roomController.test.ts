import type { ChannelId } from '@guildhall/wire/id.ts'
import { addReaction } from '@guildhall/wire/message/action.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import { history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread } from '@guildhall/wire/message/readMark.ts'
import { type HeldState, viewHeld, withdrawHeld } from '@guildhall/wire/screening/screening.ts'
import { beforeEach, expect, test } from 'vitest'
import { CallFailure } from '../kit/call.ts'
import { messageLike } from '../testing/messages.ts'
import { decided } from './held/heldCalls.ts'
import type { RoomServices } from './roomServices.ts'
import { RoomStore } from './roomStore.ts'
import { SendQueueStorage } from './sendQueue/sendQueueStorage.ts'

const CHANNEL = '20' as ChannelId
const ME = '7'

/** Answers by the call; each returns the answer or throws. */
let answers: Map<unknown, (input: Record<string, unknown>) => unknown>
let calls: unknown[]
let timers: { work: () => void; delayMs: number }[]
let now: number
/** What the device has of the room. */
let saved: { run: Message[]; atStart: boolean }
let store: RoomStore
let storage: SendQueueStorage

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const runTimers = async () => {
  const due = timers
  timers = []
  for (const { work } of due) work()
  await settle()
}
const stored = (seq: number, content: string, nonce: string) =>
  messageLike(seq, { content, nonce, author: { ...messageLike(1).author, id: ME as never } })

beforeEach(() => {
  calls = []
  saved = { run: [], atStart: false }
  timers = []
  now = 1_790_000_000_000
  let nonces = 0
  answers = new Map<unknown, (input: Record<string, unknown>) => unknown>([
    [history, () => [messageLike(1), messageLike(2)]],
    [clearUnread, () => ({})],
  ])
  storage = new SendQueueStorage({ query: async () => null, login: () => 'token', locks: () => null })
  const services: RoomServices = {
    call: (async (route: unknown, input: Record<string, unknown>) => {
      calls.push(route)
      return answers.get(route)?.(input)
    }) as RoomServices['call'],
    storage,
    pages: { read: async () => saved, save: () => undefined, remove: async () => undefined },
    now: () => now,
    timers: {
      start: (work, delayMs) => {
        timers.push({ work, delayMs })
        return timers.length as never
      },
      stop: () => undefined,
    },
    newNonce: () => `nonce ${++nonces}`,
    reportSeq: () => undefined,
  }
  store = new RoomStore(services)
})

test('a message without an answer is sent again with the same nonce after three seconds', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  const nonces: unknown[] = []
  answers.set(sendToChannel, ({ nonce }) => {
    nonces.push(nonce)
    if (nonces.length === 1) throw new CallFailure('network', 'no network')
    return { message: stored(3, 'hello', nonce as string) }
  })
  room.send('hello')
  await settle()
  expect(room.snapshot()).toMatchObject({ isWaiting: true, room: { sendQueue: [{ state: 'queued' }] } })
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([3_000])
  await runTimers()
  expect(nonces).toEqual(['nonce 1', 'nonce 1'])
  expect(room.snapshot().room.sendQueue).toEqual([])
  expect(room.snapshot().room.run.map((it: Message) => it.content)).toContain('hello')
})

test('in slow mode a message waits for its time, and what is sent meanwhile waits behind it', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  const tried: string[] = []
  answers.set(sendToChannel, ({ nonce }) => {
    tried.push(nonce as string)
    if (tried.length === 1) throw new CallFailure('message.too_soon', 'slow mode', { extra: { n: 24 } })
    return { message: stored(1 + tried.length, 'x', nonce as string) }
  })
  room.send('first')
  room.send('second')
  await settle()
  expect(room.snapshot().room.sendQueue.map(({ state }) => state)).toEqual(['queued', 'queued'])
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([24_000])
  await runTimers()
  expect(tried).toEqual(['nonce 1', 'nonce 1', 'nonce 2'])
})

test('without a connection nothing is sent; after a reconnect everything is sent in order', async () => {
  const sent: unknown[] = []
  answers.set(sendToChannel, ({ content, nonce }) => {
    sent.push(JSON.parse(content as string).content)
    return { message: stored(2 + sent.length, 'x', nonce as string) }
  })
  const room = store.open(CHANNEL, ME)
  store.setConnected(false)
  room.send('first')
  room.send('second')
  await settle()
  expect(sent).toEqual([])
  store.setConnected(true)
  await settle()
  expect(sent).toEqual(['first', 'second'])
})

test('a refused reaction is shown at once and taken back', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  answers.set(addReaction, () => {
    throw new CallFailure('forbidden', 'not allowed')
  })
  const { id } = messageLike(1)
  const acting = room.act(id, { kind: 'react', emoji: { id: emojiId('👍'), name: '👍' } })
  expect(room.snapshot().room.optimisticActions).toHaveLength(1)
  expect((await acting)?.name).toBe('forbidden')
  expect(room.snapshot().room.optimisticActions).toEqual([])
})

test('the read mark moves once a second, and not again to the same message', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  const marks = () => calls.filter((it) => it === clearUnread).length
  room.markRead()
  room.markRead()
  store.receiveMessage(messageLike(3))
  room.markRead()
  expect(marks()).toBe(1)
  await runTimers()
  expect(marks()).toBe(2)
  await runTimers()
  expect(marks()).toBe(2)
})

test('an ephemeral message for a closed room is shown when the room is opened', () => {
  const message = messageLike(2, { content: 'for you' })
  store.receiveEphemeral(CHANNEL, { type: 'ephemeralReceived', ephemeral: { message, to: ME } })
  expect(store.open(CHANNEL, ME).snapshot().room.ephemeral).toHaveLength(1)
})

const ids = (room: ReturnType<RoomStore['open']>) => room.snapshot().room.run.map((it) => it.id)

test('what the device has is shown until the newest page is loaded, and then continues it', async () => {
  saved = { run: [messageLike(1), messageLike(2)], atStart: true }
  answers.set(history, () => [messageLike(2), messageLike(3)])
  const room = store.open(CHANNEL, ME)
  await room.restored
  expect(ids(room)).toEqual([messageLike(1).id, messageLike(2).id])
  room.subscribe(() => undefined)
  await settle()
  expect(ids(room)).toEqual([messageLike(2).id, messageLike(3).id])
})

test('what the device has is dropped when the newest page is far from it', async () => {
  saved = { run: [messageLike(1), messageLike(2)], atStart: true }
  const newest = Array.from({ length: HISTORY_PAGE_SIZE }, (_, at) => messageLike(500 + at))
  answers.set(history, () => newest)
  const room = store.open(CHANNEL, ME)
  await room.restored
  // A room that is known whole begins as it will be.
  expect(room.snapshot().room.atStart).toBe(true)
  room.subscribe(() => undefined)
  await settle()
  expect(calls.filter((call) => call === history)).toHaveLength(1)
  expect(ids(room)).toEqual(newest.map(({ id }) => id))
  expect(room.snapshot().room.atStart).toBe(false)
})

test('what the device has never replaces what the network answered first', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  room.dispatch({ type: 'pageRestored', run: [messageLike(1)], atStart: true })
  expect(ids(room)).toEqual([messageLike(1).id, messageLike(2).id])
})

/** A room that is followed, whose newest page fails in this way after a new session, and then no more. */
async function failedOnce(name: string) {
  const room = store.open(CHANNEL, ME)
  const leave = room.subscribe(() => undefined)
  await settle()
  answers.set(history, () => {
    throw new CallFailure(name, 'not now')
  })
  store.resetSession()
  await settle()
  answers.set(history, () => [messageLike(1), messageLike(2), messageLike(3)])
  return { room, leave }
}

for (const name of ['network', 'unavailable', 'too_many'])
  test(`after a new session a page that got no answer for now (${name}) is requested again`, async () => {
    const { room } = await failedOnce(name)
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([3_000])
    await runTimers()
    expect(ids(room)).toEqual([1, 2, 3].map((seq) => messageLike(seq).id))
    expect(room.snapshot().failure).toBeNull()
  })

test('a page whose next try was due while nobody followed the room is requested when it is entered again', async () => {
  const { room, leave } = await failedOnce('network')
  leave()
  await runTimers()
  expect(ids(room)).toEqual([1, 2].map((seq) => messageLike(seq).id))
  room.subscribe(() => undefined)
  await settle()
  expect(ids(room)).toEqual([1, 2, 3].map((seq) => messageLike(seq).id))
})

test('a page that was refused is not requested again by itself', async () => {
  const { room, leave } = await failedOnce('forbidden')
  leave()
  expect(timers).toEqual([])
  const asked = calls.length
  room.subscribe(() => undefined)
  await settle()
  expect(calls.length).toBe(asked)
})

test('what another tab of the same user left unsent is sent once by this one', async () => {
  const sent: unknown[] = []
  answers.set(sendToChannel, ({ content, nonce }) => {
    const { content: text } = JSON.parse(content as string)
    sent.push(text)
    return { message: stored(2 + sent.length, text, nonce as string) }
  })
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  store.setConnected(false)
  const left = { nonce: 'of the other tab', content: 'left', at: now, state: 'queued', why: '' } as const
  await storage.save({ ...left, me: ME, channelId: CHANNEL })
  room.send('after')
  await settle()
  expect(sent).toEqual([])
  store.setConnected(true)
  await Promise.all([store.resumeSending(ME), store.resumeSending(ME)])
  await settle()
  expect(sent.sort()).toEqual(['after', 'left'])
  expect(room.snapshot().room.sendQueue).toEqual([])
})

const HELD = new CallFailure('content.held', 'in review')

/** A room in which the first message is held and later ones are sent. */
async function openWithHeld() {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  let seq = 2
  answers.set(sendToChannel, ({ nonce }) => {
    if (nonce === 'nonce 1') throw HELD
    seq += 1
    return { message: stored(seq, 'next', nonce as string) }
  })
  room.send('held')
  await settle()
  const queue = () => room.snapshot().room.sendQueue.map(({ nonce, state, why }) => ({ nonce, state, why }))
  return { room, queue }
}
const standing = (state: HeldState['state'] | null, reason = '') =>
  answers.set(viewHeld, () => ({
    items: state === null ? [] : [{ conversation: CHANNEL, nonce: 'nonce 1', state, reason, msg_id: null }],
  }))

test('a held message waits beside the queue, and others are sent', async () => {
  const { room, queue } = await openWithHeld()
  expect(queue()).toEqual([{ nonce: 'nonce 1', state: 'held', why: 'in review' }])
  room.send('next')
  await settle()
  expect(queue()).toEqual([{ nonce: 'nonce 1', state: 'held', why: 'in review' }])
  expect(room.snapshot().room.run.map((it: Message) => it.content)).toContain('next')
  // It merges with the message that it becomes.
  room.dispatch({ type: 'messageReceived', message: stored(9, 'held', 'nonce 1') })
  expect(queue()).toEqual([])
})

test('a decision is shown when it comes, and when its event was missed', async () => {
  const { room, queue } = await openWithHeld()
  standing('held')
  room.dispatch({ type: 'sessionReset' })
  await settle()
  expect(queue()[0]?.state).toBe('held')
  decided(store, {
    conversation: CHANNEL,
    nonce: 'nonce 1',
    state: 'rejected',
    reason: '广告',
    msg_id: null,
  })
  expect(queue()).toEqual([{ nonce: 'nonce 1', state: 'rejected', why: '广告' }])
  standing('passed')
  room.dispatch({ type: 'sessionReset' })
  await settle()
  // What is decided stays as it is.
  expect(queue()[0]?.state).toBe('rejected')
})

test.each([
  ['passed', []],
  ['rejected', [{ nonce: 'nonce 1', state: 'rejected', why: 'why' }]],
  [null, [{ nonce: 'nonce 1', state: 'failed', why: '' }]],
] as const)('a page that is opened later asks how it stands: %s', async (state, expected) => {
  await openWithHeld()
  store.clear()
  standing(state, state === null ? '' : 'why')
  const room = store.open(CHANNEL, ME)
  await expect.poll(() => calls.includes(viewHeld)).toBe(true)
  await expect
    .poll(() => room.snapshot().room.sendQueue.map(({ nonce, state, why }) => ({ nonce, state, why })))
    .toEqual(expected)
})

test('a held message is taken back on the server first, and stays when that fails', async () => {
  const { room, queue } = await openWithHeld()
  answers.set(withdrawHeld, () => {
    throw new CallFailure('network', 'no network')
  })
  expect((await room.discard('nonce 1'))?.name).toBe('network')
  expect(queue()).toHaveLength(1)
  answers.set(withdrawHeld, () => ({}))
  expect(await room.discard('nonce 1')).toBe(null)
  expect(queue()).toEqual([])
})

test('a message that was rejected before is shown with the reason', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  answers.set(sendToChannel, () => {
    throw new CallFailure('content.rejected', 'not approved', { extra: { reason: '广告' } })
  })
  room.send('again')
  await settle()
  expect(room.snapshot().room.sendQueue).toMatchObject([{ state: 'rejected', why: '广告' }])
})

/** So much is said in a room that the older part need not be kept. */
const MUCH = 1_000
const hear = (from: number) => {
  for (let seq = from; seq < from + MUCH; seq += 1) store.receiveMessage(messageLike(seq))
}

test('a reader further up keeps what is there, however much is said below', async () => {
  const room = store.open(CHANNEL, ME)
  room.subscribe(() => undefined)
  await settle()
  room.setAtEnd(false)
  hear(3)
  const { run, atStart } = room.snapshot().room
  expect([run.length, run[0]?.seq, atStart]).toEqual([MUCH + 2, 1, true])
})

test('a room left at its end, or closed, keeps its newest messages, and loads older ones again', async () => {
  const room = store.open(CHANNEL, ME)
  const leave = room.subscribe(() => undefined)
  await settle()
  const expectNewest = () => {
    const { run, atStart } = room.snapshot().room
    expect(run.length).toBeLessThan(MUCH)
    expect(atStart).toBe(false)
    expect(run.every(({ seq }, at) => seq === run[0]!.seq + at)).toBe(true)
    return run
  }
  hear(3)
  expect(expectNewest().at(-1)?.seq).toBe(MUCH + 2)
  room.setAtEnd(false)
  leave()
  hear(MUCH + 3)
  const [first] = expectNewest()
  const asked: unknown[] = []
  answers.set(history, ({ msgid }) => {
    asked.push(msgid)
    return [messageLike(first!.seq - 1)]
  })
  room.subscribe(() => undefined)
  room.loadOlder()
  await settle()
  expect(asked).toEqual([first!.id])
  expect(room.snapshot().room.run[0]?.seq).toBe(first!.seq - 1)
})
