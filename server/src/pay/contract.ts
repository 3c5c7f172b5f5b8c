/** Contracts: signed with a payment or before it, and charged later. */
import { fail } from '@guildhall/wire/failure.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { linesOf, lockOrder, type OrderRow, takeStep } from '../order/order.ts'
import type {
  NewContract,
  PayData,
  PaymentAnswer,
  PayProvider,
  PayWay,
} from '../outside/payment/payProvider.ts'
import { addAttempt, type Beginning, isBegun, refuseUnpayable, subjectOf } from './attempt.ts'
import type { PayDeps, Signing } from './payContext.ts'
import { timeout } from './providerCall.ts'
import { askProvider } from './query.ts'
import * as rows from './sql.ts'

/** The contract that an order is signed with. @throws Failure pay.way, renewal.already */
export async function signingOf(
  { renewing }: PayDeps,
  order: OrderRow,
  { way, scene }: Pick<Beginning, 'way' | 'scene'>,
): Promise<Signing | null> {
  return (await renewing?.signingOf(order, way, scene)) ?? null
}

/**
 * The person signs a contract, by which the order is charged then. @throws Failure pay.failed, order.paid,
 * order.closed
 */
export async function signFirst(
  deps: PayDeps,
  provider: PayProvider,
  { id }: OrderRow,
  input: Beginning,
  contract: NewContract,
): Promise<PayData> {
  await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, id)
    if (!order) throw fail('order.unknown')
    refuseUnpayable(order)
    await takeStep(tx, emit, order, { step: 'begin', actor: 'buyer', note: `${input.way} signs` })
  })
  try {
    return await provider.contracts!.sign({ ...contract, ...input }, timeout())
  } catch (error) {
    deps.log.warn({ err: error, contract: contract.contractNo }, 'a contract was not begun')
    throw fail('pay.failed')
  }
}

/**
 * Charges an order by a contract, or goes on with a charge whose end is not known: the provider takes the
 * money of a trade once. What it says of the payment; `over`: the order takes no payment any more; `refused`:
 * the provider takes nothing now.
 * @throws PayFailed
 */
export async function chargeOrder(
  deps: PayDeps,
  orderId: string,
  input: { readonly way: PayWay; readonly providerNo: string; readonly app: string },
): Promise<PaymentAnswer['state'] | 'over' | 'refused'> {
  const contracts = deps.providers.get(input.way)?.contracts
  if (!contracts) throw new Error(`${input.way} has no contracts, and order ${orderId} waits for them`)
  const payment = await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order || !isPayable(order.state) || order.expires_at <= clock.now()) return null
    const begun = (await rows.ofOrder(tx, orderId)).find((row) => isBegun(row) && row.scene === 'contract')
    if (begun) return begun
    await takeStep(tx, emit, order, { step: 'begin', actor: 'server', note: `${input.way} contract` })
    return addAttempt(tx, order, { way: input.way, scene: 'contract' })
  })
  if (!payment) return 'over'
  const subject = subjectOf(await linesOf(deps.appContext.db, [orderId]))
  const { trade_no: tradeNo, fee } = payment
  const { providerNo, app } = input
  const answer = await contracts.charge({ providerNo, app, tradeNo, fee, subject }, timeout())
  if (answer.is === 'refused') {
    deps.log.warn({ trade: tradeNo, why: answer.why }, 'a charge was refused')
    await rows.setClosed(deps.appContext.db, payment.id)
    return 'refused'
  }
  return (await askProvider(deps, payment)) ?? 'unknown'
}
