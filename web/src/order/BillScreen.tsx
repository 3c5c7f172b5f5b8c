import { yuan } from '@guildhall/wire/money.ts'
import type { BillItem } from '@guildhall/wire/order/order.ts'
import { wayOf } from '@guildhall/wire/payWay.ts'
import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { clockLabel, dayLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { paths } from '../kit/paths.ts'
import { text as common } from '../kit/text.ts'
import { ShopLinks } from '../product/product.tsx'
import { Button } from '../ui/Button.tsx'
import { ClockIcon } from '../ui/icon/icons.tsx'
import { WayIcon } from '../ui/icon/payIcons.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import styles from './BillScreen.module.css'
import { BillDrawing } from './drawings.tsx'
import { useCancelling } from './OrderActs.tsx'
import { OrderSheet } from './OrderSheet.tsx'
import { text } from './text.ts'
import { UnpaidOrders } from './UnpaidOrders.tsx'
import { type LoadedBill, useBill } from './useBill.ts'
import { useUnpaid } from './useUnpaid.ts'

/** Goes on with an order that waits for its payment; the app passes it in. */
export type ContinuePaying = ComponentType<{ pay: { readonly orderId: string }; onClose: () => void }>

/**
 * /account/order-list: what the person paid for, and can still pay. With `order` in the address that order is
 * open. commerce.md §2.
 */
export default function BillScreen({ PaySheet }: { PaySheet: ContinuePaying }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const bill = useBill()
  const [open, setOpen] = useState<string | null>(() => orderIn(query))
  const [paying, setPaying] = useState<string | null>(null)
  const unpaid = useUnpaid()
  const cancelling = useCancelling(setOpen)
  const loaded = bill.days && unpaid.orders && { days: bill.days, orders: unpaid.orders }
  const retry = () => {
    bill.retry()
    unpaid.ask()
  }
  return (
    <TitledPage title={t.title} onBack={() => void navigate(paths.account())}>
      <main className={styles.bill}>
        <ShopLinks type="buff" />
        <Loaded
          of={{ answer: loaded, failure: bill.failure ?? unpaid.failure, refetch: retry }}
          title={t.failed}
          wait={<BillSkeleton />}
        >
          {({ days, orders }) => (
            <>
              <UnpaidOrders orders={orders} cancelling={cancelling} onOpen={setOpen} onContinue={setPaying} />
              {(days.length > 0 || orders.length === 0) && <Days {...bill} days={days} onOpen={setOpen} />}
            </>
          )}
        </Loaded>
      </main>
      {open && (
        <OrderSheet
          orderId={open}
          onContinue={() => {
            setPaying(open)
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {cancelling.dialog}
      {paying && (
        <Suspense>
          <PaySheet pay={{ orderId: paying }} onClose={() => setPaying(null)} />
        </Suspense>
      )}
    </TitledPage>
  )
}

/** The order that the address names; null: none, or what is no number of an order. */
const orderIn = (query: URLSearchParams): string | null =>
  /^[1-9]\d{7,19}$/.exec(query.get('order') ?? '')?.[0] ?? null

function Days(props: LoadedBill & { days: NonNullable<LoadedBill['days']>; onOpen: (id: string) => void }) {
  const t = useText(text)
  const locale = useLocale()
  if (props.days.length === 0) return <EmptyState icon={<BillDrawing />} title={t.none} message={t.noneWhy} />
  return (
    <>
      {props.days.map(({ at, items }) => (
        <Day key={at} title={dayLabel(at, Date.now(), locale)}>
          {items.map((item) => (
            <Row key={item.order_id} item={item} onOpen={() => props.onOpen(item.order_id)} />
          ))}
        </Day>
      ))}
      <End {...props} />
    </>
  )
}

function Day({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.day} aria-labelledby={id}>
      <h2 className={styles.dayTitle} id={id}>
        {title}
      </h2>
      <ul className={styles.card}>{children}</ul>
    </section>
  )
}

function Row({ item, onOpen }: { item: BillItem; onOpen: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const way = wayOf(item.pay_platform)
  const note = useNote(item)
  const about = [item.item_entities_desc, item.usage_info].filter((it) => it && !isSaid(it, item.buy_info))
  return (
    <li>
      <button type="button" className={styles.row} data-part="bill-row" onClick={onOpen}>
        <span className={styles.sign}>{way ? <WayIcon way={way} size={36} /> : <ClockIcon size={20} />}</span>
        <span className={styles.what}>
          <span className={styles.name}>{item.buy_info}</span>
          {about.length > 0 && <span className={styles.about}>{about.join(' · ')}</span>}
          <span className={styles.about}>
            {[clockLabel(item.order_datetime, locale), way ? t[way] : t.unpaid].join(' · ')}
          </span>
        </span>
        <span className={styles.sums}>
          <span className={styles.sum} data-off={item.state === 'closed' || undefined}>
            {yuan(item.pay_fee)}
          </span>
          {note && (
            <span className={styles.note} data-kind={note.kind}>
              {note.words}
            </span>
          )}
        </span>
      </button>
    </li>
  )
}

/** Whether words say no more than the name of what was bought: the name itself, or one of it. */
const isSaid = (content: string, name: string): boolean =>
  content === name || (content.startsWith(name) && /^\s*[×xX*]\s*1$/.test(content.slice(name.length)))

/** What is said of an order below its sum; null: it went as it should. */
function useNote({ state, refund_fee, pay_fee }: BillItem) {
  const t = useText(text)
  if (state === 'refunding') return { kind: 'wait', words: t.refundingSum(yuan(refund_fee || pay_fee)) }
  if (refund_fee > 0) return { kind: 'back', words: t.refundedSum(yuan(refund_fee)) }
  if (state === 'granted') return null
  return { kind: state === 'closed' ? 'off' : 'wait', words: t[state] }
}

/** The end of the list: it loads more when it comes near, and says what it does. */
function End({ days, hasMore, isBusy, moreFailure, loadMore }: LoadedBill) {
  const t = useText(text)
  const tCommon = useText(common)
  const end = useRef<HTMLDivElement>(null)
  const load = useRef(loadMore)
  load.current = loadMore
  const isWaiting = hasMore && !isBusy && !moreFailure
  // The observer tells where the end is once it begins to look, so it begins anew with each page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (!isWaiting || !end.current) return
    const near = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && load.current(),
      { rootMargin: '600px 0px' },
    )
    near.observe(end.current)
    return () => near.disconnect()
  }, [isWaiting, days])
  return (
    <div className={styles.end} ref={end} role="status">
      {moreFailure ? (
        <>
          <p>{t.moreFailed(moreFailure.message)}</p>
          <Button kind="soft" onPress={loadMore}>
            {tCommon.retry}
          </Button>
        </>
      ) : hasMore ? (
        <>
          <Spinner size={18} />
          {t.loadingMore}
        </>
      ) : (
        t.allShown
      )}
    </div>
  )
}

/** In the size of the rows that follow. */
function BillSkeleton() {
  const t = useText(common)
  return (
    <div role="status" aria-label={t.loading}>
      <div className={styles.day}>
        <div className={styles.dayTitle}>
          <Skeleton width={48} height={14} />
        </div>
        <div className={styles.card}>
          {[0, 1, 2, 3, 4].map((at) => (
            <div key={at} className={styles.row}>
              <Skeleton className={styles.blank} />
              <span className={styles.what}>
                <Skeleton width={120} height={16} />
                <Skeleton width={180} height={12} />
              </span>
              <Skeleton width={64} height={16} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
