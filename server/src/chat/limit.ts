/**
 * How many people somebody may write to who have never answered. How many messages each of them gets before
 * an answer is `UNANSWERED_MAX` of `wire/src/chat/chat.ts`, which pages say.
 */
import { DAY_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimit.ts'

/** New conversations that a person begins by a message. */
export const STRANGERS_PER_PERSON: RateLimit = { name: 'strangers by person', most: 30, windowMs: DAY_MS }
