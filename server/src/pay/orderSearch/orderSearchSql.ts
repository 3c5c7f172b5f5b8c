/**
 * The SQL by which staff find orders: by any number that is known of one, and those that somebody must look
 * at.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { OrderState } from '@guildhall/wire/order/state.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import { PAY_WAYS, type PayWay } from '../../outside/payment/payProvider.ts'

/** Why somebody must look at an order. */
export type NeedsAttention = 'stuck' | 'ungranted' | 'refund' | 'provider'

export interface FoundOrder {
  readonly id: string
  readonly user_id: UserId
  readonly receiver_id: UserId | null
  readonly guild_id: GuildId | null
  readonly state: OrderState
  readonly pay_fee: Fen
  readonly refund_fee: Fen
  readonly created_at: Millis
  /** Of the payment that counts; null: there is none. */
  readonly way: PayWay | null
  readonly trouble: NeedsAttention | null
}

/** What of orders is looked for. */
export interface OrderSearch {
  /** Any number of an order, a payment, a refund, a person or a guild. */
  readonly number?: string | undefined
  readonly state?: OrderState | undefined
  readonly kind?: string | undefined
  /** Only those that somebody must look at. */
  readonly needsAttention: boolean
  /** The last id of the part before. */
  readonly before: string | null
  readonly limit: number
}

/** Since when something waits too long, ms. */
export interface Late {
  readonly paidBefore: Millis
  readonly refundBefore: Millis
  /** The time to pay was over before. */
  readonly overBefore: Millis
}

const isBefore = (column: string, before: string | null) =>
  sql`(${before}::bigint is null or ${sql.ref(column)} < ${before}::bigint)`

/** Each is one look into an index, for the newest of what it finds. */
const byNumber = (number: string, before: string | null, limit: number): RawBuilder<unknown> => {
  const newest = (table: string, column: string, where: RawBuilder<unknown>) => sql`
    (select ${sql.ref(column)} as id from ${sql.table(table)} where ${where} and ${isBefore(column, before)}
     order by ${sql.ref(column)} desc limit ${limit})`
  const isId = /^[1-9]\d{0,17}$/.test(number)
  const upper = number.toUpperCase()
  const parts = [
    newest('payment', 'order_id', sql`trade_no = ${upper}`),
    newest('payment', 'order_id', sql`way in (${sql.join([...PAY_WAYS])}) and provider_no = ${number}`),
    newest('refund', 'order_id', sql`refund_no = ${upper}`),
    newest('refund', 'order_id', sql`provider_refund_no = ${number}`),
    newest('order', 'order.id', sql`code = ${number.toLowerCase()}`),
    ...(isId
      ? [
          newest('order', 'order.id', sql`"order".id = ${number}::bigint`),
          ...['user_id', 'receiver_id', 'guild_id'].map((column) =>
            newest('order', 'order.id', sql`${sql.ref(column)} = ${number}::bigint`),
          ),
        ]
      : []),
  ]
  return sql`select id from (${sql.join(parts, sql` union `)}) numbered`
}

/** The orders that need somebody: a few among all. Why they do says `rankOf`. */
const needingAttention = (late: Late): RawBuilder<unknown> => sql`
    select id from "order" where state = 'stuck'
    union
    select it.id from "order" it where it.state = 'paid' and not exists (
      select from order_step step where step.order_id = it.id and step.at > ${late.paidBefore}::bigint)
    union
    select order_id from refund where state = 'stuck'
    union
    select order_id from refund where state = 'waiting' and created_at < ${late.refundBefore}::bigint
    union
    select id from "order" where state in ('placed', 'paying') and expires_at < ${late.overBefore}::bigint
    union
    select it.id from payment join "order" it on it.id = payment.order_id
    where payment.state = 'begun' and it.expires_at < ${late.overBefore}::bigint`

const TROUBLES: readonly NeedsAttention[] = ['stuck', 'ungranted', 'refund', 'provider']

/** Orders with a line of this kind. */
function ofKind(
  kind: string,
  { state, number, needsAttention, before, limit }: OrderSearch,
): RawBuilder<unknown> {
  // They are found by something else, and few.
  if (number !== undefined || needsAttention) return sql`it.kinds @> array[${kind}]::text[]`
  // The index has both, so that orders of the state which are of other kinds are not read.
  if (state !== undefined)
    return sql`it.id = any(array(select fit.id from "order" fit where fit.state = ${state}
      and fit.kinds @> array[${kind}]::text[] and ${isBefore('fit.id', before)} order by fit.id desc limit ${limit}))`
  // Without the bound on its own number, the walk along the lines would begin at the newest one.
  return sql`exists (select from order_line line where line.kind = ${kind} and line.order_id = it.id
    and ${isBefore('line.order_id', before)})`
}

/** The newest first. */
export async function findOrders(db: Db, input: OrderSearch, late: Late): Promise<FoundOrder[]> {
  const { before, limit } = input
  // What is looked for by an array is looked up in the index of numbers: else all orders of a state may be
  // read for a few of them.
  const wanted = [
    isBefore('it.id', before),
    ...(input.state === undefined ? [] : [sql`it.state = ${input.state}`]),
    ...(input.kind === undefined ? [] : [ofKind(input.kind, input)]),
    ...(input.number === undefined
      ? []
      : [sql`it.id = any(array(${byNumber(input.number, before, limitOf(input))}))`]),
    ...(input.needsAttention ? [sql`it.id = any(array(${needingAttention(late)}))`] : []),
  ]
  const { rows } = await sql<Omit<FoundOrder, 'trouble'> & { rank: number | null }>`
    with found as materialized (
      select it.* from "order" it where ${sql.join(wanted, sql` and `)} order by it.id desc limit ${limit}
    )
    select it.id::text, it.user_id::text, it.receiver_id::text, it.guild_id::text, it.state, it.pay_fee::float8 as pay_fee,
      it.refund_fee::float8 as refund_fee, it.created_at::float8 as created_at, payment.way, (${rankOf(sql.ref('it.id'), late)})::int as rank
    from found it left join payment on payment.order_id = it.id and payment.is_main
    order by it.id desc`.execute(db)
  return rows.map(({ rank, ...row }) => ({ ...row, trouble: rank === null ? null : TROUBLES[rank - 1]! }))
}

/** With a filter on top, more of a number's orders are looked through: some thousands at most. */
const FILTERED_MOST = 5_000
const limitOf = ({ state, kind, limit }: OrderSearch): number =>
  state === undefined && kind === undefined ? limit : FILTERED_MOST

/** The rank of the worst reason why somebody must look at one order; null: nobody must. */
const rankOf = (orderId: RawBuilder<unknown>, late: Late): RawBuilder<unknown> => sql`
  select min(rank)::int as rank from (
    select 1 as rank from "order" looked where looked.id = ${orderId} and looked.state = 'stuck'
    union all
    select 2 from "order" looked where looked.id = ${orderId} and looked.state = 'paid' and not exists (
      select from order_step step where step.order_id = looked.id and step.at > ${late.paidBefore}::bigint)
    union all
    select 3 from refund where refund.order_id = ${orderId}
      and (refund.state = 'stuck' or (refund.state = 'waiting' and refund.created_at < ${late.refundBefore}::bigint))
    union all
    select 4 from "order" looked where looked.id = ${orderId} and looked.expires_at < ${late.overBefore}::bigint
      and (looked.state in ('placed', 'paying')
        or exists (select from payment begun where begun.order_id = looked.id and begun.state = 'begun'))
  ) found`

/** Why somebody must look at one order. */
export async function needsAttentionOf(db: Db, orderId: string, late: Late): Promise<NeedsAttention | null> {
  const { rows } = await sql<{ rank: number | null }>`${rankOf(sql`${orderId}::bigint`, late)}`.execute(db)
  const rank = rows[0]?.rank ?? null
  return rank === null ? null : TROUBLES[rank - 1]!
}
