/** The decision of staff on a held message. */
import { fail } from '@guildhall/wire/failure.ts'
import { type DecideDeps, decide } from '../screening/screening.ts'
import { record, type StaffActor } from './staffAction.ts'

/**
 * @throws Failure bad_input (a rejection without a reason), review.unknown, review.decided,
 *   content.author_cannot, and as sends do
 */
export async function decideHeld(
  deps: DecideDeps,
  by: StaffActor,
  input: { readonly id: string; readonly isPassed: boolean; readonly reason: string },
): Promise<void> {
  const { reason } = input
  if (!input.isPassed && reason === '') throw fail('bad_input', { fields: ['reason'] })
  await decide(deps, { ...input, reason, by: by.actor }, (tx, row) =>
    record(tx, by, input.isPassed ? 'held pass' : 'held reject', {
      userId: row.author_id,
      target: row.id,
      detail: { conversation: row.conversation, why: row.why, reason },
    }),
  )
}
