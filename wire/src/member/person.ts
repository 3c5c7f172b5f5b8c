/** What the card of a person says besides who they are. */
import { guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { user } from '../user/shown.ts'

/** Guilds, and friends, that the card of a person names; it counts them all. */
export const COMMON_MAX = 100

const commonGuild = z.object({ id: guildId, name: z.string(), icon: z.string() })
export type CommonGuild = Out<typeof commonGuild>

/**
 * What the caller and another person have in common, and what the caller noted of them. Friends are named to
 * who shares a guild with the person or is their friend; while one blocks the other there are none. Ours.
 */
export const viewPerson = route({
  method: 'GET',
  path: '/api/v3/person/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ user_id: userId }),
  answer: z.object({
    /** Empty: nothing. */
    note: z.string(),
    /** By their names. `total`: how many there are. */
    guilds: z.object({ total: z.number(), items: z.array(commonGuild) }),
    friends: z.object({ total: z.number(), items: z.array(user) }),
  }),
  fails: ['user.unknown'],
})
export type PersonView = Out<typeof viewPerson.answer>
