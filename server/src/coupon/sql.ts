/** Batches of codes, and codes. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'

export interface BatchRow {
  readonly id: string
  readonly product_id: number
  readonly count: number
  readonly per_user: number
  readonly expires_at: Millis | null
  readonly created_at: Millis
}

export async function addBatch(
  tx: Tx,
  it: Omit<BatchRow, 'id'> & { readonly actor: string; readonly hashes: readonly Buffer[] },
): Promise<string> {
  const { hashes, ...batch } = it
  const { id } = await tx.insertInto('coupon_batch').values(batch).returning('id').executeTakeFirstOrThrow()
  await sql`insert into coupon (batch_id, hash) select ${id}::bigint, unnest(${hashes}::bytea[])`.execute(tx)
  return String(id)
}

export interface CouponRow extends Omit<BatchRow, 'id' | 'count' | 'created_at'> {
  readonly id: string
  readonly batch_id: string
  readonly used_by: UserId | null
}

/** A code with its batch, locked until the commit; null: there is none. */
export async function lockByHash(tx: Tx, hash: Buffer): Promise<CouponRow | null> {
  const { rows } = await sql<CouponRow>`
    select it.id::text, it.batch_id::text, it.used_by::text, batch.product_id, batch.per_user,
      batch.expires_at::float8 as expires_at
    from coupon it join coupon_batch batch on batch.id = it.batch_id
    where it.hash = ${hash} for update of it`.execute(tx)
  return rows[0] ?? null
}

/** Serialises what one person redeems of a batch, until the transaction ends. */
export const lockPerson = (tx: Tx, userId: UserId, batchId: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`coupon ${batchId} ${userId}`}, 0))`.execute(tx)

export async function countUsed(tx: Tx, userId: UserId, batchId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from coupon
    where used_by = ${userId}::bigint and batch_id = ${batchId}::bigint`.execute(tx)
  return rows[0]?.n ?? 0
}

export const setUsed = (tx: Tx, id: string, userId: UserId, at: Millis): Promise<unknown> =>
  sql`update coupon set used_by = ${userId}::bigint, used_at = ${at}::bigint where id = ${id}::bigint`.execute(
    tx,
  )

/** All batches with how many of their codes were used, the newest first. */
export async function batches(db: Db): Promise<(BatchRow & { readonly used: number })[]> {
  const { rows } = await sql<BatchRow & { used: number }>`
    select id::text, product_id, count, per_user, expires_at::float8 as expires_at, created_at::float8 as created_at,
      (select count(*)::int from coupon where batch_id = it.id and used_by is not null) as used
    from coupon_batch it order by it.id desc limit 1000`.execute(db)
  return rows
}
