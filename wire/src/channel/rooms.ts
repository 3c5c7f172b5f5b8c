/** The rooms of all guilds of a person, for a search by name. Ours. */
import { channelId, guildId } from '../id.ts'
import { route } from '../route.ts'
import { z } from '../schema.ts'

/** The text channels of all of the caller's guilds that they may view; by guild. */
export const listRooms = route({
  method: 'GET',
  path: '/api/v2/rooms',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.array(
    z.object({
      id: channelId,
      guild_id: guildId,
      name: z.string(),
      /** The pinyin of the name, for searches; empty without Chinese characters. */
      spelling: z.string(),
    }),
  ),
  fails: [],
})
