import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { listPayments, viewOrder } from '@guildhall/wire/order/order.ts'
import { listRenewals } from '@guildhall/wire/renewal/renewal.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

/** A contract of the user changed, and with it whether what they have renews itself. */
export function renewalChanged(): void {
  invalidateRoute(listRenewals)
  invalidateRoute(vipExpired)
}

/** An order of the user changed, and with it what they have: the cached answers are outdated. */
export function orderChanged(): void {
  invalidateRoute(viewOrder)
  invalidateRoute(listPayments)
  // The next period was bought.
  invalidateRoute(listRenewals)
  invalidateRoute(vipExpired)
}
