/** The SQL of the providers' bills. */
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { BillLine, PayWay } from '../../outside/payment/payProvider.ts'

/** Days of a provider, `YYYY-MM-DD`, whose bills were compared. */
export async function comparedDays(db: Db, way: PayWay, since: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ day: string }>`
    select day from bill_day where way = ${way} and day >= ${since}`.execute(db)
  return new Set(rows.map(({ day }) => day))
}

/** Keeps the bill of a day in place of the one that was kept before. */
export async function replaceBill(
  tx: Tx,
  input: {
    readonly way: PayWay
    readonly day: string
    readonly lines: readonly BillLine[]
    readonly now: Millis
  },
): Promise<void> {
  await sql`delete from bill_day where way = ${input.way} and day = ${input.day}`.execute(tx)
  await sql`
    insert into bill_day (way, day, compared_at, lines)
    values (${input.way}, ${input.day}, ${input.now}::bigint, ${input.lines.length})`.execute(tx)
  // As one value, because a bill may have more lines than a statement has parameters. A line that is there
  // twice is one sum.
  await sql`
    insert into bill_line (way, day, kind, trade_no, refund_no, provider_no, fee, charge, at)
    select ${input.way}, ${input.day}, kind, "tradeNo", "refundNo", max("providerNo"), sum(fee), sum(charge), min(at)
    from jsonb_to_recordset(${JSON.stringify(input.lines)}::jsonb)
      as line (kind text, "tradeNo" text, "refundNo" text, "providerNo" text, fee bigint, charge bigint, at bigint)
    group by kind, "tradeNo", "refundNo"`.execute(tx)
}

/** What providers keep of payments that are in the ledger, of one bill. */
export async function charges(
  tx: Tx,
  way: PayWay,
  day: string,
): Promise<readonly { readonly ref: string; readonly order_id: string; readonly charge: Fen }[]> {
  const { rows } = await sql<{ ref: string; order_id: string; charge: Fen }>`
    select case line.kind when 'payment' then line.trade_no else line.refund_no end as ref,
      entry.order_id::text, line.charge::float8 as charge
    from bill_line line join ledger_entry entry
      on entry.kind = case line.kind when 'payment' then 'receive' else 'pay_back' end
      and entry.ref = case line.kind when 'payment' then line.trade_no else line.refund_no end
    where line.way = ${way} and line.day = ${day} and line.charge <> 0`.execute(tx)
  return rows
}

/**
 * How a bill and the ledger differ: `unknown_here` is in the bill alone, `unknown_there` in the ledger alone.
 */
export interface Difference {
  readonly way: PayWay
  readonly day: string
  readonly what: 'unknown_here' | 'unknown_there' | 'other_sum'
  readonly kind: 'payment' | 'refund'
  readonly trade_no: string
  readonly refund_no: string
  /** fen; null: it is not there. */
  readonly there: Fen | null
  readonly here: Fen | null
}

/**
 * The differences of the bills that were compared since a day, the newest first. What is in the ledger counts
 * for the day on which the provider did it, and may be in the bill of any day.
 */
export async function differences(db: Db, since: string, limit: number): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with here as (
      select payment.way, 'payment' as kind, payment.trade_no, '' as refund_no, payment.paid_at as at, line.amount
      from payment join ledger_entry entry on entry.kind = 'receive' and entry.ref = payment.trade_no
      join ledger_line line on line.entry_id = entry.id and line.account = 'clearing:' || payment.way
      union all
      select payment.way, 'refund', payment.trade_no, refund.refund_no, refund.done_at, -line.amount
      from refund join payment on payment.id = refund.payment_id
      join ledger_entry entry on entry.kind = 'pay_back' and entry.ref = refund.refund_no
      join ledger_line line on line.entry_id = entry.id and line.account = 'clearing:' || payment.way
    ), dated as (
      select here.*, to_char(to_timestamp(at / 1000.0) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from here
    )
    select way, day, what, kind, trade_no, refund_no, there::float8 as there, here::float8 as here from (
      select line.way, line.day, line.kind, line.trade_no, line.refund_no, line.fee as there, dated.amount as here,
        case when dated.amount is null then 'unknown_here' else 'other_sum' end as what
      from bill_line line left join dated using (way, kind, trade_no, refund_no)
      where line.day >= ${since} and dated.amount is distinct from line.fee
      union all
      select dated.way, dated.day, dated.kind, dated.trade_no, dated.refund_no, null, dated.amount, 'unknown_there'
      from dated join bill_day on bill_day.way = dated.way and bill_day.day = dated.day
      where dated.day >= ${since} and not exists (
        select from bill_line line where line.way = dated.way and line.kind = dated.kind
          and line.trade_no = dated.trade_no and line.refund_no = dated.refund_no)
    ) found order by day desc, way, trade_no, refund_no limit ${limit}`.execute(db)
  return rows
}

/** What of the ledger a line of a bill is about, or null. `line` has its way, kind and numbers. */
const inLedger = sql`(
  select abs(line.amount) from ledger_entry entry join ledger_line line on line.entry_id = entry.id
  where entry.kind = case it.kind when 'payment' then 'receive' else 'pay_back' end
    and entry.ref = case it.kind when 'payment' then it.trade_no else it.refund_no end
    and line.account = 'clearing:' || it.way)`

/**
 * Holds the bill of a day beside the ledger and keeps how they differ: the lines of the bill by their
 * numbers, and what the provider did on that day by the ledger. False when the day has no bill any more.
 */
export async function keepDifferences(
  tx: Tx,
  input: {
    readonly way: PayWay
    readonly day: string
    readonly from: Millis
    readonly to: Millis
    readonly now: Millis
  },
): Promise<boolean> {
  const { way, day, now } = input
  const known = await sql`
    update bill_day set looked_at = ${now}::bigint where way = ${way} and day = ${day} returning day`.execute(
    tx,
  )
  if (known.rows.length === 0) return false
  await sql`
    with different as (
      select it.kind, it.trade_no, it.refund_no, it.provider_no, it.fee as there, here.amount as here,
        case when here.amount is null then 'unknown_here' else 'other_sum' end as what
      from bill_line it, lateral (select ${inLedger} as amount) here
      where it.way = ${way} and it.day = ${day} and here.amount is distinct from it.fee
      union all
      select it.kind, it.trade_no, it.refund_no, it.provider_no, null, here.amount, 'unknown_there' from (
        select way, 'payment' as kind, trade_no, '' as refund_no, coalesce(provider_no, '') as provider_no from payment
        where way = ${way} and paid_at >= ${input.from}::bigint and paid_at < ${input.to}::bigint
        union all
        select payment.way, 'refund', payment.trade_no, refund.refund_no, coalesce(refund.provider_refund_no, '')
        from refund join payment on payment.id = refund.payment_id
        where payment.way = ${way} and refund.done_at >= ${input.from}::bigint and refund.done_at < ${input.to}::bigint
      ) it, lateral (select ${inLedger} as amount) here
      where here.amount is not null and not exists (
        select from bill_line line where line.way = it.way and line.kind = it.kind
          and line.trade_no = it.trade_no and line.refund_no = it.refund_no)
    ), gone as (
      delete from bill_difference old where old.way = ${way} and old.day = ${day} and not exists (
        select from different where (different.kind, different.trade_no, different.refund_no) = (old.kind, old.trade_no, old.refund_no))
    )
    insert into bill_difference (way, day, what, kind, trade_no, refund_no, provider_no, there, here, found_at)
    select ${way}, ${day}, what, kind, trade_no, refund_no, provider_no, there, here, ${now}::bigint from different
    on conflict (way, day, kind, trade_no, refund_no)
      do update set what = excluded.what, there = excluded.there, here = excluded.here`.execute(tx)
  return true
}

/** Days whose differences have to be looked for: those that nobody looked at, and those since a day. */
export async function daysToLookAt(
  db: Db,
  since: string,
  limit: number,
): Promise<readonly { readonly way: PayWay; readonly day: string }[]> {
  const { rows } = await sql<{ way: PayWay; day: string }>`
    select way, day from bill_day where looked_at is null or day >= ${since}
    order by looked_at nulls first, day desc limit ${limit}`.execute(db)
  return rows
}

/** Days around one have to be looked at again: what one bill lacks may be in the next. */
export async function lookAgain(tx: Tx, way: PayWay, from: string, to: string): Promise<void> {
  await sql`
    update bill_day set looked_at = null where way = ${way} and day between ${from} and ${to}`.execute(tx)
}

/** A difference that was found, with what has become of it. */
export interface FoundDifference extends Difference {
  readonly id: string
  readonly provider_no: string
  readonly found_at: Millis
  /** Bill and ledger agree about it by now. */
  readonly is_settled: boolean
  /** The order that it is about; null: there is none. */
  readonly order_id: string | null
}

/** What was found, the newest day first; those after one, of one day or all. */
export async function foundDifferences(
  db: Db,
  input: {
    readonly day: string | null
    readonly before: { readonly day: string; readonly id: number } | null
    readonly limit: number
  },
): Promise<FoundDifference[]> {
  const day = input.before?.day ?? null
  const id = input.before?.id ?? null
  const { rows } = await sql<FoundDifference>`
    with found as materialized (
      select * from bill_difference
      where (${input.day}::text is null or day = ${input.day})
        and (${day}::text is null or (day, id) < (${day}, ${id}::bigint))
      order by day desc, id desc limit ${input.limit}
    )
    select it.id::text, it.way, it.day, it.what, it.kind, it.trade_no, it.refund_no, it.provider_no, it.there::float8 as there,
      it.here::float8 as here, it.found_at::float8 as found_at, payment.order_id::text,
      case when it.what = 'unknown_there' then exists (
        select from bill_line line where line.way = it.way and line.kind = it.kind
          and line.trade_no = it.trade_no and line.refund_no = it.refund_no)
      else ${inLedger} is not distinct from it.there end as is_settled
    from found it left join payment on payment.trade_no = it.trade_no and payment.way = it.way
    order by it.day desc, it.id desc`.execute(db)
  return rows
}

/** A bill that was held beside the ledger. */
export interface ComparedDay {
  readonly way: PayWay
  readonly day: string
  readonly compared_at: Millis
  readonly lines: number
  /** Null: nobody has looked for them yet. */
  readonly differences: number | null
}

/** The bills that were compared, the newest first; those before a day. */
export async function comparedBills(db: Db, before: string | null, limit: number): Promise<ComparedDay[]> {
  const { rows } = await sql<ComparedDay>`
    select it.way, it.day, it.compared_at::float8 as compared_at, it.lines,
      case when it.looked_at is not null then (
        select count(*)::int from bill_difference found where found.way = it.way and found.day = it.day) end as differences
    from bill_day it where ${before}::text is null or it.day < ${before}
    order by it.day desc, it.way limit ${limit}`.execute(db)
  return rows
}

/** A line of the ledger, for an accountant. */
export interface ExportedLine {
  readonly entry_id: string
  readonly at: Millis
  readonly kind: string
  readonly ref: string
  readonly order_id: string | null
  readonly account: string
  readonly account_kind: string
  readonly amount: Fen
}

/**
 * Lines of the ledger after an entry, in the order of the entries; whole entries, `limit` of them at most.
 */
export async function ledgerAfter(
  db: Db,
  after: string,
  input: { readonly from: Millis; readonly to: Millis; readonly limit: number },
): Promise<readonly ExportedLine[]> {
  const { rows } = await sql<ExportedLine>`
    select entry.id::text as entry_id, entry.at::float8 as at, entry.kind, entry.ref, entry.order_id::text, line.account,
      account.kind as account_kind, line.amount::float8 as amount
    from (
      select * from ledger_entry where id > ${after}::bigint and at >= ${input.from}::bigint and at < ${input.to}::bigint
      order by id limit ${input.limit}
    ) entry join ledger_line line on line.entry_id = entry.id join ledger_account account on account.name = line.account
    order by entry.id, line.account`.execute(db)
  return rows
}
