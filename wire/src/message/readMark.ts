/**
 * Read marks and unread counts. The specification names the calls and leaves their shapes open (chat.md §7:
 * v2 messages/unread and messages/clear); these are ours.
 */
import { event } from '../event.ts'
import { channelId, guildId, messageId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, z } from '../schema.ts'
import { anchor } from './anchor.ts'

/** Counts stop here: this many or more. */
export const UNREAD_MAX = 100

/** The unread state of one channel. */
export const unread = z.object({
  channel_id: channelId,
  guild_id: guildId,
  /** The number of the last message read; messages of others after it are unread. 0: nothing was read yet. */
  read_seq: z.number(),
  /** The number of the newest message, deleted ones included; 0 when there never was one. */
  last_seq: z.number(),
  /** Unread messages of others since joining, at most `UNREAD_MAX`. */
  unread_count: z.number(),
  /** Those of the unread ones that mention the user, at most `UNREAD_MAX`, however long ago. */
  mention_count: z.number(),
  /**
   * What the user is notified of here: 1 all, 2 mentions, 3 nothing. The counts are the same whatever it is.
   */
  notify_type: z.optional(z.number()),
})
export type Unread = Out<typeof unread>

/** The unread state of each text channel of a guild that the user may view, in no order. chat.md §7. */
export const listUnread = route({
  method: 'GET',
  path: '/api/v2/messages/unread',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.array(unread),
  fails: ['forbidden'],
})

/**
 * The first message of others after the number `after` that is not older than the caller's membership; null:
 * none. A room shows its line "new messages" above it and jumps to it. Ours.
 */
export const firstUnread = route({
  method: 'GET',
  path: '/api/v2/messages/first-unread',
  dialect: 'v2',
  who: 'user',
  input: z.object({ channel_id: channelId, after: int(0) }),
  answer: z.object({ first: z.nullable(z.object({ msg_id: messageId, seq: z.number() })) }),
  fails: ['forbidden'],
})

/** The unread state of one guild. */
export const waiting = z.object({
  guild_id: guildId,
  /** A text channel that the user may view has unread messages, and they are notified of them. */
  is_unread: z.boolean(),
  /** The number of the newest message in those channels: messages received up to it are already counted. */
  last_seq: z.number(),
  /**
   * The unread messages that mention the user, at most `UNREAD_MAX`; without channels whose notifications are
   * off.
   */
  mention_count: z.number(),
  /** What they are notified of in the guild, by their own setting or by that of the guild. `notify.ts`. */
  notify_type: z.optional(z.number()),
  /** What they set for single channels. */
  notify_channels: z.optional(z.array(z.object({ channel_id: channelId, notify_type: z.number() }))),
})
export type Waiting = Out<typeof waiting>

/**
 * The unread state of each guild of the user, for the rail; guilds without a visible text channel are left
 * out. Ours.
 */
export const listWaiting = route({
  method: 'GET',
  path: '/api/v2/messages/unread-guilds',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.array(waiting),
  fails: [],
})

/** Marks a channel as read up to a message, or to its end. The mark never moves back. chat.md §7. */
export const clearUnread = route({
  method: 'POST',
  path: '/api/v2/messages/clear',
  dialect: 'v2',
  who: 'user',
  input: z.object({ channel_id: channelId, msgid: anchor }),
  answer: unread,
  fails: ['forbidden', 'message.unknown'],
})

/** The user's read mark in a channel moved, possibly on another device. Ours, protocol.md §9.4. */
export const readMarkUpdated = event(
  'updated_read_mark',
  'person',
  z.object({ guild_id: guildId, channel_id: channelId, read_seq: z.number() }),
  { access: 'none', dialects: 'pages' },
)
