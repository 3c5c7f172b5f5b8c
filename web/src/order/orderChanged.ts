import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { listPayments, viewOrder } from '@guildhall/wire/order/order.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

/** An order of the user changed, and with it what they have: the cached answers are outdated. */
export function orderChanged(): void {
  invalidateRoute(viewOrder)
  invalidateRoute(listPayments)
  invalidateRoute(vipExpired)
}
