import { yuan } from '@guildhall/wire/money.ts'
import { wayOf } from '@guildhall/wire/payWay.ts'
import {
  closeRenewal,
  listRenewals,
  type Renewal,
  renewalPlatform,
  renewalType,
} from '@guildhall/wire/renewal/renewal.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { useEffect, useId, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { dateLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { text as common } from '../kit/text.ts'
import { useCall } from '../kit/useCall.ts'
import { closePage, leavePage, useOnShown } from '../native/shellPage.ts'
import { renewalChanged } from '../order/order.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { AppleIcon, BillIcon, WayIcon } from '../ui/icon/payIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { RenewalDrawing } from './drawings.tsx'
import styles from './RenewalScreen.module.css'
import { text } from './text.ts'

/** commerce.md §4 "Renewal". */
const CLOSES_AFTER_MS = 2 * SECOND_MS

/**
 * /renewal/management: what renews itself, and closing it. `?type=buff` is BUFF, anything else screen
 * sharing. commerce.md §2.
 */
export default function RenewalScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const type = query.get('type') === 'buff' ? 'buff' : 'other'
  const list = useRouteQuery(listRenewals, {
    type: type === 'buff' ? renewalType.buff : renewalType.golive,
  })
  const [closing, setClosing] = useState<Renewal | null>(null)
  const { close, isBusy } = useClosing()
  useOnShown(() => invalidateRoute(listRenewals))
  return (
    <TitledPage
      title={t.title}
      onBack={() => void leavePage(() => void navigate(paths.account(), { replace: true }))}
    >
      <main className={styles.page}>
        <Types type={type} />
        <Loaded of={list} title={t.failed} wait={<RenewalsSkeleton />}>
          {({ items }) => <Renewals items={items} type={type} isBusy={isBusy} onClose={setClosing} />}
        </Loaded>
      </main>
      {closing && (
        <CloseDialog
          renewal={closing}
          onConfirm={() => {
            setClosing(null)
            void close(closing.code)
          }}
          onClose={() => setClosing(null)}
        />
      )}
    </TitledPage>
  )
}

type RenewalType = 'buff' | 'other'

/** What renews itself is one of these two. */
function Types({ type }: { type: RenewalType }) {
  const t = useText(text)
  return (
    <nav className={styles.types} aria-label={t.types}>
      {(['buff', 'other'] as const).map((each) => (
        <Link
          key={each}
          className={styles.type}
          to={{ search: `?type=${each}` }}
          replace
          aria-current={each === type ? 'page' : undefined}
        >
          {t[each]}
        </Link>
      ))}
    </nav>
  )
}

function Renewals(props: {
  items: readonly Renewal[]
  type: RenewalType
  isBusy: boolean
  onClose: (renewal: Renewal) => void
}) {
  const t = useText(text)
  if (props.items.length === 0) {
    const why = props.type === 'buff' ? t.noneOfBuff : t.noneOfGolive
    return (
      <EmptyState
        icon={<RenewalDrawing />}
        title={t.none}
        message={why}
        action={
          <Link
            className={buttonClass('soft')}
            to={props.type === 'buff' ? '/account/buff' : '/account/golive'}
          >
            {props.type === 'buff' ? t.toBuff : t.toGolive}
          </Link>
        }
      />
    )
  }
  return (
    <>
      <ul className={styles.list}>
        {props.items.map((it) => (
          <Row key={it.code} renewal={it} isBusy={props.isBusy} onClose={() => props.onClose(it)} />
        ))}
      </ul>
      <p className={styles.notice}>{t.notice}</p>
    </>
  )
}

function Row({ renewal, isBusy, onClose }: { renewal: Renewal; isBusy: boolean; onClose: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const id = useId()
  const { platform, pay_text } = renewal.pay_info
  const isApple = platform === renewalPlatform.apple
  const day = (at: number) => dateLabel(at, locale)
  return (
    <li className={styles.card} aria-labelledby={id} data-part="renewal">
      <div className={styles.head}>
        <span className={styles.sign}>
          <PlatformIcon platform={platform} />
        </span>
        <span className={styles.what}>
          <strong className={styles.name} id={id}>
            {renewal.product.name}
          </strong>
          <span className={styles.way}>{pay_text}</span>
        </span>
      </div>
      <dl className={styles.facts}>
        {renewal.expired_time > 0 && <Fact term={t.until} value={day(renewal.expired_time)} />}
        <Fact term={t.next} value={renewal.next_time > 0 ? day(renewal.next_time) : t.noCharge} />
        {renewal.fee > 0 && renewal.next_time > 0 && <Fact term={t.sum} value={yuan(renewal.fee)} />}
      </dl>
      {renewal.is_failed && <p className={styles.failed}>{t.lastFailed}</p>}
      {isApple ? (
        <p className={styles.apple}>{t.apple}</p>
      ) : (
        <Button kind="soft" block disabled={isBusy} onPress={onClose}>
          {t.close}
        </Button>
      )}
    </li>
  )
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** Decoration: the name of the platform stands beside it. */
function PlatformIcon({ platform }: { platform: number }) {
  const way = wayOf(platform)
  if (way) return <WayIcon way={way} size={40} />
  return platform === renewalPlatform.apple ? <AppleIcon size={28} /> : <BillIcon size={28} />
}

function CloseDialog(props: { renewal: Renewal; onConfirm: () => void; onClose: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const { expired_time, product } = props.renewal
  return (
    <Dialog
      title={t.closeTitle}
      message={t.closeWords(product.name, expired_time > 0 ? dateLabel(expired_time, locale) : '')}
      confirm={t.confirm}
      cancel={t.keep}
      danger
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    />
  )
}

/** Ends a contract; two seconds later the web view closes, where there is one. */
function useClosing() {
  const t = useText(text)
  const { run, status } = useCall(closeRenewal)
  const [isClosed, setClosed] = useState(false)
  useEffect(() => {
    if (!isClosed) return
    const timer = setTimeout(() => void closePage(), CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isClosed])
  return {
    isBusy: status === 'busy',
    close: async (code: string) => {
      const answer = await run({ code }, ({ message }) => toast(message))
      if (!answer) return
      toast(t.closed)
      renewalChanged()
      setClosed(true)
    },
  }
}

function RenewalsSkeleton() {
  const t = useText(common)
  return (
    <div className={styles.list} role="status" aria-label={t.loading}>
      <div className={styles.card}>
        <div className={styles.head}>
          <Skeleton width={40} height={40} />
          <Skeleton width={132} height={18} />
        </div>
        <div className={styles.facts}>
          {[96, 120, 88].map((width) => (
            <div key={width} className={styles.fact}>
              <Skeleton width={64} />
              <Skeleton width={width} />
            </div>
          ))}
        </div>
        <Skeleton className={styles.blank} />
      </div>
    </div>
  )
}
