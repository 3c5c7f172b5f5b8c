/** What the page tells of itself: its errors. chat.md §7 and §8. */
import { createHash } from 'node:crypto'
import { Failure } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { ClientError } from '@guildhall/wire/site/clientLog.ts'
import { scrubLocation, scrubMessage, scrubName, scrubStack } from '@guildhall/wire/site/scrub.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import type { ClientErrorMetrics } from '../kit/metrics/people.ts'
import { CLIENT_ERRORS_MAX, REPORTS_PER_NETWORK, STORED, STORED_PER_SIGNATURE } from './limit.ts'
import * as rows from './sql.ts'

export { dresserOf } from './face/dress.ts'
export { NO_FACE, readSiteFace, type SiteFace } from './face/folder.ts'
export { nameSite } from './face/name.ts'
export { trustedTarget } from './trustedSites.ts'

export interface ClientLogDeps {
  readonly db: Db
  readonly limits: Limits
  readonly metrics: ClientErrorMetrics
}

/** Names of errors that are counted by themselves: a client writes what it likes, and labels must be few. */
const COUNTED: ReadonlySet<string> = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'AggregateError',
  'NonError',
  'QuotaExceededError',
  'InvalidStateError',
  'NotFoundError',
  'NotAllowedError',
  'SecurityError',
  'bad_answer',
])

/**
 * Counts an error of a page and stores it, scrubbed. Of equal ones twenty an hour are stored, of all a
 * thousand.
 * @throws Failure too_many for a network that reports more than sixty in ten minutes
 */
export async function recordClientError(
  { db, limits, metrics }: ClientLogDeps,
  input: ClientError,
  from: { readonly userId: UserId | null; readonly network: string },
): Promise<void> {
  await limits.use(REPORTS_PER_NETWORK, from.network)
  const { error, filename } = input.errorEvent
  const name = scrubName(error.name)
  metrics.counted(COUNTED.has(name) ? name : 'other')
  const message = scrubMessage(error.message)
  const stack = scrubStack(error.stack)
  const signature = createHash('sha256')
    .update(`${name}\n${message}\n${stack.split('\n')[0]}`)
    .digest('hex')
    .slice(0, 16)
  if (!(await isLeft(limits, STORED_PER_SIGNATURE, signature)) || !(await isLeft(limits, STORED, ''))) return
  const location = scrubLocation(input.location)
  const scrubbed = { name, message, stack, signature, location, filename: scrubLocation(filename) }
  await rows.addError(db, { ...scrubbed, userId: from.userId }, clock.now())
}

const isLeft = (limits: Limits, limit: RateLimit, key: string): Promise<boolean> =>
  limits.use(limit, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.failure === 'too_many') return false
      throw error
    },
  )

/** The errors that pages reported, and equal ones counted; `since` is ms. */
export const listClientErrors = rows.listErrors
export const countClientErrors = rows.countErrors

/** Deletes errors older than `keptMs`, and all but the newest ten thousand. */
export const trimClientErrors = (db: Db, keptMs: number): Promise<void> =>
  rows.trimErrors(db, clock.now() - keptMs, CLIENT_ERRORS_MAX)
