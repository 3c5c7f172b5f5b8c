import { PAGE_SIZE } from '@guildhall/wire/limit.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import type { Message } from '@guildhall/wire/message/message.ts'

/** A message on its way: what was typed, under the nonce that lets the server and this list know it again. */
export interface Outgoing {
  readonly nonce: string
  readonly content: string
  /** A stored file instead of words, `content` being its address. */
  readonly media?: OutgoingMedia
  /** When it was sent off, ms. */
  readonly at: number
  readonly state: 'queued' | 'sending' | 'failed'
  /** Why it failed, for people. */
  readonly why: string
}

/** `type` is the specification's number of the kind. */
export interface OutgoingMedia {
  readonly type: number
  readonly attachments: Attachment
}

/** The newest messages, being joined to what the room already has after the line was lost. */
interface Fresh {
  readonly messages: readonly Message[]
  /** True once the newest page has come; what arrives before it is kept all the same. */
  readonly loaded: boolean
  readonly pages: number
  /** As `sure` of the room. */
  readonly sure: number
}

/**
 * A text room as this page knows it. `run` is in the order of `seq`, and without holes up to `sure`. While `fresh`
 * is there, something may be missing between the two; `wanted` says which page closes the hole.
 */
export interface Room {
  readonly me: string
  readonly run: readonly Message[]
  /**
   * The newest `seq` that a page or the line told of. The answer to a send may be ahead of what the line still
   * has under way, so it is shown, but proves nothing about what lies before it.
   */
  readonly sure: number
  readonly fresh: Fresh | null
  /** How often the line began anew. A newest page asked for before the last time proves nothing after it. */
  readonly turn: number
  /** The first message of the channel is in `run`. */
  readonly atStart: boolean
  readonly outbox: readonly Outgoing[]
}

export type RoomEvent =
  /** A page of history: `before` is the message it ends before, null for the newest; `turn` is the room's when it
   * was asked for. */
  | {
      readonly type: 'page'
      readonly before: string | null
      readonly turn: number
      readonly messages: readonly Message[]
    }
  /** By the line. */
  | { readonly type: 'arrived'; readonly message: Message }
  /** The line began anew: there may be messages nobody told us of. */
  | { readonly type: 'reset' }
  | {
      readonly type: 'send'
      readonly nonce: string
      readonly content: string
      readonly at: number
      readonly media?: OutgoingMedia
    }
  | { readonly type: 'sending'; readonly nonce: string }
  | { readonly type: 'sent'; readonly nonce: string; readonly message: Message }
  /** The server refused it: that concerns this one only. */
  | { readonly type: 'failed'; readonly nonce: string; readonly why: string }
  /** Nothing came back: it waits for the network, at the head of the queue. */
  | { readonly type: 'unanswered'; readonly nonce: string }
  /** What an earlier page of this person left unsent here, in the order of pressing. */
  | { readonly type: 'restored'; readonly outbox: readonly Outgoing[] }
  | { readonly type: 'retry'; readonly nonce: string }
  | { readonly type: 'discard'; readonly nonce: string }

/** Past so many pages a hole is not filled: the room starts over from the newest, and the past loads on scroll. */
export const HOLE_PAGES = 10

const nothingYet: Fresh = { messages: [], loaded: false, pages: 0, sure: 0 }

export const emptyRoom = (me: string): Room => ({
  me,
  run: [],
  sure: 0,
  fresh: nothingYet,
  turn: 0,
  atStart: false,
  outbox: [],
})

/** What has to be asked for before the room is whole: the page before a message, the newest (null), or nothing. */
export function wanted(room: Room): { before: string | null } | null {
  if (!room.fresh) return null
  return { before: room.fresh.loaded ? (room.fresh.messages[0]?.id ?? null) : null }
}

/** The outgoing message whose turn it is, or null while one is under way or none waits. chat.md §4 "Sending": one
 * at a time, so their order is the order of pressing. */
export function nextToSend(room: Room): Outgoing | null {
  if (room.outbox.some((it) => it.state === 'sending')) return null
  return room.outbox.find((it) => it.state === 'queued') ?? null
}

export function apply(room: Room, event: RoomEvent): Room {
  switch (event.type) {
    case 'page':
      return page(room, event)
    case 'arrived':
      return arrived(room, event.message, event.message.seq)
    case 'sent':
      return arrived(without(room, event.nonce), event.message, 0)
    case 'reset':
      return { ...room, fresh: nothingYet, turn: room.turn + 1 }
    case 'send': {
      const outgoing: Outgoing = {
        nonce: event.nonce,
        content: event.content,
        at: event.at,
        state: 'queued',
        why: '',
        ...(event.media && { media: event.media }),
      }
      return { ...room, outbox: [...without(room, event.nonce).outbox, outgoing] }
    }
    case 'sending':
      return change(room, event.nonce, { state: 'sending' })
    case 'failed':
      return change(room, event.nonce, { state: 'failed', why: event.why })
    case 'unanswered':
      return change(room, event.nonce, { state: 'queued' })
    case 'restored':
      return { ...room, outbox: [...event.outbox.filter((it) => !knows(room, it.nonce)), ...room.outbox] }
    case 'retry':
      return room.outbox.some((it) => it.nonce === event.nonce && it.state === 'failed')
        ? change(room, event.nonce, { state: 'queued', why: '' })
        : room
    case 'discard':
      return without(room, event.nonce)
  }
}

const without = (room: Room, nonce: string): Room =>
  room.outbox.some((it) => it.nonce === nonce)
    ? { ...room, outbox: room.outbox.filter((it) => it.nonce !== nonce) }
    : room

const change = (room: Room, nonce: string, to: Partial<Outgoing>): Room => ({
  ...room,
  outbox: room.outbox.map((it) => (it.nonce === nonce ? { ...it, ...to } : it)),
})

const isOwn = (room: Room, message: Message) => message.author.id === room.me && message.nonce !== ''

/** Whether one's own message of this nonce is in the room already, stored or on its way. */
function knows(room: Room, nonce: string): boolean {
  const stored = (it: Message) => it.nonce === nonce && isOwn(room, it)
  return (
    room.outbox.some((it) => it.nonce === nonce) ||
    room.run.some(stored) ||
    (room.fresh?.messages.some(stored) ?? false)
  )
}

/**
 * A message is in the room: it came by the line or as the answer to sending it, whichever was first; the second
 * changes nothing. One's own leaves the outbox by its nonce, so it never shows twice. `sure` is the number it
 * proves the room whole up to. One older than everything here is left to the page it belongs to: before the first
 * message it would pass for the end of that page, and what lies between would never be asked for.
 */
function arrived(room: Room, message: Message, sure: number): Room {
  const rest = isOwn(room, message) ? without(room, message.nonce) : room
  const { fresh } = rest
  if (fresh) {
    if (fresh.loaded && isBefore(message, fresh.messages)) return rest
    const messages = union(fresh.messages, [message])
    return joined({ ...rest, fresh: { ...fresh, messages, sure: Math.max(fresh.sure, sure) } })
  }
  if (!rest.atStart && isBefore(message, rest.run)) return rest
  return { ...rest, run: union(rest.run, [message]), sure: Math.max(rest.sure, sure) }
}

const isBefore = (message: Message, all: readonly Message[]) => message.seq < (all[0]?.seq ?? 0)

function page(room: Room, asked: Extract<RoomEvent, { type: 'page' }>): Room {
  const { before, messages } = asked
  const ended = messages.length < PAGE_SIZE
  const rest = messages.reduce((now, it) => (isOwn(now, it) ? without(now, it.nonce) : now), room)
  const { fresh } = rest
  const isWanted = before === null ? asked.turn === rest.turn : true
  if (fresh && isWanted && before === (fresh.loaded ? (fresh.messages[0]?.id ?? null) : null)) {
    // What came by the line before the newest page and lies before it as well may have holes after it.
    const kept =
      fresh.loaded || ended ? fresh.messages : fresh.messages.filter((it) => !isBefore(it, messages))
    const all = union(kept, messages)
    const sure = Math.max(fresh.sure, messages.at(-1)?.seq ?? 0)
    // The whole channel lies in what was just read.
    if (ended) return { ...rest, run: all, sure, fresh: null, atStart: true }
    return joined({ ...rest, fresh: { messages: all, loaded: true, pages: fresh.pages + 1, sure } })
  }
  if (before !== null && before === rest.run[0]?.id)
    return { ...rest, run: union(messages, rest.run), atStart: ended }
  // An answer to a question nobody has any more, for example asked before the line began anew.
  return rest
}

/** Joins the fresh messages to the run as soon as they touch. What the run has within their reach and they have
 * not was removed while nobody told us. */
function joined(room: Room): Room {
  const { fresh, run } = room
  const first = fresh?.messages[0]
  if (!fresh?.loaded || !first) return room
  const { sure } = fresh
  if (run.length > 0 && first.seq <= room.sure)
    return { ...room, run: [...run.filter((it) => it.seq < first.seq), ...fresh.messages], sure, fresh: null }
  if (run.length === 0 || fresh.pages >= HOLE_PAGES)
    return { ...room, run: fresh.messages, sure, fresh: null, atStart: false }
  return room
}

/** Both lists in the order of `seq`, each message once; of two copies the later argument's stands. */
function union(older: readonly Message[], newer: readonly Message[]): readonly Message[] {
  const last = older.at(-1)
  const first = newer[0]
  if (!first) return older
  if (!last || last.seq < first.seq) return [...older, ...newer]
  const byId = new Map(older.map((it) => [it.id, it]))
  for (const it of newer) byId.set(it.id, it)
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}
