/** The calls of a room, made for a private conversation: its code stands for the channel. */
import {
  addPrivateReaction,
  deletePrivate,
  deletePrivateReaction,
  listPrivate,
  sendToChat,
  updatePrivate,
  viewPrivate,
} from '@guildhall/wire/chat/chat.ts'
import { pageMessageOf } from '@guildhall/wire/chat/pageMessage.ts'
import { addReaction, deleteMessage, deleteReaction, updateMessage } from '@guildhall/wire/message/action.ts'
import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread } from '@guildhall/wire/message/reading.ts'
import type { InputOf, Route } from '@guildhall/wire/route.ts'
import { type CallInput, call } from '../kit/call.ts'

/** What stands in a conversation for a call of a channel. */
type Stand = (code: string, input: never) => Promise<unknown>

const stands = new Map<Route, Stand>([
  [
    history,
    async (code, { msgid, flag = 'before' }: CallInput<typeof history>) => {
      const query = { chat_code: code, msg_id: msgid, flag, page_size: HISTORY_PAGE_SIZE }
      return (await call(listPrivate, query)).items.map(pageMessageOf)
    },
  ],
  [
    sendToChannel,
    async (code, { content, nonce = '' }: InputOf<typeof sendToChannel>) => {
      const sent = await call(sendToChat, { code, content, nonce })
      const message = await call(viewPrivate, { chat_code: code, msg_id: sent.msgId })
      return { ...sent, message: pageMessageOf(message) }
    },
  ],
  [updateMessage, (_code, input: CallInput<typeof updatePrivate>) => call(updatePrivate, input)],
  [deleteMessage, (_code, input: CallInput<typeof deletePrivate>) => call(deletePrivate, input)],
  [addReaction, (_code, input: CallInput<typeof addPrivateReaction>) => call(addPrivateReaction, input)],
  [
    deleteReaction,
    (_code, input: CallInput<typeof deletePrivateReaction>) => call(deletePrivateReaction, input),
  ],
  // Reading the newest page marks a conversation as read.
  [clearUnread, (code) => call(listPrivate, { chat_code: code, page_size: 1 })],
])

/** Makes a call of a channel's room in a private conversation. @throws CallFailure */
export function callInChat(code: string, route: Route, input: unknown): Promise<unknown> {
  const stand = stands.get(route)
  if (!stand) throw new Error(`${route.path} has no counterpart in private conversations`)
  return stand(code, input as never)
}
