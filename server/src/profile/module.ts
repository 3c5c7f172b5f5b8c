/** What the server has of profiles of guilds. */
import type { JoinCaptcha, Welcome } from '../invite/invite.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { Discovery } from './discovery.ts'
import { profileRoutes } from './routes.ts'
import { siteMapPage } from './siteMap.ts'

export const profileModule = (
  { config, appContext, limits }: ModuleContext,
  joins: { readonly welcome: Welcome; readonly captcha: JoinCaptcha },
): Module => ({
  routes: profileRoutes({ appContext, ...joins, recommended: new Discovery(appContext) }),
  pages: config.hasSiteMap ? [siteMapPage({ db: appContext.db, limits })] : [],
})
