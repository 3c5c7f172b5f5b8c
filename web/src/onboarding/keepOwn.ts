import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'

/** Shows what a call answered of the reader in a guild, before the guild is asked for again. */
export const keepOwn = (id: GuildId, own: Partial<Guild['user_config']>): void =>
  void cache.setQueryData<Guild>(
    queryKeyOf(viewGuild, { id }),
    (guild) =>
      guild && {
        ...guild,
        my_roles: own.role_ids ?? guild.my_roles,
        user_config: { ...guild.user_config, ...own },
      },
  )
