/** Entries and lines of the ledger. */
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Balance, Entry, Line } from './entry.ts'

/**
 * False when an entry of this kind and ref exists. Accounts are made in the order of their names, so that
 * nobody deadlocks.
 */
export async function add(tx: Tx, entry: Entry, lines: readonly Line[]): Promise<boolean> {
  const names = lines.map(({ account }) => account.name)
  const kinds = lines.map(({ account }) => account.kind)
  const amounts = lines.map(({ amount }) => amount)
  const { rows } = await sql`
    with line as (
      select * from unnest(${names}::text[], ${kinds}::text[], ${amounts}::bigint[]) as it(account, kind, amount)
    ), known as (
      insert into ledger_account (name, kind) select account, kind from line order by account on conflict do nothing
    ), entry as (
      insert into ledger_entry (kind, ref, order_id, at)
      values (${entry.kind}, ${entry.ref}, ${entry.orderId}::bigint, ${entry.at}::bigint)
      on conflict (kind, ref) do nothing returning id
    ), added as (
      insert into ledger_line (entry_id, account, amount) select entry.id, line.account, line.amount from entry, line
    )
    select id from entry`.execute(tx)
  return rows.length > 0
}

export async function balances(db: Db): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select it.name as account, it.kind, coalesce(sum(line.amount), 0)::float8 as balance
    from ledger_account it left join ledger_line line on line.account = it.name
    group by it.name, it.kind order by it.name`.execute(db)
  return rows
}

export async function unbalanced(db: Db): Promise<{ readonly id: string; readonly total: Fen }[]> {
  const { rows } = await sql<{ id: string; total: Fen }>`
    select it.id::text, coalesce(sum(line.amount), 0)::float8 as total
    from ledger_entry it left join ledger_line line on line.entry_id = it.id
    group by it.id having count(line.entry_id) = 0 or sum(line.amount) <> 0 order by it.id limit 100`.execute(
    db,
  )
  return rows
}

/** A line of an entry of the ledger, with its entry. */
export interface EntryLine {
  readonly id: string
  readonly kind: Entry['kind']
  readonly ref: string
  readonly at: Millis
  readonly account: string
  readonly amount: Fen
}

/** The lines of the entries of an order, in their order. */
export async function ofOrder(db: Db, orderId: string): Promise<EntryLine[]> {
  const { rows } = await sql<EntryLine>`
    select entry.id::text, entry.kind, entry.ref, entry.at::float8 as at, line.account, line.amount::float8 as amount
    from ledger_entry entry join ledger_line line on line.entry_id = entry.id
    where entry.order_id = ${orderId}::bigint order by entry.id, line.amount desc, line.account`.execute(db)
  return rows
}

/**
 * What was received from and given back to buyers within a time, by the account that it came to, and of how
 * many orders.
 */
export async function moneyWithin(
  db: Db,
  input: { readonly from: Millis; readonly to: Millis },
): Promise<
  {
    readonly kind: 'receive' | 'pay_back'
    readonly account: string
    readonly sum: Fen
    readonly orders: number
  }[]
> {
  const { rows } = await sql<{ kind: 'receive' | 'pay_back'; account: string; sum: Fen; orders: number }>`
    select entry.kind, line.account, abs(sum(line.amount))::float8 as sum, count(distinct entry.order_id)::int as orders
    from ledger_entry entry join ledger_line line on line.entry_id = entry.id and line.account like 'clearing:%'
    where entry.at >= ${input.from}::bigint and entry.at < ${input.to}::bigint and entry.kind in ('receive', 'pay_back')
    group by entry.kind, line.account`.execute(db)
  return rows
}
