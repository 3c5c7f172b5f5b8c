import { yuan } from '@guildhall/wire/money.ts'
import type { Order } from '@guildhall/wire/order/order.ts'
import { type PayData, payOrder } from '@guildhall/wire/pay/pay.ts'
import type { BrowserScene, PayWay } from '@guildhall/wire/payWay.ts'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useCall } from '../kit/useCall.ts'
import { here } from '../native/environment.ts'
import { leaveFor } from '../native/openApp/leaveFor.ts'
import { openPayApp } from '../native/openApp/openPayApp.ts'
import { orderChanged, sceneHere, TimeLeft, waysHere } from '../order/order.ts'
import { Button } from '../ui/Button.tsx'
import { WayIcon } from '../ui/icon/payIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import { alipayEnd, type PayEnd, weixinEnd } from './appEnd.ts'
import { isTouched } from './code/isTouched.ts'
import { leaveFrom } from './leaveFrom.ts'
import styles from './PaySheet.module.css'
import { StateText } from './StateText.tsx'
import { text } from './text.ts'

const PayCode = lazy(() => loadPart(() => import('./code/PayCode.tsx')))

/**
 * `choose`: the person chooses how to pay; `asked`: WeChat or Alipay asks them; `gone`: another page or app
 * has them; `told`: they have paid, the server does not know yet.
 */
type Step =
  | { readonly at: 'choose'; readonly problem: Pick<PayEnd, 'kind' | 'words' | 'why'> | null }
  | { readonly at: 'asked' }
  | { readonly at: 'qr'; readonly code: string }
  | { readonly at: 'gone' }
  | { readonly at: 'told' }

const CHOOSE: Step = { at: 'choose', problem: null }

export interface Paying {
  readonly step: Step
  readonly isBusy: boolean
  /** By default in the scene that fits the environment. */
  readonly start: (way: PayWay, scene?: BrowserScene) => void
  /** Opens the app of a way whose code is shown. */
  readonly open: (way: PayWay, code: string) => void
  readonly choose: () => void
}

/** Pays an order that waits: the way is chosen, and then what that way needs is done. */
export function PayOrder(props: { order: Order; offered: readonly PayWay[]; ask: () => void }) {
  const { order, offered, ask } = props
  const t = useText(text)
  const [ways] = useState(() => waysHere(here(), offered))
  const [way, setWay] = useState<PayWay | undefined>(ways[0])
  const paying = usePaying(order.order_id)
  const { step, choose } = paying
  const box = useStepFocus(step.at)
  if (!way)
    return (
      <StateText
        kind="bad"
        title={offered.length === 0 ? t.inApp : t.noWayHere}
        message={offered.length === 0 ? undefined : t.noWayHereWhy}
      />
    )
  return (
    <div ref={box} tabIndex={-1} className={styles.step} data-step={step.at}>
      <Summary order={order} onOver={ask} />
      {step.at === 'choose' || step.at === 'asked' ? (
        <Choose {...paying} order={order} ways={ways} way={way} onWay={setWay} ask={ask} />
      ) : step.at === 'qr' ? (
        <Suspense fallback={<LoadingState />}>
          <PayCode {...paying} key={step.code} way={way} code={step.code} order={order}>
            {ways.length > 1 && <Other onPress={choose} />}
          </PayCode>
        </Suspense>
      ) : (
        <Waiting title={step.at === 'gone' ? t.leaving(way) : t.waiting} isGone={step.at === 'gone'}>
          <Button block onPress={ask}>
            {step.at === 'gone' ? t.havePaid : t.ask}
          </Button>
          <Button kind="quiet" block onPress={choose}>
            {t.again}
          </Button>
          {step.at === 'gone' && <ByCode {...paying} way={way} />}
        </Waiting>
      )}
    </div>
  )
}

/** Begins to pay by a way, and does what the provider needs for it. */
function usePaying(orderId: string): Paying {
  const t = useText(text)
  const [step, setStep] = useState<Step>(CHOOSE)
  const navigate = useNavigate()
  const paying = useCall(payOrder)
  const isAsked = useRef(false)
  /** The ways whose page for phones was tried: they open by the address of their app. */
  const tried = useRef(new Set<PayWay>())
  const refuse = (failure: Pick<CallFailure, 'name' | 'message'>) => {
    setStep({ at: 'choose', problem: { kind: 'not', words: failure.message || t.unknown, why: '' } })
    // It was closed or paid meanwhile: the order says so itself.
    if (failure.name.startsWith('order.')) orderChanged()
  }
  const start = async (way: PayWay, scene: BrowserScene = sceneHere(here(), way), onRefused = refuse) => {
    if (isAsked.current) return
    if (scene === 'phone') tried.current.add(way)
    const data = await paying.run({ order_id: orderId, way, scene }, onRefused)
    if (data) await follow(data)
  }
  // The provider's page for phones opens its app with the payment; where there is none, the app alone opens.
  const open = async (way: PayWay, code: string) => {
    if (tried.current.has(way)) return openPayApp(way, code)
    await start(way, 'phone', (failure) => {
      if (failure.name.startsWith('order.')) return refuse(failure)
      if (failure.name.startsWith('pay.')) return openPayApp(way, code)
      tried.current.delete(way)
      toast(failure.message)
    })
  }
  const follow = async (data: PayData) => {
    if (data.kind === 'qr') return setStep({ at: 'qr', code: data.code })
    if (data.kind === 'redirect' && data.from !== undefined) {
      const { url, from } = data
      if (leaveFrom(navigate, { url, from })) return
    } else if (data.kind === 'redirect' && leaveFor(data.url)) return setStep({ at: 'gone' })
    if (data.kind !== 'weixin' && data.kind !== 'alipay')
      return refuse({ name: 'pay.way', message: t.unknown })
    isAsked.current = true
    setStep({ at: 'asked' })
    const end = await (data.kind === 'weixin' ? weixinEnd(data.params) : alipayEnd(data.order_str))
    isAsked.current = false
    setStep(end.kind === 'paid' ? { at: 'told' } : { at: 'choose', problem: end })
    // The server may know more, or know it later and say so by an event.
    orderChanged()
  }
  return {
    step,
    isBusy: paying.status === 'busy' || step.at === 'asked',
    start: (way, scene) => void start(way, scene),
    open: (way, code) => void open(way, code),
    choose: () => setStep(CHOOSE),
  }
}

/** What is bought, the one sum, and how long it may be paid. */
function Summary({ order, onOver }: { order: Order; onOver: () => void }) {
  const t = useText(text)
  return (
    <div className={styles.summary}>
      <p className={styles.what}>{order.lines.map(({ name, count }) => t.each(name, count)).join('、')}</p>
      <p className={styles.sum}>{yuan(order.pay_fee)}</p>
      <TimeLeft className={styles.left} endsAt={order.expires_at} onOver={onOver} />
    </div>
  )
}

function Choose(
  props: Paying & {
    order: Order
    ways: readonly PayWay[]
    way: PayWay
    onWay: (way: PayWay) => void
    ask: () => void
  },
) {
  const t = useText(text)
  const id = useId()
  const { step, way, isBusy } = props
  const problem = step.at === 'choose' ? step.problem : null
  const isUnsure = problem?.kind === 'unsure'
  return (
    <>
      <fieldset className={styles.ways} disabled={isBusy}>
        <legend className={styles.legend}>{t.chooseWay}</legend>
        {props.ways.map((it) => (
          <label key={it} className={styles.way} data-chosen={it === way || undefined}>
            <WayIcon way={it} size={32} />
            <span className={styles.wayName}>{t[it]}</span>
            <input
              type="radio"
              className={styles.radio}
              name={id}
              value={it}
              checked={it === way}
              onChange={() => props.onWay(it)}
            />
          </label>
        ))}
      </fieldset>
      <div className={styles.problem} role="alert">
        {problem && (
          <>
            <p className={styles.problemWords}>{problem.words}</p>
            {problem.why && <p>{problem.why}</p>}
          </>
        )}
      </div>
      <div className={styles.actions}>
        {/* What may have been paid is not offered to be paid again first. */}
        {isUnsure && (
          <Button block onPress={props.ask}>
            {t.ask}
          </Button>
        )}
        <Button kind={isUnsure ? 'quiet' : 'main'} block busy={isBusy} onPress={() => props.start(way)}>
          {isBusy ? t.paying : problem ? t.again : t.payWith(yuan(props.order.pay_fee))}
        </Button>
        {problem?.kind === 'not' && <ByCode {...props} />}
      </div>
    </>
  )
}

/** Where the page for phones does not open the app, the code is another way. */
function ByCode({ way, isBusy, start }: Pick<Paying, 'isBusy' | 'start'> & { way: PayWay }) {
  const t = useText(text)
  if (!isTouched() || sceneHere(here(), way) === 'inside') return null
  return (
    <Button kind="plain" block disabled={isBusy} onPress={() => start(way, 'qr')}>
      {t.byCode}
    </Button>
  )
}

function Other({ onPress }: { onPress: () => void }) {
  return (
    <Button kind="quiet" block onPress={onPress}>
      {useText(text).otherWay}
    </Button>
  )
}

function Waiting({ title, isGone, children }: { title: string; isGone: boolean; children: ReactNode }) {
  const t = useText(text)
  return (
    <>
      <div className={styles.waiting} role="status">
        <Spinner size={28} />
        <p className={styles.waitingTitle}>{title}</p>
        <p className={styles.quiet}>{isGone ? t.leavingWhy : t.waitingWhy}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </>
  )
}

/** What had the focus leaves with its step: the next step gets it. */
function useStepFocus(step: Step['at']) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step && !box.current?.contains(document.activeElement)) box.current?.focus()
    shown.current = step
  }, [step])
  return box
}
