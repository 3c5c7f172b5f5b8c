import { userState } from '@guildhall/wire/auth/userState.ts'
import { unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { COUPON_TYPED_MAX, exchangeCoupon, readCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { goliveInfo } from '@guildhall/wire/golive/golive.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { here } from '../native/environment.ts'
import { shell } from '../native/shell.ts'
import { leavePage } from '../native/shellPage.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { TicketIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import styles from './CouponScreen.module.css'
import { text } from './text.ts'

type Won = AnswerOf<typeof exchangeCoupon>

/** commerce.md §9. */
const SUBMIT_AFTER_MS = 200
const FOCUS_AFTER_MS = 500

/** /cdk: redeems a code. `?code=` fills it in. commerce.md §2, §4. */
export default function CouponScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [code, setCode] = useState(() => readCoupon(query.get('code') ?? ''))
  const [won, setWon] = useState<Won | null>(null)
  const { box, isHidden } = useLateFocus()
  const { submit, isBusy } = useRedeem((answer) => {
    setWon(answer)
    setCode('')
  })
  const isEmpty = code === ''
  return (
    <TitledPage
      title={t.title}
      onBack={() => void leavePage(() => void navigate(paths.account(), { replace: true }))}
    >
      <main className={styles.page}>
        <div className={styles.ticket}>
          <span className={styles.mark}>
            <TicketIcon size={36} strokeWidth={1.6} />
          </span>
          <p>{t.where}</p>
        </div>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (!isEmpty) submit(code)
          }}
        >
          <div ref={box} className={isHidden ? styles.hidden : undefined}>
            <Field
              label={t.label}
              name="code"
              autoComplete="off"
              placeholder={t.hint}
              maxLength={COUPON_TYPED_MAX}
              read={readCoupon}
              value={code}
              onChange={setCode}
            />
          </div>
          <Button type="submit" block busy={isBusy} disabled={isEmpty || isBusy}>
            {t.redeem}
          </Button>
        </form>
      </main>
      {won && <WonDialog won={won} onClose={() => setWon(null)} />}
    </TitledPage>
  )
}

function WonDialog({ won, onClose }: { won: Won; onClose: () => void }) {
  const t = useText(text)
  return (
    <Dialog title={t.done} message={won.message} confirm={t.ok} onClose={onClose}>
      <ul className={styles.won}>
        {won.products.map(({ id, name, count }) => (
          <li key={id}>
            <TicketIcon size={20} />
            <span>
              {name} ×{count}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Redeems once after the last of some quick taps. */
function useRedeem(onWon: (won: Won) => void) {
  const t = useText(text)
  const redeem = useCall(exchangeCoupon)
  const [waits, setWaits] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = async (code: string) => {
    const answer = await redeem.run({ code }, ({ message }) => toast(message || t.failed))
    setWaits(false)
    if (!answer) return
    for (const route of [userState, vipExpired, unusedBoosts, goliveInfo]) invalidateRoute(route)
    onWon(answer)
    const inApp = shell()
    if (inApp?.has('prize_animate'))
      inApp.call('prize_animate', { products: answer.products }).catch(() => undefined)
  }
  return {
    isBusy: waits || redeem.status === 'busy',
    submit: (code: string) => {
      clearTimeout(timer.current)
      setWaits(true)
      timer.current = setTimeout(() => void send(code), SUBMIT_AFTER_MS)
    },
  }
}

/**
 * Beside a keyboard of its own the field appears after half a second, with the cursor in it. commerce.md §2.
 */
function useLateFocus() {
  const box = useRef<HTMLDivElement>(null)
  const [isHidden, setHidden] = useState(() => here().platform === 'desktop')
  useEffect(() => {
    if (!isHidden) return
    const timer = setTimeout(() => setHidden(false), FOCUS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isHidden])
  const wasHidden = useRef(isHidden)
  useEffect(() => {
    if (!isHidden && wasHidden.current) box.current?.querySelector('input')?.focus()
  }, [isHidden])
  return { box, isHidden }
}
