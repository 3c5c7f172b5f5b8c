/** Money, background work, and what waits for people. */
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { faultsOfMoney } from '../../app/payments.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/db.ts'
import type { QueueState } from '../../kit/jobs.ts'
import { differencesOf } from '../../pay/reconcile.ts'
import { listCases } from '../../review/review.ts'
import { bad, type Finding, orFine, warn } from './finding.ts'

const SHOWN = 5
/** A job that could run and does not for so long shows that nobody works. */
const LATE_MS = 15 * MINUTE_MS
/** Within one working day. commerce.md §4. */
const REVIEW_HOURS = 24

export async function checkLedger(db: Db): Promise<Finding[]> {
  const [faults, differences] = await Promise.all([faultsOfMoney(db), differencesOf(db, SHOWN)])
  return orFine('ledger', 'it balances, and agrees with orders, payments and grants', [
    ...faults
      .slice(0, SHOWN)
      .map((line) => bad('ledger', line, 'npm run -s cli -- ledger check; see docs/payments.md.')),
    ...differences.map((it) =>
      warn(
        'reconciliation',
        `${it.way} ${it.day}: ${it.kind} ${it.trade_no}`,
        'npm run -s cli -- ledger differences; see docs/payments.md.',
      ),
    ),
  ])
}

export function checkQueues(queues: readonly QueueState[]): Finding[] {
  const now = clock.now()
  const found = queues.flatMap(({ name, failed, oldest, queued }): Finding[] => [
    ...(failed > 0
      ? [
          warn(
            'background work',
            `${failed} jobs of ${name} failed for good.`,
            'npm run -s cli -- jobs list, then jobs retry.',
          ),
        ]
      : []),
    ...(oldest !== null && now - oldest > LATE_MS
      ? [
          bad(
            'background work',
            `${queued} jobs of ${name} wait, the oldest for ${Math.floor((now - oldest) / MINUTE_MS)} minutes.`,
            'See whether a server runs and what its log says of this job.',
          ),
        ]
      : []),
  ])
  return orFine('background work', `no job waits or failed (${queues.length} kinds)`, found)
}

export async function checkReviews(db: Db): Promise<Finding[]> {
  const late = (await listCases(db)).filter(({ waits_hours }) => waits_hours >= REVIEW_HOURS)
  const oldest = late[0]
  return orFine(
    'reviews',
    'none waits for longer than a day',
    oldest
      ? [
          warn(
            'reviews',
            `${late.length} wait for over ${REVIEW_HOURS} hours, the oldest for ${oldest.waits_hours}.`,
            'Decide them at /staff/reviews; a working day was promised.',
          ),
        ]
      : [],
  )
}
