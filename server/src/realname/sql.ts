/** The statements of real names. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { asNumber } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

export interface RealNameRow {
  readonly sealed: string
  readonly verified_at: Millis
}

export const find = (db: Db, userId: UserId): Promise<RealNameRow | undefined> =>
  db
    .selectFrom('real_name')
    .select((eb) => ['sealed', asNumber(eb, 'verified_at').as('verified_at')])
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** How many accounts are verified with a card. */
export async function countOf(db: Db, numberHash: Buffer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from real_name where number_hash = ${numberHash}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Nobody else counts or adds accounts of the card until the transaction ends. */
export const lockNumber = (tx: Tx, numberHash: Buffer) =>
  sql`select pg_advisory_xact_lock(${numberHash.readBigInt64BE().toString()}::bigint)`.execute(tx)

export async function add(
  tx: Tx,
  row: { user_id: UserId; sealed: string; number_hash: Buffer; verified_at: Millis },
): Promise<void> {
  await tx.insertInto('real_name').values(row).execute()
}

export async function remove(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('real_name').where('user_id', '=', userId).execute()
}
