/** What the server has of reports: the call, what tells who reported, and the emptying of old ones. */
import { type AppContext, HOURLY, type Module, untilNone, work } from '../kit/module.ts'
import { emptyOldCase, notifyReporters, notifyReportersJob } from './report.ts'
import { reportRoutes } from './routes.ts'

export const reportModule = ({ live }: AppContext): Module => ({
  routes: reportRoutes({ live }),
  jobs: [work(notifyReportersJob, ({ case_id }, signal) => notifyReporters(live, case_id, signal))],
  schedules: [
    {
      name: 'empty-old-reports',
      cron: HOURLY,
      run: (signal) => untilNone(() => emptyOldCase(live.db), signal),
    },
  ],
})
