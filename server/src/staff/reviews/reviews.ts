/**
 * The console's section of reviews: what waits, what was decided, and the decision on a guild's change.
 * `held.ts` decides on messages.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  type GuildReview,
  type listReviews,
  REVIEW_STATES,
  REVIEWS_PAGE,
  type Review,
  type viewReview,
} from '@guildhall/wire/staff/reviews.ts'
import { promisedBy } from '@guildhall/wire/staff/workingTime.ts'
import type { ChatContext } from '../../chat/chat.ts'
import type { Db } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import {
  type CaseRow,
  caseById,
  decidedCases,
  guildProfileOf,
  profileOfCase,
  waitingCases,
} from '../../profile/profile.ts'
import { decide } from '../../review/review.ts'
import { decidedHeld, heldById, heldReviewsOf, waitingHeld } from '../../screening/screening.ts'
import { identitiesOf } from '../../user/user.ts'
import { record, type StaffActor } from '../staffAction.ts'

type ReadFrom = Pick<ChatContext, 'db' | 'publicUrl' | 'addresses'>

export async function readReviews(
  appContext: ReadFrom,
  { kind, state, after, before }: InputOf<typeof listReviews>,
): Promise<AnswerOf<typeof listReviews>> {
  const { db } = appContext
  const limit = REVIEWS_PAGE + 1
  const isWaiting = state === 'waiting'
  if (kind === 'message') {
    const found = await (isWaiting ? waitingHeld(db, limit, after) : decidedHeld(db, limit, before))
    return {
      items: await heldReviewsOf(appContext, found.slice(0, REVIEWS_PAGE)),
      has_more: found.length === limit,
    }
  }
  const found = await (isWaiting ? waitingCases(db, limit, after) : decidedCases(db, limit, before))
  return { items: await reviewsOf(db, found.slice(0, REVIEWS_PAGE)), has_more: found.length === limit }
}

/** @throws Failure review.unknown */
export async function readReview(appContext: ReadFrom, input: InputOf<typeof viewReview>): Promise<Review> {
  const id = String(input.id)
  if (input.kind === 'message') {
    const held = await heldById(appContext.db, id)
    if (!held) throw fail('review.unknown')
    return (await heldReviewsOf(appContext, [held]))[0]!
  }
  const found = await caseById(appContext.db, id)
  if (!found) throw fail('review.unknown')
  return (await reviewsOf(appContext.db, [found]))[0]!
}

async function reviewsOf(db: Db, found: readonly CaseRow[]): Promise<GuildReview[]> {
  const people = await identitiesOf(
    db,
    found.flatMap(({ user_id, decided_by }) => [user_id, ...personOf(decided_by)]),
  )
  const nameOf = (id: string) => people.get(id as UserId)?.username ?? ''
  return Promise.all(
    found.map(async (it): Promise<GuildReview> => {
      const guild = await guildProfileOf(db, it.guild_id)
      const now = guild && { name: guild.name, icon: guild.icon, desc: guild.desc, banner: guild.banner }
      const state = REVIEW_STATES[it.status] ?? 'withdrawn'
      return {
        kind: 'guild',
        id: it.id,
        user_id: it.user_id,
        user_name: nameOf(it.user_id),
        created_at: it.created_at,
        promised_by: promisedBy(it.created_at),
        state,
        reason: it.reason,
        decided_at: it.decided_at,
        decided_by: it.decided_by ?? '',
        decided_by_name: nameOf(it.decided_by ?? ''),
        guild_id: it.guild_id,
        guild_name: guild?.name ?? it.name,
        before: state === 'waiting' ? now : it.before,
        after: profileOfCase(it),
      }
    }),
  )
}

/** Of who decided: an id, or `operator`, or nobody. */
const personOf = (by: string | null): UserId[] => (by !== null && /^\d+$/.test(by) ? [by as UserId] : [])

/**
 * Decides on a change of a guild and records it, with how the guild looked and how it would look.
 * @throws Failure review.unknown, review.decided, bad_input (a rejection without a reason)
 */
export async function decideReview(
  appContext: AppContext,
  by: StaffActor,
  input: { readonly id: string; readonly isPassed: boolean; readonly reason: string },
): Promise<CaseRow> {
  const { reason } = input
  if (!input.isPassed && reason === '') throw fail('bad_input', { fields: ['reason'] })
  return decide(appContext, input.id, { isPassed: input.isPassed, reason, by: by.actor }, (tx, decided) =>
    record(tx, by, 'review decide', {
      userId: decided.user_id,
      target: decided.guild_id,
      detail: {
        review: decided.id,
        outcome: input.isPassed ? 'passed' : 'rejected',
        reason,
        before: decided.before,
        after: profileOfCase(decided),
      },
    }),
  )
}
