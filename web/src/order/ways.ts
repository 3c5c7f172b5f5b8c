/** Which ways to pay fit the environment. Pure. commerce.md §9. */

import { type BrowserScene, isPayWay, type PayWay } from '@guildhall/wire/payWay.ts'
import type { Environment } from '../native/environment.ts'

/** Inside of an app that pays, that app alone; elsewhere what the operator offers. */
export const waysHere = (
  { browser }: Pick<Environment, 'browser'>,
  offered: readonly PayWay[],
): readonly PayWay[] => (isPayWay(browser) ? offered.filter((way) => way === browser) : offered)

/** The scene of `order/pay`. */
export const sceneHere = ({ browser, platform }: Pick<Environment, 'browser' | 'platform'>, way: PayWay) =>
  browser === way ? 'inside' : platform === 'desktop' ? 'qr' : 'phone'

/** How an offer is paid for in a browser, as the server tells it. */
export interface Paying {
  readonly browser_ways: readonly PayWay[]
  readonly renewing_ways?: Readonly<Record<BrowserScene, readonly PayWay[]>> | undefined
}

/**
 * The ways for something: what renews itself is paid by those that can sign its contract here, all else by
 * what the operator offers.
 */
export const waysFor = (
  isRenewing: boolean,
  { browser_ways, renewing_ways }: Paying,
  environment: Pick<Environment, 'browser' | 'platform'>,
): readonly PayWay[] =>
  isRenewing
    ? waysHere(environment, browser_ways).filter((way) =>
        renewing_ways?.[sceneHere(environment, way)].includes(way),
      )
    : browser_ways
