/** What the server has of screening: the calls about held messages, and their deletion. */
import { HOURLY, type Module, type ModuleContext, untilNone } from '../kit/module.ts'
import { screeningRoutes } from './routes.ts'
import { type OpenScreening, oldestHeld, trimHeld } from './screening.ts'

export function screeningModule({ appContext, metrics }: ModuleContext, screening: OpenScreening): Module {
  metrics.screening.watch(() => oldestHeld(appContext.db))
  return {
    routes: screeningRoutes({ appContext }),
    schedules: [
      {
        name: 'delete-old-held',
        cron: HOURLY,
        run: (signal) => untilNone(() => trimHeld(appContext.db), signal),
      },
    ],
    close: () => screening.close(),
  }
}
