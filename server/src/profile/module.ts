/** What the server has of profiles of guilds. */
import type { JoinCaptcha, Welcome } from '../invite/invite.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { Discovery, type PublicGuilds } from './discovery.ts'
import { profileRoutes } from './routes.ts'
import { siteMapPage } from './siteMap.ts'

interface ProfileModule extends Module {
  /** The recommended guilds that everybody sees; none where the operator does not show them. */
  readonly publicGuilds: PublicGuilds
}

export const profileModule = (
  { config, appContext, limits }: ModuleContext,
  joins: { readonly welcome: Welcome; readonly captcha: JoinCaptcha },
): ProfileModule => {
  const recommended = new Discovery(appContext)
  const publicGuilds = () => (config.showsPublicGuilds ? recommended.publicGuilds() : Promise.resolve([]))
  return {
    routes: profileRoutes({ appContext, ...joins, recommended, limits, publicGuilds }),
    pages: config.hasSiteMap ? [siteMapPage({ db: appContext.db, limits })] : [],
    publicGuilds,
  }
}
