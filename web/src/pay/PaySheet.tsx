import { isPayable } from '@guildhall/wire/order/state.ts'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { text as common } from '../kit/text.ts'
import { BILL, useBrowserWays, useOrder } from '../order/order.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import type { PaySheetProps } from './lazyPaySheet.ts'
import { PayOrder } from './PayOrder.tsx'
import styles from './PaySheet.module.css'
import { StateText } from './StateText.tsx'
import { text } from './text.ts'
import { type PlacedOrder, usePlacedOrder } from './usePlacedOrder.ts'

const loadEnd = () => loadPart(() => import('./end/OrderEnd.tsx'))
const OrderEnd = lazy(loadEnd)

/** See `PaySheet` in pay.tsx. */
export default function PaySheet({ pay, ways, onPaid, onClose }: PaySheetProps) {
  const t = useText(text)
  const placed = usePlacedOrder(pay, useMe().id)
  const { order, failure, ask } = useOrder(placed.orderId)
  const asked = useBrowserWays(ways === undefined, order)
  const offered = ways ?? asked
  const isPaid = order?.state === 'paid' || order?.state === 'granted'
  const isOver = order !== null && !isPayable(order.state)
  useEffect(() => {
    if (isOver) placed.forget()
  }, [isOver, placed.forget])
  const isThere = order !== null
  // It is there when the order is paid.
  useEffect(() => {
    if (isThere) void loadEnd()
  }, [isThere])
  const tell = useRef(onPaid)
  tell.current = onPaid
  useEffect(() => {
    if (isPaid) tell.current?.()
  }, [isPaid])

  return (
    <Sheet title={t.title} onClose={onClose}>
      <div className={styles.sheet}>
        {placed.failure ? (
          <NotPlaced failure={placed.failure} onRetry={placed.retry} onClose={onClose} />
        ) : failure ? (
          <NotPlaced failure={failure} onRetry={ask} onClose={onClose} />
        ) : !order || !offered ? (
          <LoadingState message={t.placing} />
        ) : isOver ? (
          <Suspense fallback={<LoadingState />}>
            <OrderEnd
              order={order}
              placeAnother={placed.placeAnother}
              toBill={<ToBill />}
              onClose={onClose}
            />
          </Suspense>
        ) : (
          <PayOrder key={order.order_id} order={order} offered={offered} ask={ask} />
        )}
      </div>
    </Sheet>
  )
}

/** The order is not there: why, and what to do about it. */
function NotPlaced(props: {
  failure: NonNullable<PlacedOrder['failure']>
  onRetry: () => void
  onClose: () => void
}) {
  const t = useText(text)
  const tCommon = useText(common)
  const { name, message } = props.failure
  return (
    <>
      <StateText kind="bad" title={t.placeFailed} message={message || t.unknown} />
      <div className={styles.actions}>
        {name && isFinal(name) ? (
          <Button block onPress={props.onClose}>
            {t.gotIt}
          </Button>
        ) : (
          <Button block onPress={props.onRetry}>
            {tCommon.retry}
          </Button>
        )}
        {name === 'order.too_many' && <ToBill />}
      </div>
    </>
  )
}

/** Whether the product cannot be sold any more, so that another try ends alike. */
const isFinal = (name: string): boolean =>
  name.startsWith('product.') || name === 'order.owned' || name === 'order.lower'

function ToBill() {
  const t = useText(text)
  if (useLocation().pathname === BILL) return null
  return (
    <Link className={buttonClass('plain')} to={BILL}>
      {t.toBill}
    </Link>
  )
}
