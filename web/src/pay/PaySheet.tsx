import { yuan } from '@guildhall/wire/money.ts'
import type { Order } from '@guildhall/wire/order/order.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { text as common } from '../kit/text.ts'
import { useBrowserWays, useOrder } from '../order/order.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { Bought } from './Bought.tsx'
import type { PaySheetProps } from './lazyPaySheet.ts'
import { outcomeOf } from './orderOutcome.ts'
import { PayOrder } from './PayOrder.tsx'
import styles from './PaySheet.module.css'
import { StateText } from './PayState.tsx'
import { text } from './text.ts'
import { type PlacedOrder, usePlacedOrder } from './usePlacedOrder.ts'

const BILL = '/account/order-list'

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
          <Over order={order} placed={placed} onClose={onClose} />
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

/** The order ended: it was paid, closed or given back. */
function Over({ order, placed, onClose }: { order: Order; placed: PlacedOrder; onClose: () => void }) {
  const t = useText(text)
  const tCommon = useText(common)
  const outcome = outcomeOf(order, useLocale())
  const isGood = outcome.kind === 'good'
  const { placeAnother } = order.state === 'closed' ? placed : { placeAnother: null }
  return (
    <>
      <StateText {...outcome} isFestive={isGood} sum={yuan(order.pay_fee)}>
        {isGood && <Bought order={order} />}
      </StateText>
      <div className={styles.actions}>
        {placeAnother && (
          <Button block onPress={placeAnother}>
            {t.orderAgain}
          </Button>
        )}
        <Button kind={isGood ? 'main' : 'quiet'} block onPress={onClose}>
          {isGood ? t.done : tCommon.close}
        </Button>
        {order.state !== 'closed' && <ToBill />}
      </div>
    </>
  )
}

const ToBill = () => (
  <Link className={buttonClass('plain')} to={BILL}>
    {useText(text).toBill}
  </Link>
)
