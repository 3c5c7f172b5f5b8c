/** The calls of guilds. */
import {
  deleteGuild as deleteGuildRoute,
  listDeletedGuilds,
  restoreGuild as restoreGuildRoute,
} from '@guildhall/wire/guild/deletion.ts'
import { listGuilds as listGuildsRoute } from '@guildhall/wire/guild/guild.ts'
import { listGuildsV3 as listGuildsV3Route } from '@guildhall/wire/guild/publicGuild.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { deletedGuilds, deleteGuild, listGuilds, listGuildsV3, restoreOwnGuild, spellingOf } from './guild.ts'
import type { GuildMembers } from './members.ts'

/**
 * `viewGuild` is bound by `channel`, which reads the channel tree of its answer, and what concerns members by
 * `member`.
 */
export const guildRoutes = ({
  appContext,
  members,
}: {
  appContext: AppContext
  members: GuildMembers
}): Binding[] => [
  bindUser(listGuildsRoute, async ({ caller }) =>
    (await listGuilds(appContext.db, caller.userId)).map((it) => ({ ...it, spelling: spellingOf(it.name) })),
  ),
  bindUser(listGuildsV3Route, ({ caller }, { page, page_size, sort }) =>
    listGuildsV3(appContext.db, caller.userId, { page, size: page_size, sort }),
  ),
  bindUser(deleteGuildRoute, async ({ caller }, { guild_id }) => {
    await deleteGuild(appContext, caller.userId, guild_id)
    return {}
  }),
  bindUser(listDeletedGuilds, async ({ caller }) => ({
    items: await deletedGuilds(appContext.db, caller.userId),
  })),
  bindUser(restoreGuildRoute, async ({ caller }, { guild_id }) => {
    await restoreOwnGuild(appContext, caller.userId, guild_id)
    await members.notifyRestored(appContext, guild_id)
    return {}
  }),
]
