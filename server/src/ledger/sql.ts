/** Entries and lines of the ledger. */
import type { Fen } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'
import type { Balance, Entry, Line } from './ledger.ts'

/** False when an entry of this kind and ref exists. */
export async function add(tx: Tx, entry: Entry, lines: readonly Line[]): Promise<boolean> {
  await tx
    .insertInto('ledger_account')
    .values(lines.map(({ account }) => account))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const added = await tx
    .insertInto('ledger_entry')
    .values({ kind: entry.kind, ref: entry.ref, order_id: entry.orderId, at: entry.at })
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return false
  await tx
    .insertInto('ledger_line')
    .values(lines.map(({ account, amount }) => ({ entry_id: added.id, account: account.name, amount })))
    .execute()
  return true
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
