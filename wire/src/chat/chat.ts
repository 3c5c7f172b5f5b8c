/**
 * Conversations of two people. protocol.md §4.8 and §4.9. They share these calls with bots; types are the
 * public protocol's numbers.
 */
import { event } from '../event.ts'
import { messageId, userId } from '../id.ts'
import { editInput, emojiText, historyFlag, historyPageSize, reactors } from '../message/core.ts'
import {
  emoji,
  kmarkdownPart,
  message,
  NONCE_MAX,
  reaction,
  saying,
  sendToChannel,
  sent,
} from '../message/message.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { author, user } from '../user/shown.ts'

/** Unread messages of a conversation are counted up to this. */
export const CHAT_UNREAD_MAX = 100

/** 32 hexadecimal digits. protocol.md §1.7. */
export const chatCode = z.pipe(text(32), z.string().check(z.regex(/^[0-9a-f]{32}$/)))

/** A conversation as one of the two sees it. protocol.md §4.9. */
export const chat = z.object({
  code: chatCode,
  /** ms; 0 when nothing was read yet. */
  last_read_time: z.number(),
  /** ms; 0 before the first message. */
  latest_msg_time: z.number(),
  /** Unread messages of the other, at most `CHAT_UNREAD_MAX`. */
  unread_count: z.number(),
  is_friend: z.boolean(),
  is_blocked: z.boolean(),
  is_target_blocked: z.boolean(),
  target_info: user,
  /** The number of the last message read. Ours. */
  read_seq: z.number(),
  /**
   * The newest message that is not deleted; null: none. `type` is the specification's number; the words have
   * no markup. Ours.
   */
  last_message: z.nullable(
    z.object({ id: messageId, author_id: userId, type: z.number(), words: z.string() }),
  ),
  /** Whether the caller may write now; in lists absent. Ours. */
  may_write: z.optional(z.boolean()),
})
export type Chat = Out<typeof chat>

/** A private message. protocol.md §4.8. */
export const privateMessage = z.object({
  id: messageId,
  /** The same as `id`. */
  rong_id: messageId,
  chat_code: chatCode,
  type: z.number(),
  content: z.string(),
  author_id: userId,
  author,
  nonce: z.string(),
  mention: z.array(userId),
  mention_all: z.boolean(),
  mention_here: z.boolean(),
  mention_roles: z.array(z.number()),
  mention_info: kmarkdownPart,
  quote: z.nullable(z.unknown()),
  attachments: z.nullable(z.unknown()),
  embeds: z.array(z.unknown()),
  reactions: z.array(reaction),
  /** ms */
  create_at: z.number(),
  /** ms; 0 when never edited. */
  updated_at: z.number(),
  image_name: z.string(),
  /** Whether the caller has read it. */
  read_status: z.boolean(),
  /** Whether the caller may edit it. */
  editable: z.boolean(),
  from_type: z.number(),
  msg_icon: z.string(),
  /** Its position in the conversation. Ours. */
  seq: z.number(),
  /** Grows by one with each change. Ours. */
  revision: z.number(),
})
export type PrivateMessage = Out<typeof privateMessage>

/** Messages to somebody who has never answered in the conversation. */
export const UNANSWERED_MAX = 10

/**
 * The conversations of the caller, the one with the newest message first, without hidden ones. protocol.md
 * §4.9.
 */
export const listChats = route({
  method: 'GET',
  path: '/api/v3/user-chat/list',
  dialect: 'v3',
  who: 'user',
  input: z.object(pageInput),
  answer: pageOf(chat),
  fails: [],
})

/** protocol.md §4.9. */
export const viewChat = route({
  method: 'GET',
  path: '/api/v3/user-chat/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ chat_code: chatCode }),
  answer: chat,
  fails: ['chat.unknown'],
})

/** Opens a conversation with a member of a common guild; idempotent. protocol.md §4.9. */
export const createChat = route({
  method: 'POST',
  path: '/api/v3/user-chat/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({ target_id: userId }),
  answer: chat,
  fails: ['chat.not_allowed'],
})

/** Hides a conversation from the caller's list until the next message. protocol.md §4.9. */
export const deleteChat = route({
  method: 'POST',
  path: '/api/v3/user-chat/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ chat_code: chatCode }),
  answer: nothing,
  fails: ['chat.unknown'],
})

const whose = { chat_code: z.optional(chatCode), target_id: z.optional(userId) }

/**
 * Messages of a conversation, oldest first: the newest, or around one of them as `listMessages` has it.
 * Loading the newest marks them as read. One of `chat_code` and `target_id`. protocol.md §4.8.
 */
export const listPrivate = route({
  method: 'GET',
  path: '/api/v3/direct-message/list',
  dialect: 'v3',
  who: 'user',
  // Marked as pure: the page does not make this call, and what is spread would stay in it.
  input: /* @__PURE__ */ (() =>
    z.object({
      ...whose,
      msg_id: z.optional(messageId),
      flag: historyFlag,
      page_size: historyPageSize,
    }))(),
  answer: z.object({ items: z.array(privateMessage) }),
  fails: ['chat.unknown', 'chat.not_allowed', 'message.unknown'],
})

/** protocol.md §4.8. */
export const viewPrivate = route({
  method: 'GET',
  path: '/api/v3/direct-message/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ chat_code: chatCode, msg_id: messageId }),
  answer: privateMessage,
  fails: ['chat.unknown', 'message.unknown'],
})

/**
 * Sends a message to a member of a common guild. A nonce that was used in this conversation answers with the
 * first message. One of `chat_code` and `target_id`. protocol.md §4.8.
 */
export const createPrivate = route({
  method: 'POST',
  path: '/api/v3/direct-message/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({ ...saying, ...whose, type: z._default(int(1, 255), 1) }),
  answer: sent,
  fails: [
    'chat.unknown',
    'chat.not_allowed',
    'chat.unanswered',
    'message.empty',
    'message.too_long',
    'message.kind_refused',
    'message.not_allowed',
    'message.unknown',
    'message.deleted',
    'message.nonce_used',
    'message.template_unknown',
    'card.invalid',
    'emoji.elsewhere',
    'asset.unknown',
    'bad_json',
    'content.refused',
    'content.held',
    'content.rejected',
  ],
})

/** The message's revision with this change. Ours: the public protocol has no answer here. */
const revised = z.object({ revision: z.number() })

/** Edits one's own message of kind KMarkdown or cards. protocol.md §4.8. */
export const updatePrivate = route({
  method: 'POST',
  path: '/api/v3/direct-message/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    ...editInput,
    template_id: saying.template_id,
  }),
  answer: revised,
  fails: [
    'message.unknown',
    'message.template_unknown',
    'message.not_author',
    'message.not_allowed',
    'message.kind_refused',
    'message.empty',
    'message.too_long',
    'card.invalid',
    'emoji.elsewhere',
    'asset.unknown',
    'bad_json',
    'chat.not_allowed',
    'chat.unanswered',
    'content.refused',
  ],
})

/** Deletes one's own message for both. Idempotent. protocol.md §4.8. */
export const deletePrivate = route({
  method: 'POST',
  path: '/api/v3/direct-message/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId }),
  answer: nothing,
  fails: ['message.unknown', 'message.not_author'],
})

/** The same three by their old names. protocol.md §4.9. */
export const createChatMessage = route({ ...createPrivate, path: '/api/v3/user-chat/create-msg' })
export const updateChatMessage = route({ ...updatePrivate, path: '/api/v3/user-chat/update-msg' })
export const deleteChatMessage = route({ ...deletePrivate, path: '/api/v3/user-chat/delete-msg' })

/** protocol.md §4.8. */
export const addPrivateReaction = route({
  method: 'POST',
  path: '/api/v3/direct-message/add-reaction',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, emoji: emojiText }),
  answer: revised,
  fails: [
    'message.unknown',
    'message.emoji_unknown',
    'message.reactions_full',
    'emoji.elsewhere',
    'message.not_allowed',
    'chat.not_allowed',
    'chat.unanswered',
  ],
})

/** Removes one's own reaction. Idempotent. `user_id` may only name oneself. protocol.md §4.8. */
export const deletePrivateReaction = route({
  method: 'POST',
  path: '/api/v3/direct-message/delete-reaction',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, emoji: emojiText, user_id: z.optional(userId) }),
  answer: revised,
  fails: ['message.unknown', 'message.emoji_unknown', 'message.no_right'],
})

/** Who reacted with an emoji, or without one, with any; the first ones first. protocol.md §4.8. */
export const listPrivateReactions = route({
  method: 'GET',
  path: '/api/v3/direct-message/reaction-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, emoji: z.optional(emojiText) }),
  answer: reactors,
  fails: ['message.unknown', 'message.emoji_unknown'],
})

/**
 * A private message in the shape that channels' messages have, for pages: `channel_id` is the chat's code,
 * and `guild_id` is empty. Its `type` is the specification's number.
 */
export const chatMessage = z.object({ ...message.shape, guild_id: z.string(), channel_id: z.string() })

/** A person's page sends as `sendToChannel` does, to a conversation. chat.md §7. */
export const sendToChat = route({
  method: 'POST',
  path: '/api/v2/user-chats/:code/message',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    code: chatCode,
    content: sendToChannel.input.shape.content,
    objectName: sendToChannel.input.shape.objectName,
    nonce: z._default(text(NONCE_MAX), ''),
    auth: z.optional(text(256)),
  }),
  answer: z.object({
    msgId: messageId,
    msgTimestamp: z.number(),
    nonce: z.string(),
    /** The whole message, so that the sender's page need not load it. Ours. */
    message: chatMessage,
  }),
  fails: [...createPrivate.fails, 'bad_input'],
})

const location = { msg_id: messageId, chat_code: chatCode }

/** protocol.md §3.4, as are the following. `revision` is ours. */
export const privateUpdated = event(
  'updated_private_message',
  'person',
  z.object({
    ...location,
    author_id: userId,
    target_id: userId,
    content: z.string(),
    /** ms */
    updated_at: z.number(),
    kmarkdown: kmarkdownPart,
    quote: z.nullable(z.unknown()),
    attachments: z.nullable(z.unknown()),
    revision: z.number(),
  }),
  { access: 'none' },
)
export const privateDeleted = event(
  'deleted_private_message',
  'person',
  z.object({
    ...location,
    author_id: userId,
    target_id: userId,
    /** ms */
    deleted_at: z.number(),
    revision: z.number(),
  }),
  { access: 'none' },
)
export const privateReacted = event(
  'private_added_reaction',
  'person',
  z.object({ ...location, user_id: userId, emoji, revision: z.number() }),
  { access: 'none' },
)
export const privateUnreacted = event(
  'private_deleted_reaction',
  'person',
  z.object({ ...location, user_id: userId, emoji, revision: z.number() }),
  { access: 'none' },
)
