/** How much one person reports. */
import { DAY_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimitDatabase.ts'

/** Reports that count; a second one of the same does not. */
export const REPORTS_PER_PERSON: RateLimit = { name: 'reports by person', most: 30, windowMs: DAY_MS }
