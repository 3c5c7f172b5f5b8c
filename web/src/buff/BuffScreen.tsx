import { userState } from '@guildhall/wire/auth/login.ts'
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import { market, type Product } from '@guildhall/wire/product/product.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { Suspense, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { yuan } from '../kit/money.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { text as common } from '../kit/text.ts'
import { dateLabel } from '../kit/time.ts'
import { shell } from '../native/shell.ts'
import { askShell, useOnShown } from '../native/shellPage.ts'
import { PaySheet } from '../pay/pay.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import festive from '../ui/Festive.module.css'
import { Page } from '../ui/Page.tsx'
import { CrownIcon } from '../ui/payIcons.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import styles from './BuffScreen.module.css'
import { text } from './text.ts'

type Offer = AnswerOf<typeof vipProducts>

/** What the person has may be another than before. */
const reload = () => {
  invalidateRoute(vipExpired)
  invalidateRoute(userState)
}

/** /account/buff: the membership, its packages, and buying one. commerce.md §2, §4. */
export default function BuffScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const inApp = shell()
  const offer = useRouteQuery(vipProducts, {
    market: inApp?.config.app_plantform === 'IOS' ? market.ios : market.any,
    // Packages that renew themselves need an agreement, which this page does not have yet.
    period: 0,
  })
  useEffect(() => {
    document.title = `${t.title} · ${t.product}`
  }, [t])
  useOnShown(reload)
  return (
    <Page>
      <TopBar title={t.title} onBack={() => void navigate(paths.account())} />
      <main className={festive.page}>
        <Membership />
        {offer.answer ? (
          <Packages offer={offer.answer} />
        ) : offer.failure ? (
          <ErrorState title={t.failed} message={offer.failure.message} onRetry={offer.refetch} />
        ) : (
          <PackagesSkeleton />
        )}
      </main>
    </Page>
  )
}

/** Who they are, and until when they have it. */
function Membership() {
  const t = useText(text)
  const locale = useLocale()
  const me = useMe()
  const { answer } = useRouteQuery(vipExpired, {})
  const until = answer?.vip_expired ?? 0
  const day = dateLabel(until, locale)
  const words = until === 0 ? t.notYet : until > Date.now() ? t.until(day) : t.over(day)
  return (
    <section className={styles.card} data-on={me.is_vip || undefined}>
      <span className={styles.mark}>
        <CrownIcon size={132} strokeWidth={1} />
      </span>
      <span className={styles.face}>
        <Avatar id={me.id} name={me.username} src={me.avatar} size={56} />
      </span>
      <div className={styles.who}>
        <p className={styles.name}>
          <span>{me.username}</span>
          {me.is_vip && (
            <span className={styles.badge}>
              <CrownIcon size={14} /> BUFF
            </span>
          )}
        </p>
        <p className={styles.until}>{answer ? words : '…'}</p>
        {answer?.has_renewal && <p className={styles.until}>{t.renews}</p>}
      </div>
    </section>
  )
}

function Packages({ offer: { items, browser_ways } }: { offer: Offer }) {
  const t = useText(text)
  const me = useMe()
  const name = useId()
  const [chosenId, setChosenId] = useState<number | null>(null)
  const chosen = items.find(({ id }) => id === chosenId) ?? items[0]
  const buying = useBuying(chosen, browser_ways)
  if (!chosen) return <EmptyState icon={<CrownIcon size={32} />} title={t.none} message={t.noneWhy} />
  return (
    <>
      <fieldset className={styles.packages}>
        <legend className={styles.legend}>{t.packages}</legend>
        {items.map((it) => (
          <Package key={it.id} it={it} name={name} isChosen={it === chosen} onChoose={setChosenId} />
        ))}
      </fieldset>
      {chosen.buy_tip && <p className={styles.tip}>{chosen.buy_tip}</p>}
      <div className={styles.foot}>
        <button
          type="button"
          className={styles.buy}
          aria-busy={buying.isBusy || undefined}
          onClick={buying.start}
        >
          {me.is_vip ? t.renew : t.buy}
          <span className={styles.buySum}>{yuan(chosen.price)}</span>
        </button>
      </div>
      {buying.step === 'confirm' && (
        <Dialog
          title={t.confirmTitle}
          message={t.confirmWords(chosen.name, yuan(chosen.price))}
          confirm={t.confirm}
          cancel={t.cancel}
          onConfirm={buying.goOn}
          onClose={buying.stop}
        />
      )}
      {buying.step === 'pay' && (
        <Suspense>
          <PaySheet
            pay={{ productId: chosen.id }}
            ways={browser_ways}
            onPaid={reload}
            onClose={buying.stop}
          />
        </Suspense>
      )}
    </>
  )
}

function Package(props: { it: Product; name: string; isChosen: boolean; onChoose: (id: number) => void }) {
  const t = useText(text)
  const { it } = props
  return (
    <label className={styles.package} data-part="package" data-chosen={props.isChosen || undefined}>
      <input
        type="radio"
        className="unseen"
        name={props.name}
        value={it.id}
        checked={props.isChosen}
        onChange={() => props.onChoose(it.id)}
      />
      {it.discount_label && <span className={styles.discount}>{it.discount_label}</span>}
      <span className={styles.packageName}>{it.name}</span>
      <span className={styles.price}>{yuan(it.price)}</span>
      <span className={styles.before}>
        {it.origin_price > 0 && (
          <>
            <span className="unseen">{t.before}</span> <s>{yuan(it.origin_price)}</s>
          </>
        )}
      </span>
    </label>
  )
}

/** Buying the chosen package: in the app by the app; in a browser, where the operator allows it, in the pay sheet. commerce.md §6. */
function useBuying(chosen: Product | undefined, ways: Offer['browser_ways']) {
  const t = useText(text)
  const [step, setStep] = useState<'none' | 'confirm' | 'pay' | 'app'>('none')
  const stop = () => setStep('none')
  const buyInApp = async () => {
    if (!chosen) return
    setStep('app')
    const bought = await askShell('buy_produce_vip', { produce_id: String(chosen.id), produce_info: chosen })
    stop()
    if (bought?.status !== 'success') return
    toast(t.bought)
    reload()
  }
  const inApp = shell() !== null
  return {
    step,
    isBusy: step === 'app',
    start: () => {
      if (step !== 'none') return
      // Without a way to pay here it says to open the app.
      if (!inApp && ways.length === 0) void buyInApp()
      else setStep('confirm')
    },
    goOn: () => (inApp ? void buyInApp() : setStep('pay')),
    stop,
  }
}

function PackagesSkeleton() {
  const t = useText(common)
  return (
    <div className={styles.packages} role="status" aria-label={t.loading}>
      {[0, 1, 2].map((at) => (
        <Skeleton key={at} className={styles.blank} />
      ))}
    </div>
  )
}
