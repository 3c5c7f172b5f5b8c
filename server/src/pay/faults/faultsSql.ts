/** What of orders, payments, refunds and the ledger does not agree, found by statements. */
import type { OrderState } from '@guildhall/wire/order/state.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'

/** A statement that finds disagreements of one sort, as sentences. */
type Disagreement = RawBuilder<{ readonly text: string }>

const disagreement = (parts: TemplateStringsArray, ...values: unknown[]): Disagreement =>
  sql(parts, ...values)

/** Money that arrived, and what the ledger says of it. */
const received = (limit: number): Disagreement[] => [
  disagreement`
    select 'payment ' || it.trade_no || ' is paid with ' || it.fee || ' fen, and the ledger received '
      || coalesce(sum(line.amount), 0) as text
    from payment it
    left join ledger_entry entry on entry.kind = 'receive' and entry.ref = it.trade_no
    left join ledger_line line on line.entry_id = entry.id and line.account = 'clearing:' || it.way
    where it.state = 'paid' group by it.id having coalesce(sum(line.amount), 0) <> it.fee limit ${limit}`,
  disagreement`
    select 'the ledger received ' || entry.ref || ', which is not paid' as text
    from ledger_entry entry left join payment it on it.trade_no = entry.ref and it.state = 'paid'
    where entry.kind = 'receive' and it.id is null limit ${limit}`,
]

/** Money that went back, and what the ledger says of it. */
const paidBack = (limit: number): Disagreement[] => [
  disagreement`
    select 'refund ' || it.refund_no || ' is done with ' || it.fee || ' fen, and the ledger paid back '
      || coalesce(-sum(line.amount), 0) as text
    from refund it join payment on payment.id = it.payment_id
    left join ledger_entry entry on entry.kind = 'pay_back' and entry.ref = it.refund_no
    left join ledger_line line on line.entry_id = entry.id and line.account = 'clearing:' || payment.way
    where it.state = 'done' group by it.id having coalesce(-sum(line.amount), 0) <> it.fee limit ${limit}`,
  disagreement`
    select 'the ledger paid back ' || entry.ref || ', which is not done' as text
    from ledger_entry entry left join refund it on it.refund_no = entry.ref and it.state = 'done'
    where entry.kind = 'pay_back' and it.id is null limit ${limit}`,
]

/** States of orders, and the payment that counts. */
const paidOrders = (limit: number): Disagreement[] => [
  disagreement`
    select 'order ' || it.id || ' is ' || it.state || ' without a payment that counts' as text
    from "order" it left join payment on payment.order_id = it.id and payment.is_main
    where it.state in ('paid', 'granted', 'refunding', 'refunded') and payment.id is null limit ${limit}`,
  disagreement`
    select 'order ' || it.id || ' is ' || it.state || ' and has a payment that counts' as text
    from "order" it join payment on payment.order_id = it.id and payment.is_main
    where it.state in ('placed', 'paying', 'closed') limit ${limit}`,
]

/** Sums of orders, and those of their lines and refunds. */
const sumsOfOrders = (limit: number): Disagreement[] => [
  disagreement`
    select 'order ' || it.id || ' costs ' || it.pay_fee || ' fen, its lines ' || sum(line.price * line.count) as text
    from "order" it join order_line line on line.order_id = it.id
    group by it.id having sum(line.price * line.count) <> it.pay_fee limit ${limit}`,
  disagreement`
    select 'order ' || it.id || ' gave back ' || it.refund_fee || ' fen, its refunds ' || coalesce(sum(refund.fee), 0) as text
    from "order" it
    left join payment on payment.order_id = it.id and payment.is_main
    left join refund on refund.payment_id = payment.id and refund.state = 'done'
    group by it.id having coalesce(sum(refund.fee), 0) <> it.refund_fee limit ${limit}`,
  disagreement`
    select 'order ' || it.id || ' is refunded and gave back ' || it.refund_fee || ' of ' || it.pay_fee || ' fen' as text
    from "order" it where it.state = 'refunded' and it.refund_fee <> it.pay_fee limit ${limit}`,
  disagreement`
    select 'order ' || it.id || ' is refunding, and nothing of it is on its way back' as text
    from "order" it left join payment on payment.order_id = it.id and payment.is_main
    left join refund on refund.payment_id = payment.id and refund.state <> 'done'
    where it.state = 'refunding' and refund.id is null limit ${limit}`,
]

/** Orders that were granted, and what the ledger says of them. */
const granted = (limit: number): Disagreement[] => [
  disagreement`
    select 'order ' || it.id || ' is granted, and the ledger has no entry of it' as text
    from "order" it left join ledger_entry entry on entry.kind = 'grant' and entry.ref = it.id::text
    where it.state = 'granted' and entry.id is null limit ${limit}`,
  disagreement`
    select 'the ledger granted order ' || entry.ref || ', which is ' || it.state as text
    from ledger_entry entry join "order" it on it.id = entry.ref::bigint
    where entry.kind = 'grant' and it.state in ('placed', 'paying', 'paid', 'closed') limit ${limit}`,
]

/** Payments that came too often or too late, and all that is owed. */
const owed = (limit: number): Disagreement[] => [
  disagreement`
    select 'payment ' || it.trade_no || ' was surplus, and no refund of all of it exists' as text
    from payment it left join refund on refund.payment_id = it.id
    where it.state = 'paid' and not it.is_main
    group by it.id having coalesce(sum(refund.fee), 0) <> it.fee limit ${limit}`,
  disagreement`
    select 'we owe ' || owed.has || ' fen by the ledger, and ' || owed.should || ' by orders and refunds' as text
    from (
      select
        (select coalesce(-sum(amount), 0) from ledger_line where account = 'owed') as has,
        (select coalesce(sum(fee), 0) from payment where state = 'paid')
          - (select coalesce(sum(line.amount), 0) from ledger_line line join ledger_entry entry on entry.id = line.entry_id
             where entry.kind = 'grant' and line.account = 'owed')
          + (select coalesce(sum(line.amount), 0) from ledger_line line join ledger_entry entry on entry.id = line.entry_id
             where entry.kind = 'refund' and line.account like 'refunds:%')
          - (select coalesce(sum(fee), 0) from refund where state = 'done') as should
    ) owed where owed.has <> owed.should`,
]

/**
 * What the ledger, payments, refunds and orders say that does not agree, as sentences; at most `limit` of
 * each sort.
 */
export async function disagreements(db: Db, limit: number): Promise<string[]> {
  const sorts = [received, paidBack, paidOrders, sumsOfOrders, granted, owed]
  const found: string[] = []
  for (const statement of sorts.flatMap((sort) => sort(limit)))
    found.push(...(await statement.execute(db)).rows.map(({ text }) => text))
  return found
}

/** Orders after an id, in order, for comparing with what their kinds granted. */
export async function ordersAfter(
  db: Db,
  after: string,
  limit: number,
): Promise<
  {
    readonly id: string
    readonly kinds: readonly string[]
    readonly is_granted: boolean
    readonly state: OrderState
  }[]
> {
  const { rows } = await sql<{ id: string; kinds: string[]; is_granted: boolean; state: OrderState }>`
    select it.id::text, it.is_granted, it.state, array_agg(distinct line.kind) as kinds
    from "order" it join order_line line on line.order_id = it.id
    where it.id > ${after}::bigint group by it.id order by it.id limit ${limit}`.execute(db)
  return rows
}
