/** What the server has of screening: the calls about held messages, and their deletion. */
import { type AppContext, HOURLY, type Module, untilNone } from '../kit/module.ts'
import { screeningRoutes } from './routes.ts'
import { type OpenScreening, oldestHeld, trimHeld } from './screening.ts'

export function screeningModule({ live, metrics }: AppContext, screening: OpenScreening): Module {
  metrics.screening.watch(() => oldestHeld(live.db))
  return {
    routes: screeningRoutes({ live }),
    schedules: [
      {
        name: 'delete-old-held',
        cron: HOURLY,
        run: (signal) => untilNone(() => trimHeld(live.db), signal),
      },
    ],
    close: () => screening.close(),
  }
}
