/** What the server has of boosts: their calls, and what turns them. */
import type { AppContext, Module } from '../kit/module.ts'
import type { Selling } from '../product/product.ts'
import { turnBoosts } from './boost.ts'
import { boostRoutes } from './routes.ts'

export const boostModule = ({ live }: AppContext, { paying }: Selling): Module => ({
  routes: boostRoutes({ live, browserWays: paying.browser_ways }),
  everyMinute: [(signal) => turnBoosts(live, signal)],
})
