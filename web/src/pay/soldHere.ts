import type { Product } from '@guildhall/wire/product/product.ts'
import { here } from '../native/environment.ts'
import { shell } from '../native/shell.ts'
import { type Paying, waysFor } from '../order/order.ts'

/**
 * What of an offer is sold here, and by which ways in a browser. A package that renews itself is sold in a
 * browser where it can be signed; what an app sells, it knows itself.
 */
export function soldHere(products: readonly Product[], paying: Paying) {
  const waysOf = (it: Product | undefined) => waysFor(it?.period_buy === true, paying, here())
  return {
    items: products.filter((it) => !it.period_buy || shell() !== null || waysOf(it).length > 0),
    waysOf,
  }
}
