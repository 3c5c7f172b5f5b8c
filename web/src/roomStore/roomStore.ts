import type { ChannelId, MessageId } from '@guildhall/wire/id.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  pinMessage,
  unpinMessage,
  updateMessage,
} from '@guildhall/wire/message/act.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import { history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread } from '@guildhall/wire/message/reading.ts'
import { CallFailure, call } from '../kit/call.ts'
import { say } from '../kit/i18n.ts'
import { QUIET_MAX } from './ephemeral.ts'
import type { Change, Doing } from './messageChange.ts'
import {
  apply,
  emptyRoom,
  nextToSend,
  type Outgoing,
  type OutgoingMedia,
  type Room,
  type RoomEvent,
  shown,
  wanted,
  wantedAround,
} from './room.ts'
import { alone, forget, keep, unsentOf } from './sendQueueStorage.ts'
import { text } from './text.ts'

/** A room and what is being asked for it. `failure` concerns the last page asked for. */
export interface Live {
  readonly room: Room
  readonly loading: 'newest' | 'older' | 'newer' | 'around' | null
  readonly failure: CallFailure | null
  /** What is queued waits for the network, not for its turn. */
  readonly isWaiting: boolean
}

export interface LiveRoom {
  readonly snapshot: () => Live
  /** Follows the room; while somebody does, holes are filled as they open. */
  readonly subscribe: (listener: () => void) => () => void
  readonly loadOlder: () => void
  /** Of a reader far back: what came after what they see. */
  readonly loadNewer: () => void
  /**
   * Shows a message, wherever in the past it stands. Answers null once it is among those shown, or why it is not:
   * `message.unknown` when it was removed.
   */
  readonly jump: (id: string) => Promise<CallFailure | null>
  /** Back to the newest messages. */
  readonly present: () => void
  /** The message the reader looks at: around it the past is read again when that is needed. */
  readonly look: (id: string) => void
  /** Asks again for the page that failed. */
  readonly again: () => void
  readonly send: (content: string, more?: Pick<Outgoing, 'media' | 'names' | 'quote'>) => void
  readonly retry: (nonce: string) => void
  readonly discard: (nonce: string) => void
  /** Does something to a message: drawn at once, taken back when it fails. Answers why it failed, or null. */
  readonly act: (id: string, doing: Doing) => Promise<CallFailure | null>
  /** Deletes a message. Answers why it failed, or null. */
  readonly remove: (id: string) => Promise<CallFailure | null>
  /** Puts away what the reader alone sees, by the message's id. */
  readonly dismiss: (id: string) => void
  /** What is in the room was read: the person's mark moves there, on all their devices. Told once in a while. */
  readonly read: () => void
}

/** What words are sent as. */
const KMARKDOWN = kindNumber('kmarkdown', 'specification')
const VIDEO = kindNumber('video', 'specification')
/** Between two pages of the past, ms. chat.md §9 "load-more delay". */
const OLDER_EVERY_MS = 1_000
/** Before what the network did not carry, a page or a message, is tried again, ms. */
const RETRY_MS = 3_000
/** Between two moves of the read mark, ms. */
const MARK_EVERY_MS = 1_000
/** Failures that pass by themselves: the message was neither stored nor refused, as far as is known. */
const PASSING: ReadonlySet<string> = new Set(['network', 'unavailable', 'too_many'])

interface OpenRoom extends LiveRoom {
  readonly put: (event: RoomEvent) => void
  /** The line stands again: what waits is tried at once. */
  readonly goOn: () => void
  /** Nobody looks any more; what is unsent stays kept. */
  readonly close: () => void
}

const rooms = new Map<string, OpenRoom>()
let stands = true
let tellKnown: (guildId: string, seq: number) => void = () => undefined

/** The room of a channel as `me` sees it, kept while the page is open. */
export function roomOf(channelId: ChannelId, me: string): LiveRoom {
  const known = rooms.get(channelId)
  if (known && known.snapshot().room.me === me) return known
  known?.close()
  const made = open(channelId, me)
  rooms.set(channelId, made)
  for (const event of unheard.get(channelId) ?? []) made.put(event)
  unheard.delete(channelId)
  return made
}

/** A message came by the line. Rooms nobody has opened will ask for it when they are. */
export function messageArrived(message: Message): void {
  rooms.get(message.channel_id)?.put({ type: 'arrived', message })
}

/** Something happened to a message, by the line. */
export function messageChanged(channelId: string, change: Change): void {
  rooms.get(channelId)?.put({ type: 'changed', change })
}

/** What came for rooms nobody has opened: it is told once, and no page of history has it. */
const unheard = new Map<string, RoomEvent[]>()

/** Something was said to one person alone, or they are shown other words of a message. By the line. */
export function quietlyTold(channelId: string, event: Extract<RoomEvent, { type: 'quiet' | 'view' }>): void {
  const room = rooms.get(channelId)
  if (room) room.put(event)
  else unheard.set(channelId, [...(unheard.get(channelId) ?? []), event].slice(-QUIET_MAX))
}

/** Somebody of a guild goes by another name now, has other roles, or left; or a role is gone. By the line. */
export function authorsChanged(
  guildId: string,
  event: Extract<RoomEvent, { type: 'member' | 'role_gone' }>,
): void {
  for (const room of rooms.values()) {
    const { run, fresh } = room.snapshot().room
    const known = run[0] ?? fresh?.messages[0]
    if (!known || known.guild_id === guildId) room.put(event)
  }
}

/** The line began anew: every room looks for what it missed. */
export function roomsMissedSomething(): void {
  for (const room of rooms.values()) room.put({ type: 'reset' })
}

/** Another person may log in here next. */
export function forgetRooms(): void {
  for (const room of rooms.values()) room.close()
  rooms.clear()
  unheard.clear()
}

/** Whether the line stands: without it nothing is sent, and all waits. */
export function lineStands(now: boolean): void {
  if (stands === now) return
  stands = now
  for (const room of rooms.values()) room.goOn()
}

/** Who is told of the numbers that answers carry, so that the line can be held to them. */
export function onKnown(listener: typeof tellKnown): void {
  tellKnown = listener
}

/** Goes on sending what an earlier page of this person left unsent, in whichever channel. */
export async function resumeSending(me: string): Promise<void> {
  for (const { channelId } of await unsentOf(me)) roomOf(channelId as ChannelId, me)
}

/** Two messages of one page are never of the same moment: their order is kept by it. */
let pressedAt = 0

function open(channelId: ChannelId, me: string): OpenRoom {
  let live: Live = { room: emptyRoom(me), loading: null, failure: null, isWaiting: false }
  let isClosed = false
  let isRestored = false
  /** The last send got no answer; until when nothing is tried. */
  let unanswered: ReturnType<typeof setTimeout> | null = null
  let olderAt = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const show = (next: Partial<Live>) => {
    const before = live.room.outbox
    live = { ...live, ...next, isWaiting: !stands || unanswered !== null }
    if (live.room.outbox !== before && !isClosed) write(before, live.room.outbox)
    for (const listener of listeners) listener()
  }
  /** Keeps what the outbox has over a reload, and forgets what it has no longer. */
  const write = (before: Room['outbox'], now: Room['outbox']) => {
    for (const it of before) if (!now.some(({ nonce }) => nonce === it.nonce)) void forget(it.nonce)
    for (const it of now) if (!before.includes(it)) void keep({ ...it, me, channelId })
  }
  const put = (event: RoomEvent) => {
    show({ room: apply(live.room, event) })
    void catchUp()
    void sendNext()
  }

  const isWanting = () => wanted(live.room) !== null || wantedAround(live.room) !== null
  /** Whoever waits for the page under way. */
  let waiting: (() => void)[] = []
  /** Asks for a part of the past; `put` makes of it what the room is told. Answers why it did not come, or null. */
  const load = async (
    loading: NonNullable<Live['loading']>,
    part: { readonly msgid?: MessageId; readonly flag?: 'before' | 'around' | 'after' },
    told: (messages: readonly Message[], turn: number) => RoomEvent,
  ): Promise<CallFailure | null> => {
    show({ loading, failure: null, room: apply(live.room, { type: 'asked' }) })
    const { turn } = live.room
    try {
      const messages = await call(history, { id: channelId, ...part })
      const newest = messages.at(-1)
      if (newest) tellKnown(newest.guild_id, newest.seq)
      show({ room: apply(live.room, told(messages, turn)), loading: null })
      void catchUp()
      return null
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      const room = apply(live.room, { type: 'unasked' })
      // A jump tells whoever jumped; what is on screen is whole.
      show({ loading: null, failure: loading === 'around' ? null : error, room })
      clearTimeout(retry)
      // Only while something is on screen: an empty room shows the error and a button instead.
      if (error.name === 'network' && live.room.run.length > 0 && isWanting())
        retry = setTimeout(() => void catchUp(), RETRY_MS)
      return error
    } finally {
      const now = waiting
      waiting = []
      for (const go of now) go()
    }
  }
  const loadPage = (before: string | null, loading: 'newest' | 'older') =>
    load(loading, before === null ? {} : { msgid: before as MessageId }, (messages, turn) => ({
      ...{ type: 'page', before, turn, messages },
    }))
  const loadMore = (side: 'before' | 'after', anchor: string) =>
    load(
      side === 'before' ? 'older' : 'newer',
      { msgid: anchor as MessageId, flag: side },
      (messages, turn) => ({
        ...{ type: 'more', side, anchor, turn, messages },
      }),
    )
  const loadAround = (at: string) =>
    load('around', { msgid: at as MessageId, flag: 'around' }, (messages, turn) => ({
      ...{ type: 'window', at, turn, messages },
    }))

  const catchUp = async () => {
    if (live.loading || listeners.size === 0) return
    const want = wanted(live.room)
    const around = wantedAround(live.room)
    if (want) return void (await loadPage(want.before, 'newest'))
    if (around === null) return
    const isThere = live.room.past?.messages.some((it) => it.id === lookedAt)
    const failure = await loadAround(isThere && lookedAt ? lookedAt : around)
    // The place itself is gone, and nothing tells what lies around it now.
    if (failure?.name === 'message.unknown') put({ type: 'present' })
  }
  let lookedAt: string | null = null
  let jumps = 0
  const jump = async (id: string): Promise<CallFailure | null> => {
    jumps += 1
    const mine = jumps
    const isIn = (all: readonly Message[] | undefined) => all?.some((it) => it.id === id) ?? false
    while (live.loading) await new Promise<void>((go) => waiting.push(go))
    // Somebody who taps twice wants the second.
    if (mine !== jumps) return null
    if (isIn(live.room.past?.messages)) return null
    if (isIn(live.room.run)) {
      put({ type: 'present' })
      return null
    }
    if (live.room.gone.has(id)) return goneFailure()
    const { turn, past } = live.room
    const failure = await load('around', { msgid: id as MessageId, flag: 'around' }, (messages, asked) =>
      // Where a removed message stood nothing is to be seen: the reader stays.
      messages.some((it) => it.id === id)
        ? { type: 'window', at: id, turn: asked, messages }
        : { type: 'unasked' },
    )
    if (failure) return failure.name === 'message.unknown' ? goneFailure() : failure
    if (isIn(shown(live.room))) return null
    // The line began anew meanwhile: the page proved nothing, and another one is asked for.
    return live.room.turn !== turn && live.room.past === past ? jump(id) : goneFailure()
  }

  const sendNext = async () => {
    const next = nextToSend(live.room)
    if (!next || !stands || unanswered !== null || !isRestored || isClosed) return
    const { nonce } = next
    const { turn } = live.room
    show({ room: apply(live.room, { type: 'sending', nonce }) })
    const outcome = await alone(nonce, async () => {
      try {
        const content = JSON.stringify({
          ...{ content: next.content, type: next.media?.type ?? KMARKDOWN },
          ...(next.media && looksIn(next.media)),
          ...(next.quote?.can_jump && { quote: next.quote.id }),
        })
        const { message } = await call(sendToChannel, { id: channelId, content, nonce })
        tellKnown(message.guild_id, message.seq)
        put({ type: 'sent', nonce, turn, message })
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        if (PASSING.has(error.name)) wait(nonce)
        // It was stored the first time, and somebody deleted it before this page heard so.
        else if (error.name === 'message.deleted') put({ type: 'discard', nonce })
        else
          put({
            ...{ type: 'failed', nonce, why: error.message },
            unquoted: error.name === 'message.unknown',
          })
      }
    })
    if (outcome === 'busy') wait(nonce)
    if (outcome === 'gone') put({ type: 'discard', nonce })
  }
  const wait = (nonce: string) => {
    unanswered = setTimeout(goOn, RETRY_MS)
    put({ type: 'unanswered', nonce })
  }
  let acts = 0
  /** What is done to one message is done in the order of tapping. */
  const turns = new Map<string, Promise<unknown>>()
  const act = async (id: string, doing: Doing): Promise<CallFailure | null> => {
    acts += 1
    const key = acts
    put({ type: 'act', key, id, doing })
    const before = turns.get(id)
    const mine = (async () => {
      await before
      try {
        const { revision } = await perform(channelId, id as MessageId, doing)
        put({ type: 'acted', key, revision })
        return null
      } catch (error) {
        put({ type: 'unacted', key })
        if (!(error instanceof CallFailure)) throw error
        return error
      }
    })()
    turns.set(id, mine)
    const failure = await mine
    if (turns.get(id) === mine) turns.delete(id)
    return failure
  }
  const remove = async (id: string): Promise<CallFailure | null> => {
    try {
      await call(deleteMessage, { msg_id: id as MessageId })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.name !== 'message.unknown') return error
    }
    put({ type: 'removed', id })
    return null
  }

  /** The number of the last message the mark was moved to, and when that may be done again. */
  let marked = 0
  let marking: ReturnType<typeof setTimeout> | null = null
  const read = () => {
    const last = live.room.run.at(-1)
    if (!last || last.seq <= marked || marking !== null || !stands) return
    marked = last.seq
    marking = setTimeout(() => {
      marking = null
      read()
    }, MARK_EVERY_MS)
    call(clearUnread, { channel_id: channelId, msgid: last.id }).catch((error: unknown) => {
      if (!(error instanceof CallFailure)) throw error
      // It moves with the next message read.
      marked = 0
    })
  }

  /** Which end of what is shown was asked for last. */
  let wantedSide: 'older' | 'newer' = 'older'
  /** A page is under way, or was a moment ago. */
  const isSoon = () => live.loading !== null || isWanting() || Date.now() - olderAt < OLDER_EVERY_MS
  const older = () => {
    wantedSide = 'older'
    const { past, run } = live.room
    if (past?.messages[0]) void loadMore('before', past.messages[0].id)
    else if (run[0]) void loadPage(run[0].id, 'older')
  }

  const goOn = () => {
    if (unanswered !== null) clearTimeout(unanswered)
    unanswered = null
    show({})
    void catchUp()
    void sendNext()
  }
  const restore = async () => {
    const outbox = (await unsentOf(me)).filter((it) => it.channelId === channelId)
    isRestored = true
    put({ type: 'restored', outbox: outbox.map(({ me: _, channelId: __, ...it }) => it) })
  }
  void restore()

  return {
    put,
    goOn,
    close() {
      isClosed = true
      clearTimeout(retry)
      if (unanswered !== null) clearTimeout(unanswered)
      if (marking !== null) clearTimeout(marking)
    },
    snapshot: () => live,
    subscribe(listener) {
      listeners.add(listener)
      if (!live.failure) void catchUp()
      return () => listeners.delete(listener)
    },
    loadOlder() {
      if (isSoon() || (live.room.past ?? live.room).atStart) return
      olderAt = Date.now()
      older()
    },
    loadNewer() {
      const last = live.room.past?.messages.at(-1)
      if (!last || isSoon()) return
      olderAt = Date.now()
      wantedSide = 'newer'
      void loadMore('after', last.id)
    },
    jump,
    present: () => put({ type: 'present' }),
    look(id) {
      lookedAt = id
    },
    again() {
      const last = live.room.past?.messages.at(-1)
      if (isWanting()) void catchUp()
      else if (live.loading) return
      else if (wantedSide === 'newer' && last) void loadMore('after', last.id)
      else older()
    },
    send(content, more) {
      pressedAt = Math.max(Date.now(), pressedAt + 1)
      put({ type: 'send', nonce: uuid(), content, at: pressedAt, ...more })
    },
    retry: (nonce) => put({ type: 'retry', nonce }),
    discard: (nonce) => put({ type: 'discard', nonce }),
    act,
    remove,
    dismiss: (id) => put({ type: 'dismiss', id }),
    read,
  }
}

function perform(channelId: ChannelId, id: MessageId, doing: Doing): Promise<{ revision: number }> {
  switch (doing.kind) {
    case 'react':
      return call(addReaction, { msg_id: id, emoji: doing.emoji.id })
    case 'unreact':
      return call(deleteReaction, { msg_id: id, emoji: doing.emoji.id })
    case 'edit':
      return call(updateMessage, { msg_id: id, content: doing.content })
    case 'pin':
      return call(pinMessage, { target_id: channelId, msg_id: id })
    case 'unpin':
      return call(unpinMessage, { target_id: channelId, msg_id: id })
  }
}

const goneFailure = () => new CallFailure('message.unknown', say(text).quoteGone)

/** A random name for a message. Not `crypto.randomUUID`: pages served over plain HTTP and iOS 15.3 lack it. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What is told of a video beside its address. */
const looksIn = ({ type, attachments }: OutgoingMedia): VideoLooks => {
  if (type !== VIDEO) return {}
  const { cover, duration, width, height } = attachments
  return {
    ...(cover && { cover }),
    ...(duration && { duration }),
    ...(width && { width }),
    ...(height && { height }),
  }
}
