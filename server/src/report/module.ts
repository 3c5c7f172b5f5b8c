/** What the server has of reports: the call, what tells who reported, and the emptying of old ones. */
import { HOURLY, type Module, type ModuleContext, untilNone, work } from '../kit/module.ts'
import { emptyOldCase, notifyReporters, notifyReportersJob } from './report.ts'
import { reportRoutes } from './routes.ts'

export const reportModule = ({ appContext }: ModuleContext): Module => ({
  routes: reportRoutes({ appContext }),
  jobs: [work(notifyReportersJob, ({ case_id }, signal) => notifyReporters(appContext, case_id, signal))],
  schedules: [
    {
      name: 'empty-old-reports',
      cron: HOURLY,
      run: (signal) => untilNone(() => emptyOldCase(appContext.db), signal),
    },
  ],
})
