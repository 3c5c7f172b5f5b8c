/** How often somebody may ask for an invite, or a user's code, that does not exist. */
import { Failure } from '@guildhall/wire/failure.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Limits, RateLimit } from '../kit/rateLimit.ts'

/** Codes that do not exist, from one place. */
const GUESSES_PER_PLACE: RateLimit = { name: 'invite guesses by place', most: 60, windowMs: 10 * MINUTE_MS }

const UNKNOWN: ReadonlySet<string> = new Set(['invite.invalid', 'referral.invalid'])

/**
 * Looks an invite up, and counts it when there is none: existing invites may be opened as often as people like.
 * @throws Failure too_many, and what `look` throws
 */
export const limitGuesses = <T>(limits: Limits, place: string, look: () => Promise<T>): Promise<T> =>
  limits.guess(
    GUESSES_PER_PLACE,
    place,
    look,
    (error) => error instanceof Failure && UNKNOWN.has(error.failure),
  )
