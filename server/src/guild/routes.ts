/** The calls of guilds. */
import { listGuilds as listGuildsRoute } from '@guildhall/wire/guild/guild.ts'
import type { Db } from '../kit/db.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { listGuilds } from './guild.ts'

/** `viewGuild` is bound by `channel`, which reads the channel tree of its answer. */
export const guildRoutes = ({ db }: { db: Db }): Binding[] => [
  bindUser(listGuildsRoute, ({ caller }) => listGuilds(db, caller.userId)),
]
