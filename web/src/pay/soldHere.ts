import type { Product } from '@guildhall/wire/product/product.ts'
import { here } from '../native/place.ts'
import { shell } from '../native/shell.ts'
import type { Way } from './pay.tsx'
import { sceneHere, waysHere } from './ways.ts'

interface Paying {
  readonly browser_ways: readonly Way[]
  readonly renewing_ways?: Readonly<Record<'inside' | 'phone' | 'qr', readonly Way[]>> | undefined
}

/**
 * What of an offer is sold here, and by which ways in a browser. A package that renews itself is sold in a browser where it can be
 * signed, by the ways that sign it; what an app sells, it knows itself.
 */
export function soldHere(products: readonly Product[], { browser_ways, renewing_ways }: Paying) {
  const signing = waysHere(here(), browser_ways).filter((way) =>
    renewing_ways?.[sceneHere(here(), way)].includes(way),
  )
  return {
    items: products.filter((it) => !it.period_buy || shell() !== null || signing.length > 0),
    waysOf: (it: Product | undefined) => (it?.period_buy ? signing : browser_ways),
  }
}
