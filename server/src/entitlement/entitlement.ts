/**
 * What was granted to people for a time: each grant begins where what they have ends. A refund ends a grant.
 */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { clock } from '../kit/clock.ts'
import { int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import type { GrantFact } from '../order/order.ts'

export interface Grant {
  /** ms */
  readonly grantedAt: Millis
  /** How long it lasts, ms. */
  readonly length: Millis
}

/**
 * Tells that what somebody has changed, in the transaction that changes it: the person, so that their pages
 * read it again, or everybody who sees them.
 */
export type NotifyHolder = (tx: Tx, emit: Emit, userId: UserId, to: 'self' | 'everybody') => Promise<void>

/** Tells that something of a kind ended by the clock, in a transaction. */
export type NotifyEnded = (
  tx: Tx,
  emit: Emit,
  ended: { readonly userId: UserId; readonly kind: string },
) => Promise<void>

/**
 * Until when some grants last together, ms; 0 without any. A grant begins when it is given, or when the one
 * before ends.
 */
export const endOf = (grants: readonly Grant[]): Millis =>
  grants.reduce((end, { grantedAt, length }) => Math.max(end, grantedAt) + length, 0)

/**
 * Since when somebody has had it without a gap, of some grants in their order, ms; 0 without any. What was
 * refunded is none of them.
 */
export function sinceOf(grants: readonly Grant[]): Millis {
  let [since, end] = [0, 0]
  for (const { grantedAt, length } of grants) {
    if (grantedAt > end) since = grantedAt
    end = Math.max(end, grantedAt) + length
  }
  return since
}

/** Grants, and answers until when everything of this kind lasts now, ms. One order grants a kind once. */
export async function grant(
  tx: Tx,
  input: {
    readonly userId: UserId
    readonly kind: string
    readonly orderId: string | null
    readonly length: Millis
  },
): Promise<Millis> {
  await lockKind(tx, input.userId, input.kind)
  await tx
    .insertInto('entitlement')
    .values({
      user_id: input.userId,
      kind: input.kind,
      order_id: input.orderId,
      length: input.length,
      granted_at: clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['order_id', 'kind']).doNothing())
    .execute()
  return noteEnd(tx, input.userId, input.kind)
}

/** Ends what an order granted, and answers until when the rest lasts, ms. */
export async function revoke(
  tx: Tx,
  input: { readonly userId: UserId; readonly kind: string; readonly orderId: string },
): Promise<Millis> {
  await lockKind(tx, input.userId, input.kind)
  await tx
    .updateTable('entitlement')
    .set({ revoked_at: clock.now() })
    .where('order_id', '=', input.orderId)
    .where('kind', '=', input.kind)
    .where('revoked_at', 'is', null)
    .execute()
  return noteEnd(tx, input.userId, input.kind)
}

/** Stores when what somebody has of a kind ends, so that it is told then; answers it. */
async function noteEnd(tx: Tx, userId: UserId, kind: string): Promise<Millis> {
  const until = await lastsUntil(tx, userId, kind)
  if (until > clock.now())
    await tx
      .insertInto('entitlement_end')
      .values({ user_id: userId, kind, at: until })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ at: until }))
      .execute()
  else await takeEnd(tx, userId, kind)
  return until
}

/** False when another one took it before, or there is none. */
async function takeEnd(tx: Tx, userId: UserId, kind: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('entitlement_end')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('at')
    .executeTakeFirst()
  return taken !== undefined
}

const ENDS_AT_ONCE = 50

/**
 * Tells what ended by now, each end once among all nodes and in a transaction of its own. The clock alone
 * decides what somebody has: this may be late, and nothing but open pages waits for it.
 */
export async function notifyEnds(
  appContext: AppContext,
  notify: NotifyEnded,
  signal?: AbortSignal,
): Promise<void> {
  for (let due = ENDS_AT_ONCE; due === ENDS_AT_ONCE && !signal?.aborted; ) {
    const ends = await appContext.db
      .selectFrom('entitlement_end')
      .select(['user_id', 'kind'])
      .where('at', '<=', int8(clock.now()))
      .orderBy('at')
      .limit(ENDS_AT_ONCE)
      .execute()
    for (const { user_id: userId, kind } of ends)
      await commit(appContext, async (tx, emit) => {
        await lockKind(tx, userId, kind)
        if (!(await takeEnd(tx, userId, kind))) return
        // More was granted meanwhile, or it lasts longer than its row said.
        if ((await noteEnd(tx, userId, kind)) <= clock.now()) await notify(tx, emit, { userId, kind })
      })
    due = ends.length
  }
}

/** What somebody was granted, as staff see it. `order_id` null: the operator gave it. Times in ms. */
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
 * Ends a grant that no order bought. Its length, and until when the rest lasts, ms; null: there is none such,
 * or it is ended already.
 */
export async function revokeGiven(
  tx: Tx,
  input: { readonly userId: UserId; readonly kind: string; readonly id: string },
): Promise<{ readonly length: Millis; readonly until: Millis } | null> {
  await lockKind(tx, input.userId, input.kind)
  const { rows } = await sql<{ length: Millis }>`
    update entitlement set revoked_at = ${clock.now()}::bigint
    where id = ${input.id}::bigint and user_id = ${input.userId}::bigint and kind = ${input.kind}
      and order_id is null and revoked_at is null
    returning length::float8 as length`.execute(tx)
  const [ended] = rows
  return ended ? { ...ended, until: await noteEnd(tx, input.userId, input.kind) } : null
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

const lastsUntil = async (db: Db, userId: UserId, kind: string): Promise<Millis> =>
  endOf(await standing(db, userId, kind))

/** Since when a person has had something of a kind without a gap, ms; 0: they never had it. */
export const beganOfKind = async (db: Db, userId: UserId, kind: string): Promise<Millis> =>
  sinceOf(await standing(db, userId, kind))

async function standing(db: Db, userId: UserId, kind: string): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    select granted_at::float8 as "grantedAt", length::float8 as length from entitlement
    where user_id = ${userId}::bigint and kind = ${kind} and revoked_at is null order by granted_at, id`.execute(
    db,
  )
  return rows
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

/** What an order granted of some kinds. */
export async function factsOf(
  db: Db,
  orderId: string,
  kinds: readonly string[],
): Promise<readonly GrantFact[]> {
  const { rows } = await sql<GrantFact>`
    select kind as what, granted_at::float8 as "grantedAt", revoked_at::float8 as "revokedAt", length::float8 as length,
      null as count, null as used
    from entitlement where order_id = ${orderId}::bigint and kind = any(${kinds}::text[]) order by id`.execute(
    db,
  )
  return rows
}
