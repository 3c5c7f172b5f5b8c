/** What the server has of the site itself. */
import { HOURLY, type Module, type ModuleContext } from '../kit/module.ts'
import { CLIENT_ERRORS_KEPT_MS } from '../kit/retention.ts'
import { facePages } from './face/facePages.ts'
import type { SiteFace } from './face/folder.ts'
import { type SiteDeps, siteRoutes } from './routes.ts'
import { trimClientErrors } from './site.ts'

/** `info`: what pages are told of the configuration; `face`: what SITE_DIR says. */
export const siteModule = async (
  { config, appContext: { db }, limits, metrics }: ModuleContext,
  info: SiteDeps['info'],
  face: SiteFace,
): Promise<Module> => ({
  pages: await facePages(face),
  routes: siteRoutes({ apps: config.apps, info, face, db, limits, metrics: metrics.clientErrors }),
  schedules: [
    {
      name: 'delete-old-client-errors',
      cron: HOURLY,
      run: () => trimClientErrors(db, CLIENT_ERRORS_KEPT_MS),
    },
  ],
})
