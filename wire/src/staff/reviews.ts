/** What waits for a decision of staff: changes of recommended guilds. */
import { guildId, userId } from '../id.ts'
import { guildFace } from '../profile/profile.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'

/** Cases of one page. */
export const REVIEWS_PAGE = 50
/** Characters of why something is rejected. */
export const REVIEW_REASON_MAX = 200

/** What is reviewed. Each kind has its own shape and numbers its cases by itself. */
export const REVIEW_KINDS = ['guild'] as const
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
  before: z.nullable(guildFace),
  after: guildFace,
})
export type GuildReview = Out<typeof guildReview>

/** A case of any kind. */
export const review = z.discriminatedUnion('kind', [guildReview])
export type Review = Out<typeof review>

const anchor = z.optional(int(1))

/** The cases that wait, the oldest first, those after `after`; or those that were decided, the newest first, those before `before`. */
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

/** Passes or rejects. A rejection has a reason, which the owner reads. */
export const decideReview = route({
  method: 'POST',
  path: '/api/v3/staff/review-decide',
  dialect: 'v3',
  who: 'staff',
  right: 'review',
  input: z.object({ ...one, pass: flag(), reason: z._default(text(REVIEW_REASON_MAX), '') }),
  answer: nothing,
  fails: ['review.unknown', 'review.decided'],
})
