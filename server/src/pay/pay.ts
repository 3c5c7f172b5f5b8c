/**
 * Paying: beginning a payment at a provider, settling what arrives, granting, giving back. A notification, a
 * query when the buyer returns and the poller's query all lead to `settle`, which acts once, under the
 * order's lock. commerce.md §4, §8.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { z } from '@guildhall/wire/schema.ts'
import { type Fen, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { type Db, isUnavailable, type Tx } from '../kit/database/db.ts'
import { commit, type Emit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { jobKind } from '../kit/jobs.ts'
import { ledgerFaults, post } from '../ledger/ledger.ts'
import {
  addRefunded,
  countGrantTry,
  findOrder,
  grantedLines,
  linesOf,
  lockOrder,
  type OrderRow,
  ownOrder,
  type ProductKind,
  type StepActor,
  setGranted,
  takeStep,
  tellBuyer,
  tellGiftRevoked,
  tellReceiver,
} from '../order/order.ts'
import {
  BadNotification,
  type NewContract,
  type NotifyReply,
  PAY_TIMEOUT_MS,
  type PaidFact,
  type PayData,
  type PaymentAnswer,
  type PayProvider,
  type PayScene,
  type PayWay,
  type RefundAnswer,
} from '../outside/payment/payProvider.ts'
import { type Mismatch, mismatchOf } from './mismatch.ts'
import {
  afterFailedGrant,
  afterRefund,
  grantLines,
  payBackLines,
  type RefundCause,
  receive,
  receiveLines,
  refundable,
  refundLines,
  type Sold,
} from './orderRules.ts'
import { leftOf, moneyOf } from './orderSearch.ts'
import type { PayDeps, Signing } from './payContext.ts'
import * as rows from './sql.ts'

export { type ComparedDay, comparedBills, type FoundDifference, foundDifferences } from './billSql.ts'
export { notifyEndpoint, notifyPath } from './notifyEndpoint.ts'
export {
  type FoundOrder,
  findOrders,
  type Left,
  leftOf,
  type NeedsAttention,
  needsAttentionOf,
  type OrderSearch,
} from './orderSearch.ts'
export type { PayCounts, PayDeps, Renewing, Signing } from './payContext.ts'
export type { DoubtRow, PaymentRow, RefundRow } from './sql.ts'
export { doubtsBefore, doubtsOf, moneyState, ofOrder as paymentsOf, refundsOf } from './sql.ts'
export { billOf, orderOf } from './wireForm.ts'

/** Grants what was bought. */
export const grantOrderJob = jobKind({
  name: 'grant-order',
  data: z.object({ order_id: z.string() }),
  pollSeconds: 5,
  atOnce: 4,
})
/** Gives money back. */
export const refundPaymentJob = jobKind({
  name: 'refund-payment',
  data: z.object({ refund_id: z.string() }),
  pollSeconds: 5,
})

/** A begun payment is asked for first after this; then the pauses double. */
const FIRST_QUERY_MS = 5 * SECOND_MS
const REFUND_AGAIN_MS = 30 * SECOND_MS
/**
 * A trade that a provider does not know may still be made there, by a call that is under way or by the buyer,
 * until its time is over by the provider's clock too.
 */
const UNKNOWN_FOR_MS = 10 * MINUTE_MS

const timeout = () => AbortSignal.timeout(PAY_TIMEOUT_MS)

/** Doubles from `first` up to `most`. */
const pause = (tries: number, first: number, most: number): number =>
  Math.min(first * 2 ** Math.min(tries, 20), most)

export interface Beginning {
  readonly way: PayWay
  readonly scene: PayScene
  readonly clientIp: string
  readonly returnUrl: string
  /** WeChat `inside`: the payer's openid. */
  readonly payer?: string
}

/** @throws Failure pay.way */
export function providerOf(
  { providers }: Pick<PayDeps, 'providers'>,
  way: PayWay,
  scene: PayScene,
): PayProvider {
  const provider = providers.get(way)
  if (!provider?.scenes.includes(scene)) throw fail('pay.way')
  return provider
}

/** @throws Failure order.paid, order.closed */
export function refuseUnpayable({ state, expires_at }: OrderRow): void {
  if (state !== 'closed' && !isPayable(state)) throw fail('order.paid')
  if (state === 'closed' || expires_at <= clock.now()) throw fail('order.closed')
}

/**
 * Begins a payment of an order. Each attempt is a trade of its own at the provider; should two of them be
 * paid, one goes back.
 * @throws Failure pay.way, pay.failed, order.paid, order.closed, order.unknown
 */
export async function startPayment(deps: PayDeps, orderId: string, it: Beginning): Promise<PayData> {
  const provider = providerOf(deps, it.way, it.scene)
  const placed = await findOrder(deps.live.db, orderId)
  if (!placed) throw fail('order.unknown')
  const signing = await signingOf(deps, placed, it)
  if (signing?.how === 'first') return signFirst(deps, provider, placed, it, signing.contract)
  const { order, payment } = await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    refuseUnpayable(order)
    const now = clock.now()
    const payment = await rows.addPayment(tx, {
      trade_no: newTradeNo(),
      order_id: order.id,
      way: it.way,
      scene: it.scene,
      fee: order.pay_fee,
      created_at: now,
      next_query_at: now + FIRST_QUERY_MS,
    })
    await takeStep(tx, emit, order, { step: 'begin', actor: 'buyer', note: `${it.way} ${it.scene}` })
    return { order, payment }
  })
  const lines = await linesOf(deps.live.db, [order.id])
  try {
    return await provider.start(
      {
        scene: it.scene,
        tradeNo: payment.trade_no,
        fee: order.pay_fee,
        subject: subjectOf(lines),
        expiresAt: order.expires_at,
        clientIp: it.clientIp,
        returnUrl: it.returnUrl,
        ...(it.payer !== undefined && { payer: it.payer }),
        ...(signing && { contract: signing.contract }),
      },
      timeout(),
    )
  } catch (error) {
    deps.log.warn({ err: error, trade: payment.trade_no }, 'a payment was not begun')
    throw fail('pay.failed')
  }
}

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
async function signFirst(
  deps: PayDeps,
  provider: PayProvider,
  { id }: OrderRow,
  it: Beginning,
  contract: NewContract,
): Promise<PayData> {
  await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, id)
    if (!order) throw fail('order.unknown')
    refuseUnpayable(order)
    await takeStep(tx, emit, order, { step: 'begin', actor: 'buyer', note: `${it.way} signs` })
  })
  try {
    return await provider.contracts!.sign({ ...contract, ...it }, timeout())
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
  it: { readonly way: PayWay; readonly providerNo: string; readonly app: string },
): Promise<PaymentAnswer['state'] | 'over' | 'refused'> {
  const contracts = deps.providers.get(it.way)?.contracts
  if (!contracts) throw new Error(`${it.way} has no contracts, and order ${orderId} waits for them`)
  const payment = await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    const now = clock.now()
    if (!order || !isPayable(order.state) || order.expires_at <= now) return null
    const begun = (await rows.ofOrder(tx, orderId)).find((row) => isBegun(row) && row.scene === 'contract')
    if (begun) return begun
    await takeStep(tx, emit, order, { step: 'begin', actor: 'server', note: `${it.way} contract` })
    return rows.addPayment(tx, {
      trade_no: newTradeNo(),
      order_id: orderId,
      way: it.way,
      scene: 'contract',
      fee: order.pay_fee,
      created_at: now,
      next_query_at: now + FIRST_QUERY_MS,
    })
  })
  if (!payment) return 'over'
  const subject = subjectOf(await linesOf(deps.live.db, [orderId]))
  const { trade_no: tradeNo, fee } = payment
  const { providerNo, app } = it
  const answer = await contracts.charge({ providerNo, app, tradeNo, fee, subject }, timeout())
  if (answer.is === 'refused') {
    deps.log.warn({ trade: tradeNo, why: answer.why }, 'a charge was refused')
    await rows.setClosed(deps.live.db, payment.id)
    return 'refused'
  }
  return (await askProvider(deps, payment)) ?? 'unknown'
}

/**
 * Asks the providers of the begun payments of an order, whatever their turns are; the order as it is then.
 */
export async function askAboutOrder(deps: PayDeps, orderId: string): Promise<OrderRow | null> {
  await askAbout(deps, (await rows.ofOrder(deps.live.db, orderId)).filter(isBegun))
  return findOrder(deps.live.db, orderId)
}

/** What is bought, in one line. */
export const subjectOf = (lines: readonly { readonly name: string; readonly count: number }[]): string =>
  lines.map(({ name, count }) => (count === 1 ? name : `${name} ×${count}`)).join('、')

/** 24 capital letters and digits: the time, so that numbers sort, and 60 random bits. */
const newTradeNo = (): string => `P${ids.uuid().replaceAll('-', '').slice(0, 23)}`.toUpperCase()
const newRefundNo = (): string => `R${ids.uuid().replaceAll('-', '').slice(0, 23)}`.toUpperCase()

/**
 * Takes what a provider sent to its notify address. Nothing of what it answers tells whether an order exists.
 */
export async function takeNotification(
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
    const it = await provider.readNotification(message)
    // What does not fit is told again, in case that it is our fault.
    if (it.kind === 'paid' && !(await settle(deps, way, it.fact))) return provider.reply('later', message)
    if (it.kind === 'contract' && !(await deps.renewing?.settle(way, it.fact)))
      return provider.reply('later', message)
    if (it.kind === 'refund') await settleRefund(deps, it.refundNo, it.answer)
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

/**
 * Settles a payment that a provider says was made: once, whoever says it and however often. What does not fit
 * the order is kept and counted, and grants nothing. True when the payment is ours and stands.
 */
export async function settle(deps: PayDeps, way: PayWay, fact: PaidFact): Promise<boolean> {
  const provider = deps.providers.get(way)
  const known = await rows.byTradeNo(deps.live.db, fact.tradeNo)
  if (!provider || known?.way !== way) return doubt(deps, way, 'unknown', fact)
  const why = mismatchOf(fact, { fee: known.fee, merchant: provider.merchant, apps: provider.apps })
  if (why) return doubt(deps, way, why, fact)
  if (known.state === 'paid') return known.provider_no === fact.providerNo || doubt(deps, way, 'number', fact)
  const result = await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, known.order_id)
    const payment = await rows.byTradeNo(tx, fact.tradeNo)
    if (!order || !payment) throw new Error(`payment ${fact.tradeNo} has no order`)
    if (payment.state === 'paid') return payment.provider_no === fact.providerNo ? 'before' : 'number'
    await receiveMoney(deps, { tx, emit, order, payment, fact })
    return 'now'
  })
  if (result === 'number') return doubt(deps, way, 'number', fact)
  if (result === 'before') return true
  deps.jobs.wake(grantOrderJob)
  deps.jobs.wake(refundPaymentJob)
  deps.counts.settled(way)
  return true
}

async function doubt(deps: PayDeps, way: PayWay, why: Mismatch, fact: PaidFact): Promise<false> {
  deps.counts.refused(way, why)
  deps.log.warn({ way, why, trade: fact.tradeNo }, 'a provider reports a payment that does not fit')
  await rows.addDoubt(deps.live.db, { way, why, fact, now: clock.now() })
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
  if (!isMain) tellBuyer(emit, order)
}

async function addRefund(
  deps: PayDeps,
  tx: Tx,
  it: {
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
    order_id: it.order.id,
    payment_id: it.payment.id,
    fee: it.fee,
    cause: it.cause,
    reason: it.reason ?? '',
    actor: it.actor,
    created_at: clock.now(),
  })
  await deps.jobs.send(tx, refundPaymentJob, { refund_id: refund.id })
  return refund
}

/**
 * The handler of `grantOrderJob`. An attempt that fails is tried again; in the end the money goes back. While
 * the database is away no attempt is counted.
 */
export async function grantOrder(deps: PayDeps, orderId: string): Promise<void> {
  try {
    await commit(deps.live, async (tx, emit) => {
      const order = await lockOrder(tx, orderId)
      if (order?.state !== 'paid') return
      const lines = await grantedLines(tx, deps.kinds, order)
      for (const { kind, name, line } of lines) {
        if (!kind) throw new Error(`there is no product kind ${name}`)
        await kind.grants(tx, emit, line)
      }
      await setGranted(tx, order.id, true)
      await tellReceiver(deps.live, tx, emit, order)
      await takeStep(tx, emit, order, { step: 'grant', actor: 'server' })
      const sold = lines.map(({ name, fee }): Sold => ({ product: name, fee }))
      await post(tx, {
        kind: 'grant',
        ref: order.id,
        orderId: order.id,
        at: clock.now(),
        lines: grantLines(sold),
      })
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    await failedToGrant(deps, orderId, error)
  }
}

async function failedToGrant(deps: PayDeps, orderId: string, error: unknown): Promise<void> {
  const isOver = await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (order?.state !== 'paid') return true
    if (afterFailedGrant(await countGrantTry(tx, orderId)) === 'again') return false
    const wish = { fee: null, cause: 'failed', actor: 'server', reason: '' } as const
    const refund = await refundLocked(deps, tx, emit, order, wish)
    if (!refund)
      await takeStep(tx, emit, order, { step: 'stick', actor: 'server', note: 'no grant, no refund' })
    return true
  })
  deps.log.error({ err: error, order: orderId }, 'what was bought could not be granted')
  if (!isOver) throw error
  deps.jobs.wake(refundPaymentJob)
}

export interface RefundWish {
  /** Null: all that is left. */
  readonly fee: Fen | null
  readonly cause: RefundCause
  readonly actor: StepActor
  readonly reason: string
}

/** Begins a refund of a locked order; null when nothing, or not so much, can be given back. */
async function refundLocked(
  deps: PayDeps,
  tx: Tx,
  emit: Emit,
  order: OrderRow,
  wish: RefundWish,
): Promise<rows.RefundRow | null> {
  const payment = (await rows.ofOrder(tx, order.id)).find((it) => it.is_main)
  const refunds = await rows.refundsOf(tx, [order.id])
  const it = refundable(moneyOf(order, payment, refunds), wish.fee)
  if (!payment || !it) return null
  const lines = await grantedLines(tx, deps.kinds, order)
  if (it.revokes && order.is_granted) {
    for (const { kind, line } of lines) await kind?.revokes(tx, emit, line)
    await setGranted(tx, order.id, false)
    await tellGiftRevoked(deps.live, tx, emit, order)
  }
  const refund = await addRefund(deps, tx, { ...wish, order, payment, fee: it.fee })
  if (order.state === 'granted') {
    const sold = lines.map(({ name, fee }): Sold => ({ product: name, fee }))
    await post(tx, {
      kind: 'refund',
      ref: refund.refund_no,
      orderId: order.id,
      at: refund.created_at,
      lines: refundLines(sold, it.fee),
    })
  }
  if (it.step) await takeStep(tx, emit, order, { step: it.step, actor: wish.actor, note: wish.reason })
  else tellBuyer(emit, order)
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
export async function refundOrder(deps: PayDeps, orderId: string, it: OrderRefund): Promise<void> {
  await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    if (it.left !== undefined) await refuseChanged(tx, order, it.left)
    // What staff gave back of a stuck order, they try again by `retryRefunds`.
    else if (await unstick(deps, tx, emit, order, it)) return
    const refund = await refundLocked(deps, tx, emit, order, { ...it, cause: 'staff' })
    if (!refund) throw fail('bad_input')
    await it.also?.(tx, order, refund)
  })
  deps.jobs.wake(refundPaymentJob)
}

/** @throws Failure order.changed */
async function refuseChanged(tx: Tx, order: OrderRow, left: Fen): Promise<void> {
  const now = leftOf(order, await rows.ofOrder(tx, order.id), await rows.refundsOf(tx, [order.id]))
  if (now?.fee !== left) throw fail('order.changed')
}

/** Tries the stuck refunds of a locked order again; false when there is none. */
async function unstick(
  deps: PayDeps,
  tx: Tx,
  emit: Emit,
  order: OrderRow,
  it: Pick<OrderRefund, 'reason' | 'actor'>,
): Promise<boolean> {
  const again = await rows.unstickRefunds(tx, order.id, clock.now(), newRefundNo)
  for (const id of again) await deps.jobs.send(tx, refundPaymentJob, { refund_id: id })
  if (again.length > 0 && order.state === 'stuck')
    await takeStep(tx, emit, order, { step: 'refund', actor: it.actor, note: it.reason })
  return again.length > 0
}

/**
 * Tries the refunds of an order again that a person must look at.
 * @throws Failure order.unknown, order.nothing_waits
 */
export async function retryRefunds(
  deps: PayDeps,
  orderId: string,
  it: Pick<OrderRefund, 'reason' | 'actor'> & {
    readonly also: (tx: Tx, order: OrderRow) => Promise<void>
  },
): Promise<void> {
  await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    if (!(await unstick(deps, tx, emit, order, it))) throw fail('order.nothing_waits')
    await it.also(tx, order)
  })
  deps.jobs.wake(refundPaymentJob)
}

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
  it: {
    readonly actor: StepActor
    readonly reason: string
    readonly also: (tx: Tx, order: OrderRow, tried: readonly Retried[]) => Promise<void>
  },
): Promise<void> {
  const begun = (await rows.ofOrder(deps.live.db, orderId)).filter(isBegun)
  await askAbout(deps, begun)
  await commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw fail('order.unknown')
    const refunds = await rows.refundsOf(tx, [orderId])
    const isUngranted = order.state === 'stuck' && !order.is_granted && refunds.length === 0
    const resumed = isUngranted
      ? await takeStep(tx, emit, order, { step: 'resume', actor: it.actor, note: it.reason })
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
    await it.also(tx, order, tried)
  })
  deps.jobs.wake(grantOrderJob)
  deps.jobs.wake(refundPaymentJob)
}

/** The handler of `refundPaymentJob`. It ends when the provider works on it: the poller asks again. */
export async function refundPayment(deps: PayDeps, refundId: string): Promise<void> {
  const { db } = deps.live
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
async function settleRefund(deps: PayDeps, refundNo: string, answer: RefundAnswer): Promise<void> {
  if (answer.state === 'waiting' || answer.state === 'unknown') return
  const known = await rows.refundByNo(deps.live.db, refundNo)
  if (!known || !isOpen(known, answer)) return
  await commit(deps.live, async (tx, emit) => {
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
  it: {
    readonly order: OrderRow
    readonly refund: rows.RefundRow
    readonly payment: rows.PaymentRow
    readonly answer: Extract<RefundAnswer, { state: 'done' }>
  },
): Promise<void> {
  const { refund, payment, answer } = it
  await rows.setRefundDone(tx, refund.id, answer.providerRefundNo, answer.at)
  await post(tx, {
    kind: 'pay_back',
    ref: refund.refund_no,
    orderId: it.order.id,
    at: clock.now(),
    lines: payBackLines(payment.way, refund.fee),
  })
  const order = payment.is_main ? await addRefunded(tx, it.order, refund.fee) : it.order
  const step = payment.is_main
    ? afterRefund({ state: order.state, fee: order.pay_fee, refunded: order.refund_fee })
    : null
  if (step) await takeStep(tx, emit, order, { step, actor: 'provider', note: refund.refund_no })
  else tellBuyer(emit, order)
}

/** Gives up an order of this person that was not paid. */
export async function closeOrder(deps: PayDeps, userId: UserId, orderId: string): Promise<void> {
  const order = await ownOrder(deps.live.db, userId, orderId)
  if (order.state === 'closed') return
  // Money that arrived and was not reported yet counts.
  await askAbout(deps, (await rows.ofOrder(deps.live.db, order.id)).filter(isBegun))
  await commit(deps.live, async (tx, emit) => {
    const locked = await lockOrder(tx, order.id)
    if (!locked || locked.state === 'closed') return
    if (!isPayable(locked.state)) throw fail('order.paid')
    await takeStep(tx, emit, locked, { step: 'close', actor: 'buyer' })
    await rows.querySoon(tx, order.id, clock.now())
  })
}

const isBegun = ({ state }: rows.PaymentRow): boolean => state === 'begun'

/** Asks for some payments at the same time; a provider that does not answer is passed. */
async function askAbout(deps: PayDeps, payments: readonly rows.PaymentRow[]): Promise<void> {
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
async function askProvider(deps: PayDeps, payment: rows.PaymentRow): Promise<PaymentAnswer['state'] | null> {
  const answer = await deps.providers.get(payment.way)?.query(payment.trade_no, timeout())
  if (answer?.state === 'paid') await settle(deps, payment.way, answer.fact)
  if (answer?.state === 'closed') await rows.setClosed(deps.live.db, payment.id)
  return answer?.state ?? null
}

/** Pauses between queries when a buyer keeps looking at an order that is being paid, ms. */
const LOOKED_AT_EVERY_MS = 4 * SECOND_MS

/**
 * An order of this person, after asking the providers of its begun payments for which the pause between
 * queries is over.
 */
export async function refreshedOrder(deps: PayDeps, userId: UserId, orderId: string): Promise<OrderRow> {
  const order = await ownOrder(deps.live.db, userId, orderId)
  if (order.state !== 'paying') return order
  const now = clock.now()
  const due: rows.PaymentRow[] = []
  for (const payment of (await rows.ofOrder(deps.live.db, order.id)).filter(isBegun))
    if (await rows.takeQuery(deps.live.db, payment.id, now, now + LOOKED_AT_EVERY_MS)) due.push(payment)
  await askAbout(deps, due)
  return (await findOrder(deps.live.db, order.id)) ?? order
}

/**
 * When a payment is asked for again: at the latest when its order's time is over, before the order is closed.
 */
const nextQueryAt = ({ queries, expires_at }: rows.OpenPayment, now: Millis): Millis => {
  const nextAt = now + pause(queries, FIRST_QUERY_MS, rows.QUERY_MAX_MS)
  return now < expires_at ? Math.min(nextAt, expires_at + SECOND_MS) : nextAt
}

/** Asks about one payment when it is due, and closes it at the provider when nobody may pay it any more. */
export async function driveTrade(deps: PayDeps, it: rows.OpenPayment): Promise<void> {
  const now = clock.now()
  if (!(await rows.takeQuery(deps.live.db, it.id, now, nextQueryAt(it, now)))) return
  const provider = deps.providers.get(it.way)
  if (!provider) return
  const said = await askProvider(deps, it)
  if (said === 'paid' || said === 'closed') return
  if (isPayable(it.order_state) && it.expires_at > now) return
  if (said === 'unknown') {
    if (it.expires_at + UNKNOWN_FOR_MS < now) await rows.setClosed(deps.live.db, it.id)
    return
  }
  if ((await provider.close(it.trade_no, timeout())) === 'closed') await rows.setClosed(deps.live.db, it.id)
  else await askProvider(deps, it)
}

const FAULTS_MAX = 100
const ORDERS_AT_ONCE = 500

/**
 * What orders, payments, refunds, grants and the ledger say that does not agree, as sentences; none when all
 * of it does.
 */
export async function moneyFaults(
  db: Db,
  kinds: ReadonlyMap<string, Pick<ProductKind, 'standing'>>,
): Promise<readonly string[]> {
  const found = [...(await rows.disagreements(db, FAULTS_MAX))]
  for (let after = '0'; ; ) {
    const orders = await rows.ordersAfter(db, after, ORDERS_AT_ONCE)
    for (const [name, kind] of kinds) {
      const ofKind = orders.filter((it) => it.kinds.includes(name))
      const standing = await kind.standing(
        db,
        ofKind.map(({ id }) => id),
      )
      for (const { id, is_granted, state } of ofKind)
        if (is_granted !== standing.has(id))
          found.push(
            `order ${id} is ${state} and ${is_granted ? 'has lost' : 'still has'} what ${name} granted`,
          )
    }
    const last = orders.at(-1)
    if (!last || orders.length < ORDERS_AT_ONCE) return found
    after = last.id
  }
}

/** The same, and what is wrong with the ledger itself. */
export const faultsOf = async (
  db: Db,
  kinds: Parameters<typeof moneyFaults>[1],
): Promise<readonly string[]> => [...(await ledgerFaults(db)), ...(await moneyFaults(db, kinds))]
