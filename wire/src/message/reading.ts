/**
 * How far a person has read. The specification names the calls and leaves their shapes open (chat.md §7: v2
 * messages/unread and messages/clear); these are ours.
 */
import { event } from '../event.ts'
import { channelId, guildId, messageId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'

/** Counts end here: so many or more. */
export const UNREAD_MAX = 100

/** What waits for a person in one channel. */
export const unread = z.object({
  channel_id: channelId,
  guild_id: guildId,
  /** The number of the last message read; what others said after it is unread. 0: nothing was read yet. */
  read_seq: z.number(),
  /** The number of the newest message, deleted ones included; 0 when there never was one. */
  last_seq: z.number(),
  /** Unread messages of others since joining, at most `UNREAD_MAX`. */
  unread_count: z.number(),
  /** Those of the unread ones that call on the person, at most `UNREAD_MAX`, however long ago. */
  mention_count: z.number(),
})
export type Unread = Out<typeof unread>

/** What waits in each text channel of a guild that the person may view, in no order. chat.md §7. */
export const listUnread = route({
  method: 'GET',
  path: '/api/v2/messages/unread',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.array(unread),
  fails: ['forbidden'],
})

/** What waits for a person in one guild. */
export const waiting = z.object({
  guild_id: guildId,
  /** Somebody said something in a text channel the person may view that they have not read. */
  is_unread: z.boolean(),
  /** The number of the newest message in those channels: what the line tells up to it is counted already. */
  last_seq: z.number(),
  /** The unread messages that call on the person, at most `UNREAD_MAX`. */
  mention_count: z.number(),
})
export type Waiting = Out<typeof waiting>

/** What waits in each guild of the person, for the rail; guilds without a text channel they may view are left out. Ours. */
export const listWaiting = route({
  method: 'GET',
  path: '/api/v2/messages/unread-guilds',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.array(waiting),
  fails: [],
})

/** A channel was read up to a message, or without one to its end. The mark only ever moves on. chat.md §7. */
export const clearUnread = route({
  method: 'POST',
  path: '/api/v2/messages/clear',
  dialect: 'v2',
  who: 'user',
  input: z.object({ channel_id: channelId, msgid: z.optional(messageId) }),
  answer: unread,
  fails: ['forbidden', 'message.unknown'],
})

/** The person's mark in a channel moved, maybe on another device. Ours, protocol.md §9.4. */
export const readMarkUpdated = event(
  'updated_read_mark',
  'person',
  z.object({ guild_id: guildId, channel_id: channelId, read_seq: z.number() }),
)
