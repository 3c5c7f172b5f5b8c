/** Actions on a channel's message after it was sent: the calls of protocol.md §4.7 and their events, §3.4. */
import { event } from '../event.ts'
import { channelId, guildId, messageId, roleId, userId } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, z } from '../schema.ts'
import { editInput, emojiText, historyFlag, historyPageSize } from './core.ts'
import { emoji, kmarkdownPart, message, template, tempTarget } from './message.ts'

/** How many of those who reacted with an emoji are listed, the first ones. */
export const REACTORS_MAX = 1_000

/**
 * The public protocol has no answer here. `revision` is ours: the message's revision with this action, so
 * that a page that showed the action optimistically knows which events include it.
 */
const done = z.object({ revision: z.number() })

/**
 * Edits one's own message of kind KMarkdown or cards. The same content again changes nothing. With
 * `temp_target_id` that user alone sees the new content, until a reload; the message is unchanged.
 * protocol.md §4.7.
 */
export const updateMessage = route({
  method: 'POST',
  path: '/api/v3/message/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    ...editInput,
    temp_target_id: tempTarget,
    ...template,
  }),
  answer: done,
  fails: [
    'message.unknown',
    'message.not_author',
    'message.not_allowed',
    'onboarding.rules_needed',
    'message.kind_refused',
    'message.empty',
    'message.too_long',
    'message.target_unknown',
    'message.template_unknown',
    'card.invalid',
    'emoji.elsewhere',
    'asset.unknown',
    'bad_json',
    'content.refused',
    'moderation.word',
    'moderation.link',
    'moderation.invite',
    'moderation.flood',
    'moderation.mention',
    'moderation.newcomer',
    'moderation.restriction',
  ],
})

/** Deletes a message: one's own or, with bit 13, anyone's. Idempotent. protocol.md §4.7. */
export const deleteMessage = route({
  method: 'POST',
  path: '/api/v3/message/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId }),
  answer: nothing,
  fails: ['message.unknown', 'message.no_right'],
})

/** Adds a reaction. Idempotent. A new emoji on the message needs bit 18, else bit 19. protocol.md §4.7. */
export const addReaction = route({
  method: 'POST',
  path: '/api/v3/message/add-reaction',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, emoji: emojiText }),
  answer: done,
  fails: [
    'message.unknown',
    'message.emoji_unknown',
    'message.not_allowed',
    'onboarding.rules_needed',
    'message.no_right',
    'message.reactions_full',
    'emoji.elsewhere',
  ],
})

/** Removes a reaction: one's own, or with bit 13 that of `user_id`. Idempotent. protocol.md §4.7. */
export const deleteReaction = route({
  method: 'POST',
  path: '/api/v3/message/delete-reaction',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, emoji: emojiText, user_id: z.optional(userId) }),
  answer: done,
  fails: ['message.unknown', 'message.emoji_unknown', 'message.no_right'],
})

const pinning = z.object({ target_id: channelId, msg_id: messageId })

/** Pins a message of the channel, with bit 13. Idempotent. protocol.md §4.7. */
export const pinMessage = route({
  method: 'POST',
  path: '/api/v3/message/pin',
  dialect: 'v3',
  who: 'user',
  input: pinning,
  answer: done,
  fails: ['message.unknown', 'message.no_right', 'message.pins_full'],
})

/** Unpins it, with bit 13. protocol.md §4.7. */
export const unpinMessage = route({
  method: 'POST',
  path: '/api/v3/message/unpin',
  dialect: 'v3',
  who: 'user',
  input: pinning,
  answer: done,
  fails: ['message.unknown', 'message.no_right'],
})

/**
 * A message as v3 calls answer it: `type` is the public protocol's number. protocol.md §5.5. No page asks for
 * one: made in a function, its shape is left out of the page.
 */
export const listedMessage = /* @__PURE__ */ (() =>
  z.object({
    ...message.shape,
    mention_info: kmarkdownPart,
    /** Whether the caller has read it; their own they have. */
    read_status: z.boolean(),
    /** Whether the caller may edit it. */
    editable: z.boolean(),
  }))()

/**
 * Messages of a channel, oldest first: the newest, or around one of them. `before` and `after` leave `msg_id`
 * out;
 * `around` has it in the middle. With `pin` the pinned ones, the one pinned last being the last. protocol.md
 * §4.7.
 */
export const listMessages = route({
  method: 'GET',
  path: '/api/v3/message/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    target_id: channelId,
    msg_id: z.optional(messageId),
    flag: historyFlag,
    pin: z._default(flag(), false),
    page_size: historyPageSize,
  }),
  answer: /* @__PURE__ */ (() => z.object({ items: z.array(listedMessage) }))(),
  fails: ['forbidden', 'message.unknown'],
})

/** One message. protocol.md §4.7. */
export const viewMessage = route({
  method: 'GET',
  path: '/api/v3/message/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId }),
  answer: listedMessage,
  fails: ['message.unknown'],
})

/**
 * The location, and (ours) the message's revision with this change. One that is not newer than the known one
 * is outdated.
 */
const location = { msg_id: messageId, channel_id: channelId, channel_type: z.number(), revision: z.number() }
const reacted = z.object({ ...location, user_id: userId, emoji })
const pinned = z.object({ ...location, operator_id: userId })

/** protocol.md §3.4. An edit removes the embeds of the old content; `embedsAppended` follows. */
export const messageUpdated = event(
  'updated_message',
  'channel',
  z.object({
    ...location,
    content: z.string(),
    mention: z.array(userId),
    mention_all: z.boolean(),
    mention_here: z.boolean(),
    mention_roles: z.array(roleId),
    /** ms */
    updated_at: z.number(),
    kmarkdown: kmarkdownPart,
    quote: z.nullable(z.unknown()),
    attachments: z.nullable(z.unknown()),
    /** Ours: an ephemeral edit for this user alone, of a message of this revision. */
    visible_only: z.optional(z.nullable(userId)),
  }),
  { access: 'none' },
)
/** `seq` is ours: the number of the message, which determines whether it was unread. */
export const messageDeleted = event(
  'deleted_message',
  'channel',
  z.object({ ...location, seq: z.number() }),
  {
    access: 'none',
  },
)
export const reactionAdded = event('added_reaction', 'channel', reacted, { access: 'none' })
export const reactionDeleted = event('deleted_reaction', 'channel', reacted, { access: 'none' })
export const messagePinned = event('pinned_message', 'channel', pinned, { access: 'none' })
export const messageUnpinned = event('unpinned_message', 'channel', pinned, { access: 'none' })
/**
 * The link previews of a message were loaded: all of its embeds, in order. `rong_id` is the message's id;
 * `msg_id` and `revision` are ours, as in the others. protocol.md §3.4 and §5.5.
 */
export const embedsAppended = event(
  'embeds_append',
  'channel',
  z.object({
    rong_id: messageId,
    msg_id: messageId,
    channel_id: channelId,
    guild_id: guildId,
    embeds: z.array(z.unknown()),
    revision: z.number(),
  }),
  { access: 'none' },
)
