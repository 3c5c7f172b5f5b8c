/** How a guild grows, by day of Beijing, from counts that are kept. Ours. */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, z } from '../schema.ts'

/** How many days are looked at together. */
export const GROWTH_RANGES = [7, 30, 90] as const
const DAYS_MAX = 90

export const growthDay = z.object({
  /** `YYYY-MM-DD`, of Beijing. */
  day: z.string(),
  /** Members who joined, and who left or were removed. */
  joins: z.number(),
  leaves: z.number(),
  /** People who wrote. */
  active: z.number(),
  /** Messages that were sent, those of bots and those deleted since included. */
  messages: z.number(),
})
export type GrowthDay = Out<typeof growthDay>

/**
 * The last `days` days with today as the last one, and as many before them, the oldest first. For members who
 * manage the guild.
 */
export const viewGrowth = route({
  method: 'GET',
  path: '/api/v3/guild/growth',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, days: z._default(int(1, DAYS_MAX), 30) }),
  answer: z.object({
    days: z.array(growthDay),
    before: z.array(growthDay),
    /** Members there are now. */
    members: z.number(),
    /** Channels that the caller may view and in which somebody wrote, the liveliest first. */
    channels: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Messages of each of `days`. */
        messages: z.array(z.number()),
      }),
    ),
    /** Invites by which somebody joined in these days, the best first. */
    invites: z.array(
      z.object({
        code: z.string(),
        /** Who made it; empty: their account is gone. */
        username: z.string(),
        joins: z.number(),
      }),
    ),
    /** Messages up to here are counted, ms; 0: not yet. */
    counted_until: z.number(),
  }),
  fails: ['forbidden', 'member.no_right'],
})
