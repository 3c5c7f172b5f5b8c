/** What was granted to people for a time: each grant begins where what they have ends. A refund ends a grant. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/db.ts'

export interface Grant {
  /** ms */
  readonly grantedAt: Millis
  /** How long it lasts, ms. */
  readonly length: Millis
}

/** Until when some grants last together, ms; 0 without any. A grant begins when it is given, or when the one before ends. */
export const endOf = (grants: readonly Grant[]): Millis =>
  grants.reduce((end, { grantedAt, length }) => Math.max(end, grantedAt) + length, 0)

/** Grants, and answers until when everything of this kind lasts now, ms. One order grants a kind once. */
export async function grant(
  tx: Tx,
  it: {
    readonly userId: UserId
    readonly kind: string
    readonly orderId: string | null
    readonly length: Millis
  },
): Promise<Millis> {
  await lockKind(tx, it.userId, it.kind)
  await tx
    .insertInto('entitlement')
    .values({
      ...{ user_id: it.userId, kind: it.kind, order_id: it.orderId, length: it.length },
      granted_at: clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['order_id', 'kind']).doNothing())
    .execute()
  return lastsUntil(tx, it.userId, it.kind)
}

/** Ends what an order granted, and answers until when the rest lasts, ms. */
export async function revoke(
  tx: Tx,
  it: { readonly userId: UserId; readonly kind: string; readonly orderId: string },
): Promise<Millis> {
  await lockKind(tx, it.userId, it.kind)
  await tx
    .updateTable('entitlement')
    .set({ revoked_at: clock.now() })
    .where('order_id', '=', it.orderId)
    .where('kind', '=', it.kind)
    .where('revoked_at', 'is', null)
    .execute()
  return lastsUntil(tx, it.userId, it.kind)
}

/** What somebody was granted, as staff see it. `order_id` null: the house gave it. Times in ms. */
export interface GrantRow {
  readonly id: string
  readonly order_id: string | null
  readonly length: Millis
  readonly granted_at: Millis
  /** Null: it counts. */
  readonly revoked_at: Millis | null
}

/** The newest grants of a kind to one person. */
export async function grantsOf(db: Db, userId: UserId, kind: string, limit: number): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    select id::text, order_id::text, length::float8 as length, granted_at::float8 as granted_at,
      revoked_at::float8 as revoked_at
    from entitlement where user_id = ${userId}::bigint and kind = ${kind}
    order by entitlement.id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Ends a grant that no order bought. Its length, and until when the rest lasts, ms; null: there is none such, or it is ended already.
 */
export async function revokeGiven(
  tx: Tx,
  it: { readonly userId: UserId; readonly kind: string; readonly id: string },
): Promise<{ readonly length: Millis; readonly until: Millis } | null> {
  await lockKind(tx, it.userId, it.kind)
  const { rows } = await sql<{ length: Millis }>`
    update entitlement set revoked_at = ${clock.now()}::bigint
    where id = ${it.id}::bigint and user_id = ${it.userId}::bigint and kind = ${it.kind}
      and order_id is null and revoked_at is null
    returning length::float8 as length`.execute(tx)
  const [ended] = rows
  return ended ? { ...ended, until: await lastsUntil(tx, it.userId, it.kind) } : null
}

/** Serialises what is granted to one person, until the transaction ends. */
const lockKind = (tx: Tx, userId: UserId, kind: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`entitlement ${kind} ${userId}`}, 0))`.execute(tx)

/** Until when somebody has what a kind grants, ms; it may be over. 0: they never had it. */
export const endOfKind = (db: Db, userId: UserId, kind: string): Promise<Millis> =>
  lastsUntil(db, userId, kind)

/** The same of several people, in one query; who never had it is not there. */
export async function endsOfKind(
  db: Db,
  userIds: readonly UserId[],
  kind: string,
): Promise<ReadonlyMap<UserId, Millis>> {
  const { rows } = await sql<Grant & { readonly user_id: UserId }>`
    select user_id::text, granted_at::float8 as "grantedAt", length::float8 as length from entitlement
    where user_id = any(${userIds}::bigint[]) and kind = ${kind} and revoked_at is null
    order by granted_at, id`.execute(db)
  const grants = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...grants].map(([userId, of]) => [userId, endOf(of)]))
}

async function lastsUntil(db: Db, userId: UserId, kind: string): Promise<Millis> {
  const { rows } = await sql<Grant>`
    select granted_at::float8 as "grantedAt", length::float8 as length from entitlement
    where user_id = ${userId}::bigint and kind = ${kind} and revoked_at is null order by granted_at, id`.execute(
    db,
  )
  return endOf(rows)
}

/** Of some orders, those whose grant of a kind counts. */
export async function standingGrants(
  db: Db,
  kind: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id::text from entitlement
    where kind = ${kind} and revoked_at is null and order_id = any(${orderIds}::bigint[])`.execute(db)
  return new Set(rows.map((it) => it.order_id))
}
