/** What the server has of profiles of guilds. */
import type { Welcome } from '../invite/invite.ts'
import type { AppContext, Module } from '../kit/module.ts'
import { profileRoutes } from './routes.ts'
import { siteMapPage } from './siteMap.ts'

export const profileModule = ({ config, live, limits }: AppContext, welcome: Welcome): Module => ({
  routes: profileRoutes({ live, welcome }),
  pages: config.hasSiteMap ? [siteMapPage({ db: live.db, limits })] : [],
})
