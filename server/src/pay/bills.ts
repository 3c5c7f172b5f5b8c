/** The SQL of the providers' bills. */
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'
import type { BillLine, PayWay } from '../outside/payProvider.ts'

/** Days of a provider, `YYYY-MM-DD`, whose bills were compared. */
export async function comparedDays(db: Db, way: PayWay, since: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ day: string }>`
    select day from bill_day where way = ${way} and day >= ${since}`.execute(db)
  return new Set(rows.map(({ day }) => day))
}

/** Keeps the bill of a day in place of the one that was kept before. */
export async function replaceBill(
  tx: Tx,
  it: {
    readonly way: PayWay
    readonly day: string
    readonly lines: readonly BillLine[]
    readonly now: Millis
  },
): Promise<void> {
  await sql`delete from bill_day where way = ${it.way} and day = ${it.day}`.execute(tx)
  await sql`
    insert into bill_day (way, day, compared_at, lines)
    values (${it.way}, ${it.day}, ${it.now}::bigint, ${it.lines.length})`.execute(tx)
  // As one value, because a bill may have more lines than a statement has parameters. A line that is there twice is one sum.
  await sql`
    insert into bill_line (way, day, kind, trade_no, refund_no, provider_no, fee, charge, at)
    select ${it.way}, ${it.day}, kind, "tradeNo", "refundNo", max("providerNo"), sum(fee), sum(charge), min(at)
    from jsonb_to_recordset(${JSON.stringify(it.lines)}::jsonb)
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

/** How a bill and the ledger differ: `unknown_here` is in the bill alone, `unknown_there` in the ledger alone. */
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
 * The differences of the bills that were compared since a day, the newest first. What is in the ledger counts for the day on which the
 * provider did it, and may be in the bill of any day.
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

/** Lines of the ledger after an entry, in the order of the entries; whole entries, `limit` of them at most. */
export async function ledgerAfter(
  db: Db,
  after: string,
  it: { readonly from: Millis; readonly to: Millis; readonly limit: number },
): Promise<readonly ExportedLine[]> {
  const { rows } = await sql<ExportedLine>`
    select entry.id::text as entry_id, entry.at::float8 as at, entry.kind, entry.ref, entry.order_id::text, line.account,
      account.kind as account_kind, line.amount::float8 as amount
    from (
      select * from ledger_entry where id > ${after}::bigint and at >= ${it.from}::bigint and at < ${it.to}::bigint
      order by id limit ${it.limit}
    ) entry join ledger_line line on line.entry_id = entry.id join ledger_account account on account.name = line.account
    order by entry.id, line.account`.execute(db)
  return rows
}
