/**
 * A message as it travels on the line (`s: 0`, type below 255) and back. protocol.md §3.1 and §3.2.
 */
import type { BodyOf } from '../event.ts'
import { type EventData, SYSTEM_EVENT } from '../gateway/frame.ts'
import { type GuildId, roleId, type UserId, userId } from '../id.ts'
import { type Out, z } from '../schema.ts'
import { publicUser } from '../user/public.ts'
import { author } from '../user/user.ts'
import type { messageUpdated } from './act.ts'
import { imageNameOf } from './attachment.ts'
import type { NumberDialect } from './kind.ts'
import { kmarkdownPart, type Message, message } from './message.ts'
import { publicAttachments, publicQuote, publicType } from './public.ts'

/** `extra` of a guild message. `seq` is ours: the guild's number of this event. */
const extra = z.looseObject({
  guild_id: z.string(),
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

/** In one person's log: something said to them alone, which the line tells as if the channel heard it. */
export const EPHEMERAL_MESSAGE = 'quiet_message'
export interface EphemeralMessage {
  /** Its `seq` is the guild's last number when it was said: it stands after that message. */
  readonly message: Message
  readonly channel: { readonly name: string; readonly type: number }
  readonly visible_only: UserId
}
/** The same of other words for a message, in the shape of `updated_message`. */
export const EPHEMERAL_UPDATE = 'quiet_update'
export interface EphemeralUpdate {
  readonly guild_id: GuildId
  readonly body: BodyOf<typeof messageUpdated>
}

/** The `d` of a message's event, in the receiver's dialect: its type's number, and how people and files are written. */
export function eventOf(
  it: Message,
  channel: { readonly name: string; readonly type: number },
  dialect: NumberDialect,
  visibleOnly: UserId | null = null,
): EventData {
  const isPublic = dialect === 'public'
  const type = isPublic ? publicType(it.type) : it.type
  const quote = isPublic ? publicQuote(it.quote) : it.quote
  const attachments = isPublic ? publicAttachments(it.attachments) : it.attachments
  return {
    channel_type: 'GROUP',
    type,
    target_id: it.channel_id,
    author_id: it.author.id,
    content: it.content,
    msg_id: it.id,
    msg_timestamp: it.create_at,
    nonce: it.nonce,
    from_type: 1,
    extra: {
      type,
      code: '',
      guild_id: it.guild_id,
      guild_type: 0,
      channel_name: channel.name,
      channel_type: channel.type,
      author: isPublic ? publicUser(it.author) : it.author,
      visible_only: visibleOnly,
      mention: it.mention,
      mention_all: it.mention_all,
      mention_roles: it.mention_roles,
      mention_here: it.mention_here,
      nav_channels: it.kmarkdown.channel_part.map((part) => part.id),
      kmarkdown: { ...it.kmarkdown, spl: [] },
      emoji: it.kmarkdown.emoji_part ?? [],
      // The public client fails on a null quote: the key is there only when there is one.
      ...(quote ? { quote } : {}),
      ...(attachments ? { attachments } : {}),
      last_msg_content: `${it.author.nickname}：${it.kmarkdown.raw_content}`,
      send_msg_device: 0,
      seq: it.seq,
    },
  }
}

/**
 * The message inside a line's event as a person's page keeps it, or null when the event is not a guild message
 * or lacks what a message needs.
 */
export function messageOf(d: EventData): Message | null {
  if (d.channel_type !== 'GROUP' || d.type === SYSTEM_EVENT) return null
  const more = extra.safeParse(d.extra)
  if (!more.success) return null
  const parsed = message.safeParse({
    ...more.data,
    id: d.msg_id,
    rong_id: d.msg_id,
    channel_id: d.target_id,
    targetId: d.target_id,
    conversationType: 3,
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
  return parsed.success ? parsed.data : null
}

/** For whom alone a message of the line is; null: for all who see its channel. */
export const visibleOnlyOf = (d: EventData): UserId | null =>
  extra.safeParse(d.extra).data?.visible_only ?? null
