/** The calls of private conversations, as their rooms make them. */
import {
  addPrivateReaction,
  deletePrivate,
  deletePrivateReaction,
  sendToChat,
  updatePrivate,
} from '@guildhall/wire/chat/chat.ts'
import { chatHistory, readChat } from '@guildhall/wire/chat/page.ts'
import type { MessageId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import type { HistoryQuery, MessageAction, RoomServices } from '../roomStore/roomStore.ts'

type Call = RoomServices['call']

export const history = async (call: Call, code: string, query: HistoryQuery) =>
  (await call(chatHistory, { code, ...query })) as readonly unknown[] as readonly Message[]

export const send = async (call: Call, code: string, content: string, nonce: string): Promise<Message> =>
  (await call(sendToChat, { code, content, nonce })).message as Message

export const remove = (call: Call, msg_id: MessageId) => call(deletePrivate, { msg_id })

export const markRead = (call: Call, code: string, msgid: MessageId) => call(readChat, { code, msgid })

/** @throws Error for pins, which private conversations do not have */
export function act(call: Call, msg_id: MessageId, action: MessageAction): Promise<{ revision: number }> {
  switch (action.kind) {
    case 'react':
      return call(addPrivateReaction, { msg_id, emoji: action.emoji.id })
    case 'unreact':
      return call(deletePrivateReaction, { msg_id, emoji: action.emoji.id })
    case 'edit':
      return call(updatePrivate, { msg_id, content: action.content })
    case 'pin':
    case 'unpin':
      throw new Error('a private message is not pinned')
  }
}
