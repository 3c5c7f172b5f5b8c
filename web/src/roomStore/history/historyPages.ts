/**
 * Reducer of history pages: fills the gap after a lost connection, loads older messages, verifies old ones
 * again.
 */
import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import { isBeforeAll, union } from '../messageList.ts'
import { withChangesSinceRequest } from '../messageUpdates.ts'
import { emptyResync, firstVerified, type Room } from '../room.ts'
import type { RoomEvent } from '../roomEvent.ts'
import { isOwnMessage, withoutOutgoing } from '../sendQueue/outgoing.ts'

/**
 * A gap of more pages than this is not filled: the room restarts at the newest page and loads older ones on
 * scroll.
 */
export const GAP_PAGES_MAX = 10

/** A page was loaded: it extends the resync, or `run` at its oldest verified message. */
export function pageLoaded(room: Room, event: Extract<RoomEvent, { type: 'pageLoaded' }>): Room {
  const now: Room = { ...room, changesSinceRequest: null }
  if (event.epoch !== room.epoch) return now
  const { before } = event
  const ended = event.messages.length < HISTORY_PAGE_SIZE
  const messages = withChangesSinceRequest(room, event.messages)
  const rest = messages.reduce(
    (before, it) => (isOwnMessage(before, it) ? withoutOutgoing(before, it.nonce) : before),
    now,
  )
  const { resync } = rest
  if (resync && before === (resync.loaded ? (resync.messages[0]?.id ?? null) : null)) {
    // Messages received before the newest page was loaded, and older than it, may have gaps after them.
    const kept =
      resync.loaded || ended ? resync.messages : resync.messages.filter((it) => !isBeforeAll(it, messages))
    const all = union(kept, messages)
    const contiguousTo = Math.max(resync.contiguousTo, event.messages.at(-1)?.seq ?? 0)
    // The page holds the whole channel.
    if (ended) return { ...rest, run: all, contiguousTo, resync: null, atStart: true, verifiedFrom: 0 }
    return joinResync({
      ...rest,
      resync: { messages: all, loaded: true, pages: resync.pages + 1, contiguousTo },
    })
  }
  if (resync || before === null || before !== firstVerified(rest)?.id) return rest

  // The page before the verified messages replaces what was loaded there in an earlier epoch.
  const first = ended ? 0 : (event.messages[0]?.seq ?? 0)
  const pages = rest.pages + (rest.run[0]!.seq < rest.verifiedFrom ? 1 : 0)
  const earlier = rest.run.filter((it) => it.seq < first)
  const old = pages < GAP_PAGES_MAX ? earlier : []
  const late = rest.run.filter((it) => it.seq >= rest.verifiedFrom)
  const atStart = ended || (rest.atStart && old.length === earlier.length)
  return { ...rest, run: [...old, ...messages, ...late], verifiedFrom: first, pages, atStart }
}

/**
 * Shows the page that the device saved until the newest page is loaded. If the two do not meet, the saved one
 * is dropped: filling the gap would show old messages for as long as that takes.
 */
export function pageRestored(room: Room, { run, atStart }: Pick<Room, 'run' | 'atStart'>): Room {
  if (room.run.length > 0 || room.atStart || !room.resync || room.resync.loaded) return room
  return {
    ...room,
    run,
    atStart,
    contiguousTo: run.at(-1)?.seq ?? 0,
    resync: { ...room.resync, pages: GAP_PAGES_MAX - 1 },
  }
}

/**
 * Joins the resync to `run` as soon as they meet. Messages of `run` within its range that it lacks were
 * deleted while there was no connection.
 */
export function joinResync(room: Room): Room {
  const { resync, run } = room
  const first = resync?.messages[0]
  if (!resync?.loaded || !first) return room
  const { contiguousTo, pages } = resync
  const verifiedFrom = first.seq
  if (run.length > 0 && verifiedFrom <= room.contiguousTo) {
    const old = run.filter((it) => it.seq < verifiedFrom)
    return { ...room, run: [...old, ...resync.messages], contiguousTo, verifiedFrom, pages, resync: null }
  }
  if (run.length === 0 || pages >= GAP_PAGES_MAX)
    return {
      ...room,
      run: resync.messages,
      contiguousTo,
      verifiedFrom,
      pages,
      resync: null,
      atStart: false,
    }
  return room
}

/** Starts a resync when `run` holds no verified message that older pages could be loaded from. */
export function withNeededResync(room: Room): Room {
  const { run, resync, atStart, verifiedFrom } = room
  if (resync || (run.length === 0 && atStart)) return room
  return (run.at(-1)?.seq ?? -1) < verifiedFrom || run.length === 0 ? { ...room, resync: emptyResync } : room
}
