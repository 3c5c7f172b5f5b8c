import { yuan } from '@guildhall/wire/money.ts'
import type { Order } from '@guildhall/wire/order/order.ts'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../kit/i18n.ts'
import { text as common } from '../../kit/text.ts'
import { Button } from '../../ui/Button.tsx'
import styles from '../PaySheet.module.css'
import { StateText } from '../StateText.tsx'
import { text as payText } from '../text.ts'
import { Bought } from './Bought.tsx'
import { outcomeOf } from './orderOutcome.ts'
import { text } from './text.ts'

/**
 * An order in the sheet that ended: it was paid, closed or given back. `placeAnother`: null where the sheet
 * placed none.
 */
export default function OrderEnd(props: {
  order: Order
  placeAnother: (() => void) | null
  toBill: ReactNode
  onClose: () => void
}) {
  const { order } = props
  const t = useText(text)
  const tPay = useText(payText)
  const tCommon = useText(common)
  const outcome = outcomeOf(order, useLocale())
  const isGood = outcome.kind === 'good'
  const isClosed = order.state === 'closed'
  return (
    <>
      <StateText {...outcome} isFestive={isGood} sum={yuan(order.pay_fee)}>
        {isGood && <Bought order={order} />}
      </StateText>
      <div className={styles.actions}>
        {isClosed && props.placeAnother && (
          <Button block onPress={props.placeAnother}>
            {t.orderAgain}
          </Button>
        )}
        <Button kind={isGood ? 'main' : 'quiet'} block onPress={props.onClose}>
          {isGood ? tPay.done : tCommon.close}
        </Button>
        {!isClosed && props.toBill}
      </div>
    </>
  )
}
