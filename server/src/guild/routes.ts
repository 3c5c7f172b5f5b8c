/** The calls of guilds. */
import {
  deleteGuild as deleteGuildRoute,
  listDeletedGuilds,
  restoreGuild as restoreGuildRoute,
} from '@guildhall/wire/guild/deletion.ts'
import { listGuilds as listGuildsRoute } from '@guildhall/wire/guild/guild.ts'
import { listGuildsV3 as listGuildsV3Route } from '@guildhall/wire/guild/publicGuild.ts'
import {
  acceptTransfer as acceptTransferRoute,
  cancelTransfer as cancelTransferRoute,
  offerGuild as offerGuildRoute,
  viewTransfer,
} from '@guildhall/wire/guild/transfer.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import {
  acceptTransfer,
  cancelTransfer,
  deletedGuilds,
  deleteGuild,
  listGuilds,
  listGuildsV3,
  offerGuild,
  restoreOwnGuild,
  spellingOf,
  transferOf,
} from './guild.ts'
import type { GuildMembers } from './members.ts'
import type { TransferDeps } from './owner/transfer.ts'

/**
 * `viewGuild` is bound by `channel`, which reads the channel tree of its answer, and what concerns members by
 * `member`.
 */
export const guildRoutes = ({
  appContext,
  members,
  notify,
}: TransferDeps & { members: GuildMembers }): Binding[] => [
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
  bindUser(viewTransfer, async ({ caller }, { guild_id }) => ({
    transfer: await transferOf(appContext, caller.userId, guild_id),
  })),
  bindUser(offerGuildRoute, async ({ caller }, { guild_id, user_id }) => ({
    transfer: await offerGuild({ appContext, notify }, caller.userId, { guildId: guild_id, userId: user_id }),
  })),
  bindUser(acceptTransferRoute, async ({ caller }, { guild_id }) => {
    await acceptTransfer({ appContext, notify }, caller.userId, guild_id)
    return {}
  }),
  bindUser(cancelTransferRoute, async ({ caller }, { guild_id }) => {
    await cancelTransfer({ appContext, notify }, caller.userId, guild_id)
    return {}
  }),
]
