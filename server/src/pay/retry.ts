/** Trying again what waits of an order. */
import { fail } from '@guildhall/wire/failure.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { lockOrder, type OrderRow, type StepActor, takeStep } from '../order/order.ts'
import { isBegun } from './attempt.ts'
import type { PayDeps } from './payContext.ts'
import { grantOrderJob, refundPaymentJob } from './payJobs.ts'
import { askAbout } from './query.ts'
import * as rows from './sql.ts'

/** What of an order was tried again. */
export type Retried = 'asked' | 'granting' | 'refunding'

/**
 * Tries again what waits of an order: asks the providers of its begun payments, grants what is paid, asks for
 * refunds that are under way. Each of it happens once, however often it is tried.
 * @throws Failure order.unknown, order.nothing_waits
 */
export async function retryOrder(
  deps: PayDeps,
  orderId: string,
  input: {
    readonly actor: StepActor
    readonly reason: string
    readonly also: (tx: Tx, order: OrderRow, tried: readonly Retried[]) => Promise<void>
  },
): Promise<void> {
  const begun = (await rows.ofOrder(deps.appContext.db, orderId)).filter(isBegun)
  await askAbout(deps, begun)
  await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    const refunds = await rows.refundsOf(tx, [orderId])
    const isUngranted = order.state === 'stuck' && !order.is_granted && refunds.length === 0
    const resumed = isUngranted
      ? await takeStep(tx, emit, order, { step: 'resume', actor: input.actor, note: input.reason })
      : order
    if (resumed?.state === 'paid') await deps.jobs.send(tx, grantOrderJob, { order_id: orderId })
    const waiting = await rows.refundsSoon(tx, orderId, clock.now())
    for (const id of waiting) await deps.jobs.send(tx, refundPaymentJob, { refund_id: id })
    const tried: Retried[] = [
      ...(begun.length > 0 ? (['asked'] as const) : []),
      ...(resumed?.state === 'paid' ? (['granting'] as const) : []),
      ...(waiting.length > 0 ? (['refunding'] as const) : []),
    ]
    if (tried.length === 0) throw fail('order.nothing_waits')
    await input.also(tx, order, tried)
  })
  deps.jobs.wake(grantOrderJob)
  deps.jobs.wake(refundPaymentJob)
}
