/** Asking providers about payments that were begun, until each has an end. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { findOrder, lockOrder, type OrderRow, ownOrder, takeStep } from '../order/order.ts'
import type { PaymentAnswer } from '../outside/payment/payProvider.ts'
import { FIRST_QUERY_MS, isBegun } from './attempt.ts'
import type { PayDeps } from './payContext.ts'
import { pause, timeout } from './providerCall.ts'
import { settle } from './settle.ts'
import * as rows from './sql.ts'

/**
 * A trade that a provider does not know may still be made there, by a call that is under way or by the buyer,
 * until its time is over by the provider's clock too.
 */
const UNKNOWN_FOR_MS = 10 * MINUTE_MS

/**
 * Asks the providers of the begun payments of an order, whatever their turns are; the order as it is then.
 */
export async function askAboutOrder(deps: PayDeps, orderId: string): Promise<OrderRow | null> {
  await askAbout(deps, (await rows.ofOrder(deps.appContext.db, orderId)).filter(isBegun))
  return findOrder(deps.appContext.db, orderId)
}

/** Gives up an order of this person that was not paid. */
export async function closeOrder(deps: PayDeps, userId: UserId, orderId: string): Promise<void> {
  const order = await ownOrder(deps.appContext.db, userId, orderId)
  if (order.state === 'closed') return
  // Money that arrived and was not reported yet counts.
  await askAbout(deps, (await rows.ofOrder(deps.appContext.db, order.id)).filter(isBegun))
  await commit(deps.appContext, async (tx, emit) => {
    const locked = await lockOrder(tx, order.id)
    if (!locked || locked.state === 'closed') return
    if (!isPayable(locked.state)) throw fail('order.paid')
    await takeStep(tx, emit, locked, { step: 'close', actor: 'buyer' })
    await rows.querySoon(tx, order.id, clock.now())
  })
}

/** Asks for some payments at the same time; a provider that does not answer is passed. */
export async function askAbout(deps: PayDeps, payments: readonly rows.PaymentRow[]): Promise<void> {
  const ask = async (payment: rows.PaymentRow) => {
    try {
      await askProvider(deps, payment)
    } catch (error) {
      deps.log.warn({ err: error, trade: payment.trade_no }, 'a payment could not be asked for')
    }
  }
  await Promise.all(payments.map(ask))
}

/** Asks a provider about a begun payment, and settles what it says; null: it is not configured. */
export async function askProvider(
  deps: PayDeps,
  payment: rows.PaymentRow,
): Promise<PaymentAnswer['state'] | null> {
  const answer = await deps.providers.get(payment.way)?.query(payment.trade_no, timeout())
  if (answer?.state === 'paid') await settle(deps, payment.way, answer.fact)
  if (answer?.state === 'closed') await rows.setClosed(deps.appContext.db, payment.id)
  return answer?.state ?? null
}

/** Pauses between queries when a buyer keeps looking at an order that is being paid, ms. */
const LOOKED_AT_EVERY_MS = 4 * SECOND_MS

/**
 * An order of this person, after asking the providers of its begun payments for which the pause between
 * queries is over.
 */
export async function refreshedOrder(deps: PayDeps, userId: UserId, orderId: string): Promise<OrderRow> {
  const order = await ownOrder(deps.appContext.db, userId, orderId)
  if (order.state !== 'paying') return order
  const now = clock.now()
  const due: rows.PaymentRow[] = []
  for (const payment of (await rows.ofOrder(deps.appContext.db, order.id)).filter(isBegun))
    if (await rows.takeQuery(deps.appContext.db, payment.id, now, now + LOOKED_AT_EVERY_MS)) due.push(payment)
  await askAbout(deps, due)
  return (await findOrder(deps.appContext.db, order.id)) ?? order
}

/**
 * When a payment is asked for again: at the latest when its order's time is over, before the order is closed.
 */
const nextQueryAt = ({ queries, expires_at }: rows.OpenPayment, now: Millis): Millis => {
  const nextAt = now + pause(queries, FIRST_QUERY_MS, rows.QUERY_MAX_MS)
  return now < expires_at ? Math.min(nextAt, expires_at + SECOND_MS) : nextAt
}

/** Asks about one payment when it is due, and closes it at the provider when nobody may pay it any more. */
export async function advanceTrade(deps: PayDeps, payment: rows.OpenPayment): Promise<void> {
  const now = clock.now()
  if (!(await rows.takeQuery(deps.appContext.db, payment.id, now, nextQueryAt(payment, now)))) return
  const provider = deps.providers.get(payment.way)
  if (!provider) return
  const said = await askProvider(deps, payment)
  if (said === 'paid' || said === 'closed') return
  if (isPayable(payment.order_state) && payment.expires_at > now) return
  if (said === 'unknown') {
    if (payment.expires_at + UNKNOWN_FOR_MS < now) await rows.setClosed(deps.appContext.db, payment.id)
    return
  }
  if ((await provider.close(payment.trade_no, timeout())) === 'closed')
    await rows.setClosed(deps.appContext.db, payment.id)
  else await askProvider(deps, payment)
}
