/** Batches of codes, and codes. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'

interface NewBatchRow {
  readonly product_id: number
  /** What it is for, as who made it says. */
  readonly note: string
  readonly count: number
  readonly per_user: number
  readonly expires_at: Millis | null
  readonly created_at: Millis
  /** An id, or `operator`. */
  readonly actor: string
  /** Null: it needed nobody. */
  readonly approved_by: string | null
}

export interface BatchRow extends NewBatchRow {
  readonly id: string
  readonly product_name: string
  /** Null: its codes are redeemed. */
  readonly paused_at: Millis | null
  /** How many of its codes were used. */
  readonly used: number
}

export async function addBatch(
  tx: Tx,
  input: NewBatchRow & { readonly hashes: readonly Buffer[] },
): Promise<string> {
  const { hashes, ...batch } = input
  const { id } = await tx.insertInto('coupon_batch').values(batch).returning('id').executeTakeFirstOrThrow()
  await sql`insert into coupon (batch_id, hash) select ${id}::bigint, unnest(${hashes}::bytea[])`.execute(tx)
  return String(id)
}

export interface CouponRow
  extends Pick<BatchRow, 'product_id' | 'per_user' | 'expires_at' | 'paused_at' | 'actor' | 'approved_by'> {
  readonly id: string
  readonly batch_id: string
  readonly used_by: UserId | null
}

/** A code with its batch, locked until the commit; null: there is none. */
export async function lockByHash(tx: Tx, hash: Buffer): Promise<CouponRow | null> {
  const { rows } = await sql<CouponRow>`
    select it.id::text, it.batch_id::text, it.used_by::text, batch.product_id, batch.per_user,
      batch.expires_at::float8 as expires_at, batch.paused_at::float8 as paused_at,
      batch.actor, batch.approved_by
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

const batchColumns = sql`it.id::text, it.product_id, product.name as product_name, it.note, it.count, it.per_user,
  it.expires_at::float8 as expires_at, it.paused_at::float8 as paused_at, it.created_at::float8 as created_at, it.actor,
  it.approved_by, it.used`

/** Batches with how many of their codes were used, the newest first, those older than `before`. */
export async function batches(
  db: Db,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select ${batchColumns} from coupon_batch it join product on product.id = it.product_id
    where ${before}::bigint is null or it.id < ${before}::bigint
    order by it.id desc limit ${limit}`.execute(db)
  return rows
}

/** Null: there is none. */
export async function batchById(db: Db, id: number): Promise<BatchRow | null> {
  const { rows } = await sql<BatchRow>`
    select ${batchColumns} from coupon_batch it join product on product.id = it.product_id
    where it.id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

/** Sets since when a batch is paused; null: it is not. Null: there is none; false: it was so before. */
export async function setPaused(tx: Tx, id: number, at: Millis | null): Promise<boolean | null> {
  const { rows } = await sql<{ is_paused: boolean }>`
    select paused_at is not null as is_paused from coupon_batch where id = ${id}::bigint for update`.execute(
    tx,
  )
  const [found] = rows
  if (!found || found.is_paused === (at !== null)) return found ? false : null
  await sql`update coupon_batch set paused_at = ${at}::bigint where id = ${id}::bigint`.execute(tx)
  return true
}

export interface UseRow {
  readonly id: string
  readonly used_by: UserId
  readonly used_at: Millis
}

/** The codes of a batch that were used, the last first, those before `before`. */
export async function uses(
  db: Db,
  input: { readonly batchId: number; readonly before: number | null; readonly limit: number },
): Promise<UseRow[]> {
  const { rows } = await sql<UseRow>`
    select id::text, used_by::text, used_at::float8 as used_at from coupon
    where batch_id = ${input.batchId}::bigint and used_by is not null
      and (${input.before}::bigint is null or (coupon.used_at, coupon.id) <
        (select last.used_at, last.id from coupon last where last.id = ${input.before}::bigint))
    order by coupon.used_at desc, coupon.id desc limit ${input.limit}`.execute(db)
  return rows
}
