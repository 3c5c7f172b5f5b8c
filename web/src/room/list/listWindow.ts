/**
 * List window: the part of a room's messages that the virtual list works with. The list costs as much as it
 * has rows, drawn or not, so it gets a bounded number of messages around the reader. Decision 25.
 */
import type { Message } from '@guildhall/wire/message/message.ts'
import { currentMessages, type Room } from '../../roomStore/room.ts'

/** Messages from `seq` `first` to `last`; null: to the newest. */
export interface ListWindow {
  readonly first: number
  readonly last: number | null
}

/** Messages in a window. */
export const LIST_WINDOW_SIZE = 1_000

/** The messages in the window; `from` is the index of the first one. */
export interface WindowedMessages {
  readonly messages: readonly Message[]
  readonly from: number
  /** It begins with the first message of the channel. */
  readonly atStart: boolean
  /** It ends with the last message loaded here. */
  readonly atEnd: boolean
}

/** Binary search: the index of the first message whose `seq` is at least this. */
function indexOf(messages: readonly Message[], seq: number): number {
  let [from, to] = [0, messages.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (messages[middle]!.seq < seq) from = middle + 1
    else to = middle
  }
  return from
}

/** The messages in the window; without one, or when it is empty, the newest. */
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

/** The window centred on a `seq`. */
export function windowAround(room: Room, seq: number): ListWindow | null {
  const messages = currentMessages(room)
  const middle = indexOf(messages, seq)
  const first = messages[Math.max(0, middle - LIST_WINDOW_SIZE / 2)]
  const last = messages[middle + LIST_WINDOW_SIZE / 2]
  return first ? { first: first.seq, last: last?.seq ?? null } : null
}
