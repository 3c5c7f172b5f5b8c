/**
 * Settling what a provider says of a payment. A notification, a query when the buyer returns and the poller's
 * query all lead to `settle`, which acts once, under the order's lock. commerce.md §4, §8.
 */
import { fail } from '@guildhall/wire/failure.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit, type Emit } from '../kit/events/events.ts'
import { post } from '../ledger/ledger.ts'
import { lockOrder, notifyBuyer, type OrderRow, takeStep } from '../order/order.ts'
import {
  BadNotification,
  type NotifyReply,
  type PaidFact,
  type PayWay,
} from '../outside/payment/payProvider.ts'
import { type Mismatch, mismatchOf } from './mismatch.ts'
import { receive, receiveLines } from './orderRules.ts'
import type { PayDeps } from './payContext.ts'
import { grantOrderJob, refundPaymentJob } from './payJobs.ts'
import { addRefund } from './refund/refund.ts'
import { settleRefund } from './refund/refundSettle.ts'
import * as rows from './sql.ts'

/**
 * Takes what a provider sent to its notify address. Nothing of what it answers tells whether an order exists.
 */
export async function acceptNotification(
  deps: PayDeps,
  way: PayWay,
  message: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly body: Buffer
  },
): Promise<NotifyReply> {
  const provider = deps.providers.get(way)
  if (!provider) throw fail('not_found')
  try {
    const notification = await provider.readNotification(message)
    // What does not fit is told again, in case that it is our fault.
    if (notification.kind === 'paid' && !(await settle(deps, way, notification.fact)))
      return provider.reply('later', message)
    if (notification.kind === 'contract' && !(await deps.renewing?.settle(way, notification.fact)))
      return provider.reply('later', message)
    if (notification.kind === 'refund') await settleRefund(deps, notification.refundNo, notification.answer)
    return provider.reply('taken', message)
  } catch (error) {
    if (error instanceof BadNotification) {
      deps.counts.refused(way, error.why)
      return provider.reply('refused', message)
    }
    deps.log.warn({ err: error, way }, 'a notification was not settled; it will be sent again')
    return provider.reply('later', message)
  }
}

/** `other_number`: it was settled with another number of the provider. */
type Settlement = 'settled' | 'already_settled' | 'other_number'

/**
 * Settles a payment that a provider says was made: once, whoever says it and however often. What does not fit
 * the order is kept and counted, and grants nothing. True when the payment is ours and stands.
 */
export async function settle(deps: PayDeps, way: PayWay, fact: PaidFact): Promise<boolean> {
  const provider = deps.providers.get(way)
  const known = await rows.byTradeNo(deps.appContext.db, fact.tradeNo)
  if (!provider || known?.way !== way) return recordMismatch(deps, way, 'unknown', fact)
  const why = mismatchOf(fact, { fee: known.fee, merchant: provider.merchant, apps: provider.apps })
  if (why) return recordMismatch(deps, way, why, fact)
  if (known.state === 'paid')
    return known.provider_no === fact.providerNo || recordMismatch(deps, way, 'number', fact)
  const result = await commit(deps.appContext, async (tx, emit): Promise<Settlement> => {
    const order = await lockOrder(tx, known.order_id)
    const payment = await rows.byTradeNo(tx, fact.tradeNo)
    if (!order || !payment) throw new Error(`payment ${fact.tradeNo} has no order`)
    if (payment.state === 'paid')
      return payment.provider_no === fact.providerNo ? 'already_settled' : 'other_number'
    await receiveMoney(deps, { tx, emit, order, payment, fact })
    return 'settled'
  })
  if (result === 'other_number') return recordMismatch(deps, way, 'number', fact)
  if (result === 'already_settled') return true
  deps.jobs.wake(grantOrderJob)
  deps.jobs.wake(refundPaymentJob)
  deps.counts.settled(way)
  return true
}

async function recordMismatch(deps: PayDeps, way: PayWay, why: Mismatch, fact: PaidFact): Promise<false> {
  deps.counts.refused(way, why)
  deps.log.warn({ way, why, trade: fact.tradeNo }, 'a provider reports a payment that does not fit')
  await rows.addMismatch(deps.appContext.db, { way, why, fact, now: clock.now() })
  return false
}

interface Arrival {
  readonly tx: Tx
  readonly emit: Emit
  readonly order: OrderRow
  readonly payment: rows.PaymentRow
  readonly fact: PaidFact
}

async function receiveMoney(deps: PayDeps, { tx, emit, order, payment, fact }: Arrival): Promise<void> {
  const { isMain, step, refund } = receive(order.state)
  const now = clock.now()
  await rows.setPaid(tx, payment.id, fact, isMain)
  await post(tx, {
    kind: 'receive',
    ref: payment.trade_no,
    orderId: order.id,
    at: now,
    lines: receiveLines(payment.way, payment.fee),
  })
  if (step)
    await takeStep(tx, emit, order, { step, actor: 'provider', note: `${payment.way} ${payment.trade_no}` })
  if (refund) await addRefund(deps, tx, { order, payment, fee: payment.fee, cause: refund, actor: 'server' })
  else await deps.jobs.send(tx, grantOrderJob, { order_id: order.id })
  // Other attempts of the same order are closed at their providers by the poller.
  await rows.querySoon(tx, order.id, now)
  if (!isMain) notifyBuyer(emit, order)
}
