/** What the server has of the site itself. */
import { HOURLY, type Module, type ModuleContext } from '../kit/module.ts'
import { CLIENT_ERRORS_KEPT_MS } from '../kit/retention.ts'
import { facePages } from './face/facePages.ts'
import type { SiteFace } from './face/folder.ts'
import { type SiteDeps, siteRoutes } from './routes.ts'
import { trimClientErrors } from './site.ts'
import { type StartPage, startPage } from './startPage.ts'

/**
 * `info`: what pages are told of the configuration; `face`: what SITE_DIR says; `publicGuilds`: those that
 * guests see.
 */
export const siteModule = async (
  { config, appContext: { db }, limits, metrics, webDir, dress }: ModuleContext,
  {
    info,
    face,
    publicGuilds,
  }: Pick<SiteDeps, 'info'> & Omit<StartPage, 'sources' | 'lines' | 'ways'> & { readonly face: SiteFace },
): Promise<Module> => ({
  pages: [
    ...(await facePages(face)),
    startPage({
      sources: { webDir, dress },
      face,
      lines: info,
      ways: config.registration.ways,
      publicGuilds,
    }),
  ],
  routes: siteRoutes({ apps: config.apps, info, face, db, limits, metrics: metrics.clientErrors }),
  schedules: [
    {
      name: 'delete-old-client-errors',
      cron: HOURLY,
      run: () => trimClientErrors(db, CLIENT_ERRORS_KEPT_MS),
    },
  ],
})
