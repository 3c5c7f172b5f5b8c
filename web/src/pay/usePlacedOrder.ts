import { createOrder, listUnpaid } from '@guildhall/wire/order/order.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { CallFailure, call } from '../kit/call.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { rememberBoughtAt } from './boughtAt.ts'
import type { NewOrder, PaySheetProps } from './lazyPaySheet.ts'
import { forgetKey, keyOf } from './orderKey.ts'

export interface PlacedOrder {
  /** Null: it is not placed yet. */
  readonly orderId: string | null
  readonly failure: CallFailure | null
  /** Tries again with the same key: an order whose answer was lost is found. */
  readonly retry: () => void
  /** Places another order, in place of one that ended; null: there is nothing to place. */
  readonly placeAnother: (() => void) | null
  /** The order ended. */
  readonly forget: () => void
}

/** Places the order of a purchase when the component appears; an order that exists already is as it is. */
export function usePlacedOrder(pay: PaySheetProps['pay'], me: string): PlacedOrder {
  const [it] = useState(pay)
  const wanted = 'orderId' in it ? null : it
  const [orderId, setOrderId] = useState('orderId' in it ? it.orderId : null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const isBusy = useRef(false)
  const retry = useCallback(() => {
    if (!wanted || isBusy.current) return
    isBusy.current = true
    setFailure(null)
    placeOrder(me, wanted)
      .then(
        (id) => {
          setOrderId(id)
          // The page below says what waits for its payment.
          invalidateRoute(listUnpaid)
        },
        (error: unknown) => {
          if (!(error instanceof CallFailure)) throw error
          setFailure(error)
        },
      )
      .finally(() => {
        isBusy.current = false
      })
  }, [me, wanted])
  const forget = useCallback(() => wanted && forgetKey(me, wanted), [me, wanted])
  const placeAnother = useCallback(() => {
    forget()
    setOrderId(null)
    retry()
  }, [forget, retry])
  useEffect(retry, [retry])
  const { pathname } = useLocation()
  // Paying may lead to pages of the provider.
  useEffect(() => rememberBoughtAt(pathname), [pathname])
  return { orderId, failure, retry, forget, placeAnother: wanted && placeAnother }
}

/** Resolves to the order's number. @throws CallFailure */
async function placeOrder(me: string, wanted: NewOrder): Promise<string> {
  const { order_id, state } = await placeOnce(me, wanted).catch((error: unknown) => {
    if (!(error instanceof CallFailure && error.name === 'order.key_used')) throw error
    forgetKey(me, wanted)
    return placeOnce(me, wanted)
  })
  if (isPayable(state)) return order_id
  forgetKey(me, wanted)
  // An order that was paid since is shown, so that nobody pays a second one unaware.
  return state === 'closed' ? (await placeOnce(me, wanted)).order_id : order_id
}

const placeOnce = (me: string, it: NewOrder): Promise<AnswerOf<typeof createOrder>> =>
  call(createOrder, {
    product_id: it.productId,
    count: it.count ?? 1,
    key: keyOf(me, it),
    ...(it.guildId && { guild_id: it.guildId }),
    ...(it.userId && { user_id: it.userId }),
  })
