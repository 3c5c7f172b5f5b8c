import { orderCode } from '@guildhall/wire/order/order.ts'
import { createByCode } from '@guildhall/wire/pay/pay.ts'
import { isPayWay, type PayWay, platform } from '@guildhall/wire/payWay.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { copyText } from '../kit/browser/clipboard.ts'
import { CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { text as common } from '../kit/text.ts'
import { here } from '../native/environment.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { alipayEnd, type PayEnd } from './appEnd.ts'
import { isTouched } from './code/isTouched.ts'
import { leaveFrom } from './leaveFrom.ts'
import styles from './PayPages.module.css'
import { CloseHost, PayState } from './PayState.tsx'
import { text } from './text.ts'

const QrPicture = lazy(() => loadPart(() => import('../ui/picture/QrPicture.tsx')))

/**
 * /pay: a code was scanned. In WeChat and Alipay it leads on to pay the order, without words unless something
 * is wrong. commerce.md §2, §8.
 */
export default function ScanPayScreen() {
  const t = useText(text)
  const [query] = useSearchParams()
  const [{ browser }] = useState(here)
  useProductTitle(t.pay)
  const id = query.get('id') ?? ''
  if (browser === 'wechat' && query.get('code') !== null)
    return <Navigate to={`/payment/wechat?${query}`} replace />
  if (!isPayWay(browser))
    return <Unsupported isOnDesk={!isTouched()} hasOrder={orderCode.safeParse(id).success} />
  if (id === '')
    return <PayState kind="bad" title={t.badLink} message={t.badLinkWhy} actions={<CloseHost />} />
  return <Begin key={id} id={id} way={browser} />
}

/** What the page shows; null: nothing yet. */
type Shown =
  | null
  | { readonly at: 'refused'; readonly message: string; readonly isFinal: boolean }
  | { readonly at: 'ended'; readonly end: PayEnd }

/** With these a new try leads to the same. */
const FINAL: readonly string[] = ['order.unknown', 'order.closed', 'order.paid', 'order.not_own']

/** Begins to pay, and again whenever the person asks for it. */
function Begin({ id, way }: { id: string; way: PayWay }) {
  const navigate = useNavigate()
  const [shown, setShown] = useState<Shown>(null)
  const isBusy = useRef(false)
  const start = useCallback(async () => {
    if (isBusy.current) return
    isBusy.current = true
    setShown(null)
    try {
      const { pay_data } = await call(createByCode, { id, platform: platform[way] })
      const { mobile_pay: url, from } = pay_data
      if (way === 'wechat' && from !== undefined) {
        // What was signed is not offered again when the person comes back.
        if (!leaveFrom(navigate, { url, from, replace: true })) throw new Error('no address to sign at')
        return
      }
      if (way === 'wechat') return leadOn(url)
      const end = await alipayEnd(url)
      if (end.kind === 'paid') return void navigate('/payment/successful', { replace: true })
      setShown({ at: 'ended', end })
    } catch (error) {
      const failure = error instanceof CallFailure ? error : null
      const message = failure && failure.name !== 'bad_answer' ? failure.message : ''
      setShown({ at: 'refused', message, isFinal: FINAL.includes(failure?.name ?? '') })
    } finally {
      isBusy.current = false
    }
  }, [id, way, navigate])
  useEffect(() => void start(), [start])
  const again = () => void start()

  if (shown?.at === 'ended') return <Ended end={shown.end} onAgain={again} />
  if (shown) return <Refused message={shown.message} onAgain={shown.isFinal ? null : again} />
  return (
    <Page>
      <div className={styles.late}>
        <LoadingState page />
      </div>
    </Page>
  )
}

/** How the payment in Alipay ended, when it did not end well. */
function Ended({ end, onAgain }: { end: PayEnd; onAgain: () => void }) {
  const t = useText(text)
  const isUnsure = end.kind === 'unsure'
  const again = (
    <Button kind={isUnsure ? 'quiet' : 'main'} block onPress={onAgain}>
      {t.again}
    </Button>
  )
  return (
    <PayState
      kind={isUnsure ? 'wait' : 'bad'}
      title={end.words}
      message={end.why}
      actions={
        // What may have been paid is not offered to be paid again first.
        <>
          {!isUnsure && again}
          <CloseHost isMain={isUnsure} />
          {isUnsure && again}
        </>
      }
    />
  )
}

/** Why there is nothing to pay. Without `onAgain` it stays so. */
function Refused(props: { message: string; onAgain: (() => void) | null }) {
  const t = useText(text)
  const tCommon = useText(common)
  const [hasDialog, setDialog] = useState(true)
  const message = props.message || t.unknown
  return (
    <>
      <PayState
        kind="bad"
        title={t.createFailed}
        message={message}
        actions={
          <>
            {props.onAgain && (
              <Button block onPress={props.onAgain}>
                {tCommon.retry}
              </Button>
            )}
            <CloseHost />
          </>
        }
      />
      {hasDialog && (
        <Dialog title={t.createFailed} message={message} confirm={t.gotIt} onClose={() => setDialog(false)} />
      )}
    </>
  )
}

/**
 * To WeChat's page that tells who pays. Back must not begin anew. @throws Error when the server's address is
 * none
 */
function leadOn(address: string): void {
  if (!/^https?:\/\/./i.test(address)) throw new Error('no address to pay at')
  location.replace(address)
}

function Unsupported({ isOnDesk, hasOrder }: { isOnDesk: boolean; hasOrder: boolean }) {
  const t = useText(text)
  const copy = async () => toast((await copyText(location.href)) ? t.copied : t.copyFailed)
  return (
    <PayState
      kind="bad"
      title={t.unsupported}
      message={hasOrder ? (isOnDesk ? t.unsupportedScan : t.unsupportedCopy) : undefined}
      actions={
        <>
          {hasOrder && !isOnDesk && (
            <Button block onPress={() => void copy()}>
              {t.copyLink}
            </Button>
          )}
          <CloseHost />
        </>
      }
    >
      {hasOrder && isOnDesk && (
        <div className={styles.qr}>
          <Suspense>
            <QrPicture text={location.href} label={t.pageQr} />
          </Suspense>
        </div>
      )}
    </PayState>
  )
}
