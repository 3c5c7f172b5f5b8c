/** What the server has of profiles of guilds. */
import type { Welcome } from '../invite/invite.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { profileRoutes } from './routes.ts'
import { siteMapPage } from './siteMap.ts'

export const profileModule = ({ config, appContext, limits }: ModuleContext, welcome: Welcome): Module => ({
  routes: profileRoutes({ appContext, welcome }),
  pages: config.hasSiteMap ? [siteMapPage({ db: appContext.db, limits })] : [],
})
