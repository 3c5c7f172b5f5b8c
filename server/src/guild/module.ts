/** What the server has of guilds: their calls and badge. */
import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { AppContext, Module } from '../kit/module.ts'
import { guildBadge } from './guild.ts'
import type { GuildMembers } from './members.ts'
import { guildRoutes } from './routes.ts'

export const guildModule = ({ live }: AppContext, members: GuildMembers): Module => ({
  routes: guildRoutes({ live, members }),
  endpoints: fileEndpoints(['/api/v3/badge/guild'], (_path, query) => guildBadge(live, members, query)),
})
