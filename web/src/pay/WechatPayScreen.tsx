import { yuan } from '@guildhall/wire/money.ts'
import { orderCode } from '@guildhall/wire/order/order.ts'
import { wxJsapi } from '@guildhall/wire/pay/pay.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { WayIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { type PayEnd, weixinEnd } from './appEnd.ts'
import styles from './PayPages.module.css'
import { CloseHost, PayState } from './PayState.tsx'
import { text } from './text.ts'

type Payment = AnswerOf<typeof wxJsapi>

/** /payment/wechat: WeChat has told who pays; here they see for what, and pay. commerce.md §2, §8. */
export default function WechatPayScreen() {
  const t = useText(text)
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const state = query.get('state') ?? ''
  useProductTitle(t.wechat)
  if (!orderCode.safeParse(state).success)
    return <PayState kind="bad" title={t.badLink} message={t.badLinkWhy} actions={<CloseHost />} />
  // Without a code the person has refused to say who they are.
  return code === '' ? <Used state={state} /> : <Load key={`${code} ${state}`} code={code} state={state} />
}

/** With these the order itself cannot be paid any more; with all others a new entry may help. */
const FINAL: readonly string[] = ['order.unknown', 'order.closed', 'order.paid']
/** WeChat's code was used before, as by a reload. */
const USED = 'auth.third_part_refused'

/** Asks once who pays: WeChat's code can be used a single time. */
function Load({ code, state }: { code: string; state: string }) {
  const t = useText(text)
  const [payment, setPayment] = useState<Payment | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    call(wxJsapi, { code, state }).then(setPayment, (error: unknown) =>
      setFailure(error instanceof CallFailure ? error : new CallFailure('internal', '')),
    )
  }, [code, state])
  if (payment) return <Pay payment={payment} state={state} />
  if (!failure)
    return (
      <Page>
        <LoadingState page message={t.loadingOrder} />
      </Page>
    )
  if (failure.name === USED) return <Used state={state} />
  return (
    <PayState
      kind="bad"
      title={t.loadFailed}
      message={failure.message || t.unknown}
      actions={
        <>
          {!FINAL.includes(failure.name) && <Reopen state={state} kind="main" />}
          <CloseHost />
        </>
      }
    />
  )
}

function Used({ state }: { state: string }) {
  const t = useText(text)
  return (
    <PayState
      kind="wait"
      title={t.used}
      message={t.usedWhy}
      actions={
        <>
          <Reopen state={state} kind="main" />
          <CloseHost />
        </>
      }
    />
  )
}

/** Enters the payment of the same order anew, by the code of the order itself. */
function Reopen({ state, kind }: { state: string; kind: 'main' | 'plain' }) {
  const t = useText(text)
  return (
    <Link className={buttonClass(kind, kind === 'main')} to={`/pay?id=${state}`} replace>
      {t.reopen}
    </Link>
  )
}

/** Asks WeChat to let the person pay: by itself at first, and then whenever they tap. */
function useWeixinPayment(params: Payment['pay']) {
  const [end, setEnd] = useState<PayEnd | null>(null)
  const [isPaying, setPaying] = useState(false)
  const isBusy = useRef(false)
  const start = async () => {
    if (isBusy.current) return
    isBusy.current = true
    setPaying(true)
    setEnd(await weixinEnd(params))
    isBusy.current = false
    setPaying(false)
  }
  const first = useRef(start)
  useEffect(() => {
    void first.current()
  }, [])
  return { end, isPaying, start: () => void start() }
}

function Pay({ payment, state }: { payment: Payment; state: string }) {
  const t = useText(text)
  const navigate = useNavigate()
  const { end, isPaying, start } = useWeixinPayment(payment.pay)
  /** The end that was read: each has its own dialog. */
  const [read, setRead] = useState<PayEnd | null>(null)
  const isPaid = end?.kind === 'paid'
  const close = () => {
    setRead(end)
    if (isPaid) void navigate('/payment/successful', { replace: true, state: payment.order })
  }
  return (
    <Page>
      <main className={styles.page}>
        <Order payment={payment} problem={end && !isPaid && !isPaying ? end.words : ''} />
        <div className={styles.actions}>
          <Button block busy={isPaying} disabled={isPaid} onPress={start}>
            {isPaying ? t.paying : end ? t.again : t.payNow}
          </Button>
          {end && !isPaid && <Reopen state={state} kind="plain" />}
        </div>
      </main>
      {end && end !== read && (
        <Dialog
          title={isPaid ? t.weixinDone : t.weixinFailed}
          message={isPaid ? t.doneWhy : end.words}
          confirm={isPaid ? t.done : t.gotIt}
          onClose={close}
        />
      )}
    </Page>
  )
}

/** What is paid, and by whom. */
function Order({ payment: { user, order }, problem }: { payment: Payment; problem: string }) {
  const t = useText(text)
  return (
    <div className={styles.order}>
      <WayIcon way="wechat" size={44} />
      <h1 className={styles.product}>{order.product}</h1>
      <p className={styles.fee}>{yuan(order.pay_fee)}</p>
      <div className={styles.payer}>
        <span className={styles.payerLabel}>{t.payer}</span>
        <Avatar of={{ id: user.name, username: user.name, avatar: user.avatar }} size={32} />
        <span className={styles.payerName}>{user.name}</span>
      </div>
      <p className={styles.problem} role="status">
        {problem}
      </p>
    </div>
  )
}
