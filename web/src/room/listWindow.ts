/**
 * The part of a room that its list works with. A list costs as much as it has rows, seen or not; so of a long past it gets
 * some hundred messages around the reader, and others as they go.
 */
import type { Message } from '@guildhall/wire/message/message.ts'
import { currentMessages, type Room } from '../roomStore/room.ts'

/** Messages from number `first` to number `last`; null: to the newest there is. */
export interface ListWindow {
  readonly first: number
  readonly last: number | null
}

/** So many messages are a part. */
export const LIST_WINDOW_SIZE = 1_000

/** What the list gets: these messages, of those between `from` and `to` that the room has. */
export interface WindowedMessages {
  readonly messages: readonly Message[]
  readonly from: number
  /** The first message of the channel is the first of these. */
  readonly atStart: boolean
  /** The last message that the room has here is the last of these. */
  readonly atEnd: boolean
}

/** The index of the first message whose number is at least `seq`; messages are in the order of their numbers. */
function indexOf(messages: readonly Message[], seq: number): number {
  let [from, to] = [0, messages.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (messages[middle]!.seq < seq) from = middle + 1
    else to = middle
  }
  return from
}

/** A part of the room; without one, or when nothing is left of it, its newest messages. */
export function sliceWindow(room: Room, part: ListWindow | null): WindowedMessages {
  const messages = currentMessages(room)
  const newest = Math.max(0, messages.length - LIST_WINDOW_SIZE)
  let from = part === null ? newest : indexOf(messages, part.first)
  let to = part === null || part.last === null ? messages.length : indexOf(messages, part.last + 1)
  if (from >= to) [from, to] = [newest, messages.length]
  return {
    messages: messages.slice(from, to),
    from,
    atStart: (room.historyWindow ?? room).atStart && from === 0,
    atEnd: to === messages.length,
  }
}

/** The part with message number `seq`, or what is next to it, in its middle. */
export function windowAround(room: Room, seq: number): ListWindow | null {
  const messages = currentMessages(room)
  const middle = indexOf(messages, seq)
  const first = messages[Math.max(0, middle - LIST_WINDOW_SIZE / 2)]
  const last = messages[middle + LIST_WINDOW_SIZE / 2]
  return first ? { first: first.seq, last: last?.seq ?? null } : null
}
