/** Held messages as staff decide on them. */
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { listHeld as listHeldRoute } from '@guildhall/wire/staff/held.ts'
import { type DecideDeps, decide, waitingHeld } from '../screening/screening.ts'
import { type By, record } from './act.ts'

/** What waits, the oldest first, those after an id. */
export async function listHeld(
  { live }: Pick<DecideDeps, 'live'>,
  after: number | undefined,
): Promise<AnswerOf<typeof listHeldRoute>> {
  const { items, hasMore } = await waitingHeld(live, after ?? 0)
  return { items, has_more: hasMore }
}

/** @throws Failure review.unknown, review.decided, content.author_cannot, and as sends do */
export const decideHeld = (
  deps: DecideDeps,
  by: By,
  it: { readonly id: string; readonly isPassed: boolean; readonly reason: string },
): Promise<void> =>
  decide(deps, { ...it, by: by.actor }, (tx, row) =>
    record(tx, by, it.isPassed ? 'held pass' : 'held reject', {
      userId: row.author_id,
      target: row.id,
      detail: { conversation: row.conversation, why: row.why, reason: it.reason },
    }),
  )
