/** How often somebody may make bots and what belongs to them. */
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimitDatabase.ts'

export const BOTS_PER_PERSON: RateLimit = { name: 'bots made by person', most: 30, windowMs: DAY_MS }
export const BOT_TOKENS_PER_PERSON: RateLimit = { name: 'bot tokens by person', most: 30, windowMs: HOUR_MS }
export const BOT_CHANGES_PER_PERSON: RateLimit = {
  name: 'bot changes by person',
  most: 60,
  windowMs: HOUR_MS,
}
