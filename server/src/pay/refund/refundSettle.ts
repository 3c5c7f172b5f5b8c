/** Asking a provider for a refund, and settling what it says. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/database/db.ts'
import { commit, type Emit } from '../../kit/events/events.ts'
import { post } from '../../ledger/ledger.ts'
import { addRefunded, lockOrder, notifyBuyer, type OrderRow, takeStep } from '../../order/order.ts'
import type { PayProvider, RefundAnswer } from '../../outside/payment/payProvider.ts'
import { afterRefund, payBackLines } from '../orderRules.ts'
import type { PayDeps } from '../payContext.ts'
import { pause, timeout } from '../providerCall.ts'
import * as rows from '../sql.ts'

/** A refund is asked for again first after this; then the pauses double. */
const REFUND_AGAIN_MS = 30 * SECOND_MS

/** The handler of `refundPaymentJob`. It ends when the provider works on it: the poller asks again. */
export async function refundPayment(deps: PayDeps, refundId: string): Promise<void> {
  const { db } = deps.appContext
  const refund = await rows.refundById(db, refundId)
  const payment = refund && (await rows.byId(db, refund.payment_id))
  if (refund?.state !== 'waiting' || !payment) return
  const now = clock.now()
  const nextAt = now + pause(refund.tries, REFUND_AGAIN_MS, rows.REFUND_AGAIN_MAX_MS)
  if (!(await rows.takeRefundTry(db, refund.id, now, nextAt))) return
  const provider = deps.providers.get(payment.way)
  if (!provider)
    throw new Error(`${payment.way} is not configured, and refund ${refund.refund_no} waits for it`)
  await settleRefund(deps, refund.refund_no, await askRefund(provider, refund, payment))
}

/**
 * Asks for a refund. Of one that was asked for before, what became of it: a second call may be refused
 * because the first was not.
 */
async function askRefund(
  provider: PayProvider,
  refund: rows.RefundRow,
  payment: rows.PaymentRow,
): Promise<RefundAnswer> {
  const named = { tradeNo: payment.trade_no, refundNo: refund.refund_no }
  if (refund.tries > 0) {
    const known = await provider.queryRefund(named, timeout())
    if (known.state === 'done' || known.state === 'waiting') return known
  }
  return provider.refund(
    {
      ...named,
      providerNo: payment.provider_no ?? '',
      fee: refund.fee,
      total: payment.fee,
      reason: refund.reason || refund.cause,
    },
    timeout(),
  )
}

/** A refund that a person must look at ends all the same when the provider says that it is done. */
const isOpen = ({ state }: rows.RefundRow, answer: RefundAnswer): boolean =>
  state === 'waiting' || (state === 'stuck' && answer.state === 'done')

/** Stores what a provider says of a refund: once, whoever says it and however often. */
export async function settleRefund(deps: PayDeps, refundNo: string, answer: RefundAnswer): Promise<void> {
  if (answer.state === 'waiting' || answer.state === 'unknown') return
  const known = await rows.refundByNo(deps.appContext.db, refundNo)
  if (!known || !isOpen(known, answer)) return
  await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, known.order_id)
    const refund = await rows.refundByNo(tx, refundNo)
    const payment = await rows.byId(tx, known.payment_id)
    if (!order || !payment || !refund || !isOpen(refund, answer)) return
    const isWrong = answer.state === 'done' && answer.fee !== refund.fee
    if (answer.state === 'refused' || isWrong) {
      await rows.setRefundStuck(tx, refund.id, answer.state === 'refused' ? answer.why : 'another sum')
      // The refund of a surplus payment does not hold the order up.
      if (payment.is_main)
        await takeStep(tx, emit, order, { step: 'stick', actor: 'provider', note: refundNo })
      return
    }
    await finishRefund(tx, emit, { order, refund, payment, answer })
  })
}

async function finishRefund(
  tx: Tx,
  emit: Emit,
  input: {
    readonly order: OrderRow
    readonly refund: rows.RefundRow
    readonly payment: rows.PaymentRow
    readonly answer: Extract<RefundAnswer, { state: 'done' }>
  },
): Promise<void> {
  const { refund, payment, answer } = input
  await rows.setRefundDone(tx, refund.id, answer.providerRefundNo, answer.at)
  await post(tx, {
    kind: 'pay_back',
    ref: refund.refund_no,
    orderId: input.order.id,
    at: clock.now(),
    lines: payBackLines(payment.way, refund.fee),
  })
  const order = payment.is_main ? await addRefunded(tx, input.order, refund.fee) : input.order
  const step = payment.is_main
    ? afterRefund({ state: order.state, fee: order.pay_fee, refunded: order.refund_fee })
    : null
  if (step) await takeStep(tx, emit, order, { step, actor: 'provider', note: refund.refund_no })
  else notifyBuyer(emit, order)
}
