import {
  addPrivateReaction,
  createChatMessage,
  createChat as createChatRoute,
  createPrivate,
  deleteChat,
  deleteChatMessage,
  deletePrivate,
  deletePrivateReaction,
  listChats as listChatsRoute,
  listPrivate,
  listPrivateReactions,
  sendToChat,
  updateChatMessage,
  updatePrivate,
  viewChat as viewChatRoute,
  viewPrivate,
} from '@guildhall/wire/chat/chat.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindUser } from '../kit/http.ts'
import type { Presence } from '../kit/presence.ts'
import { type FetchPicture, readBody, refuseTemplate } from '../message/message.ts'
import {
  createChat,
  edit,
  hideChat,
  list,
  listChats,
  react,
  reactors,
  remove,
  send,
  unreact,
  view,
  viewChat,
} from './chat.ts'

export const chatRoutes = ({
  live,
  presence,
  fetchPicture,
}: {
  live: Live
  presence: Presence
  /** Without it pictures of cards come from nowhere else. */
  fetchPicture?: FetchPicture
}): Binding[] => [
  bindUser(listChatsRoute, ({ caller }, { page, page_size }) =>
    listChats(live.db, presence, caller.userId, { page, size: page_size }),
  ),
  bindUser(viewChatRoute, ({ caller }, { chat_code }) =>
    viewChat(live.db, presence, caller.userId, chat_code),
  ),
  bindUser(createChatRoute, ({ caller }, { target_id }) =>
    createChat(live, presence, caller.userId, target_id),
  ),
  bindUser(deleteChat, async ({ caller }, { chat_code }) => {
    await hideChat(live.db, caller.userId, chat_code)
    return {}
  }),
  bindUser(listPrivate, async ({ caller }, { chat_code, target_id, msg_id, flag, page_size }) => ({
    items: await list(live, presence, caller.userId, {
      code: chat_code,
      targetId: target_id,
      anchor: msg_id,
      flag,
      limit: page_size,
    }),
  })),
  bindUser(viewPrivate, ({ caller }, { chat_code, msg_id }) =>
    view(live.db, presence, caller.userId, { code: chat_code, msgId: msg_id }),
  ),
  ...[createPrivate, createChatMessage].map((route) =>
    bindUser(route, async ({ caller, origin }, { chat_code, target_id, type, ...it }) => {
      const { content, quote, nonce } = it
      refuseTemplate(it.template_id)
      const sent = await send(live, presence, caller.userId, {
        ...{ code: chat_code, targetId: target_id, kind: kindOf(type, 'public') },
        ...{ content, quote, nonce, origin, fetchPicture },
      })
      return { msg_id: sent.id, msg_timestamp: sent.at, nonce: sent.nonce }
    }),
  ),
  ...[updatePrivate, updateChatMessage].map((route) =>
    bindUser(route, async ({ caller, origin }, { msg_id, content, quote, template_id }) => {
      refuseTemplate(template_id)
      await edit(live, presence, caller.userId, {
        ...{ msgId: msg_id, content, quote, origin, fetchPicture },
      })
      return {}
    }),
  ),
  ...[deletePrivate, deleteChatMessage].map((route) =>
    bindUser(route, async ({ caller }, { msg_id }) => {
      await remove(live, caller.userId, msg_id)
      return {}
    }),
  ),
  bindUser(addPrivateReaction, async ({ caller }, { msg_id, emoji }) => {
    await react(live, caller.userId, { msgId: msg_id, emoji })
    return {}
  }),
  bindUser(deletePrivateReaction, async ({ caller }, { msg_id, emoji, user_id }) => {
    await unreact(live, caller.userId, { msgId: msg_id, emoji, ofUser: user_id })
    return {}
  }),
  bindUser(listPrivateReactions, ({ caller }, { msg_id, emoji }) =>
    reactors(live.db, presence, caller.userId, { msgId: msg_id, emoji }),
  ),
  bindUser(sendToChat, async ({ caller, origin }, { code, content, objectName, nonce }) => {
    const said = readBody({ content, objectName })
    const whole = { ...said, code, targetId: undefined, nonce, origin, fetchPicture }
    const sent = await send(live, presence, caller.userId, whole)
    return { msgId: sent.id, msgTimestamp: sent.at, nonce: sent.nonce }
  }),
]
