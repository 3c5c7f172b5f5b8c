/** What the server has of the site itself. */
import { type AppContext, HOURLY, type Module } from '../kit/module.ts'
import { CLIENT_ERRORS_KEPT_MS } from '../kit/retention.ts'
import { type SiteDeps, siteRoutes } from './routes.ts'
import { trimClientErrors } from './site.ts'

/** `info`: what pages are told of the configuration. */
export const siteModule = (
  { config, live: { db }, limits, metrics }: AppContext,
  info: SiteDeps['info'],
): Module => ({
  routes: siteRoutes({ apps: config.apps, info, db, limits, metrics: metrics.clientErrors }),
  schedules: [
    {
      name: 'delete-old-client-errors',
      cron: HOURLY,
      run: () => trimClientErrors(db, CLIENT_ERRORS_KEPT_MS),
    },
  ],
})
