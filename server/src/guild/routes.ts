/** The calls of guilds. */
import {
  leaveGuild as leaveGuildRoute,
  listGuilds as listGuildsRoute,
  listTeam as listTeamRoute,
  viewUser as viewUserRoute,
} from '@guildhall/wire/guild/guild.ts'
import { listGuildsV3 as listGuildsV3Route } from '@guildhall/wire/guild/publicGuild.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { leaveGuild, listGuilds, listGuildsV3, listTeam, spellingOf, viewUser } from './guild.ts'

/** `viewGuild` is bound by `channel`, which reads the channel tree of its answer. */
export const guildRoutes = ({ live }: { live: Live }): Binding[] => [
  bindUser(listGuildsRoute, async ({ caller }) =>
    (await listGuilds(live.db, caller.userId)).map((it) => ({ ...it, spelling: spellingOf(it.name) })),
  ),
  bindUser(listGuildsV3Route, ({ caller }, { page, page_size, sort }) =>
    listGuildsV3(live.db, caller.userId, { page, size: page_size, sort }),
  ),
  bindUser(leaveGuildRoute, async ({ caller }, { guild_id }) => {
    await leaveGuild(live, caller.userId, guild_id)
    return {}
  }),
  bindUser(listTeamRoute, ({ caller }, { guild_id }) => listTeam(live, caller.userId, guild_id)),
  bindUser(viewUserRoute, ({ caller }, { user_id, guild_id }) =>
    viewUser(live, caller.userId, { userId: user_id, guildId: guild_id }),
  ),
]
