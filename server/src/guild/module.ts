/** What the server has of guilds: their calls and badge. */
import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { guildBadge } from './guild.ts'
import type { GuildMembers } from './members.ts'
import { guildRoutes } from './routes.ts'

export const guildModule = ({ appContext }: ModuleContext, members: GuildMembers): Module => ({
  routes: guildRoutes({ appContext, members }),
  endpoints: fileEndpoints(['/api/v3/badge/guild'], (_path, query) => guildBadge(appContext, members, query)),
})
