/**
 * What the server has of paying: its calls, where providers send their messages, grants, refunds, and what
 * compares the books.
 */
import { type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { type Module, type ModuleContext, work } from '../kit/module.ts'
import { faultsOf } from './faults/faults.ts'
import { grantOrder } from './grant.ts'
import { notifyEndpoint } from './notifyEndpoint.ts'
import type { PayDeps } from './payContext.ts'
import { grantOrderJob, refundPaymentJob } from './payJobs.ts'
import { settleOpen } from './paymentPoller.ts'
import { differencesOf, reconcileDue } from './reconcile/reconcile.ts'
import { refundPayment } from './refund/refundSettle.ts'
import { type PayRouteDeps, payRoutes } from './routes.ts'
import { acceptNotification } from './settle.ts'
import { moneyState } from './sql.ts'

export type { PayerPicture, WeixinPayer } from './routes.ts'

const DIFFERENCES_COUNTED = 1_000
/** Counting all orders is not for every scrape. */
const COUNTED_EVERY_MS = 10 * SECOND_MS
/** Not when the other chores of an hour run. */
const HOURLY = '17 * * * *'
/** At half past three in Beijing. */
const NIGHTLY = '30 19 * * *'

export function payModule(
  { appContext: { db }, config, log, metrics }: ModuleContext,
  pay: PayDeps,
  payers: Pick<PayRouteDeps, 'weixin' | 'payerPicture'>,
): Module {
  metrics.pay.watch(
    recently(async () => ({
      ...(await moneyState(db)),
      differences: (await differencesOf(db, DIFFERENCES_COUNTED)).length,
    })),
  )
  return {
    routes: payRoutes({ ...payers, pay, inBrowser: config.pay.inBrowser }),
    endpoints: [...pay.providers.keys()].map((way) =>
      notifyEndpoint(way, (message) => acceptNotification(pay, way, message)),
    ),
    jobs: [
      work(grantOrderJob, ({ order_id }) => grantOrder(pay, order_id)),
      work(refundPaymentJob, ({ refund_id }) => refundPayment(pay, refund_id)),
    ],
    schedules: [
      { name: 'fetch-bills', cron: HOURLY, run: (signal) => reconcileDue(pay, signal) },
      {
        name: 'check-ledger',
        cron: NIGHTLY,
        async run() {
          const faults = await faultsOf(db, pay.kinds)
          metrics.pay.faults(faults.length)
          for (const fault of faults) log.error({ fault }, 'the money does not balance')
        },
      },
    ],
    everyMinute: [(signal, isStart) => settleOpen(pay, { signal, isStart })],
  }
}

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
