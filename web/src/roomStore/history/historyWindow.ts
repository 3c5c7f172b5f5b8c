/** Reducer of the history window: the part of the history a reader jumped to. */
import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import { inserted } from '../messageList.ts'
import { withChangesSinceRequest } from '../messageUpdates.ts'
import type { Room } from '../room.ts'
import type { RoomEvent } from '../roomEvent.ts'
import { isOwnMessage, withoutOutgoing } from '../sendQueue/outgoing.ts'

/** Messages kept in a history window. */
export const HISTORY_WINDOW_MAX = 2_000

/** So many messages of the page around a message are that message and those before it. */
const AROUND_UNTIL = Math.ceil(HISTORY_PAGE_SIZE / 2)

/** Opens the window at the loaded page, or none when the page is empty. */
export function windowLoaded(room: Room, event: Extract<RoomEvent, { type: 'windowLoaded' }>): Room {
  const now: Room = { ...room, changesSinceRequest: null }
  if (event.epoch !== room.epoch) return now
  const messages = withChangesSinceRequest(room, event.messages)
  const until = event.messages.findIndex((it) => it.id === event.at) + 1
  const atStart = until > 0 && until < AROUND_UNTIL
  return {
    ...now,
    historyWindow: messages.length > 0 ? { anchorId: event.at, messages, atStart, isStale: false } : null,
  }
}

/** Extends the window by a page at one end. */
export function windowExtended(room: Room, event: Extract<RoomEvent, { type: 'windowExtended' }>): Room {
  const now: Room = { ...room, changesSinceRequest: null }
  const { historyWindow } = room
  if (event.epoch !== room.epoch || !historyWindow || historyWindow.isStale) return now
  const isBefore = event.side === 'before'
  // The window has changed since the page was requested.
  if ((isBefore ? historyWindow.messages[0] : historyWindow.messages.at(-1))?.id !== event.anchor) return now
  const page = withChangesSinceRequest(room, event.messages)
  const all = isBefore ? [...page, ...historyWindow.messages] : [...historyWindow.messages, ...page]
  // The far end is dropped; it is loaded again when the reader turns back.
  const messages = isBefore ? all.slice(0, HISTORY_WINDOW_MAX) : all.slice(-HISTORY_WINDOW_MAX)
  const atStart =
    messages[0] === all[0] &&
    (historyWindow.atStart || (isBefore && event.messages.length < HISTORY_PAGE_SIZE))
  const anchorId = messages.some((it) => it.id === historyWindow.anchorId)
    ? historyWindow.anchorId
    : event.anchor
  return { ...now, historyWindow: { ...historyWindow, anchorId, messages, atStart } }
}

/**
 * Merges the window into `run` as soon as they meet and both are up to date. Messages that `run` lacks within
 * the window's range are ahead of the connection and prove nothing about older ones, so `contiguousTo` stays.
 */
export function mergeWindow(room: Room): Room {
  const { historyWindow, run, resync } = room
  if (!historyWindow) return room
  const last = historyWindow.messages.at(-1)
  if (!last) return { ...room, historyWindow: null }
  const first = run[0]
  if (historyWindow.isStale || resync || !first || first.seq < room.verifiedFrom || last.seq < first.seq)
    return room
  const older = historyWindow.messages.filter((it) => it.seq < first.seq)
  const own = historyWindow.messages.filter((it) => isOwnMessage(room, it))
  const rest = own.reduce((before, it) => withoutOutgoing(before, it.nonce), room)
  return {
    ...rest,
    historyWindow: null,
    run: [...older, ...historyWindow.messages.slice(older.length).reduce(inserted, run)],
    atStart: room.atStart || historyWindow.atStart,
    verifiedFrom: historyWindow.atStart ? 0 : Math.min(room.verifiedFrom, historyWindow.messages[0]!.seq),
  }
}
