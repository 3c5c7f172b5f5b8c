/** Which ways to pay fit the place. Pure. commerce.md §9. */
import type { Place } from '../native/place.ts'
import type { Way } from './pay.tsx'

/** Inside of an app that pays, that app alone; elsewhere what the operator offers. */
export const waysHere = ({ browser }: Pick<Place, 'browser'>, offered: readonly Way[]): readonly Way[] =>
  browser === 'wechat' || browser === 'alipay' ? offered.filter((way) => way === browser) : offered

/** The scene of `order/pay`. */
export const sceneHere = ({ browser, platform }: Pick<Place, 'browser' | 'platform'>, way: Way) =>
  browser === way ? 'inside' : platform === 'desktop' ? 'qr' : 'phone'
