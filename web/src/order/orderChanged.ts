import { userState } from '@guildhall/wire/auth/userState.ts'
import { boostList, unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { giftReceived, listPayments, listUnpaid, viewOrder } from '@guildhall/wire/order/order.ts'
import { listRenewals } from '@guildhall/wire/renewal/renewal.ts'
import { notifyUser } from '../kit/call.ts'
import { currentText } from '../kit/i18n.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { text } from './text.ts'

/** A contract of the user changed, and with it whether what they have renews itself. */
export function renewalChanged(): void {
  invalidateRoute(listRenewals)
  invalidateRoute(vipExpired)
  invalidateRoute(goliveInfo)
}

const WHAT_ONE_HAS = [
  userState,
  vipExpired,
  goliveInfo,
  goliveProducts,
  unusedBoosts,
  boostList,
  listRenewals,
]

/**
 * An order of the user changed, or a friend gave them something, `gift` being the event of it: the cached
 * answers are outdated, and a gift is told.
 */
export function orderChanged(gift?: unknown): void {
  for (const route of [viewOrder, listPayments, listUnpaid, ...WHAT_ONE_HAS]) invalidateRoute(route)
  const received = giftReceived.body.safeParse(gift)
  if (!received.success) return
  const { username, name, count } = received.data
  notifyUser(currentText(text).gift(username, count > 1 ? `${name} × ${count}` : name))
}
