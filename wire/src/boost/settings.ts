import { route } from '../route.ts'
import { z } from '../schema.ts'
import { guildRights, guildRightsView } from './levels.ts'

const answer = z.object({ guild_rights: z.array(guildRights), guild_rights_view: z.array(guildRightsView) })

/**
 * Settings that are the same for everybody: the levels of guilds and their rights. chat.md §7, commerce.md
 * §3.
 */
export const settings = route({
  method: 'GET',
  path: '/api/v3/user/settings',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer,
  fails: [],
})

/** The same in the older dialect. */
export const settingsV2 = route({
  method: 'GET',
  path: '/api/v2/user/settings',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer,
  fails: [],
})
