/** Where a room's messages are stored: a channel of a guild, or a private conversation of two people. */
import type { ChannelId, MessageId } from '@guildhall/wire/id.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  pinMessage,
  unpinMessage,
  updateMessage,
} from '@guildhall/wire/message/action.ts'
import { history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread } from '@guildhall/wire/message/readMark.ts'
import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import type { CallInput } from '../kit/call.ts'
import type { MessageAction } from './messageChange.ts'

/** Makes a call of the contract. @throws CallFailure */
export type RoomCall = <R extends Route>(route: R, input: CallInput<R>) => Promise<AnswerOf<R>>

/** Which page of the history to request; without `msgid` the newest. */
export interface HistoryQuery {
  readonly msgid?: MessageId
  readonly flag?: 'before' | 'around' | 'after'
}

/** The calls of one conversation. @throws CallFailure */
export interface Conversation {
  /** A channel's id, or a chat's code. */
  readonly id: string
  /** It has no guild. */
  readonly isPrivate: boolean
  /** A page of messages, oldest first. */
  readonly history: (query: HistoryQuery) => Promise<readonly Message[]>
  /** Idempotent by nonce; the whole message, as it was stored. */
  readonly send: (content: string, nonce: string) => Promise<Message>
  readonly act: (id: MessageId, action: MessageAction) => Promise<{ readonly revision: number }>
  readonly deleteMessage: (id: MessageId) => Promise<unknown>
  readonly markRead: (id: MessageId) => Promise<unknown>
}

/** The conversation of an id. */
export type ConversationOf = (id: string, call: RoomCall) => Conversation

/** A text channel. */
export function channelConversation(id: string, call: RoomCall): Conversation {
  const channelId = id as ChannelId
  return {
    id,
    isPrivate: false,
    history: (query) => call(history, { id: channelId, ...query }),
    send: async (content, nonce) => (await call(sendToChannel, { id: channelId, content, nonce })).message,
    act(msg_id, action) {
      switch (action.kind) {
        case 'react':
          return call(addReaction, { msg_id, emoji: action.emoji.id })
        case 'unreact':
          return call(deleteReaction, { msg_id, emoji: action.emoji.id })
        case 'edit':
          return call(updateMessage, { msg_id, content: action.content })
        case 'pin':
          return call(pinMessage, { target_id: channelId, msg_id })
        case 'unpin':
          return call(unpinMessage, { target_id: channelId, msg_id })
      }
    },
    deleteMessage: (msg_id) => call(deleteMessage, { msg_id }),
    markRead: (msgid) => call(clearUnread, { channel_id: channelId, msgid }),
  }
}
