import { CARD_CONTENT_MAX } from '../card/limit.ts'
import { role } from '../guild/guild.ts'
import { channelId, guildId, messageId, roleId, userId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, text, z } from '../schema.ts'
import { author } from '../user/shown.ts'
import { anchor } from './anchor.ts'
import { videoLooks } from './attachment.ts'
import { CONTENT_MAX, HISTORY_PAGE_SIZE } from './limit.ts'

export const NONCE_MAX = 64

export const mentionPart = z.object({
  id: userId,
  username: z.string(),
  /** `name#1234` */
  full_name: z.string(),
  avatar: z.string(),
  /** Their nickname in the guild, now or when the message was sent. Absent: none. Ours. */
  nickname: z.optional(z.string()),
})
export const channelPart = z.object({ id: channelId, guild_id: guildId, name: z.string() })

/** An emoji of a reaction: `id` is `[#128226;]` (decimal code points) or `OWNER/HASH`. protocol.md §1.7. */
export const emoji = z.object({ id: z.string(), name: z.string() })
export type Emoji = Out<typeof emoji>

/** What the server resolved from the source: plain text, and the names of the ids. protocol.md §3.2. */
export const kmarkdownPart = z.object({
  raw_content: z.string(),
  mention_part: z.array(mentionPart),
  mention_role_part: z.array(role),
  channel_part: z.array(channelPart),
  item_part: z.array(z.unknown()),
  /** The guilds' emoji that its author may use; others are shown as text. Absent: none. Ours. */
  emoji_part: z.optional(z.array(emoji)),
})
export type KmarkdownPart = Out<typeof kmarkdownPart>

/** The names of the ids in a text, without the text. */
export const namesPart = z.object({
  mention_part: z.array(mentionPart),
  mention_role_part: z.array(role),
  channel_part: z.array(channelPart),
  emoji_part: z.optional(z.array(emoji)),
})
export type NamesPart = Out<typeof namesPart>

/** The names of a message for its quotes; undefined when it names nothing. */
export function namesPartOf(part: KmarkdownPart): NamesPart | undefined {
  const { mention_part, mention_role_part, channel_part, emoji_part } = part
  const all = [mention_part, mention_role_part, channel_part, emoji_part ?? []]
  if (all.every((it) => it.length === 0)) return undefined
  return { mention_part, mention_role_part, channel_part, ...(emoji_part && { emoji_part }) }
}

/** The count of a reaction, and whether the reader added it. protocol.md §5.6. */
export const reaction = z.object({ emoji, count: z.number(), me: z.boolean() })
export type Reaction = Out<typeof reaction>

/** A message as v2 calls answer it; `type` is the specification's number. chat.md §3, protocol.md §5.5. */
export const message = z.object({
  id: messageId,
  /** The same as `id`. protocol.md §9.3. */
  rong_id: messageId,
  channel_id: channelId,
  guild_id: guildId,
  targetId: z.string(),
  /** 1 a person's chat, 3 a guild's channel. */
  conversationType: z.number(),
  /** Its number in the guild: unique, growing, and the sort key of lists. Ours. */
  seq: z.number(),
  type: z.number(),
  content: z.string(),
  create_at: z.number(),
  /** 0 when never edited. */
  updated_at: z.number(),
  author,
  nonce: z.string(),
  kmarkdown: kmarkdownPart,
  mention: z.array(userId),
  mention_all: z.boolean(),
  mention_here: z.boolean(),
  mention_roles: z.array(roleId),
  quote: z.nullable(z.unknown()),
  attachments: z.nullable(z.unknown()),
  embeds: z.array(z.unknown()),
  /** In the order in which they were first added. */
  reactions: z.array(reaction),
  image_name: z.string(),
  /**
   * Grows by one with each change; the change's event contains it, so late and repeated events are detected.
   * Ours.
   */
  revision: z.number(),
  is_pinned: z.boolean(),
})
export type Message = Out<typeof message>

/**
 * A page of a channel's history, oldest first: the newest page without `msgid`, else the messages before that
 * one, or with `flag` those `after` it, or those `around` it with it in the middle. Fewer than `page_size`
 * means there is nothing further in that direction. Replies to a deleted message are marked. chat.md §4 and
 * §7; `flag` as in protocol.md §4.7.
 */
export const history = route({
  method: 'GET',
  path: '/api/v2/channels/:id/messages',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    id: channelId,
    msgid: anchor,
    flag: z._default(z.enum(['before', 'around', 'after']), 'before'),
    page_size: z._default(int(1, HISTORY_PAGE_SIZE), HISTORY_PAGE_SIZE),
  }),
  answer: z.array(message),
  fails: ['forbidden', 'message.unknown'],
})

/** The same under the name that chat.md §7 lists. */
export const historyV2 = route({
  ...history,
  path: '/api/v2/messages',
  input: /* @__PURE__ */ (() =>
    z.object({
      channel_id: channelId,
      msgid: anchor,
      flag: history.input.shape.flag,
      page_size: history.input.shape.page_size,
    }))(),
})

/**
 * Send to a text channel. `content` is a JSON string `{content, type?, quote?}`, `type` being 9 (KMarkdown,
 * the default) or 1 (text); or 2 (image), 3 (file), 4 (video) or 8 (voice) with the address of an own upload
 * as content; or, from a bot, 10 (cards) with their JSON text. A video may have `cover`, `duration`, `width`
 * and `height`.
 * `objectName` other than text names the kind; the address is then `content`, `imageUri`, `fileUrl`,
 * `sightUrl` or `remoteUrl`. The same `nonce` of the same author in the same channel answers with the first
 * message and sends nothing; when that one was deleted meanwhile, the call is refused, so a deleted message
 * is not sent again. chat.md §7, protocol.md §9.3.
 */
export const sendToChannel = route({
  method: 'POST',
  path: '/api/v2/channels/:id/message',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    id: channelId,
    content: text(CONTENT_MAX * 6 + 256),
    objectName: z._default(text(64), 'RC:TxtMsg'),
    nonce: z._default(text(NONCE_MAX), ''),
    /** The legacy client's session id; the Authorization header is what counts. */
    auth: z.optional(text(256)),
  }),
  answer: z.object({
    msgId: messageId,
    msgTimestamp: z.number(),
    nonce: z.string(),
    /** The whole message, so that the sender's page need not load it. Ours. */
    message,
  }),
  fails: [
    'forbidden',
    'message.empty',
    'message.too_long',
    'message.kind_refused',
    'message.not_allowed',
    'onboarding.rules_needed',
    'message.too_soon',
    'message.unknown',
    'message.deleted',
    'message.nonce_used',
    'card.invalid',
    'emoji.elsewhere',
    'asset.unknown',
    'asset.too_large',
    'asset.guild_daily_limit',
    'bad_json',
    'content.refused',
    'content.held',
    'content.rejected',
    'moderation.word',
    'moderation.link',
    'moderation.invite',
    'moderation.flood',
    'moderation.mention',
    'moderation.newcomer',
    'moderation.restriction',
  ],
})

/** The answer to a send of the public protocol. */
export const sent = z.object({
  msg_id: messageId,
  /** ms */
  msg_timestamp: z.number(),
  /** The nonce of the call, `""` without one. */
  nonce: z.string(),
})

/**
 * Content that is filled into a template. There are no templates yet, so the call is refused instead of sent
 * unchanged. protocol.md §4.7.
 */
export const template = { template_id: z._default(text(64), '') }

/** The common input of messages to channels and to users: content and quote. protocol.md §4.7, §4.8. */
export const saying = {
  content: text(CARD_CONTENT_MAX),
  /** The message it replies to; `""` is none. */
  quote: z._default(z.union([messageId, z.literal('')]), ''),
  nonce: z._default(text(NONCE_MAX), ''),
  ...template,
}
/**
 * The recipient of an ephemeral message, who must see the channel; `""`: everybody. protocol.md §4.7,
 * decision 27.
 */
export const tempTarget = z._default(z.union([userId, z.literal('')]), '')
// What the page does not use is marked as pure, here and above, so that nothing of it stays in it.
const createInput = /* @__PURE__ */ (() =>
  z.object({
    ...saying,
    temp_target_id: tempTarget,
    target_id: channelId,
    /** The public protocol's number: 1, 2, 3 (video), 4 (file), 8, 9; or, from a bot, 10 (cards). */
    type: z._default(int(1, 255), 9),
  }))()
const createAnswer = /* @__PURE__ */ (() =>
  z.object({ ...sent.shape, not_permissions_mention: z.array(z.unknown()) }))()
const createFails = /* @__PURE__ */ (() =>
  [...sendToChannel.fails, 'message.target_unknown', 'message.template_unknown'] as const)()

/**
 * Send to a text channel, as `sendToChannel` does, with a kind by its public number. With `temp_target_id`
 * the message is ephemeral: only that user and the sender receive it, its event has `visible_only`, it is not
 * stored and not delivered later, and it cannot be edited, reacted to, pinned or deleted. protocol.md §4.7.
 */
export const createMessage = route({
  method: 'POST',
  path: '/api/v3/message/create',
  dialect: 'v3',
  who: 'user',
  input: createInput,
  answer: createAnswer,
  fails: createFails,
})

/** The same by its old name, which also calls the channel `channel_id`. protocol.md §4.7. */
export const createChannelMessage = route({
  method: 'POST',
  path: '/api/v3/channel/message',
  dialect: 'v3',
  who: 'user',
  input: /* @__PURE__ */ (() =>
    z.object({
      ...createInput.shape,
      target_id: z.optional(channelId),
      channel_id: z.optional(channelId),
    }))(),
  answer: createAnswer,
  fails: /* @__PURE__ */ (() => [...createFails, 'bad_input'] as const)(),
})

/** The parsed JSON of `sendToChannel.content`. */
export const sendBody = /* @__PURE__ */ (() =>
  z.object({
    content: z.string(),
    type: z._default(int(1, 255), 9),
    quote: z.optional(messageId),
    /** Of a video; ignored in messages of other kinds. */
    ...videoLooks,
  }))()
export type SendBody = Out<typeof sendBody>
