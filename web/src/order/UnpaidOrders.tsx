import { yuan } from '@guildhall/wire/money.ts'
import { useId } from 'react'
import { useText } from '../kit/i18n.ts'
import { ClockIcon } from '../ui/icon/icons.tsx'
import styles from './BillScreen.module.css'
import { type Cancelling, OrderActs } from './OrderActs.tsx'
import { orderChanged } from './order.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { text } from './text.ts'
import type { UnpaidOrder } from './useUnpaid.ts'

/** What waits for its payment, above what was paid. */
export function UnpaidOrders(props: {
  orders: readonly UnpaidOrder[]
  cancelling: Cancelling
  onOpen: (orderId: string) => void
  onContinue: (orderId: string) => void
}) {
  const t = useText(text)
  const id = useId()
  if (props.orders.length === 0) return null
  return (
    <section className={styles.day} aria-labelledby={id}>
      <h2 className={styles.dayTitle} id={id}>
        {t.placed}
      </h2>
      <ul className={styles.card}>
        {props.orders.map((order) => (
          <li key={order.order_id} data-part="unpaid">
            <button type="button" className={styles.row} onClick={() => props.onOpen(order.order_id)}>
              <span className={styles.sign}>
                <ClockIcon size={20} />
              </span>
              <span className={styles.what}>
                <span className={styles.name}>{order.buy_info}</span>
                {order.usage_info && <span className={styles.about}>{order.usage_info}</span>}
                <TimeLeft className={styles.left} endsAt={order.endsAt} onOver={() => orderChanged()} />
              </span>
              <span className={styles.sums}>
                <span className={styles.sum}>{yuan(order.pay_fee)}</span>
              </span>
            </button>
            <OrderActs
              order={order}
              row
              cancelling={props.cancelling}
              onContinue={() => props.onContinue(order.order_id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
