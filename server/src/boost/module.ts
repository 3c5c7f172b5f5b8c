/** What the server has of boosts: their calls, and what turns them. */
import type { Module, ModuleContext } from '../kit/module.ts'
import type { Selling } from '../product/product.ts'
import { turnBoosts } from './boost.ts'
import { boostRoutes } from './routes.ts'

export const boostModule = ({ appContext }: ModuleContext, { paying }: Selling): Module => ({
  routes: boostRoutes({ appContext, browserWays: paying.browser_ways }),
  everyMinute: [(signal) => turnBoosts(appContext, signal)],
})
