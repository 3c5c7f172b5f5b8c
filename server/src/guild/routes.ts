/** The calls of guilds. */
import {
  deleteGuild as deleteGuildRoute,
  listDeletedGuilds,
  restoreGuild as restoreGuildRoute,
} from '@guildhall/wire/guild/deletion.ts'
import { listGuilds as listGuildsRoute } from '@guildhall/wire/guild/guild.ts'
import { listGuildsV3 as listGuildsV3Route } from '@guildhall/wire/guild/publicGuild.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { deletedGuilds, deleteGuild, listGuilds, listGuildsV3, restoreOwnGuild, spellingOf } from './guild.ts'
import type { GuildMembers } from './members.ts'

/**
 * `viewGuild` is bound by `channel`, which reads the channel tree of its answer, and what concerns members by
 * `member`.
 */
export const guildRoutes = ({ live, members }: { live: Live; members: GuildMembers }): Binding[] => [
  bindUser(listGuildsRoute, async ({ caller }) =>
    (await listGuilds(live.db, caller.userId)).map((it) => ({ ...it, spelling: spellingOf(it.name) })),
  ),
  bindUser(listGuildsV3Route, ({ caller }, { page, page_size, sort }) =>
    listGuildsV3(live.db, caller.userId, { page, size: page_size, sort }),
  ),
  bindUser(deleteGuildRoute, async ({ caller }, { guild_id }) => {
    await deleteGuild(live, caller.userId, guild_id)
    return {}
  }),
  bindUser(listDeletedGuilds, async ({ caller }) => ({ items: await deletedGuilds(live.db, caller.userId) })),
  bindUser(restoreGuildRoute, async ({ caller }, { guild_id }) => {
    await restoreOwnGuild(live, caller.userId, guild_id)
    await members.notifyRestored(live, guild_id)
    return {}
  }),
]
