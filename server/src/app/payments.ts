/** What is sold, who is paid, and the work of it that nobody waits for. */
import type { UserId } from '@guildhall/wire/id.ts'
import { type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { type FaceDeps, tellFace, tellGuildsJob } from '../account/account.ts'
import { boostKind, turnBoosts } from '../boost/boost.ts'
import { boostRoutes } from '../boost/routes.ts'
import { BUFF, buffKind } from '../buff/buff.ts'
import { buffRoutes } from '../buff/routes.ts'
import { couponRoutes } from '../coupon/routes.ts'
import { type TellHolder, tellEnds } from '../entitlement/entitlement.ts'
import { GOLIVE, goliveKind } from '../golive/golive.ts'
import { goliveRoutes } from '../golive/routes.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/db.ts'
import type { Live } from '../kit/events.ts'
import type { Binding } from '../kit/http/binding.ts'
import type { Endpoint } from '../kit/http/endpoints.ts'
import type { Jobs } from '../kit/jobs.ts'
import type { Log } from '../kit/log.ts'
import type { PayMetrics } from '../kit/metrics.ts'
import type { Limits } from '../kit/rateLimit.ts'
import { ledgerFaults } from '../ledger/ledger.ts'
import type { ProductKind, ProductKinds } from '../order/order.ts'
import { orderRoutes } from '../order/routes.ts'
import type { AppleSubscriptions } from '../outside/appleSubscriptions.ts'
import type { PayScene } from '../outside/payProvider.ts'
import { settleOpen } from '../pay/janitor.ts'
import {
  grantOrder,
  grantOrderJob,
  moneyFaults,
  moneyState,
  type PayDeps,
  refundPayment,
  refundPaymentJob,
  takeNotification,
} from '../pay/pay.ts'
import { differencesOf, reconcileDue } from '../pay/reconcile.ts'
import { type PayerPicture, payRoutes, type WeixinPayer } from '../pay/routes.ts'
import { type BrowserPaying, findProduct } from '../product/product.ts'
import {
  driveRenewal,
  driveRenewalJob,
  driveRenewals,
  hasRenewal,
  renewingOf,
  takeAppleNotification,
} from '../renewal/renewal.ts'
import { renewalRoutes } from '../renewal/routes.ts'
import { chore } from './chore.ts'
import { everyMinute } from './everyMinute.ts'
import { notifyPath, type PayProviders } from './payProviders.ts'

const kindsTelling = (tell: TellHolder): ProductKinds =>
  new Map([buffKind(tell), boostKind, goliveKind(tell)].map((kind) => [kind.name, kind]))

/** Where a change of how somebody looks is told from. */
export const faceDeps = ({ live, jobs }: Telling): FaceDeps => ({
  live,
  queueRest: (tx, user_id, after) => jobs.send(tx, tellGuildsJob, { user_id, after }),
})
interface Telling {
  readonly live: FaceDeps['live']
  readonly jobs: Pick<Jobs, 'send'>
}

/** Tells that what somebody has changed. */
export const holderTeller =
  (it: Telling): TellHolder =>
  (tx, emit, userId, to) =>
    tellFace(tx, emit, faceDeps(it), userId, to)

/** Everything that can be sold, by the name of its kind. */
export const kindsOf = (it: Telling): ProductKinds => kindsTelling(holderTeller(it))

/** The same for who asks about kinds, and grants nothing. */
export const KINDS: ReadonlyMap<string, Omit<ProductKind, 'grants' | 'revokes'>> = kindsTelling(
  async () => undefined,
)

const DIFFERENCES_COUNTED = 1_000

/** The longest message of a provider, bytes. */
const NOTIFY_BODY_MAX = 64 * 1024

const fetchBills = chore('fetch-bills')
const checkLedger = chore('check-ledger')
const HOURLY = '17 * * * *'
/** At half past three in Beijing. */
const NIGHTLY = '30 19 * * *'

export interface PaymentsDeps {
  readonly live: Live
  readonly jobs: Jobs
  readonly limits: Limits
  readonly log: Log
  readonly metrics: PayMetrics
  /** Without providers orders are placed and nobody can pay them. */
  readonly providers: PayProviders
  readonly weixin: WeixinPayer | null
  readonly payerPicture: PayerPicture
  /** Paths of the video of screen sharing and of its cover; empty: there is none. */
  readonly goliveVideo: { readonly cover: string; readonly url: string }
  /** Null: no subscription at Apple is shown. */
  readonly apple: AppleSubscriptions | null
  /** Whether one may buy in a browser, outside of the native app. */
  readonly inBrowser: boolean
}

/** What paying needs, of what this server has. */
export const payDepsOf = ({ live, jobs, log, metrics, providers }: PaymentsDeps): PayDeps => {
  const deps: PayDeps = {
    live,
    jobs,
    log,
    providers,
    kinds: kindsOf({ live, jobs }),
    renewing: renewingOf(() => deps),
    counts: { refused: metrics.refused, settled: metrics.settled },
  }
  return deps
}

/** The calls of buying. */
export function purchaseRoutes(it: PaymentsDeps): Binding[] {
  const { db } = it.live
  const pay = payDepsOf(it)
  const paying = payingInBrowser(it)
  return [
    ...orderRoutes({ db, kinds: pay.kinds }),
    ...payRoutes({ pay, weixin: it.weixin, payerPicture: it.payerPicture, inBrowser: it.inBrowser }),
    ...buffRoutes({ db, paying, hasRenewal: (userId) => hasRenewal(db, userId, BUFF) }),
    ...boostRoutes({ live: it.live, browserWays: paying.browser_ways }),
    ...goliveRoutes({
      db,
      paying,
      video: it.goliveVideo,
      hasRenewal: (userId) => hasRenewal(db, userId, GOLIVE),
    }),
    ...renewalRoutes(pay),
    ...couponRoutes({ live: it.live, kinds: pay.kinds, limits: it.limits }),
  ]
}

/** How one may pay in a browser. */
export function payingInBrowser({
  inBrowser,
  providers,
}: Pick<PaymentsDeps, 'inBrowser' | 'providers'>): BrowserPaying {
  const offered = inBrowser ? [...providers.values()] : []
  const signing = (scene: PayScene) =>
    offered.filter(({ contracts }) => contracts?.scenes[scene]).map(({ way }) => way)
  return {
    browser_ways: offered.map(({ way }) => way),
    renewing_ways: { inside: signing('inside'), phone: signing('phone'), qr: signing('qr') },
  }
}

/** Where the providers send their messages. Nothing of the answer tells whether an order exists. */
export function notifyEndpoints(it: PaymentsDeps): Endpoint[] {
  const pay = payDepsOf(it)
  const { apple } = it
  return [
    ...[...it.providers.keys()].map(
      (way): Endpoint => ({
        method: 'POST',
        path: notifyPath(way),
        bodyMax: NOTIFY_BODY_MAX,
        run: ({ headers, body }) => takeNotification(pay, way, { headers, body }),
      }),
    ),
    ...(apple
      ? [
          {
            method: 'POST' as const,
            path: notifyPath('apple'),
            bodyMax: NOTIFY_BODY_MAX,
            run: ({ body }: { body: Buffer }) =>
              takeAppleNotification({ ...pay, counts: { refused: it.metrics.refused } }, apple, body),
          },
        ]
      : []),
  ]
}

/** Runs on this node what orders, payments and boosts need of a server, now and then. Returns how to stop what is no job. */
export async function startPayJobs(it: PaymentsDeps): Promise<() => Promise<void>> {
  const { jobs, log, metrics } = it
  const { db } = it.live
  const pay = payDepsOf(it)
  await jobs.work(grantOrderJob, ({ order_id }) => grantOrder(pay, order_id))
  await jobs.work(refundPaymentJob, ({ refund_id }) => refundPayment(pay, refund_id))
  await jobs.work(driveRenewalJob, ({ renewal_id }) => driveRenewal(pay, renewal_id))
  await jobs.work(checkLedger, async () => {
    const faults = await faultsOfMoney(db)
    metrics.faults(faults.length)
    for (const fault of faults) log.error({ fault }, 'the money does not balance')
  })
  await jobs.work(fetchBills, (_data, signal) => reconcileDue(pay, signal))
  await jobs.schedule(fetchBills, HOURLY, {})
  await jobs.schedule(checkLedger, NIGHTLY, {})
  metrics.watch(
    recently(async () => ({
      ...(await moneyState(db)),
      differences: (await differencesOf(db, DIFFERENCES_COUNTED)).length,
    })),
  )
  const stops = [
    everyMinute(log, (signal, isStart) => settleOpen(pay, { signal, isStart })),
    everyMinute(log, (signal) => driveRenewals(pay, signal)),
    everyMinute(log, (signal) => turnBoosts(it.live, signal)),
    everyMinute(log, (signal) => tellEndsTo(holderTeller(it), it.live, signal)),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

/** Tells what ended by the clock: others see BUFF alone. */
export const tellEndsTo = (tell: TellHolder, live: Live, signal?: AbortSignal): Promise<void> =>
  tellEnds(
    live,
    (tx, emit, { userId, kind }) => tell(tx, emit, userId, kind === BUFF ? 'everybody' : 'self'),
    signal,
  )

/** What orders, payments, grants and the ledger say that does not agree, as sentences. */
export const faultsOfMoney = async (db: Db): Promise<readonly string[]> => [
  ...(await ledgerFaults(db)),
  ...(await moneyFaults(db, KINDS)),
]

const COUNTED_EVERY_MS = 10 * SECOND_MS

/** Counting all orders is not for every scrape. */
function recently<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: Millis; readonly answer: Promise<T> } | null = null
  return () => {
    const now = clock.now()
    if (!last || now - last.at >= COUNTED_EVERY_MS) last = { at: now, answer: ask() }
    last.answer.catch(() => {
      last = null
    })
    return last.answer
  }
}

/** Of some people, those who have a product already, and are not given it. */
export const ownersOf =
  (db: Db) =>
  async (productId: number, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> => {
    const product = await findProduct(db, productId)
    const kind = product && KINDS.get(product.kind)
    if (!kind) return new Set()
    return kind.owners(db, userIds, product.details)
  }
