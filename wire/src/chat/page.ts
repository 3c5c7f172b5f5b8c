/**
 * Private conversations as pages read them: messages in the shape of a channel's, read marks and counts.
 * chat.md §7 names the path
 * `user-chats`; these calls are ours.
 */
import { event } from '../event.ts'
import { messageId } from '../id.ts'
import { anchor } from '../message/anchor.ts'
import { history } from '../message/message.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { chatCode, chatMessage } from './chat.ts'

/** A page of a conversation's messages, as `history` has it for channels. It moves no read mark. */
export const chatHistory = route({
  method: 'GET',
  path: '/api/v2/user-chats/:code/messages',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    code: chatCode,
    msgid: anchor,
    flag: history.input.shape.flag,
    page_size: history.input.shape.page_size,
  }),
  answer: z.array(chatMessage),
  fails: ['chat.unknown', 'message.unknown'],
})

/** How far the caller has read a conversation. */
export const chatMark = z.object({
  chat_code: chatCode,
  /** The number of the last message read; messages of the other after it are unread. */
  read_seq: z.number(),
})
export type ChatMark = Out<typeof chatMark>

/** Marks a conversation as read up to a message, or to its end. The mark never moves back. */
export const readChat = route({
  method: 'POST',
  path: '/api/v2/user-chats/:code/read',
  dialect: 'v2',
  who: 'user',
  input: z.object({ code: chatCode, msgid: z.optional(messageId) }),
  answer: chatMark,
  fails: ['chat.unknown', 'message.unknown'],
})

/**
 * Unread messages in all of the caller's conversations that are not hidden, at most `CHAT_UNREAD_MAX` of
 * each.
 */
export const unreadChats = route({
  method: 'GET',
  path: '/api/v2/user-chats/unread',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.object({ count: z.number() }),
  fails: [],
})

/**
 * The caller's read mark in a conversation moved, or the conversation was hidden, possibly on another device.
 */
export const chatMarkUpdated = event('updated_chat_mark', 'person', chatMark, {
  access: 'none',
  dialects: 'pages',
})
