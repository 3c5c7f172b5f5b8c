/**
 * A message as a connection carries it (`s: 0`, type below 255), and back. protocol.md §3.1 and §3.2.
 */
import type { BodyOf } from '../event.ts'
import { type EventData, SYSTEM_EVENT } from '../gateway/frame.ts'
import { type GuildId, roleId, type UserId, userId } from '../id.ts'
import { type Out, z } from '../schema.ts'
import { author } from '../user/shown.ts'
import type { messageUpdated } from './action.ts'
import { imageNameOf } from './attachment.ts'
import { messageEvent } from './core.ts'
import type { NumberDialect } from './kind.ts'
import { kmarkdownPart, type Message, message } from './message.ts'
import { publicType } from './public.ts'

/** `extra` of a guild message. `seq` is ours: the guild's number of this event. */
const extra = z.looseObject({
  /** Of a private message: the chat's. */
  code: z.optional(z.string()),
  guild_id: z.optional(z.string()),
  author,
  mention: z.array(userId),
  mention_all: z.boolean(),
  mention_here: z.boolean(),
  mention_roles: z.array(roleId),
  kmarkdown: kmarkdownPart,
  quote: z.optional(z.unknown()),
  attachments: z.optional(z.unknown()),
  seq: z.number(),
  visible_only: z.optional(z.nullable(userId)),
})
export type MessageExtra = Out<typeof extra>

/**
 * An ephemeral message in the log of one person; the gateway delivers it in the form of the channel's
 * messages.
 */
export const EPHEMERAL_MESSAGE = 'quiet_message'
export interface EphemeralMessage {
  /** Its `seq` is the guild's last number when it was sent: it is ordered after that message. */
  readonly message: Message
  readonly channel: { readonly name: string; readonly type: number }
  readonly visible_only: UserId
}
/** An ephemeral edit: other content of a message for one person, in the shape of `updated_message`. */
export const EPHEMERAL_UPDATE = 'quiet_update'
export interface EphemeralUpdate {
  readonly guild_id: GuildId
  readonly body: BodyOf<typeof messageUpdated>
}

/**
 * The `d` of a message's event, in the receiver's dialect: its type's number, and how people and files are
 * written.
 */
export function eventOf(
  input: Message,
  channel: { readonly name: string; readonly type: number },
  dialect: NumberDialect,
  visibleOnly: UserId | null = null,
): EventData {
  const { mention_all, mention_roles, mention_here } = input
  const location = {
    guild_id: input.guild_id,
    guild_type: 0,
    channel_name: channel.name,
    channel_type: channel.type,
  }
  const to = {
    channel_type: 'GROUP' as const,
    target_id: input.channel_id,
    code: '',
    location,
    type: dialect === 'public' ? publicType(input.type) : input.type,
    visible_only: visibleOnly,
    mentions: { mention_all, mention_roles, mention_here },
    nav_channels: input.kmarkdown.channel_part.map((part) => part.id),
    emoji: input.kmarkdown.emoji_part ?? [],
    name: input.author.nickname,
  }
  return messageEvent(input, to, dialect)
}

/** A message of a channel, or of a private conversation with its code as `channel_id` and without a guild. */
const anyMessage = z.object({ ...message.shape, guild_id: z.string(), channel_id: z.string() })

/**
 * The message inside an event as the page keeps it, or null when the event is not a message or lacks what a
 * message needs.
 */
export function messageOf(d: EventData): Message | null {
  if (d.type === SYSTEM_EVENT) return null
  const more = extra.safeParse(d.extra)
  if (!more.success) return null
  const isPrivate = d.channel_type === 'PERSON'
  const parsed = anyMessage.safeParse({
    ...more.data,
    id: d.msg_id,
    rong_id: d.msg_id,
    guild_id: isPrivate ? '' : more.data.guild_id,
    channel_id: isPrivate ? more.data.code : d.target_id,
    targetId: isPrivate ? more.data.code : d.target_id,
    conversationType: isPrivate ? 1 : 3,
    type: d.type,
    content: d.content,
    create_at: d.msg_timestamp,
    updated_at: 0,
    nonce: d.nonce,
    quote: more.data.quote ?? null,
    attachments: more.data.attachments ?? null,
    embeds: [],
    reactions: [],
    image_name: imageNameOf(d.type, d.content),
    revision: 0,
    is_pinned: false,
  })
  return parsed.success ? (parsed.data as Message) : null
}

/** The only receiver of an ephemeral message; null: all who see its channel. */
export const visibleOnlyOf = (d: EventData): UserId | null =>
  extra.safeParse(d.extra).data?.visible_only ?? null
