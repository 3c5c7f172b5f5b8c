/** How often a person may send. Bots have the windows of the public protocol instead. */
import { GUILD_FILES_MB_PER_DAY } from '@guildhall/wire/asset/asset.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { waitsInSlowMode } from '@guildhall/wire/message/slowMode.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import type { ChannelAccess } from '../channel/channel.ts'
import type { Db } from '../kit/database/db.ts'
import type { Caller } from '../kit/http/binding.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import { consumeAttempt, windowLeftMs } from '../kit/limits/rateLimitDatabase.ts'

export const SENDS_PER_CHANNEL: RateLimit = { name: 'sends by channel', most: 20, windowMs: 10 * SECOND_MS }
/** To channels and people together. */
export const SENDS_PER_PERSON: RateLimit = { name: 'sends by person', most: 40, windowMs: 10 * SECOND_MS }
export const CLICKS_PER_PERSON: RateLimit = { name: 'button by person', most: 60, windowMs: MINUTE_MS }
/** New files in the messages of a guild, in KB. */
export const FILES_PER_GUILD: RateLimit = {
  name: 'file KB by guild',
  most: GUILD_FILES_MB_PER_DAY * 1024,
  windowMs: DAY_MS,
}

/**
 * Counts a message to a channel or a conversation.
 * @throws Failure too_many
 */
export async function limitSends(limits: Limits, caller: Caller, conversationId: string): Promise<void> {
  if (caller.isBot) return
  await limits.use(SENDS_PER_PERSON, caller.userId)
  await limits.use(SENDS_PER_CHANNEL, `${caller.userId} ${conversationId}`)
}

const SLOW_MODE = 'message in slow mode'

/**
 * Counts a message of a person in a channel with slow mode; how long they have to wait, ms, and then it is
 * not counted. Bots, and those who manage the channel or its messages, do not wait. protocol.md §4.5.
 */
export async function slowModeWaitMs(
  db: Db,
  userId: UserId,
  { channel, permissions, isBot }: ChannelAccess,
): Promise<number> {
  if (channel.slow_mode === 0 || isBot || !waitsInSlowMode(permissions)) return 0
  const limit = { name: SLOW_MODE, most: 1, windowMs: channel.slow_mode }
  const key = `${channel.id} ${userId}`
  if (await consumeAttempt(db, limit, key)) return 0
  return Math.max(1, await windowLeftMs(db, limit, key))
}
