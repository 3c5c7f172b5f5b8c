import { randomKey } from '../kit/browser/randomKey.ts'
import type { ConversationOf, RoomCall } from './conversation.ts'
import type { PageStorage } from './pageStorage.ts'
import type { SendQueueStorage } from './sendQueue/sendQueueStorage.ts'

export type Timer = ReturnType<typeof setTimeout>

/** What the room store needs from outside. Tests pass fakes. */
export interface RoomServices {
  readonly call: RoomCall
  /** The conversation of an id; without it every room is a channel. */
  readonly conversationOf?: ConversationOf
  readonly storage: SendQueueStorage
  readonly pages: Pick<PageStorage, 'read' | 'save' | 'remove'>
  /** The time, ms since the epoch. */
  readonly now: () => number
  readonly timers: {
    readonly start: (work: () => void, delayMs: number) => Timer
    readonly stop: (timer: Timer) => void
  }
  /** A random name for a message to send. */
  readonly newNonce: () => string
  /** Reports the `seq` of an answer: the connection has to deliver the events up to it. */
  readonly reportSeq: (guildId: string, seq: number) => void
}

/** What the rooms of one store share besides. */
export interface StoreServices extends RoomServices {
  readonly isConnected: () => boolean
  /**
   * The time, later for each call: two messages of one page never have the same time, and are ordered by it.
   */
  readonly nextSendTime: () => number
}

/** The services of a browser, except the storage and the connection. */
export const browserServices: Pick<RoomServices, 'now' | 'timers' | 'newNonce'> = {
  now: () => Date.now(),
  timers: { start: (work, delayMs) => setTimeout(work, delayMs), stop: (timer) => clearTimeout(timer) },
  newNonce: randomKey,
}
