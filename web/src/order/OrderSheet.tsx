import { yuan } from '@guildhall/wire/money.ts'
import type { Order } from '@guildhall/wire/order/order.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { wayOf } from '@guildhall/wire/payWay.ts'
import { type ReactNode, useId } from 'react'
import { copyText } from '../kit/browser/clipboard.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { WayIcon } from '../ui/icon/payIcons.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { OrderActs, useCancelling } from './OrderActs.tsx'
import styles from './OrderSheet.module.css'
import { orderChanged, TimeLeft, useOrder } from './order.ts'
import { text } from './text.ts'

interface OrderSheetProps {
  orderId: string
  onContinue: () => void
  onClose: () => void
}

/** A sheet with one order: what was bought, what became of it, and what can be done about it. */
export function OrderSheet(props: OrderSheetProps) {
  const t = useText(text)
  const { order, failure, ask } = useOrder(props.orderId)
  return (
    <Sheet title={t.order} onClose={props.onClose}>
      {order ? (
        <OrderDetails {...props} order={order} />
      ) : failure ? (
        <ErrorState title={t.orderFailed} message={failure.message} onRetry={ask} />
      ) : (
        <LoadingState />
      )}
    </Sheet>
  )
}

function OrderDetails({ order, onContinue }: OrderSheetProps & { order: Order }) {
  const t = useText(text)
  // What was paid meanwhile is said by the order itself.
  const cancelling = useCancelling(() => undefined)
  return (
    <>
      <Head order={order} />
      {isPayable(order.state) && <OrderActs order={order} cancelling={cancelling} onContinue={onContinue} />}
      {cancelling.dialog}
      <Part title={t.lines}>
        <ul className={styles.card}>
          {order.lines.map((line) => (
            <li key={line.product_id} className={styles.line}>
              <span className={styles.grow}>{line.name}</span>
              {line.count > 1 && <span className={styles.quiet}>{t.each(yuan(line.price), line.count)}</span>}
              <span className={styles.digits}>{yuan(line.fee)}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Refunds order={order} />
      <Facts order={order} />
    </>
  )
}

/** The sum and the state, in large words. */
function Head({ order }: { order: Order }) {
  const t = useText(text)
  const { state, refund_fee, pay_fee } = order
  const isPart = state === 'granted' && refund_fee > 0 && refund_fee < pay_fee
  const content = isPart ? t.refundedSum(yuan(refund_fee)) : t.words(state)
  return (
    <div className={styles.head} role="status">
      <p className={styles.sum}>
        <span className="unseen">{t.sum}</span> {yuan(pay_fee)}
      </p>
      <p className={styles.state} data-state={state}>
        {isPart ? t.partRefunded : t[state]}
      </p>
      {content && <p className={styles.words}>{content}</p>}
      {isPayable(state) && (
        <TimeLeft className={styles.words} endsAt={order.expires_at} onOver={() => orderChanged()} />
      )}
    </div>
  )
}

function Refunds({ order }: { order: Order }) {
  const t = useText(text)
  const when = useWhen()
  if (order.refunds.length === 0) return null
  return (
    <Part title={t.refunds}>
      <ul className={styles.card}>
        {order.refunds.map(({ fee, state, cause, reason, at }) => (
          <li key={`${at} ${cause} ${fee}`} className={styles.refund} data-part="refund">
            <p className={styles.refundHead}>
              <span className={styles.grow}>{t.causes(cause)}</span>
              <span className={styles.digits}>{yuan(fee)}</span>
            </p>
            <p className={styles.quiet} data-state={state}>
              {t.refundStates(state)}
            </p>
            {reason && <p className={styles.quiet}>{reason}</p>}
            <p className={styles.quiet}>{when(at)}</p>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Facts({ order }: { order: Order }) {
  const t = useText(text)
  const when = useWhen()
  const way = wayOf(order.pay_platform)
  const copy = async () => toast((await copyText(order.order_id)) ? t.copied : t.copyFailed)
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...(way
      ? [
          [
            t.way,
            <span key="way" className={styles.way}>
              <WayIcon way={way} size={18} /> {t[way]}
            </span>,
          ] as const,
        ]
      : []),
    ...(order.usage_info ? [[t.usage, order.usage_info] as const] : []),
    [t.placedAt, when(order.created_at)],
    ...(order.paid_at > 0 ? [[t.paidAt, when(order.paid_at)] as const] : []),
  ]
  return (
    <Part title={t.facts}>
      <dl className={styles.card}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.line}>
            <dt className={styles.quiet}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
        <div className={styles.line}>
          <dt className={styles.quiet}>{t.number}</dt>
          <dd className={styles.number}>
            <span>{order.order_id}</span>
            <Button kind="plain" aria-label={t.copyNumber} onPress={() => void copy()}>
              {t.copy}
            </Button>
          </dd>
        </div>
      </dl>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 className={styles.partTitle} id={id}>
        {title}
      </h3>
      {children}
    </section>
  )
}

function useWhen(): (at: number) => string {
  const locale = useLocale()
  return (at) => timeLabel(at, Date.now(), locale)
}
