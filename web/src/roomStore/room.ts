/**
 * State of one open room (text channel) on this page, and the questions that are answered from it. The
 * reducer is
 * `roomReducer.ts`, its events are in `roomEvent.ts`.
 */
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import type { AuthorChange } from './authorChange.ts'
import { type EphemeralEdit, type EphemeralMessage, withEphemeralContent } from './ephemeral.ts'
import { type MessageAction, type MessageChange, withOptimisticAction } from './messageChange.ts'

/** A message in the send queue. The nonce identifies it to the server and to this list. */
export interface Outgoing {
  readonly nonce: string
  readonly content: string
  /** An uploaded file instead of text; `content` is then its address. */
  readonly media?: OutgoingMedia
  /** Names of the mentioned people by id. */
  readonly names?: Readonly<Record<string, string>>
  /** The message that this one replies to. */
  readonly quote?: Quote
  /** When it was queued, ms since the epoch. */
  readonly at: number
  /** `held`: staff look at it, and nobody else sees it; `rejected`: they decided against it. */
  readonly state: 'queued' | 'sending' | 'failed' | 'held' | 'rejected'
  /** Why it failed or was rejected, as text for the user; empty otherwise. */
  readonly why: string
}

/** `type` is the specification's number of the kind. */
export interface OutgoingMedia {
  readonly type: number
  readonly attachments: Attachment
}

/** An action of this user on a message, shown before the server confirms it. */
export interface OptimisticAction {
  readonly key: number
  readonly id: string
  readonly action: MessageAction
  /** The message's revision that includes the action; null until the server has answered. */
  readonly revision: number | null
}

/** The newest messages, collected until they connect to `run` after the connection was lost. */
export interface Resync {
  readonly messages: readonly Message[]
  /** The newest page has been loaded. Messages received before that are kept as well. */
  readonly loaded: boolean
  readonly pages: number
  /** As `contiguousTo` of the room. */
  readonly contiguousTo: number
}

/**
 * A part of the history that the reader jumped to, apart from `run`. Ordered by `seq`, without gaps, never
 * empty. New messages are not added to it: pages extend it at both ends until it reaches `run` and is merged
 * into it.
 */
export interface HistoryWindow {
  /** The message it was opened at, or the nearest one left. */
  readonly anchorId: string
  readonly messages: readonly Message[]
  /** It contains the first message of the channel. */
  readonly atStart: boolean
  /** Loaded before the current gateway session: it may be outdated and has to be loaded again. */
  readonly isStale: boolean
}

/**
 * `run` is ordered by `seq` and has no gaps up to `contiguousTo`. While `resync` is set, messages may be
 * missing between the two; `neededPage` names the page that fills the gap.
 */
export interface Room {
  readonly me: string
  readonly run: readonly Message[]
  /**
   * The newest `seq` proven by a page or by the connection. The answer to a send may be ahead of events that
   * are still under way: it is shown, but does not prove that nothing before it is missing.
   */
  readonly contiguousTo: number
  readonly resync: Resync | null
  /** Counts gateway sessions. A page requested in an earlier epoch is discarded. */
  readonly epoch: number
  /**
   * Messages from this `seq` on are up to date. Older ones were loaded in an earlier epoch and are loaded
   * again.
   */
  readonly verifiedFrom: number
  /** Pages loaded in this epoch. */
  readonly pages: number
  /**
   * Changes received since the pending page was requested, which may be older than they are; null: none
   * pending.
   */
  readonly changesSinceRequest: readonly (MessageChange | AuthorChange)[] | null
  /** Messages deleted while the room was open. A pending answer may still contain them. */
  readonly deletedIds: ReadonlySet<string>
  /** `run` contains the first message of the channel. */
  readonly atStart: boolean
  /** Shown instead of `run` while the reader is far back. `run` still receives every event. */
  readonly historyWindow: HistoryWindow | null
  readonly sendQueue: readonly Outgoing[]
  readonly optimisticActions: readonly OptimisticAction[]
  /** Ephemeral messages to or from this user, in order. */
  readonly ephemeral: readonly EphemeralMessage[]
  /** Ephemeral edits by message id. */
  readonly ephemeralEdits: ReadonlyMap<string, EphemeralEdit>
}

/** The newest messages of a room that nobody reads further up: left open, it would grow with each of them. */
const NEWEST_KEPT = 400
/** So many more may come before the older ones go, at once. */
const SPARE = 100

/**
 * The room without the messages before its newest ones, when it has many more; they are loaded again on
 * scroll.
 */
export function withNewestOnly(room: Room): Room {
  const { run, resync, historyWindow } = room
  if (run.length <= NEWEST_KEPT + SPARE || resync || historyWindow) return room
  return { ...room, run: run.slice(-NEWEST_KEPT), atStart: false }
}

/** The start of a resync: nothing is loaded. */
export const emptyResync: Resync = { messages: [], loaded: false, pages: 0, contiguousTo: 0 }

/** A room that has not loaded anything. `me` is the reader's user id. */
export const emptyRoom = (me: string): Room => ({
  me,
  run: [],
  contiguousTo: 0,
  resync: emptyResync,
  epoch: 0,
  verifiedFrom: Number.POSITIVE_INFINITY,
  pages: 0,
  changesSinceRequest: null,
  deletedIds: new Set(),
  atStart: false,
  historyWindow: null,
  sendQueue: [],
  optimisticActions: [],
  ephemeral: [],
  ephemeralEdits: new Map(),
})

/**
 * The page that has to be loaded next: the one before a message, the newest (null inside), or none (null).
 */
export function neededPage(room: Room): { before: string | null } | null {
  if (room.resync) return { before: room.resync.loaded ? (room.resync.messages[0]?.id ?? null) : null }
  const first = room.run[0]
  return first && first.seq < room.verifiedFrom ? { before: firstVerified(room)?.id ?? null } : null
}

/**
 * The message around which the stale history window has to be loaded again, once `run` is complete; or null.
 */
export const neededWindow = (room: Room): string | null =>
  room.historyWindow?.isStale && !neededPage(room) ? room.historyWindow.anchorId : null

/** The oldest message of `run` that is up to date. */
export const firstVerified = (room: Room): Message | undefined =>
  room.run.find((it) => it.seq >= room.verifiedFrom)

/** The messages where the reader is: the newest ones, or the history window. */
export const currentMessages = (room: Room): readonly Message[] => room.historyWindow?.messages ?? room.run

/** Messages as the reader sees them: with ephemeral edits and optimistic actions applied. */
export function visibleMessages(
  room: Room,
  messages: readonly Message[] = currentMessages(room),
): readonly Message[] {
  if (room.optimisticActions.length === 0 && room.ephemeralEdits.size === 0) return messages
  return messages.map((message) =>
    room.optimisticActions.reduce(
      (now, it) => (it.id === message.id ? withOptimisticAction(now, it.action) : now),
      withEphemeralContent(room.ephemeralEdits, message),
    ),
  )
}

/**
 * The next message to send; null while one is being sent or none is queued. chat.md §4 "Sending": one at a
 * time, so they are stored in the order of sending.
 */
export function nextToSend(room: Room): Outgoing | null {
  if (room.sendQueue.some((it) => it.state === 'sending')) return null
  return room.sendQueue.find((it) => it.state === 'queued') ?? null
}
