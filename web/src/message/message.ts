import type { ChannelId, MessageId } from '@guildhall/wire/id.ts'
import { history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { CallFailure, call } from '../kit/call.ts'
import { recall, remember } from '../kit/storage.ts'
import { apply, emptyRoom, nextToSend, type Room, type RoomEvent, wanted } from './room.ts'

/** A room and what is being asked for it. `failure` concerns the last page asked for. */
export interface Live {
  readonly room: Room
  readonly loading: 'newest' | 'older' | null
  readonly failure: CallFailure | null
}

export interface LiveRoom {
  readonly snapshot: () => Live
  /** Follows the room; while somebody does, holes are filled as they open. */
  readonly subscribe: (listener: () => void) => () => void
  readonly loadOlder: () => void
  /** Asks again for the page that failed. */
  readonly again: () => void
  readonly send: (content: string) => void
  readonly retry: (nonce: string) => void
  readonly discard: (nonce: string) => void
}

/** Between two pages of the past, ms. chat.md §9 "load-more delay". */
const OLDER_EVERY_MS = 1_000
/** Before a hole that could not be filled is tried again, ms. */
const HOLE_RETRY_MS = 3_000

const rooms = new Map<string, LiveRoom & { put: (event: RoomEvent) => void }>()

/** The room of a channel as `me` sees it, kept while the page is open. */
export function roomOf(channelId: ChannelId, me: string): LiveRoom {
  const known = rooms.get(channelId)
  if (known && known.snapshot().room.me === me) return known
  const made = open(channelId, me)
  rooms.set(channelId, made)
  return made
}

/** A message came by the line. Rooms nobody has opened will ask for it when they are. */
export function messageArrived(message: Message): void {
  rooms.get(message.channel_id)?.put({ type: 'arrived', message })
}

/** The line began anew: every room looks for what it missed. */
export function roomsMissedSomething(): void {
  for (const room of rooms.values()) room.put({ type: 'reset' })
}

/** Another person may log in here next. */
export function forgetRooms(): void {
  rooms.clear()
}

function open(channelId: ChannelId, me: string): LiveRoom & { put: (event: RoomEvent) => void } {
  let live: Live = { room: emptyRoom(me), loading: null, failure: null }
  let olderAt = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const show = (next: Partial<Live>) => {
    live = { ...live, ...next }
    for (const listener of listeners) listener()
  }
  const put = (event: RoomEvent) => {
    show({ room: apply(live.room, event) })
    void catchUp()
    void sendNext()
  }

  const load = async (before: string | null, loading: 'newest' | 'older') => {
    show({ loading, failure: null })
    try {
      const messages = await call(history, {
        id: channelId,
        ...(before === null ? {} : { msgid: before as MessageId }),
      })
      show({ room: apply(live.room, { type: 'page', before, messages }), loading: null })
      void catchUp()
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      show({ loading: null, failure: error })
      clearTimeout(retry)
      // Only while something is on screen: an empty room shows the error and a button instead.
      if (error.name === 'network' && live.room.run.length > 0 && wanted(live.room))
        retry = setTimeout(() => void catchUp(), HOLE_RETRY_MS)
    }
  }
  const catchUp = async () => {
    const want = wanted(live.room)
    if (!want || live.loading || listeners.size === 0) return
    await load(want.before, 'newest')
  }

  const sendNext = async () => {
    const next = nextToSend(live.room)
    if (!next) return
    const { nonce } = next
    show({ room: apply(live.room, { type: 'sending', nonce }) })
    try {
      const content = JSON.stringify({ content: next.content, type: 9 })
      const { message } = await call(sendToChannel, { id: channelId, content, nonce })
      put({ type: 'sent', nonce, message })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      put({ type: 'failed', nonce, why: error.message, network: error.name === 'network' })
    }
  }

  return {
    put,
    snapshot: () => live,
    subscribe(listener) {
      listeners.add(listener)
      if (!live.failure) void catchUp()
      return () => listeners.delete(listener)
    },
    loadOlder() {
      const first = live.room.run[0]
      if (!first || live.loading || live.room.atStart || wanted(live.room)) return
      if (Date.now() - olderAt < OLDER_EVERY_MS) return
      olderAt = Date.now()
      void load(first.id, 'older')
    },
    again() {
      if (wanted(live.room)) void catchUp()
      else if (live.room.run[0] && !live.loading) void load(live.room.run[0].id, 'older')
    },
    send(content) {
      put({ type: 'send', nonce: uuid(), content, at: Date.now() })
    },
    retry: (nonce) => put({ type: 'retry', nonce }),
    discard: (nonce) => put({ type: 'discard', nonce }),
  }
}

/** A random name for a message. Not `crypto.randomUUID`: pages served over plain HTTP and iOS 15.3 lack it. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The text left unsent in a channel, `''` when none. */
export const draftOf = (channelId: string): string => recall('drafts')?.[channelId] ?? ''

/** Keeps what is typed in a channel; nothing typed forgets it. */
export function keepDraft(channelId: string, words: string): void {
  const { [channelId]: _, ...others } = recall('drafts') ?? {}
  remember('drafts', words.trim() === '' ? others : { ...others, [channelId]: words })
}
