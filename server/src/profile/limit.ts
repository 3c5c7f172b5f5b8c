/** How often the map of the site is made, and recommended guilds are read by guests. */
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimit.ts'

/** A map costs one query of up to 50 000 rows; search engines ask for it a few times a day. */
export const SITE_MAPS_PER_NETWORK: RateLimit = {
  name: 'site maps by network',
  most: 30,
  windowMs: 10 * MINUTE_MS,
}

/** The answer is kept for seconds: what is limited are robots that copy it. */
export const PUBLIC_READS_PER_NETWORK: RateLimit = {
  name: 'recommended guilds read by guests, by network',
  most: 120,
  windowMs: 10 * MINUTE_MS,
}
