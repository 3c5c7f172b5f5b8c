/** Refunds: deciding what goes back, and trying again what is stuck. `refundSettle.ts` asks the provider. */
import { fail } from '@guildhall/wire/failure.ts'
import type { Fen } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/database/db.ts'
import { commit, type Emit } from '../../kit/events/events.ts'
import { ids } from '../../kit/ids.ts'
import { post } from '../../ledger/ledger.ts'
import {
  grantedLines,
  lockOrder,
  notifyBuyer,
  notifyGiftRevoked,
  type OrderRow,
  type StepActor,
  setGranted,
  takeStep,
} from '../../order/order.ts'
import { type RefundCause, refundable, refundLines, type Sold } from '../orderRules.ts'
import { leftOf, moneyOf } from '../orderSearch/orderSearch.ts'
import type { PayDeps } from '../payContext.ts'
import { refundPaymentJob } from '../payJobs.ts'
import * as rows from '../sql.ts'

const newRefundNo = (): string => `R${ids.uuid().replaceAll('-', '').slice(0, 23)}`.toUpperCase()

export async function addRefund(
  deps: PayDeps,
  tx: Tx,
  input: {
    readonly order: OrderRow
    readonly payment: rows.PaymentRow
    readonly fee: Fen
    readonly cause: RefundCause
    readonly actor: StepActor
    readonly reason?: string
  },
): Promise<rows.RefundRow> {
  const refund = await rows.addRefund(tx, {
    refund_no: newRefundNo(),
    order_id: input.order.id,
    payment_id: input.payment.id,
    fee: input.fee,
    cause: input.cause,
    reason: input.reason ?? '',
    actor: input.actor,
    created_at: clock.now(),
  })
  await deps.jobs.send(tx, refundPaymentJob, { refund_id: refund.id })
  return refund
}

export interface RefundWish {
  /** Null: all that is left. */
  readonly fee: Fen | null
  readonly cause: RefundCause
  readonly actor: StepActor
  readonly reason: string
}

/** Begins a refund of a locked order; null when nothing, or not so much, can be given back. */
export async function refundLocked(
  deps: PayDeps,
  tx: Tx,
  emit: Emit,
  order: OrderRow,
  wish: RefundWish,
): Promise<rows.RefundRow | null> {
  const payment = (await rows.ofOrder(tx, order.id)).find(({ is_main }) => is_main)
  const refunds = await rows.refundsOf(tx, [order.id])
  const possible = refundable(moneyOf(order, payment, refunds), wish.fee)
  if (!payment || !possible) return null
  const lines = await grantedLines(tx, deps.kinds, order)
  if (possible.revokes && order.is_granted) {
    for (const { kind, line } of lines) await kind?.revokes(tx, emit, line)
    await setGranted(tx, order.id, false)
    await notifyGiftRevoked(deps.appContext, tx, emit, order)
  }
  const refund = await addRefund(deps, tx, { ...wish, order, payment, fee: possible.fee })
  if (order.state === 'granted') {
    const sold = lines.map(({ name, fee }): Sold => ({ product: name, fee }))
    await post(tx, {
      kind: 'refund',
      ref: refund.refund_no,
      orderId: order.id,
      at: refund.created_at,
      lines: refundLines(sold, possible.fee),
    })
  }
  if (possible.step)
    await takeStep(tx, emit, order, { step: possible.step, actor: wish.actor, note: wish.reason })
  else notifyBuyer(emit, order)
  return refund
}

export interface OrderRefund {
  /** Null: all that is left. */
  readonly fee: Fen | null
  readonly reason: string
  readonly actor: StepActor
  /**
   * What was left when it was decided: with another sum left, somebody else was faster. Absent: whatever is
   * left.
   */
  readonly left?: Fen
  /** More of the same transaction. */
  readonly also?: (tx: Tx, order: OrderRow, refund: rows.RefundRow) => Promise<void>
}

/**
 * Gives back an order, or part of it. For one whose refund is stuck it tries that again.
 * @throws Failure order.unknown, order.changed; bad_input when nothing, or not so much, can be given back
 */
export async function refundOrder(deps: PayDeps, orderId: string, input: OrderRefund): Promise<void> {
  await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    if (input.left !== undefined) await refuseChanged(tx, order, input.left)
    // What staff gave back of a stuck order, they try again by `retryRefunds`.
    else if (await resumeStuck(deps, tx, emit, order, input)) return
    const refund = await refundLocked(deps, tx, emit, order, { ...input, cause: 'staff' })
    if (!refund) throw fail('bad_input')
    await input.also?.(tx, order, refund)
  })
  deps.jobs.wake(refundPaymentJob)
}

/** @throws Failure order.changed */
async function refuseChanged(tx: Tx, order: OrderRow, left: Fen): Promise<void> {
  const now = leftOf(order, await rows.ofOrder(tx, order.id), await rows.refundsOf(tx, [order.id]))
  if (now?.fee !== left) throw fail('order.changed')
}

/** Tries the stuck refunds of a locked order again; false when there is none. */
export async function resumeStuck(
  deps: PayDeps,
  tx: Tx,
  emit: Emit,
  order: OrderRow,
  input: Pick<OrderRefund, 'reason' | 'actor'>,
): Promise<boolean> {
  const again = await rows.unstickRefunds(tx, order.id, clock.now(), newRefundNo)
  for (const id of again) await deps.jobs.send(tx, refundPaymentJob, { refund_id: id })
  if (again.length > 0 && order.state === 'stuck')
    await takeStep(tx, emit, order, { step: 'refund', actor: input.actor, note: input.reason })
  return again.length > 0
}

/**
 * Tries the refunds of an order again that a person must look at.
 * @throws Failure order.unknown, order.nothing_waits
 */
export async function retryRefunds(
  deps: PayDeps,
  orderId: string,
  input: Pick<OrderRefund, 'reason' | 'actor'> & {
    readonly also: (tx: Tx, order: OrderRow) => Promise<void>
  },
): Promise<void> {
  await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    if (!(await resumeStuck(deps, tx, emit, order, input))) throw fail('order.nothing_waits')
    await input.also(tx, order)
  })
  deps.jobs.wake(refundPaymentJob)
}
