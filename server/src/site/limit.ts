/** How many errors of pages are taken, and how many are kept. */
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimit.ts'

/** Further ones of a network are refused. */
export const REPORTS_PER_NETWORK: RateLimit = {
  name: 'client errors by place',
  most: 60,
  windowMs: 10 * MINUTE_MS,
}
/** Further ones are counted, not stored. */
export const STORED_PER_SIGNATURE: RateLimit = {
  name: 'client errors by signature',
  most: 20,
  windowMs: HOUR_MS,
}
export const STORED: RateLimit = { name: 'client errors', most: 1_000, windowMs: HOUR_MS }
/** The newest stay. */
export const CLIENT_ERRORS_MAX = 10_000
