/** The calls of private conversations. */
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
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { chatHistory, readChat as readChatRoute, unreadChats } from '@guildhall/wire/chat/page.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { Limits } from '../kit/limits/rateLimit.ts'
import {
  deleteMessage,
  editMessage,
  type FetchPicture,
  limitSends,
  react,
  readSendBody,
  refuseTemplate,
  type SendPipeline,
  unreact,
} from '../message/message.ts'
import { createChat, hideChat, listChats, viewChat } from './chat.ts'
import { chatConversation } from './chatConversation.ts'
import { forward } from './forward.ts'
import { list, reactors, roomMessage, roomPage, view } from './history.ts'
import { countUnread, readChat } from './readMark.ts'
import { send } from './send.ts'
import type { ChatContext } from './wireForm.ts'

export interface ChatRouteDeps {
  readonly appContext: ChatContext
  readonly limits: Limits
  readonly pipeline: SendPipeline
  /** Fetches pictures of the web for cards; without it none are fetched. */
  readonly fetchPicture?: FetchPicture
}

export const chatRoutes = (deps: ChatRouteDeps): Binding[] => [
  ...listRoutes(deps),
  ...readRoutes(deps),
  ...sendRoutes(deps),
  ...editRoutes(deps),
  ...reactionRoutes(deps),
]

/** The conversations of a person. */
const listRoutes = ({ appContext }: ChatRouteDeps): Binding[] => [
  bindUser(listChatsRoute, ({ caller }, { page, page_size }) =>
    listChats(appContext, caller.userId, { page, size: page_size }),
  ),
  bindUser(viewChatRoute, ({ caller }, { chat_code }) => viewChat(appContext, caller.userId, chat_code)),
  bindUser(createChatRoute, ({ caller }, { target_id }) => createChat(appContext, caller.userId, target_id)),
  bindUser(deleteChat, async ({ caller }, { chat_code }) => {
    await hideChat(appContext, caller.userId, chat_code)
    return {}
  }),
]

/** Reading. */
const readRoutes = ({ appContext }: ChatRouteDeps): Binding[] => [
  bindUser(listPrivate, async ({ caller }, { chat_code, target_id, msg_id, flag, page_size }) => ({
    items: await list(appContext, caller.userId, {
      code: chat_code,
      targetId: target_id,
      anchor: msg_id,
      flag,
      limit: page_size,
    }),
  })),
  bindUser(viewPrivate, ({ caller }, { chat_code, msg_id }) =>
    view(appContext, caller.userId, { code: chat_code, msgId: msg_id }),
  ),
  bindUser(chatHistory, ({ caller }, { code, msgid, flag, page_size }) =>
    roomPage(appContext, caller.userId, { conversationId: code, anchor: msgid, flag, limit: page_size }),
  ),
  bindUser(readChatRoute, ({ caller }, { code, msgid }) =>
    readChat(appContext, caller.userId, { code, upTo: msgid }),
  ),
  bindUser(unreadChats, async ({ caller }) => ({ count: await countUnread(appContext.db, caller.userId) })),
]

/** Sending and forwarding. */
const sendRoutes = ({ appContext, limits, pipeline, fetchPicture }: ChatRouteDeps): Binding[] => [
  ...[createPrivate, createChatMessage].map((route) =>
    bindUser(route, async ({ caller, origin }, { chat_code, target_id, type, ...message }) => {
      const { content, quote, nonce } = message
      await limitSends(limits, caller, chat_code ?? target_id ?? '')
      refuseTemplate(message.template_id)
      const sent = await send(appContext, caller.userId, {
        code: chat_code,
        targetId: target_id,
        kind: kindOf(type, 'public'),
        content,
        quote,
        nonce,
        origin,
        fetchPicture,
      })
      return { msg_id: sent.id, msg_timestamp: sent.at, nonce: sent.nonce }
    }),
  ),
  bindUser(sendToChat, async ({ caller, origin }, { code, content, objectName, nonce }) => {
    await limitSends(limits, caller, code)
    const input = readSendBody({ content, objectName })
    const whole = { ...input, code, targetId: undefined, nonce, origin, fetchPicture }
    const sent = await send(appContext, caller.userId, whole)
    const message = await roomMessage(appContext, caller.userId, { code, msgId: sent.id })
    return { msgId: sent.id, msgTimestamp: sent.at, nonce: sent.nonce, message }
  }),
  bindUser(forwardMessage, async ({ caller, origin }, { msg_id, chat_code, nonce, ...to }) => {
    const target = { channelId: to.to_channel_id, userId: to.to_user_id }
    const forwarded = { msgId: msg_id, chatCode: chat_code, nonce, origin, ...target }
    const sent = await forward({ appContext, limits, pipeline }, caller, forwarded)
    return { msgId: sent.id, msgTimestamp: sent.at, nonce: sent.nonce }
  }),
]

/** Editing and deleting. */
const editRoutes = ({ appContext, fetchPicture }: ChatRouteDeps): Binding[] => [
  ...[updatePrivate, updateChatMessage].map((route) =>
    bindUser(route, async ({ caller, origin }, { msg_id, content, quote, template_id }) => {
      refuseTemplate(template_id)
      const { revision } = await editMessage(appContext, chatConversation(appContext), caller.userId, {
        msgId: msg_id,
        content,
        quote,
        origin,
        fetchPicture,
      })
      return { revision }
    }),
  ),
  ...[deletePrivate, deleteChatMessage].map((route) =>
    bindUser(route, async ({ caller }, { msg_id }) => {
      await deleteMessage(appContext, chatConversation(appContext), caller.userId, msg_id)
      return {}
    }),
  ),
]

/** Reactions. */
const reactionRoutes = ({ appContext }: ChatRouteDeps): Binding[] => [
  bindUser(addPrivateReaction, async ({ caller }, { msg_id, emoji }) => {
    const reaction = { msgId: msg_id, emoji }
    return { revision: await react(appContext, chatConversation(appContext), caller.userId, reaction) }
  }),
  bindUser(deletePrivateReaction, async ({ caller }, { msg_id, emoji, user_id }) => {
    const reaction = { msgId: msg_id, emoji, ofUser: user_id }
    return { revision: await unreact(appContext, chatConversation(appContext), caller.userId, reaction) }
  }),
  bindUser(listPrivateReactions, ({ caller }, { msg_id, emoji }) =>
    reactors(appContext, caller.userId, { msgId: msg_id, emoji }),
  ),
]
