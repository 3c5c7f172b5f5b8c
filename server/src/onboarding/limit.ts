/** How often members choose roles themselves. */
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimitDatabase.ts'

/** Each choice is told to the guild; who chooses in a loop would fill it with events. */
export const CHOICES: RateLimit = { name: 'roles chosen by person and guild', most: 100, windowMs: HOUR_MS }
