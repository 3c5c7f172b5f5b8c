/** The members of a guild for clients of the public protocol and for who looks after it. protocol.md §4.1. */
import { channelId, guildId, roleId, userId } from '../id.ts'
import { pageInput } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, text, z } from '../schema.ts'
import { member } from './member.ts'

/** As far back as members are asked for by time, days. */
const DAYS_MAX = 3_650

/**
 * Members of a guild, for clients of the public protocol. `online_count` leaves out members of hoisted roles.
 * protocol.md §4.1.
 */
export const userList = route({
  method: 'GET',
  path: '/api/v3/guild/user-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    channel_id: z.optional(channelId),
    search: z.optional(text(100)),
    role_id: z.optional(roleId),
    mobile_verified: z.optional(int(0, 1)),
    /** 0: whoever was active last comes last; 1: first. */
    active_time: z.optional(int(0, 1)),
    /** 0: whoever joined last comes last; 1: first. */
    joined_at: z.optional(int(0, 1)),
    filter_user_id: z.optional(userId),
    /** Who joined in the last so many days. Ours. */
    joined_days: z.optional(int(1, DAYS_MAX)),
    /** People, no bots, who joined before the last so many days and were not seen in them. Ours. */
    silent_days: z.optional(int(1, DAYS_MAX)),
    /** 1: who is muted in any way, 0: nobody who is. Needs bit 24 or 25. Ours. */
    muted: z.optional(int(0, 1)),
    ...pageInput,
  }),
  answer: z.object({
    items: z.array(z.looseObject(member.shape)),
    meta: z.object({
      page: z.number(),
      page_total: z.number(),
      page_size: z.number(),
      total: z.number(),
    }),
    sort: nothing,
    user_count: z.number(),
    online_count: z.number(),
    offline_count: z.number(),
  }),
  fails: ['guild.not_member', 'forbidden', 'member.no_right'],
})
