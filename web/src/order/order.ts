import { vipProducts } from '@guildhall/wire/buff/buff.ts'
import { type Order, viewOrder } from '@guildhall/wire/order/order.ts'
import { PAY_WAYS, type PayWay } from '@guildhall/wire/payWay.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailure, call } from '../kit/call.ts'
import { queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { here } from '../native/environment.ts'
import { shell } from '../native/shell.ts'
import { waysFor } from './ways.ts'

export { orderChanged, renewalChanged } from './orderChanged.ts'
export { TimeLeft, useTimeLeft } from './TimeLeft.tsx'
export { type Paying, sceneHere, waysFor, waysHere } from './ways.ts'

/** The page with what one paid for, and can still pay. */
export const BILL = '/account/order-list'

/** When an order can be paid no more, by the clock of this device, which may be wrong: ms; 0: it is over. */
export const endsAt = ({ left_ms }: Pick<Order, 'left_ms'>): number => left_ms && Date.now() + left_ms

/** An order, or why it could not be loaded; neither: it is being loaded. */
export interface FollowedOrder {
  /** Its `expires_at` is by the clock of this device. */
  readonly order: Order | null
  readonly failure: CallFailure | null
  readonly isAsking: boolean
  readonly ask: () => void
}

/**
 * One of the user's own orders; null: none yet. It is asked for again when an event says that it changed,
 * when the person comes back to the page, and when the network comes back: never by a timer.
 */
export function useOrder(orderId: string | null): FollowedOrder {
  const input = { order_id: orderId ?? '' }
  const query = useQuery({
    queryKey: queryKeyOf(viewOrder, input),
    async queryFn({ signal }) {
      const it = await call(viewOrder, input, { signal })
      return { ...it, expires_at: endsAt(it) }
    },
    enabled: orderId !== null,
    networkMode: 'always',
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  const { refetch } = query
  useEffect(() => {
    // A page that the browser kept whole while another one was shown, as after paying there.
    const shownAgain = ({ persisted }: PageTransitionEvent) => persisted && orderId && void refetch()
    addEventListener('pageshow', shownAgain)
    return () => removeEventListener('pageshow', shownAgain)
  }, [orderId, refetch])
  if (query.error && !(query.error instanceof CallFailure)) throw query.error
  return {
    order: query.data ?? null,
    failure: query.data || query.isFetching ? null : query.error,
    isAsking: query.isFetching,
    ask: () => void refetch(),
  }
}

/**
 * How a waiting order may be paid in this browser; empty: not here, as inside of the native app; null: it is
 * not known yet. Where that cannot be loaded it is every way: the server refuses with words.
 */
export function useBrowserWays(
  isAsked: boolean,
  order: Pick<Order, 'period_buy'> | null,
): readonly PayWay[] | null {
  const isInApp = shell() !== null
  const products = useRouteQuery(vipProducts, { market: 0, period: 1 }, isAsked && !isInApp)
  if (isInApp) return []
  if (products.failure) return PAY_WAYS
  return order && products.answer ? waysFor(order.period_buy === true, products.answer, here()) : null
}
