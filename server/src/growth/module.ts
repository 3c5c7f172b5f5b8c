/** What the server has of the growth of guilds: the call, and the count of every minute. */
import { EVERY_MINUTE, HOURLY, type Module, type ModuleContext, untilNone } from '../kit/module.ts'
import { countGrowth, trimGrowth } from './growth.ts'
import { growthRoutes } from './routes.ts'

export const growthModule = ({ appContext }: ModuleContext): Module => ({
  routes: growthRoutes(appContext.db),
  schedules: [
    {
      name: 'count-growth',
      cron: EVERY_MINUTE,
      atStart: true,
      run: (signal) => countGrowth(appContext.db, signal),
    },
    {
      name: 'trim-growth',
      cron: HOURLY,
      run: (signal) => untilNone(() => trimGrowth(appContext.db), signal),
    },
  ],
})
