import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { durationLabel } from '../kit/format/duration.ts'
import { useText } from '../kit/i18n.ts'
import { ClockIcon } from '../ui/icon/icons.tsx'
import { BILL, orderChanged } from './order.ts'
import { useTimeLeft } from './TimeLeft.tsx'
import styles from './UnpaidLink.module.css'
import { unpaidText } from './unpaidText.ts'
import { useUnpaid } from './useUnpaid.ts'

/**
 * In the bar of a page of the shop: how many orders wait for their payment, and how long the first one
 * does.
 */
export default function UnpaidLink() {
  const t = useText(unpaidText)
  const { orders } = useUnpaid()
  if (!orders || orders.length === 0) return null
  return (
    <Link className={styles.link} to={BILL} data-part="unpaid-link">
      <ClockIcon size={16} />
      <span>{t.unpaid(orders.length)}</span>
      <Countdown endsAt={Math.min(...orders.map((it) => it.endsAt))} />
    </Link>
  )
}

function Countdown({ endsAt }: { endsAt: number }) {
  const left = useTimeLeft(endsAt)
  const isOver = left === 0
  useEffect(() => {
    if (isOver) orderChanged()
  }, [isOver])
  return (
    // A timer: its changes are not read aloud each second.
    <span className={styles.left} role="timer">
      {durationLabel(Math.ceil(left / SECOND_MS))}
    </span>
  )
}
