import { PAGE_SIZE } from '@guildhall/wire/limit.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { type Quote, withoutQuoted } from '@guildhall/wire/message/quote.ts'
import { asViewed, type Quiet, type View, withQuiet, withView } from './ephemeral.ts'
import { type Change, changed, type Doing, foreseen } from './messageChange.ts'

/** A message on its way: what was typed, under the nonce that lets the server and this list know it again. */
export interface Outgoing {
  readonly nonce: string
  readonly content: string
  /** A stored file instead of words, `content` being its address. */
  readonly media?: OutgoingMedia
  /** Whom the words call on: their names by id. */
  readonly names?: Readonly<Record<string, string>>
  /** What it answers. */
  readonly quote?: Quote
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

/** Something this person does to a message: drawn at once, and until the message that came back includes it. */
export interface Act {
  readonly key: number
  readonly id: string
  readonly doing: Doing
  /** The revision at which it is done, once the server said so. */
  readonly revision: number | null
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
 * A part of the past somebody jumped to, which does not touch `run`. In the order of `seq`, without holes, never empty.
 * Nothing that arrives gets in: it grows by pages at both ends until it touches `run` and becomes one with it.
 */
export interface Past {
  /** The message it was opened at. */
  readonly at: string
  readonly messages: readonly Message[]
  /** The first message of the channel is in it. */
  readonly atStart: boolean
  /** Read before the line began anew: it may have changed while nobody told us, and is read again. */
  readonly isOld: boolean
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
  /** How often the line began anew. A page asked for before the last time proves nothing after it. */
  readonly turn: number
  /**
   * Messages from this number on are as they are now. What lies before was read before the line began anew, and may
   * have changed while nobody told us: it is read again, page by page.
   */
  readonly checked: number
  /** Pages read since the line began anew. */
  readonly pages: number
  /** What happened to messages since the page under way was asked for: the page may be older. Null: none is. */
  readonly since: readonly (Change | Renaming)[] | null
  /** Messages that were deleted while this room looked on: an answer on its way may still have them. */
  readonly gone: ReadonlySet<string>
  /** The first message of the channel is in `run`. */
  readonly atStart: boolean
  /** What is shown instead of `run` while the reader is far back; `run` hears of everything all the same. */
  readonly past: Past | null
  readonly outbox: readonly Outgoing[]
  readonly acts: readonly Act[]
  /** What was said here to the reader alone, or by them to one person, in its order. */
  readonly quiet: readonly Quiet[]
  /** Other words that the reader alone is shown, by the message's id. */
  readonly views: ReadonlyMap<string, View>
}

export type RoomEvent =
  /** A page of history is asked for; its `page` follows, or `unasked` when it did not come. One at a time. */
  | { readonly type: 'asked' }
  | { readonly type: 'unasked' }
  /** A page of history: `before` is the message it ends before, null for the newest; `turn` is the room's when it
   * was asked for. */
  | {
      readonly type: 'page'
      readonly before: string | null
      readonly turn: number
      readonly messages: readonly Message[]
    }
  /** The page around a message: the reader jumped there, or what they look at was read again. */
  | {
      readonly type: 'window'
      readonly at: string
      readonly turn: number
      readonly messages: readonly Message[]
    }
  /** The page before the first message of `past`, or after its last one, `anchor` being that one. */
  | {
      readonly type: 'more'
      readonly side: 'before' | 'after'
      readonly anchor: string
      readonly turn: number
      readonly messages: readonly Message[]
    }
  /** The reader goes back to the newest messages. */
  | { readonly type: 'present' }
  /** By the line. */
  | { readonly type: 'arrived'; readonly message: Message }
  /** By the line, too: something happened to a message. */
  | { readonly type: 'changed'; readonly change: Change }
  /** By the line as well: somebody goes by another name or has other roles. Null: they left, or came anew. */
  | {
      readonly type: 'member'
      readonly userId: string
      readonly as: { readonly nickname: string; readonly roles: readonly number[] } | null
    }
  /** A role is no more. */
  | { readonly type: 'role_gone'; readonly roleId: number }
  /** By the line: something was said to one person alone, or they are shown other words of a message. */
  | { readonly type: 'quiet'; readonly quiet: Quiet }
  | { readonly type: 'view'; readonly view: View }
  /** The reader puts either away, by the message's id. */
  | { readonly type: 'dismiss'; readonly id: string }
  /** The line began anew: there may be messages nobody told us of. */
  | { readonly type: 'reset' }
  | {
      readonly type: 'send'
      readonly nonce: string
      readonly content: string
      readonly at: number
      readonly media?: OutgoingMedia
      readonly names?: Outgoing['names']
      readonly quote?: Quote
    }
  | { readonly type: 'sending'; readonly nonce: string }
  /** It is stored; `turn` is the room's when it was sent off. */
  | { readonly type: 'sent'; readonly nonce: string; readonly turn: number; readonly message: Message }
  /** The server refused it: that concerns this one only. `unquoted`: what it answers is gone, and it answers nothing
   * from now on. */
  | { readonly type: 'failed'; readonly nonce: string; readonly why: string; readonly unquoted?: boolean }
  /** Nothing came back: it waits for the network, at the head of the queue. */
  | { readonly type: 'unanswered'; readonly nonce: string }
  /** What an earlier page of this person left unsent here, in the order of pressing. */
  | { readonly type: 'restored'; readonly outbox: readonly Outgoing[] }
  | { readonly type: 'retry'; readonly nonce: string }
  | { readonly type: 'discard'; readonly nonce: string }
  /** This person does something to a message; `key` tells it apart from the others. */
  | { readonly type: 'act'; readonly key: number; readonly id: string; readonly doing: Doing }
  | { readonly type: 'acted'; readonly key: number; readonly revision: number }
  /** It did not happen, or nobody knows: the message is drawn as it is told of. */
  | { readonly type: 'unacted'; readonly key: number }
  /** This person deleted a message, and the server agreed. */
  | { readonly type: 'removed'; readonly id: string }

type Renaming = Extract<RoomEvent, { type: 'member' | 'role_gone' }>

/** Messages of the past a reader stands in that are kept. */
export const PAST_MAX = 2_000
/** Past so many pages a hole is not filled: the room starts over from the newest, and the past loads on scroll. */
export const HOLE_PAGES = 10

/** Of the page around a message so many are it and those before it. */
const AROUND_UNTIL = Math.ceil(PAGE_SIZE / 2)

const nothingYet: Fresh = { messages: [], loaded: false, pages: 0, sure: 0 }

export const emptyRoom = (me: string): Room => ({
  me,
  run: [],
  sure: 0,
  fresh: nothingYet,
  turn: 0,
  checked: Number.POSITIVE_INFINITY,
  pages: 0,
  since: null,
  gone: new Set(),
  atStart: false,
  past: null,
  outbox: [],
  acts: [],
  quiet: [],
  views: new Map(),
})

/** What has to be asked for before the room is whole: the page before a message, the newest (null), or nothing. */
export function wanted(room: Room): { before: string | null } | null {
  if (room.fresh) return { before: room.fresh.loaded ? (room.fresh.messages[0]?.id ?? null) : null }
  const first = room.run[0]
  return first && first.seq < room.checked ? { before: firstChecked(room)?.id ?? null } : null
}

/** The message around which the past the reader stands in has to be read again, once the run is whole; or null. */
export const wantedAround = (room: Room): string | null =>
  room.past?.isOld && !wanted(room) ? room.past.at : null

const firstChecked = (room: Room): Message | undefined => room.run.find((it) => it.seq >= room.checked)

/** The messages of where the reader is: the newest ones, or a part of the past. */
export const allOf = (room: Room): readonly Message[] => room.past?.messages ?? room.run

/** Messages of a room as their reader shall see them: with what the reader does to them done. */
export function shown(room: Room, messages: readonly Message[] = allOf(room)): readonly Message[] {
  if (room.acts.length === 0 && room.views.size === 0) return messages
  return messages.map((message) =>
    room.acts.reduce(
      (now, act) => (act.id === message.id ? foreseen(now, act.doing) : now),
      asViewed(room.views, message),
    ),
  )
}

/** The outgoing message whose turn it is, or null while one is under way or none waits. chat.md §4 "Sending": one
 * at a time, so their order is the order of pressing. */
export function nextToSend(room: Room): Outgoing | null {
  if (room.outbox.some((it) => it.state === 'sending')) return null
  return room.outbox.find((it) => it.state === 'queued') ?? null
}

export function apply(room: Room, event: RoomEvent): Room {
  return withoutDone(met(startedOver(applied(room, event))))
}

function applied(room: Room, event: RoomEvent): Room {
  switch (event.type) {
    case 'asked':
      return { ...room, since: [] }
    case 'unasked':
      return { ...room, since: null }
    case 'page':
      return page(room, event)
    case 'window':
      return opened(room, event)
    case 'more':
      return grown(room, event)
    case 'present':
      return room.past ? { ...room, past: null } : room
    case 'arrived':
      return arrived(room, event.message, event.message.seq)
    case 'changed':
      return event.change.name === 'deleted_message'
        ? removed(room, event.change.body.msg_id)
        : happened(room, event.change)
    case 'removed':
      return removed(room, event.id)
    case 'quiet':
      return { ...room, quiet: withQuiet(room.quiet, event.quiet) }
    case 'view':
      return { ...room, views: withView(room.views, event.view) }
    case 'dismiss': {
      const views = new Map(room.views)
      views.delete(event.id)
      return { ...room, views, quiet: room.quiet.filter((it) => it.message.id !== event.id) }
    }
    case 'member':
    case 'role_gone':
      return renamed(room, event)
    case 'sent':
      return sent(room, event)
    case 'reset':
      return {
        ...room,
        fresh: nothingYet,
        turn: room.turn + 1,
        checked: Number.POSITIVE_INFINITY,
        pages: 0,
        past: room.past && { ...room.past, isOld: true },
      }
    case 'act': {
      const { key, id, doing } = event
      return { ...room, acts: [...room.acts, { key, id, doing, revision: null }] }
    }
    case 'acted': {
      const { key, revision } = event
      return { ...room, acts: room.acts.map((it) => (it.key === key ? { ...it, revision } : it)) }
    }
    case 'unacted':
      return { ...room, acts: room.acts.filter((it) => it.key !== event.key) }
    case 'send': {
      const outgoing: Outgoing = {
        nonce: event.nonce,
        content: event.content,
        at: event.at,
        state: 'queued',
        why: '',
        ...(event.media && { media: event.media }),
        ...(event.names && { names: event.names }),
        ...(event.quote && { quote: event.quote }),
      }
      // It stands below the newest message: that is where the reader is from now on.
      return { ...room, past: null, outbox: [...without(room, event.nonce).outbox, outgoing] }
    }
    case 'sending':
      return change(room, event.nonce, { state: 'sending' })
    case 'failed':
      return failed(room, event)
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

function failed(room: Room, { nonce, why, unquoted }: Extract<RoomEvent, { type: 'failed' }>): Room {
  const quote = room.outbox.find((it) => it.nonce === nonce)?.quote
  const gone = unquoted && quote ? { quote: { ...quote, content: '', can_jump: false } } : {}
  return change(room, nonce, { state: 'failed', why, ...gone })
}

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
function arrived(room: Room, told: Message, sure: number): Room {
  const rest = isOwn(room, told) ? without(room, told.nonce) : room
  if (rest.gone.has(told.id)) return rest
  const message = withoutQuoted(told, (id) => rest.gone.has(id))
  const { fresh } = rest
  if (fresh) {
    if (fresh.loaded && isBefore(message, fresh.messages)) return rest
    const messages = added(fresh.messages, message)
    return joined({ ...rest, fresh: { ...fresh, messages, sure: Math.max(fresh.sure, sure) } })
  }
  if (!rest.atStart && isBefore(message, rest.run)) return rest
  return { ...rest, run: added(rest.run, message), sure: Math.max(rest.sure, sure) }
}

/**
 * The answer to a send. One that set out before the line began anew may tell of a message that was deleted since, with
 * nobody there to hear of it; if it was not, the page that is read now or the line has it.
 */
function sent(room: Room, event: Extract<RoomEvent, { type: 'sent' }>): Room {
  const rest = without(room, event.nonce)
  return event.turn === room.turn ? arrived(rest, event.message, 0) : rest
}

const isBefore = (message: Message, all: readonly Message[]) => message.seq < (all[0]?.seq ?? 0)

/** Everywhere a message is, it is as a change leaves it. */
function happened(room: Room, change: Change): Room {
  const id = change.body.msg_id
  const since = room.since && [...room.since, change]
  return everywhere({ ...room, since }, (all) =>
    replaced(all, id, (it) => changed(it, change, room.me) ?? it),
  )
}

/** Does something to all the messages there are; `to` answers the same list when it changes nothing. */
function everywhere(room: Room, to: (all: readonly Message[]) => readonly Message[]): Room {
  const { fresh, past, quiet } = room
  return {
    ...room,
    quiet: quiet.map((it) => ({ ...it, message: to([it.message])[0] ?? it.message })),
    run: to(room.run),
    fresh: fresh && { ...fresh, messages: to(fresh.messages) },
    past: past && { ...past, messages: to(past.messages) },
  }
}

function replaced(
  all: readonly Message[],
  id: string,
  by: (message: Message) => Message,
): readonly Message[] {
  const at = lastWhere(all, (it) => it.id === id)
  const known = all[at]
  if (!known) return all
  const now = by(known)
  return now === known ? all : [...all.slice(0, at), now, ...all.slice(at + 1)]
}

/** -1 when there is none. Not `findLastIndex`, `with` or `toSpliced`: the in-app browsers of iOS 15 have none. */
function lastWhere(all: readonly Message[], is: (message: Message) => boolean): number {
  for (let at = all.length - 1; at >= 0; at -= 1) if (is(all[at]!)) return at
  return -1
}

/** It is gone, and so are its words where others answer it. */
function removed(room: Room, id: string): Room {
  const isIt = (it: string) => it === id
  return everywhere({ ...room, gone: new Set(room.gone).add(id) }, (all) => {
    const rest = all.filter((it) => it.id !== id).map((it) => withoutQuoted(it, isIt))
    return rest.length === all.length && rest.every((it, at) => it === all[at]) ? all : rest
  })
}

/** With nothing left that is known to be as it is now, there is nothing to read on from: the newest page is read. */
function startedOver(room: Room): Room {
  const { run, fresh, atStart, checked } = room
  if (fresh || (run.length === 0 && atStart)) return room
  return (run.at(-1)?.seq ?? -1) < checked || run.length === 0 ? { ...room, fresh: nothingYet } : room
}

/** What this person did is told of, or the message is here no longer: nothing is foreseen any more. */
function withoutDone(room: Room): Room {
  const isOpen = ({ id, revision }: Act) => {
    const message = room.run.find((it) => it.id === id) ?? room.past?.messages.find((it) => it.id === id)
    return message !== undefined && (revision === null || message.revision < revision)
  }
  return room.acts.length === 0 || room.acts.every(isOpen)
    ? room
    : { ...room, acts: room.acts.filter(isOpen) }
}

/** The reader stands around a message from now on. Without any message there is no such place. */
function opened(room: Room, asked: Extract<RoomEvent, { type: 'window' }>): Room {
  const now: Room = { ...room, since: null }
  if (asked.turn !== room.turn) return now
  const messages = upToDate(room, asked.messages)
  const until = asked.messages.findIndex((it) => it.id === asked.at) + 1
  const atStart = until > 0 && until < AROUND_UNTIL
  return { ...now, past: messages.length > 0 ? { at: asked.at, messages, atStart, isOld: false } : null }
}

/** A page more of the past the reader stands in. */
function grown(room: Room, asked: Extract<RoomEvent, { type: 'more' }>): Room {
  const now: Room = { ...room, since: null }
  const { past } = room
  if (asked.turn !== room.turn || !past || past.isOld) return now
  const isBeforeIt = asked.side === 'before'
  // It was asked for when another message stood there.
  if ((isBeforeIt ? past.messages[0] : past.messages.at(-1))?.id !== asked.anchor) return now
  const page = upToDate(room, asked.messages)
  const all = isBeforeIt ? [...page, ...past.messages] : [...past.messages, ...page]
  // What lies far behind a reader who goes on and on is let go; it is read again when they turn round.
  const messages = isBeforeIt ? all.slice(0, PAST_MAX) : all.slice(-PAST_MAX)
  const atStart =
    messages[0] === all[0] && (past.atStart || (isBeforeIt && asked.messages.length < PAGE_SIZE))
  const at = messages.some((it) => it.id === past.at) ? past.at : asked.anchor
  return { ...now, past: { ...past, at, messages, atStart } }
}

/**
 * The past becomes one with the run as soon as they touch and both are as things are now. What the run lacks within
 * the reach of the past is ahead of the line; it proves nothing about what lies before it, so `sure` stays.
 */
function met(room: Room): Room {
  const { past, run, fresh } = room
  if (!past) return room
  const last = past.messages.at(-1)
  if (!last) return { ...room, past: null }
  const first = run[0]
  if (past.isOld || fresh || !first || first.seq < room.checked || last.seq < first.seq) return room
  const older = past.messages.filter((it) => it.seq < first.seq)
  const own = past.messages.filter((it) => isOwn(room, it))
  const rest = own.reduce((before, it) => without(before, it.nonce), room)
  return {
    ...rest,
    past: null,
    run: [...older, ...past.messages.slice(older.length).reduce(added, run)],
    atStart: room.atStart || past.atStart,
    checked: past.atStart ? 0 : Math.min(room.checked, past.messages[0]!.seq),
  }
}

function page(room: Room, asked: Extract<RoomEvent, { type: 'page' }>): Room {
  const now: Room = { ...room, since: null }
  // An answer to a question nobody has any more.
  if (asked.turn !== room.turn) return now
  const { before } = asked
  const ended = asked.messages.length < PAGE_SIZE
  const messages = upToDate(room, asked.messages)
  const rest = messages.reduce((before, it) => (isOwn(before, it) ? without(before, it.nonce) : before), now)
  const { fresh } = rest
  if (fresh && before === (fresh.loaded ? (fresh.messages[0]?.id ?? null) : null)) {
    // What came by the line before the newest page and lies before it as well may have holes after it.
    const kept =
      fresh.loaded || ended ? fresh.messages : fresh.messages.filter((it) => !isBefore(it, messages))
    const all = union(kept, messages)
    const sure = Math.max(fresh.sure, asked.messages.at(-1)?.seq ?? 0)
    // The whole channel lies in what was just read.
    if (ended) return { ...rest, run: all, sure, fresh: null, atStart: true, checked: 0 }
    return joined({ ...rest, fresh: { messages: all, loaded: true, pages: fresh.pages + 1, sure } })
  }
  if (fresh || before === null || before !== firstChecked(rest)?.id) return rest

  // The past: the page before what is as it is now. It takes the place of what was read there earlier.
  const first = ended ? 0 : (asked.messages[0]?.seq ?? 0)
  const pages = rest.pages + (rest.run[0]!.seq < rest.checked ? 1 : 0)
  const earlier = rest.run.filter((it) => it.seq < first)
  const old = pages < HOLE_PAGES ? earlier : []
  const late = rest.run.filter((it) => it.seq >= rest.checked)
  const atStart = ended || (rest.atStart && old.length === earlier.length)
  return { ...rest, run: [...old, ...messages, ...late], checked: first, pages, atStart }
}

/** A page with what happened since it was asked for, some of which it may have already. */
function upToDate(room: Room, messages: readonly Message[]): readonly Message[] {
  const since = room.since ?? []
  const living = messages
    .filter((it) => !room.gone.has(it.id))
    .map((it) => withoutQuoted(it, (id) => room.gone.has(id)))
  if (since.length === 0) return living
  return living.map((message) =>
    since.reduce((now, it) => {
      if ('type' in it) return withAuthor(now, it)
      return it.body.msg_id === now.id ? (changed(now, it, room.me) ?? now) : now
    }, message),
  )
}

/** Authors carry today's names and roles, also in what is on screen. */
function renamed(room: Room, event: Renaming): Room {
  const each = (all: readonly Message[]) => {
    const now = all.map((it) => withAuthor(it, event))
    return now.some((it, at) => it !== all[at]) ? now : all
  }
  return everywhere({ ...room, since: room.since && [...room.since, event] }, each)
}

function withAuthor(message: Message, event: Renaming): Message {
  const { author } = message
  if (event.type === 'role_gone') {
    if (!author.roles.includes(event.roleId)) return message
    return { ...message, author: { ...author, roles: author.roles.filter((it) => it !== event.roleId) } }
  }
  if (author.id !== event.userId) return message
  const { nickname, roles } = event.as ?? { nickname: author.username, roles: [] }
  return { ...message, author: { ...author, nickname: nickname || author.username, roles: [...roles] } }
}

/** Joins the fresh messages to the run as soon as they touch. What the run has within their reach and they have
 * not was removed while nobody told us. */
function joined(room: Room): Room {
  const { fresh, run } = room
  const first = fresh?.messages[0]
  if (!fresh?.loaded || !first) return room
  const { sure, pages } = fresh
  const checked = first.seq
  if (run.length > 0 && checked <= room.sure) {
    const old = run.filter((it) => it.seq < checked)
    return { ...room, run: [...old, ...fresh.messages], sure, checked, pages, fresh: null }
  }
  if (run.length === 0 || pages >= HOLE_PAGES)
    return { ...room, run: fresh.messages, sure, checked, pages, fresh: null, atStart: false }
  return room
}

/** The list with a message in its place. Of two copies the one that more has happened to stands. */
function added(all: readonly Message[], message: Message): readonly Message[] {
  const last = all.at(-1)
  if (!last || last.seq < message.seq) return [...all, message]
  const at = lastWhere(all, (it) => it.seq <= message.seq)
  const known = all[at]
  if (known?.id !== message.id) return [...all.slice(0, at + 1), message, ...all.slice(at + 1)]
  return known.revision < message.revision ? replaced(all, message.id, () => message) : all
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
