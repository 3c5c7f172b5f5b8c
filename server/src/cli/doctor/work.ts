/** Background work, and what waits for people. */
import { promisedBy } from '@guildhall/wire/staff/workingTime.ts'
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import type { QueueState } from '../../kit/jobs.ts'
import { listCases } from '../../review/review.ts'
import { waitingHeld } from '../../screening/screening.ts'
import { bad, type Finding, orFine, warn } from './finding.ts'

/** A job that could run and does not for so long shows that nobody works. */
const LATE_MS = 15 * MINUTE_MS
const READ = 200

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

const WAITING = { changes: 'changes of guilds', messages: 'held messages' } as const

export const checkReviews = async (db: Db): Promise<Finding[]> =>
  lateReviews({ changes: await listCases(db), messages: await waitingHeld(db, READ) }, clock.now())

/** What waits for staff, the oldest first, for longer than a working day. commerce.md §4. */
export function lateReviews(
  waiting: { readonly [What in keyof typeof WAITING]: readonly { readonly created_at: number }[] },
  now: number,
): Finding[] {
  const found = Object.entries(waiting).flatMap(([what, cases]): Finding[] => {
    const late = cases.filter(({ created_at }) => promisedBy(created_at) < now)
    const [oldest] = late
    if (!oldest) return []
    const hours = Math.floor((now - oldest.created_at) / HOUR_MS)
    return [
      warn(
        'reviews',
        `${late.length} ${WAITING[what as keyof typeof WAITING]} wait for longer than promised, the oldest for ${hours} hours.`,
        'Decide them at /staff/reviews; a working day was promised.',
      ),
    ]
  })
  return orFine('reviews', 'none waits for longer than a working day', found)
}
