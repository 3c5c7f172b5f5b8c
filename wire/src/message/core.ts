/**
 * What messages of channels and of private conversations share: inputs and answers of calls, and the form of
 * their event.
 */

import { CARD_CONTENT_MAX } from '../card/limit.ts'
import type { EventData } from '../gateway/frame.ts'
import { messageId, type UserId } from '../id.ts'
import { int, text, z } from '../schema.ts'
import { publicUser } from '../user/public.ts'
import { type Author, user } from '../user/shown.ts'
import type { NumberDialect } from './kind.ts'
import { HISTORY_PAGE_SIZE } from './limit.ts'
import type { KmarkdownPart } from './message.ts'
import { publicAttachments, publicQuote } from './public.ts'

/**
 * An emoji as callers write it: itself, `[#128226;]`, `OWNER/HASH` or `(emj)name(emj)[id]`. protocol.md §4.7.
 */
export const emojiText = text(200, 1)

/** The input of an edit. `quote`: absent keeps it, `""` removes it. */
export const editInput = {
  msg_id: messageId,
  content: text(CARD_CONTENT_MAX),
  quote: z.optional(z.union([messageId, z.literal('')])),
}

/**
 * Which part of a history: the newest without an anchor; `around` has the anchor in its middle. protocol.md
 * §4.7.
 */
export const historyFlag = z._default(z.enum(['before', 'around', 'after']), 'before')
export const historyPageSize = z._default(int(1, HISTORY_PAGE_SIZE), HISTORY_PAGE_SIZE)

/** Who reacted with an emoji. */
export const reactors = z.array(
  z.object({
    ...user.shape,
    /** Their name in the guild; absent in private conversations. Ours. */
    nickname: z.optional(z.string()),
    /** ms */
    reaction_time: z.number(),
  }),
)

/** The fields of the events of both kinds of message. */
interface EventSource {
  readonly id: string
  readonly author: Author
  readonly content: string
  /** ms */
  readonly create_at: number
  readonly nonce: string
  readonly mention: readonly UserId[]
  readonly kmarkdown: KmarkdownPart
  /** Its type is the specification's number. */
  readonly quote: unknown
  readonly attachments: unknown
  readonly seq: number
}

/** The fields that differ between the two. */
interface EventLocation {
  readonly channel_type: 'GROUP' | 'PERSON'
  readonly target_id: string
  /** A chat's code; `''` of a channel. */
  readonly code: string
  /** The fields of `extra` that name the location. */
  readonly location: Readonly<Record<string, unknown>>
  /** The number of its kind in the receiver's dialect. */
  readonly type: number
  readonly visible_only: UserId | null
  readonly mentions: {
    readonly mention_all: boolean
    readonly mention_roles: readonly number[]
    readonly mention_here: boolean
  }
  readonly nav_channels: readonly string[]
  readonly emoji: readonly unknown[]
  /** The author's name in the conversation list. */
  readonly name: string
}

/** The `d` of a message's event in the receiver's dialect. protocol.md §3.2 and §3.3. */
export function messageEvent(input: EventSource, to: EventLocation, dialect: NumberDialect): EventData {
  const isPublic = dialect === 'public'
  const quote = isPublic ? publicQuote(input.quote) : input.quote
  const attachments = isPublic ? publicAttachments(input.attachments) : input.attachments
  return {
    channel_type: to.channel_type,
    type: to.type,
    target_id: to.target_id,
    author_id: input.author.id,
    content: input.content,
    msg_id: input.id,
    msg_timestamp: input.create_at,
    nonce: input.nonce,
    from_type: 1,
    extra: {
      type: to.type,
      code: to.code,
      ...to.location,
      author: isPublic ? publicUser(input.author) : input.author,
      visible_only: to.visible_only,
      mention: input.mention,
      ...to.mentions,
      nav_channels: to.nav_channels,
      kmarkdown: { ...input.kmarkdown, spl: [] },
      emoji: to.emoji,
      // The public client fails on a null quote: the key is there only when there is one.
      ...(quote ? { quote } : {}),
      ...(attachments ? { attachments } : {}),
      last_msg_content: `${to.name}：${input.kmarkdown.raw_content}`,
      send_msg_device: 0,
      seq: input.seq,
    },
  }
}
