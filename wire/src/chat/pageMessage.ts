/** Private messages in the form in which the page keeps those of channels: the conversation's code stands for the channel. */
import { type EventData, SYSTEM_EVENT } from '../gateway/frame.ts'
import type { ChannelId, GuildId } from '../id.ts'
import { imageNameOf } from '../message/attachment.ts'
import { kindNumber, kindOf } from '../message/kind.ts'
import { kmarkdownPart, type Message, message } from '../message/message.ts'
import { z } from '../schema.ts'
import { SECOND_MS } from '../unit.ts'
import { author } from '../user/user.ts'
import { chatCode, type PrivateMessage } from './chat.ts'

/** The guild of a message that belongs to none. */
export const NO_GUILD = '0' as GuildId

const place = (code: string) => ({
  channel_id: code as ChannelId,
  guild_id: NO_GUILD,
  targetId: code,
  conversationType: 1,
  is_pinned: false,
})

/** A number of the public protocol as the specification's. */
function specificationType(type: number): number {
  const kind = kindOf(type, 'public')
  return kind ? kindNumber(kind, 'specification') : type
}

/** A message of a call, whose numbers and units are the public protocol's. */
export function pageMessageOf(it: PrivateMessage): Message {
  const quote = it.quote as { type?: unknown } | null
  const attachments = it.attachments as { url?: unknown; duration?: unknown } | null
  return {
    ...place(it.chat_code),
    ...{ id: it.id, rong_id: it.id, seq: it.seq, content: it.content, author: it.author, nonce: it.nonce },
    ...{ create_at: it.create_at, updated_at: it.updated_at, revision: it.revision },
    ...{ mention: it.mention, mention_all: false, mention_here: false, mention_roles: [] },
    ...{ reactions: it.reactions, embeds: it.embeds, image_name: it.image_name },
    kmarkdown: it.mention_info,
    type: specificationType(it.type),
    quote: quote && {
      ...quote,
      ...(typeof quote.type === 'number' && { type: specificationType(quote.type) }),
    },
    attachments: attachments && {
      ...attachments,
      fileUrl: attachments.url,
      ...(typeof attachments.duration === 'number' && { duration: attachments.duration * SECOND_MS }),
    },
  }
}

const extra = z.looseObject({
  code: chatCode,
  author,
  mention: message.shape.mention,
  kmarkdown: kmarkdownPart,
  quote: z.optional(z.unknown()),
  attachments: z.optional(z.unknown()),
  seq: z.number(),
})

/** The private message in an event of a page's connection; null for all others. */
export function pageMessageIn(d: EventData): Message | null {
  if (d.channel_type !== 'PERSON' || d.type === SYSTEM_EVENT) return null
  const more = extra.safeParse(d.extra)
  if (!more.success) return null
  const { code, author, mention, kmarkdown, quote = null, attachments = null, seq } = more.data
  return {
    ...place(code),
    ...{ id: d.msg_id, rong_id: d.msg_id, seq, content: d.content, author, nonce: d.nonce },
    ...{ create_at: d.msg_timestamp, updated_at: 0, revision: 0, type: d.type },
    ...{ mention, mention_all: false, mention_here: false, mention_roles: [], kmarkdown },
    ...{ quote, attachments, embeds: [], reactions: [], image_name: imageNameOf(d.type, d.content) },
  } as unknown as Message
}
