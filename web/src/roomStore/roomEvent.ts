/** Events that the room reducer applies. */
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import type { AuthorChange } from './authorChange.ts'
import type { EphemeralEdit, EphemeralMessage } from './ephemeral.ts'
import type { MessageAction, MessageChange } from './messageChange.ts'
import type { Outgoing, OutgoingMedia } from './room.ts'

export type RoomEvent = HistoryEvent | ReceivedEvent | SendEvent | ActionEvent

/** Of pages of the history. `epoch` is the room's when the page was requested. One request at a time. */
export type HistoryEvent =
  /** A page was requested; a loaded page or `historyFailed` follows. */
  | { readonly type: 'historyRequested' }
  | { readonly type: 'historyFailed' }
  /** The page before the message `before`; null: the newest page. */
  | {
      readonly type: 'pageLoaded'
      readonly before: string | null
      readonly epoch: number
      readonly messages: readonly Message[]
    }
  /** The newest page as the device saved it; it may be outdated. Ignored once anything is loaded. */
  | { readonly type: 'pageRestored'; readonly run: readonly Message[]; readonly atStart: boolean }
  /** The page around the message `at`, which the reader jumped to or which is loaded again. */
  | {
      readonly type: 'windowLoaded'
      readonly at: string
      readonly epoch: number
      readonly messages: readonly Message[]
    }
  /** The page before the first message of the history window, or after its last; `anchor` is that message. */
  | {
      readonly type: 'windowExtended'
      readonly side: 'before' | 'after'
      readonly anchor: string
      readonly epoch: number
      readonly messages: readonly Message[]
    }
  /** The reader goes back to the newest messages. */
  | { readonly type: 'returnedToNewest' }

/** Received over the connection. */
export type ReceivedEvent =
  | { readonly type: 'messageReceived'; readonly message: Message }
  | { readonly type: 'messageChanged'; readonly change: MessageChange }
  | AuthorChange
  | EphemeralEvent
  /** A new gateway session began: events may have been missed. */
  | { readonly type: 'sessionReset' }

export type EphemeralEvent =
  | { readonly type: 'ephemeralReceived'; readonly ephemeral: EphemeralMessage }
  | { readonly type: 'ephemeralEditReceived'; readonly edit: EphemeralEdit }

/** Of the send queue. */
export type SendEvent =
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
  /** It was stored; `epoch` is the room's when it was sent. */
  | { readonly type: 'sent'; readonly nonce: string; readonly epoch: number; readonly message: Message }
  /**
   * The server refused this message, for good or until staff decide. `unquoted`: the quoted message is gone,
   * and a retry sends no quote.
   */
  | {
      readonly type: 'sendFailed'
      readonly nonce: string
      /** By default `failed`. */
      readonly state?: Outgoing['state'] | undefined
      readonly why: string
      readonly unquoted?: boolean
    }
  /** No answer came: it stays at the head of the queue. */
  | { readonly type: 'sendUnanswered'; readonly nonce: string }
  /** Messages that an earlier page of this user left unsent here, in order. */
  | { readonly type: 'queueRestored'; readonly sendQueue: readonly Outgoing[] }
  | { readonly type: 'retry'; readonly nonce: string }
  | { readonly type: 'discard'; readonly nonce: string }

/** Actions of this user on a message. `key` identifies an optimistic action. */
export type ActionEvent =
  | {
      readonly type: 'actionStarted'
      readonly key: number
      readonly id: string
      readonly action: MessageAction
    }
  | { readonly type: 'actionConfirmed'; readonly key: number; readonly revision: number }
  /** It failed, or its outcome is unknown: the message is shown as the server last reported it. */
  | { readonly type: 'actionFailed'; readonly key: number }
  /** The server confirmed that this user deleted a message. */
  | { readonly type: 'messageDeleted'; readonly id: string }
  /** The reader hides an ephemeral message or edit, by the message's id. */
  | { readonly type: 'dismissed'; readonly id: string }
  /** Nobody reads further up than the newest messages: the others need not be kept. */
  | { readonly type: 'olderForgotten' }
