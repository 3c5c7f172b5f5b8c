import { yuan } from '@guildhall/wire/money.ts'
import { orderId as orderIdSchema } from '@guildhall/wire/order/order.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import type { wxJsapi } from '@guildhall/wire/pay/pay.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { BILL, useOrder } from '../order/order.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { Bought } from './end/Bought.tsx'
import { outcomeOf } from './end/orderOutcome.ts'
import { CloseHost, PayState, WaysOn } from './PayState.tsx'
import { text } from './text.ts'

/**
 * /payment/successful. With `order_id` it is where a provider leads a browser back to, whether or not
 * something was paid: then it says what the order says. commerce.md §2.
 */
export default function PaidScreen() {
  const t = useText(text)
  const [query] = useSearchParams()
  const [canAsk] = useState(isLoggedIn)
  const id = orderIdSchema.safeParse(query.get('order_id')).data
  useProductTitle(t.pay)
  if (id && canAsk) return <OrderState orderId={id} />
  if (id)
    return (
      <PayState kind="wait" title={t.lookThere} message={t.lookThereWhy} actions={<CloseHost isMain />} />
    )
  return <Success />
}

/** What was paid inside of WeChat, whose page hands on what it was. */
function Success() {
  const t = useText(text)
  const { product, pay_fee } = (useLocation().state ?? {}) as Partial<AnswerOf<typeof wxJsapi>['order']>
  return (
    <PayState
      kind="good"
      isFestive
      title={t.success}
      message={product}
      sum={pay_fee === undefined ? '' : yuan(pay_fee)}
      actions={<WaysOn />}
    />
  )
}

/**
 * Who comes back is faster than the provider's message; this page has no connection that would tell of it.
 */
const ASKED_AGAIN_AFTER_MS = [1_000, 3_000, 6_000, 12_000, 24_000]

/**
 * Asks again a few times, each after a longer pause, as long as the order waits; and so again whenever the
 * page is shown again: a browser is led back here while the person is still in the provider's app.
 */
function useAskAgain(waits: boolean, ask: () => void): void {
  const newest = useRef(ask)
  newest.current = ask
  useEffect(() => {
    if (!waits) return
    let timers: ReturnType<typeof setTimeout>[] = []
    const stop = () => timers.forEach(clearTimeout)
    const start = () => {
      stop()
      if (document.visibilityState !== 'hidden')
        timers = ASKED_AGAIN_AFTER_MS.map((after) => setTimeout(() => newest.current(), after))
    }
    start()
    document.addEventListener('visibilitychange', start)
    addEventListener('pageshow', start)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', start)
      removeEventListener('pageshow', start)
    }
  }, [waits])
}

/** Who comes back without having paid begins anew in their bill, where the order waits. */
const PayAgain = ({ orderId }: { orderId: string }) => (
  <Link className={buttonClass('quiet', true)} to={`${BILL}?order=${orderId}`} replace>
    {useText(text).again}
  </Link>
)

/** What the page asks by itself does not make the button busy again and again. */
function AskAgain({ isAsking, ask }: { isAsking: boolean; ask: () => void }) {
  const t = useText(text)
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (!isAsking) setWanted(false)
  }, [isAsking])
  const press = () => {
    setWanted(true)
    ask()
  }
  return (
    <Button block busy={isWanted && isAsking} onPress={press}>
      {t.ask}
    </Button>
  )
}

function OrderState({ orderId }: { orderId: string }) {
  const t = useText(text)
  const locale = useLocale()
  const { order, failure, isAsking, ask } = useOrder(orderId)
  useAskAgain(order !== null && isPayable(order.state), ask)
  const again = <AskAgain isAsking={isAsking} ask={ask} />
  if (order) {
    const outcome = outcomeOf(order, locale)
    return (
      <PayState
        {...outcome}
        isFestive={outcome.kind === 'good'}
        sum={yuan(order.pay_fee)}
        actions={
          isPayable(order.state) ? (
            <>
              {again}
              <PayAgain orderId={orderId} />
              <CloseHost />
            </>
          ) : (
            <WaysOn guildId={order.guild_id} />
          )
        }
      >
        {outcome.kind === 'good' && <Bought order={order} />}
      </PayState>
    )
  }
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
