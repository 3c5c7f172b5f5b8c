/** What the server has of guilds: their calls and badge. */
import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { guildBadge } from './guild.ts'
import type { GuildMembers } from './members.ts'
import type { TransferDeps } from './owner/transfer.ts'
import { guildRoutes } from './routes.ts'

export const guildModule = (
  { appContext }: ModuleContext,
  { notify, ...members }: GuildMembers & Pick<TransferDeps, 'notify'>,
): Module => ({
  routes: guildRoutes({ appContext, members, notify }),
  endpoints: fileEndpoints(['/api/v3/badge/guild'], (_path, query) => guildBadge(appContext, members, query)),
})
