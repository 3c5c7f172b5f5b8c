import { boostList, unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { listPayments, viewOrder } from '@guildhall/wire/order/order.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

/** An order of the user changed, and with it what they have: the cached answers are outdated. */
export function orderChanged(): void {
  for (const route of [
    viewOrder,
    listPayments,
    vipExpired,
    goliveInfo,
    goliveProducts,
    unusedBoosts,
    boostList,
  ])
    invalidateRoute(route)
}
