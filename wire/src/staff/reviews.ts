/**
 * What waits for a decision of staff: changes of recommended guilds, and messages that word rules or the
 * review service held.
 */

import { createPrivate } from '../chat/chat.ts'
import { channelId, guildId, messageId, userId } from '../id.ts'
import { sendToChannel } from '../message/message.ts'
import { guildProfile } from '../profile/profile.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { readWords } from '../words.ts'
import { heldWhy } from './held.ts'

/** Cases of one page. */
export const REVIEWS_PAGE = 50
/** Characters of why something is rejected. */
export const REVIEW_REASON_MAX = 200

/** What is reviewed. Each kind has its own shape and numbers its cases by itself. */
export const REVIEW_KINDS = ['guild', 'message'] as const
export type ReviewKind = (typeof REVIEW_KINDS)[number]

export const REVIEW_STATES = ['waiting', 'passed', 'rejected', 'withdrawn'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

/** What every case has. */
const common = {
  id: z.string(),
  /** Who wants it. */
  user_id: userId,
  user_name: z.string(),
  /** ms */
  created_at: z.number(),
  /** Until when it is promised to be decided, ms. `workingTime.ts`. */
  promised_by: z.number(),
  state: z.enum(REVIEW_STATES),
  /** Why it was rejected; else empty. */
  reason: z.string(),
  /** ms; null: it waits. */
  decided_at: z.nullable(z.number()),
  /** An id, or `operator`; empty: it waits. */
  decided_by: z.string(),
  decided_by_name: z.string(),
}

/** A change of a recommended guild. */
export const guildReview = z.object({
  kind: z.literal('guild'),
  ...common,
  guild_id: guildId,
  /** How the guild is called now. */
  guild_name: z.string(),
  /** How it looks now, or looked when it was decided; null: not known. */
  before: z.nullable(guildProfile),
  after: guildProfile,
})
export type GuildReview = Out<typeof guildReview>

/** A held message. One that its author takes back is gone. */
export const messageReview = z.object({
  kind: z.literal('message'),
  ...common,
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
  /** What people read of it; of a file its name. */
  words: z.string(),
  /** The address of its file, unless it is a picture; empty: it has none, or the file is gone. */
  file: z.string(),
  /** Addresses of its pictures. */
  pictures: z.array(z.string()),
  why: z.array(heldWhy),
  /** The message that it became; null: none. */
  msg_id: z.nullable(messageId),
})
export type MessageReview = Out<typeof messageReview>

/** A case of any kind. */
export const review = z.discriminatedUnion('kind', [guildReview, messageReview])
export type Review = Out<typeof review>

const anchor = z.optional(int(1))

/**
 * The cases that wait, the oldest first, those after `after`; or those that were decided, the newest first,
 * those before `before`.
 */
export const listReviews = route({
  method: 'GET',
  path: '/api/v3/staff/review-list',
  dialect: 'v3',
  who: 'staff',
  right: 'review',
  input: z.object({
    kind: z._default(z.enum(REVIEW_KINDS), 'guild'),
    state: z._default(z.enum(['waiting', 'decided']), 'waiting'),
    after: anchor,
    before: anchor,
  }),
  answer: z.object({ items: z.array(review), has_more: z.boolean() }),
  fails: [],
})

const one = { kind: z.enum(REVIEW_KINDS), id: int(1) }

export const viewReview = route({
  method: 'GET',
  path: '/api/v3/staff/review-view',
  dialect: 'v3',
  who: 'staff',
  right: 'review',
  input: z.object(one),
  answer: review,
  fails: ['review.unknown'],
})

/**
 * Passes or rejects, once. A rejection has a reason, which the owner of the guild, or the author of the
 * message, reads. A message that passes is sent now, as its author would send it; when they may not write
 * there any more the call is refused, and it goes on waiting.
 */
export const decideReview = route({
  method: 'POST',
  path: '/api/v3/staff/review-decide',
  dialect: 'v3',
  who: 'staff',
  right: 'review',
  input: z.object({ ...one, pass: flag(), reason: z._default(text(REVIEW_REASON_MAX, 0, readWords), '') }),
  answer: nothing,
  fails: [
    ...new Set([
      ...sendToChannel.fails,
      ...createPrivate.fails,
      ...(['review.unknown', 'review.decided', 'content.author_cannot'] as const),
    ]),
  ],
})
