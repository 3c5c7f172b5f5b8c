/** Beginning a payment at a provider. commerce.md §4. */
import { fail } from '@guildhall/wire/failure.ts'
import { commit } from '../kit/events/events.ts'
import { findOrder, linesOf, lockOrder, takeStep } from '../order/order.ts'
import type { PayData } from '../outside/payment/payProvider.ts'
import { addAttempt, type Beginning, providerOf, refuseUnpayable, subjectOf } from './attempt.ts'
import { signFirst, signingOf } from './contract.ts'
import type { PayDeps } from './payContext.ts'
import { timeout } from './providerCall.ts'

/**
 * Begins a payment of an order. Each attempt is a trade of its own at the provider; should two of them be
 * paid, one goes back.
 * @throws Failure pay.way, pay.failed, order.paid, order.closed, order.unknown
 */
export async function startPayment(deps: PayDeps, orderId: string, input: Beginning): Promise<PayData> {
  const provider = providerOf(deps, input.way, input.scene)
  const placed = await findOrder(deps.appContext.db, orderId)
  if (!placed) throw fail('order.unknown')
  const signing = await signingOf(deps, placed, input)
  if (signing?.when === 'before_paying') return signFirst(deps, provider, placed, input, signing.contract)
  const { order, payment } = await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    refuseUnpayable(order)
    const payment = await addAttempt(tx, order, input)
    await takeStep(tx, emit, order, { step: 'begin', actor: 'buyer', note: `${input.way} ${input.scene}` })
    return { order, payment }
  })
  const lines = await linesOf(deps.appContext.db, [order.id])
  try {
    return await provider.start(
      {
        scene: input.scene,
        tradeNo: payment.trade_no,
        fee: order.pay_fee,
        subject: subjectOf(lines),
        expiresAt: order.expires_at,
        clientIp: input.clientIp,
        returnUrl: input.returnUrl,
        ...(input.payer !== undefined && { payer: input.payer }),
        ...(signing && { contract: signing.contract }),
      },
      timeout(),
    )
  } catch (error) {
    deps.log.warn({ err: error, trade: payment.trade_no }, 'a payment was not begun')
    throw fail('pay.failed')
  }
}
