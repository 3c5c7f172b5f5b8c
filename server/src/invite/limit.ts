/** How often somebody may ask for an invite, or a user's code, that does not exist. */
import { Failure } from '@guildhall/wire/failure.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Db } from '../kit/database/db.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import { refuseUsedUp, useAttempt } from '../kit/limits/rateLimitDatabase.ts'

/** Codes that do not exist, from one network. */
const GUESSES_PER_NETWORK: RateLimit = { name: 'invite guesses by place', most: 60, windowMs: 10 * MINUTE_MS }

const UNKNOWN: ReadonlySet<string> = new Set(['invite.invalid', 'referral.invalid'])

/** Where guesses are counted: `limits` without a query, `db` for all nodes and across restarts. */
export interface GuessCounts {
  readonly limits: Limits
  readonly db: Db
}

/**
 * Looks an invite up, and counts it when there is none: existing invites may be opened as often as people
 * like, and cost one query when nobody of the network opened one lately. Not to be called within a
 * transaction, which would keep its connection while another one is waited for.
 * @throws Failure too_many, and what `look` throws
 */
export const limitGuesses = <T>(
  { limits, db }: GuessCounts,
  network: string,
  look: () => Promise<T>,
): Promise<T> =>
  limits.guess(GUESSES_PER_NETWORK, network, look, {
    isWrong: (error) => error instanceof Failure && UNKNOWN.has(error.failure),
    store: {
      count: (limit, key) => useAttempt(db, limit, key),
      refuseUsedUp: (limit, key) => refuseUsedUp(db, limit, key),
    },
  })
