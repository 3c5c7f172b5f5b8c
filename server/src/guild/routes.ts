/** The calls of guilds. */
import { listGuilds as listGuildsRoute, viewUser as viewUserRoute } from '@guildhall/wire/guild/guild.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { listGuilds, viewUser } from './guild.ts'

/** `viewGuild` is bound by `channel`, which reads the channel tree of its answer. */
export const guildRoutes = ({ live }: { live: Live }): Binding[] => [
  bindUser(listGuildsRoute, ({ caller }) => listGuilds(live.db, caller.userId)),
  bindUser(viewUserRoute, ({ caller }, { user_id, guild_id }) =>
    viewUser(live, caller.userId, { userId: user_id, guildId: guild_id }),
  ),
]
