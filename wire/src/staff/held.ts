/** Messages that wait for staff: what word rules or the review service held back. */

import { createPrivate } from '../chat/chat.ts'
import { channelId, guildId, userId } from '../id.ts'
import { sendToChannel } from '../message/message.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { REASON_MAX } from '../screening/screening.ts'

/** Cases of one page. */
export const HELD_PAGE = 50

/** Why something was held: a word, what the service says, a picture of which the service is not sure, or that it did not answer. */
export const HELD_WHYS = ['word', 'service', 'picture', 'unanswered'] as const
export const heldWhy = z.object({ kind: z.enum(HELD_WHYS), text: z.string() })
export type HeldWhy = Out<typeof heldWhy>

/** A held message as staff see it. `kind` tells it from other cases of the queue. */
export const heldCase = z.object({
  id: z.string(),
  kind: z.literal('message'),
  author_id: userId,
  author_name: z.string(),
  /** Null in a private conversation. */
  guild_id: z.nullable(guildId),
  guild_name: z.string(),
  channel_id: z.nullable(channelId),
  channel_name: z.string(),
  /** Of a private conversation: to whom. */
  target_id: z.nullable(userId),
  target_name: z.string(),
  /** What of: the specification's number of the message's kind. */
  type: z.number(),
  /** Text, KMarkdown, the JSON of cards, or the address of a file. */
  content: z.string(),
  /** Its name, of a file. */
  file_name: z.string(),
  /** Addresses of its pictures. */
  pictures: z.array(z.string()),
  why: z.array(heldWhy),
  /** ms */
  created_at: z.number(),
})
export type HeldCase = Out<typeof heldCase>

/** What waits, the oldest first, those after `after` (an id). */
export const listHeld = route({
  method: 'GET',
  path: '/api/v3/staff/held',
  dialect: 'v3',
  who: 'staff',
  right: 'review',
  input: z.object({ after: z.optional(int(1, Number.MAX_SAFE_INTEGER)) }),
  answer: z.object({ items: z.array(heldCase), has_more: z.boolean() }),
  fails: [],
})

/**
 * Decides on a held message, once. One that passes is sent now, as its author would send it; when they may not write there any more
 * the call is refused, and it goes on waiting. Who is told the reason of a rejection is its author.
 */
export const decideHeld = route({
  method: 'POST',
  path: '/api/v3/staff/held-decide',
  dialect: 'v3',
  who: 'staff',
  right: 'review',
  input: z.object({
    id: int(1, Number.MAX_SAFE_INTEGER),
    passed: flag(),
    reason: z.pipe(text(REASON_MAX), z.string().check(z.regex(/\S/))),
  }),
  answer: nothing,
  fails: [
    ...new Set([
      ...sendToChannel.fails,
      ...createPrivate.fails,
      ...(['review.unknown', 'review.decided', 'content.author_cannot'] as const),
    ]),
  ],
})
