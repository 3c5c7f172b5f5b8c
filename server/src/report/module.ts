/** What the server has of reports: the call, what tells who reported, and the emptying of old ones. */
import { type AppContext, HOURLY, type Module, untilNone, work } from '../kit/module.ts'
import { emptyOldCase, tellReporters, tellReportersJob } from './report.ts'
import { reportRoutes } from './routes.ts'

export const reportModule = ({ live }: AppContext): Module => ({
  routes: reportRoutes({ live }),
  jobs: [work(tellReportersJob, ({ case_id }, signal) => tellReporters(live, case_id, signal))],
  chores: [
    {
      name: 'empty-old-reports',
      cron: HOURLY,
      run: (signal) => untilNone(() => emptyOldCase(live.db), signal),
    },
  ],
})
