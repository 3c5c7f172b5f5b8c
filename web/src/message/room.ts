import { PAGE_SIZE } from '@guildhall/wire/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'

/** A message on its way: what was typed, under the nonce that lets the server and this list know it again. */
export interface Outgoing {
  readonly nonce: string
  readonly content: string
  /** When it was sent off, ms. */
  readonly at: number
  readonly state: 'queued' | 'sending' | 'failed'
  /** Why it failed, for people. */
  readonly why: string
}

/** The newest messages, being joined to what the room already has after the line was lost. */
interface Fresh {
  readonly messages: readonly Message[]
  /** True once the newest page has come; what arrives before it is kept all the same. */
  readonly loaded: boolean
  readonly pages: number
}

/**
 * A text room as this page knows it. `run` is without holes and in the order of `seq`. While `fresh` is there,
 * something may be missing between the two; `wanted` says which page closes the hole.
 */
export interface Room {
  readonly me: string
  readonly run: readonly Message[]
  readonly fresh: Fresh | null
  /** The first message of the channel is in `run`. */
  readonly atStart: boolean
  readonly outbox: readonly Outgoing[]
}

export type RoomEvent =
  /** A page of history: `before` is the message it ends before, null for the newest. */
  | { readonly type: 'page'; readonly before: string | null; readonly messages: readonly Message[] }
  | { readonly type: 'arrived'; readonly message: Message }
  /** The line began anew: there may be messages nobody told us of. */
  | { readonly type: 'reset' }
  | { readonly type: 'send'; readonly nonce: string; readonly content: string; readonly at: number }
  | { readonly type: 'sending'; readonly nonce: string }
  | { readonly type: 'sent'; readonly nonce: string; readonly message: Message }
  /** `network`: nothing came back, so whatever is queued behind would fare the same. */
  | { readonly type: 'failed'; readonly nonce: string; readonly why: string; readonly network: boolean }
  | { readonly type: 'retry'; readonly nonce: string }
  | { readonly type: 'discard'; readonly nonce: string }

/** Past so many pages a hole is not filled: the room starts over from the newest, and the past loads on scroll. */
export const HOLE_PAGES = 10

export const emptyRoom = (me: string): Room => ({
  me,
  run: [],
  fresh: { messages: [], loaded: false, pages: 0 },
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
      return page(room, event.before, event.messages)
    case 'arrived':
      return arrived(room, event.message)
    case 'sent':
      return arrived(without(room, event.nonce), event.message)
    case 'reset':
      return { ...room, fresh: { messages: [], loaded: false, pages: 0 } }
    case 'send': {
      const outgoing: Outgoing = {
        nonce: event.nonce,
        content: event.content,
        at: event.at,
        state: 'queued',
        why: '',
      }
      return { ...room, outbox: [...without(room, event.nonce).outbox, outgoing] }
    }
    case 'sending':
      return change(room, (it) => it.nonce === event.nonce, { state: 'sending' })
    case 'failed':
      return change(room, (it) => it.nonce === event.nonce || (event.network && it.state === 'queued'), {
        state: 'failed',
        why: event.why,
      })
    case 'retry':
      return change(room, (it) => it.nonce === event.nonce && it.state === 'failed', {
        state: 'queued',
        why: '',
      })
    case 'discard':
      return without(room, event.nonce)
  }
}

const without = (room: Room, nonce: string): Room =>
  room.outbox.some((it) => it.nonce === nonce)
    ? { ...room, outbox: room.outbox.filter((it) => it.nonce !== nonce) }
    : room

const change = (room: Room, which: (it: Outgoing) => boolean, to: Partial<Outgoing>): Room => ({
  ...room,
  outbox: room.outbox.map((it) => (which(it) ? { ...it, ...to } : it)),
})

/**
 * A message is in the room: it came by the line or as the answer to sending it, whichever was first; the second
 * changes nothing. One's own leaves the outbox by its nonce, so it never shows twice.
 */
function arrived(room: Room, message: Message): Room {
  const own = message.author.id === room.me && message.nonce !== ''
  const rest = own ? without(room, message.nonce) : room
  if (rest.fresh)
    return joined({ ...rest, fresh: { ...rest.fresh, messages: union(rest.fresh.messages, [message]) } })
  return { ...rest, run: union(rest.run, [message]) }
}

function page(room: Room, before: string | null, messages: readonly Message[]): Room {
  const ended = messages.length < PAGE_SIZE
  const rest = messages.reduce(
    (now, message) => (message.author.id === now.me && message.nonce ? without(now, message.nonce) : now),
    room,
  )
  const { fresh } = rest
  if (fresh && before === (fresh.loaded ? (fresh.messages[0]?.id ?? null) : null)) {
    const all = union(fresh.messages, messages)
    // The whole channel lies in what was just read.
    if (ended) return { ...rest, run: all, fresh: null, atStart: true }
    return joined({ ...rest, fresh: { messages: all, loaded: true, pages: fresh.pages + 1 } })
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
  const last = run.at(-1)
  if (last && first.seq <= last.seq)
    return { ...room, run: [...run.filter((it) => it.seq < first.seq), ...fresh.messages], fresh: null }
  if (!last || fresh.pages >= HOLE_PAGES) return { ...room, run: fresh.messages, fresh: null, atStart: false }
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
