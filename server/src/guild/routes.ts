/** The calls of guilds. */
import {
  deleteGuild as deleteGuildRoute,
  listDeletedGuilds,
  restoreGuild as restoreGuildRoute,
} from '@guildhall/wire/guild/deletion.ts'
import {
  leaveGuild as leaveGuildRoute,
  listGuilds as listGuildsRoute,
  listTeam as listTeamRoute,
  viewUser as viewUserRoute,
} from '@guildhall/wire/guild/guild.ts'
import { listGuildsV3 as listGuildsV3Route } from '@guildhall/wire/guild/publicGuild.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import {
  deletedGuilds,
  deleteGuild,
  leaveGuild,
  listGuilds,
  listGuildsV3,
  listTeam,
  restoreOwnGuild,
  spellingOf,
  viewUser,
} from './guild.ts'

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
  bindUser(deleteGuildRoute, async ({ caller }, { guild_id }) => {
    await deleteGuild(live, caller.userId, guild_id)
    return {}
  }),
  bindUser(listDeletedGuilds, async ({ caller }) => ({ items: await deletedGuilds(live.db, caller.userId) })),
  bindUser(restoreGuildRoute, async ({ caller }, { guild_id }) => {
    await restoreOwnGuild(live, caller.userId, guild_id)
    return {}
  }),
  bindUser(listTeamRoute, ({ caller }, { guild_id }) => listTeam(live, caller.userId, guild_id)),
  bindUser(viewUserRoute, ({ caller }, { user_id, guild_id }) =>
    viewUser(live, caller.userId, { userId: user_id, guildId: guild_id }),
  ),
]
