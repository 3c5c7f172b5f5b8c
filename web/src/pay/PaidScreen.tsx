import { orderId as orderIdSchema } from '@guildhall/wire/order/order.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { yuan } from '../kit/money.ts'
import { useOrder } from '../order/order.ts'
import { Button } from '../ui/Button.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { Page } from '../ui/Page.tsx'
import { outcomeOf } from './outcome.ts'
import { CloseHost, PayState, WaysOn } from './PayState.tsx'
import { text } from './text.ts'

/**
 * /payment/successful. With `order_id` it is where a provider leads a browser back to, whether or not something was paid: then it says
 * what the order says. commerce.md §2.
 */
export default function PaidScreen() {
  const t = useText(text)
  const [query] = useSearchParams()
  const [canAsk] = useState(isLoggedIn)
  const id = orderIdSchema.safeParse(query.get('order_id')).data
  useEffect(() => {
    document.title = `${t.pay} · ${t.product}`
  }, [t])
  if (id && canAsk) return <OrderState orderId={id} />
  if (id)
    return (
      <PayState kind="wait" title={t.lookThere} message={t.lookThereWhy} actions={<CloseHost isMain />} />
    )
  return <PayState kind="good" title={t.success} actions={<WaysOn />} />
}

function OrderState({ orderId }: { orderId: string }) {
  const t = useText(text)
  const locale = useLocale()
  const { order, failure, isAsking, ask } = useOrder(orderId)
  const again = (
    <Button block busy={isAsking} onPress={ask}>
      {t.ask}
    </Button>
  )
  if (order)
    return (
      <PayState
        {...outcomeOf(order, locale)}
        sum={yuan(order.pay_fee)}
        actions={
          <>
            {isPayable(order.state) && again}
            <WaysOn isMain={!isPayable(order.state)} />
          </>
        }
      />
    )
  if (!failure)
    return (
      <Page>
        <LoadingState page message={t.loadingOrder} />
      </Page>
    )
  return (
    <PayState
      kind="bad"
      title={t.loadFailed}
      message={failure.message}
      actions={
        <>
          {again}
          <WaysOn isMain={false} />
        </>
      }
    />
  )
}
