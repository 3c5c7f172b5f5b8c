/**
 * The shapes of message events as connections carry them: `d` of a frame with `s: 0` and a type below 255.
 * They are part of the locked contract; a test compares them with what `eventOf` and `privateEventOf` make.
 * protocol.md §3.1 to §3.3.
 */
import { channelId, guildId, messageId, roleId, userId } from '../id.ts'
import { z } from '../schema.ts'
import { author } from '../user/shown.ts'
import { kmarkdownPart } from './message.ts'

const data = {
  type: z.number(),
  author_id: userId,
  content: z.string(),
  msg_id: messageId,
  /** ms */
  msg_timestamp: z.number(),
  nonce: z.string(),
  from_type: z.literal(1),
}
const extra = {
  type: z.number(),
  /** Bots get a few more fields, see `publicUser`. */
  author: z.looseObject(author.shape),
  mention: z.array(userId),
  mention_all: z.boolean(),
  mention_here: z.boolean(),
  mention_roles: z.array(roleId),
  nav_channels: z.array(channelId),
  kmarkdown: z.strictObject({ ...kmarkdownPart.shape, spl: z.array(z.unknown()) }),
  emoji: z.array(z.unknown()),
  /** Absent without a quote: public clients fail on null. */
  quote: z.optional(z.looseObject({})),
  attachments: z.optional(z.looseObject({})),
  last_msg_content: z.string(),
  send_msg_device: z.literal(0),
  /** The number of the event in its guild or chat. Ours. */
  seq: z.number(),
}

/** A message in a guild's channel. `visible_only`: null, or the only receiver of an ephemeral message. */
export const channelMessageEvent = z.strictObject({
  ...data,
  channel_type: z.literal('GROUP'),
  target_id: channelId,
  extra: z.strictObject({
    ...extra,
    code: z.literal(''),
    guild_id: guildId,
    guild_type: z.literal(0),
    channel_name: z.string(),
    channel_type: z.number(),
    visible_only: z.nullable(userId),
  }),
})

/** A private message, to both of the two. */
export const privateMessageEvent = z.strictObject({
  ...data,
  channel_type: z.literal('PERSON'),
  target_id: userId,
  extra: z.strictObject({ ...extra, code: z.string(), visible_only: z.literal(null) }),
})
