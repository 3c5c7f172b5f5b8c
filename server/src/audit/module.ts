/** What the server has of the audit log: its call, and the end of what is old. */
import { HOURLY, type Module, type ModuleContext, untilNone } from '../kit/module.ts'
import { trimAudit } from './audit.ts'
import { auditRoutes, type GuildRights } from './routes.ts'

export const auditModule = ({ appContext }: ModuleContext, rights: GuildRights): Module => ({
  routes: auditRoutes(appContext, rights),
  schedules: [
    {
      name: 'delete-old-audit',
      cron: HOURLY,
      run: (signal) => untilNone(() => trimAudit(appContext.db), signal),
    },
  ],
})
