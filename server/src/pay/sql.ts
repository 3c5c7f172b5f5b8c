/** Payments, refunds, and what providers said that does not fit. */
import type { OrderState } from '@guildhall/wire/order/state.ts'
import { type Fen, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'
import { type PaidFact, type PayWay, REFUND_CLOSED, type TradeScene } from '../outside/payment/payProvider.ts'
import type { Mismatch } from './mismatch.ts'
import type { RefundCause } from './orderRules.ts'

export interface PaymentRow {
  readonly id: string
  readonly trade_no: string
  readonly order_id: string
  readonly way: PayWay
  readonly scene: TradeScene
  readonly fee: Fen
  readonly state: 'begun' | 'paid' | 'closed'
  readonly is_main: boolean
  readonly provider_no: string | null
  readonly created_at: Millis
  readonly paid_at: Millis | null
  readonly next_query_at: Millis
  readonly queries: number
}

export interface RefundRow {
  readonly id: string
  readonly refund_no: string
  readonly order_id: string
  readonly payment_id: string
  readonly fee: Fen
  readonly cause: RefundCause
  readonly reason: string
  readonly actor: string
  readonly state: 'waiting' | 'done' | 'stuck'
  readonly provider_refund_no: string | null
  readonly why: string | null
  readonly created_at: Millis
  readonly done_at: Millis | null
  readonly tries: number
}

const payments = sql.raw(
  `id::text, trade_no, order_id::text, way, scene, fee::float8 as fee, state, is_main, provider_no,
   created_at::float8 as created_at, paid_at::float8 as paid_at, next_query_at::float8 as next_query_at, queries`,
)
const refunds = sql.raw(
  `id::text, refund_no, order_id::text, payment_id::text, fee::float8 as fee, cause, reason, actor, state, provider_refund_no, why,
   created_at::float8 as created_at, done_at::float8 as done_at, tries`,
)

export async function byTradeNo(db: Db, tradeNo: string): Promise<PaymentRow | null> {
  const { rows } = await sql<PaymentRow>`select ${payments} from payment where trade_no = ${tradeNo}`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function byId(db: Db, id: string): Promise<PaymentRow | null> {
  const { rows } = await sql<PaymentRow>`select ${payments} from payment where id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

/** The payments of an order, the oldest first. */
export async function ofOrder(db: Db, orderId: string): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select ${payments} from payment where order_id = ${orderId}::bigint order by id`.execute(db)
  return rows
}

export async function addPayment(
  tx: Tx,
  input: Pick<PaymentRow, 'trade_no' | 'order_id' | 'way' | 'scene' | 'fee' | 'created_at' | 'next_query_at'>,
): Promise<PaymentRow> {
  await tx
    .insertInto('payment')
    .values({ ...input, state: 'begun' })
    .execute()
  return (await byTradeNo(tx, input.trade_no))!
}

export async function setPaid(tx: Tx, id: string, fact: PaidFact, isMain: boolean): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ state: 'paid', is_main: isMain, provider_no: fact.providerNo, paid_at: fact.paidAt })
    .where('id', '=', id)
    .execute()
}

/** Nobody can pay it any more. */
export async function setClosed(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ state: 'closed' })
    .where('id', '=', id)
    .where('state', '=', 'begun')
    .execute()
}

/** The longest pause between two queries of a payment, and between two tries of a refund. */
export const QUERY_MAX_MS = 10 * MINUTE_MS
export const REFUND_AGAIN_MAX_MS = 60 * MINUTE_MS

/** A turn that is further away than the longest pause was set while the clock was wrong: it is due. */
const isDue = (column: string, now: Millis, longest: Millis) =>
  sql<boolean>`(${sql.ref(column)} <= ${now}::bigint or ${sql.ref(column)} > ${now + longest}::bigint)`

/** False when somebody else asks the provider now. */
export async function takeQuery(db: Db, id: string, now: Millis, nextAt: Millis): Promise<boolean> {
  const { rows } = await sql`
    update payment set next_query_at = ${nextAt}::bigint, queries = queries + 1
    where id = ${id}::bigint and state = 'begun' and ${isDue('next_query_at', now, QUERY_MAX_MS)}
    returning id`.execute(db)
  return rows.length > 0
}

/** Asks the provider again soon. */
export async function querySoon(tx: Db, orderId: string, at: Millis): Promise<void> {
  await sql`
    update payment set next_query_at = least(next_query_at, ${at}::bigint)
    where order_id = ${orderId}::bigint and state = 'begun'`.execute(tx)
}

/** A payment that its provider should be asked about, with the state of its order. */
export type OpenPayment = PaymentRow & { readonly order_state: OrderState; readonly expires_at: Millis }

/** Payments of a way whose provider should be asked now, those that wait the longest first. */
export async function toQuery(db: Db, way: PayWay, now: Millis, limit: number): Promise<OpenPayment[]> {
  const { rows } = await sql<OpenPayment>`
    select it.*, "order".state as order_state, "order".expires_at::float8 as expires_at from (
      select ${payments} from payment
      where state = 'begun' and way = ${way} and ${isDue('payment.next_query_at', now, QUERY_MAX_MS)}
      order by payment.next_query_at limit ${limit}
    ) it join "order" on "order".id = it.order_id::bigint`.execute(db)
  return rows
}

export async function addRefund(
  tx: Tx,
  input: Pick<
    RefundRow,
    'refund_no' | 'order_id' | 'payment_id' | 'fee' | 'cause' | 'reason' | 'actor' | 'created_at'
  >,
): Promise<RefundRow> {
  const { id } = await tx
    .insertInto('refund')
    .values({ ...input, state: 'waiting', next_try_at: input.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return (await refundById(tx, id))!
}

export async function refundById(db: Db, id: string): Promise<RefundRow | null> {
  const { rows } = await sql<RefundRow>`select ${refunds} from refund where id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

export async function refundByNo(db: Db, refundNo: string): Promise<RefundRow | null> {
  const { rows } = await sql<RefundRow>`select ${refunds} from refund where refund_no = ${refundNo}`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function refundsOf(db: Db, orderIds: readonly string[]): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select ${refunds} from refund where order_id = any(${orderIds}::bigint[]) order by id`.execute(db)
  return rows
}

export async function setRefundDone(tx: Tx, id: string, providerNo: string, at: Millis): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ state: 'done', provider_refund_no: providerNo, done_at: at, why: null })
    .where('id', '=', id)
    .execute()
}

export async function setRefundStuck(tx: Tx, id: string, why: string): Promise<void> {
  await tx.updateTable('refund').set({ state: 'stuck', why }).where('id', '=', id).execute()
}

/**
 * Tries stuck refunds of an order again; those that are. One that the provider has closed needs a new number:
 * nothing happens under the old one any more.
 */
export async function unstickRefunds(
  tx: Tx,
  orderId: string,
  now: Millis,
  newRefundNo: () => string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; why: string | null }>`
    select id::text, why from refund where order_id = ${orderId}::bigint and state = 'stuck' order by id`.execute(
    tx,
  )
  for (const { id, why } of rows)
    await sql`
      update refund set state = 'waiting', next_try_at = ${now}::bigint, why = null,
        refund_no = coalesce(${why === REFUND_CLOSED ? newRefundNo() : null}, refund_no), tries = least(tries, 1)
      where id = ${id}::bigint`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The refunds of an order that are under way are asked for at once; their ids. */
export async function refundsSoon(tx: Tx, orderId: string, now: Millis): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update refund set next_try_at = least(next_try_at, ${now}::bigint)
    where order_id = ${orderId}::bigint and state = 'waiting' returning id::text`.execute(tx)
  return rows.map(({ id }) => id)
}

/** False when somebody else tries it now. */
export async function takeRefundTry(db: Db, id: string, now: Millis, nextAt: Millis): Promise<boolean> {
  const { rows } = await sql`
    update refund set next_try_at = ${nextAt}::bigint, tries = tries + 1
    where id = ${id}::bigint and state = 'waiting' and ${isDue('next_try_at', now, REFUND_AGAIN_MAX_MS)}
    returning id`.execute(db)
  return rows.length > 0
}

/** Refunds of payments of a way that should be asked for now, those that wait the longest first. */
export async function dueRefunds(db: Db, way: PayWay, now: Millis, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select refund.id::text from refund join payment on payment.id = refund.payment_id and payment.way = ${way}
    where refund.state = 'waiting' and ${isDue('refund.next_try_at', now, REFUND_AGAIN_MAX_MS)}
    order by refund.next_try_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function addMismatch(
  db: Db,
  input: { readonly way: PayWay; readonly why: Mismatch; readonly fact: PaidFact; readonly now: Millis },
): Promise<void> {
  const { tradeNo, providerNo, ...facts } = input.fact
  await sql`
    insert into pay_doubt (way, why, trade_no, provider_no, facts, at)
    values (${input.way}, ${input.why}, ${tradeNo.slice(0, 64)}, ${providerNo.slice(0, 64)}, ${JSON.stringify(facts)}::jsonb, ${input.now}::bigint)
    on conflict (way, why, trade_no, provider_no) do update set times = pay_doubt.times + 1`.execute(db)
}

export interface MismatchRow {
  readonly way: PayWay
  readonly why: Mismatch
  readonly trade_no: string
  readonly provider_no: string
  readonly facts: unknown
  readonly times: number
  readonly at: Millis
}

export async function mismatches(db: Db, limit: number): Promise<MismatchRow[]> {
  const { rows } = await sql<MismatchRow>`
    select way, why, trade_no, provider_no, facts, times, at::float8 as at from pay_doubt
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** What providers said that does not fit, the newest first; those before one. */
export async function mismatchesBefore(
  db: Db,
  before: number | null,
  limit: number,
): Promise<(MismatchRow & { readonly id: string; readonly order_id: string | null })[]> {
  const { rows } = await sql<MismatchRow & { id: string; order_id: string | null }>`
    select it.id::text, it.way, it.why, it.trade_no, it.provider_no, it.facts, it.times, it.at::float8 as at,
      payment.order_id::text
    from pay_doubt it left join payment on payment.trade_no = it.trade_no
    where ${before}::bigint is null or it.id < ${before}::bigint
    order by it.id desc limit ${limit}`.execute(db)
  return rows
}

/** What providers said of some trades that does not fit, the newest first. */
export async function mismatchesOf(
  db: Db,
  tradeNos: readonly string[],
  limit: number,
): Promise<MismatchRow[]> {
  const { rows } = await sql<MismatchRow>`
    select way, why, trade_no, provider_no, facts, times, at::float8 as at from pay_doubt
    where trade_no = any(${tradeNos}::text[]) order by id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * How many orders are in each state, and since when the oldest of what is due to somebody waits; null:
 * nothing is.
 */
export async function moneyState(db: Db): Promise<{
  readonly orders: Readonly<Record<string, number>>
  readonly unsettledSince: Millis | null
}> {
  const counted = await sql<{ state: string; n: number }>`
    select state, count(*)::int as n from "order" group by state`.execute(db)
  const oldest = await sql<{ at: Millis | null }>`
    select min(at)::float8 as at from (
      select payment.paid_at as at from "order" it join payment on payment.order_id = it.id and payment.is_main
      where it.state in ('paid', 'stuck')
      union all select created_at from refund where state in ('waiting', 'stuck')
    ) unsettled`.execute(db)
  return {
    orders: Object.fromEntries(counted.rows.map(({ state, n }) => [state, n])),
    unsettledSince: oldest.rows[0]?.at ?? null,
  }
}
