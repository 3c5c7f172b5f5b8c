/** How often a person may send. Bots have the windows of the public protocol instead. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Caller } from '../kit/http/binding.ts'
import type { Limits, RateLimit } from '../kit/rateLimit.ts'

export const SENDS_PER_CHANNEL: RateLimit = { name: 'sends by channel', most: 20, windowMs: 10 * SECOND_MS }
/** To channels and people together. */
export const SENDS_PER_PERSON: RateLimit = { name: 'sends by person', most: 40, windowMs: 10 * SECOND_MS }

/**
 * Counts a message to a channel or a conversation.
 * @throws Failure too_many
 */
export async function limitSends(limits: Limits, caller: Caller, conversationId: string): Promise<void> {
  if (caller.isBot) return
  await limits.use(SENDS_PER_PERSON, caller.userId)
  await limits.use(SENDS_PER_CHANNEL, `${caller.userId} ${conversationId}`)
}
