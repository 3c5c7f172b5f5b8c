/** What the server has of roles. */
import type { GuildId } from '@guildhall/wire/id.ts'
import { HOURLY, type Module, type ModuleContext, work } from '../kit/module.ts'
import { forgetDeletedRoles, giveRestored, giveRestoredJob, type RestoreDeps } from './restore.ts'
import { roleRoutes } from './routes.ts'

export const roleModule = (
  { appContext, jobs }: ModuleContext,
  { emitChannels }: Pick<RestoreDeps, 'emitChannels'>,
): Module => ({
  routes: roleRoutes({ appContext, jobs, emitChannels }),
  jobs: [
    work(giveRestoredJob, ({ guild_id, role_id }) => giveRestored(appContext, guild_id as GuildId, role_id)),
  ],
  schedules: [{ name: 'forget-deleted-roles', cron: HOURLY, run: () => forgetDeletedRoles(appContext.db) }],
})
