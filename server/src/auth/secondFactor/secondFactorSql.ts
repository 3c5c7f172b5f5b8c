/** Second factors: the sealed secret, the codes that were used, and the recovery codes that are left. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'

export interface SecondFactorRow {
  readonly secret: string
  /** ms */
  readonly created_at: number
  /** How many recovery codes are left. */
  readonly recovery_left: number
}

/** A person's second factor; null: it is off. */
export async function find(db: Db, userId: UserId): Promise<SecondFactorRow | null> {
  const row = await db
    .selectFrom('second_factor')
    .select((eb) => [
      'secret',
      asNumber(eb, 'created_at').as('created_at'),
      sql<number>`cardinality(recovery)`.as('recovery_left'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** What of a second factor is sealed. */
export interface SealedFactor {
  readonly user_id: UserId
  readonly secret: string
  /** Those that are left. */
  readonly recovery: readonly Buffer[]
}

/** A person's, which nobody changes until the transaction ends. */
export const lockSealed = (tx: Tx, userId: UserId): Promise<SealedFactor | undefined> =>
  tx
    .selectFrom('second_factor')
    .select(['user_id', 'secret', 'recovery'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

/** The next ones by the ids of their people. `locks`: nobody changes them until the transaction ends. */
export const sealedAfter = (
  db: Db,
  after: UserId,
  { limit, locks }: { readonly limit: number; readonly locks: boolean },
): Promise<SealedFactor[]> =>
  db
    .selectFrom('second_factor')
    .select(['user_id', 'secret', 'recovery'])
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .$if(locks, (query) => query.forUpdate())
    .execute()

export async function setSealed(tx: Tx, { user_id, secret, recovery }: SealedFactor): Promise<void> {
  await sql`
    update second_factor set secret = ${secret}, recovery = ${recovery}::bytea[]
    where user_id = ${user_id}`.execute(tx)
}

/** False when the person has one already. */
export async function add(
  tx: Tx,
  input: {
    readonly userId: UserId
    readonly secret: string
    readonly now: number
    readonly step: number
    readonly recovery: readonly Buffer[]
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into second_factor (user_id, secret, created_at, used_steps, recovery)
    values (${input.userId}, ${input.secret}, ${input.now}, array[${input.step}::int], ${input.recovery}::bytea[])
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows) > 0
}

/**
 * Uses up the code of a step; false when it was used before. Of two concurrent calls one wins, on whichever
 * nodes.
 */
export async function useStep(tx: Tx, userId: UserId, step: number, kept: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update second_factor set used_steps = (array_prepend(${step}::int, used_steps))[1:${sql.lit(kept)}]
    where user_id = ${userId} and not ${step}::int = any(used_steps)`.execute(tx)
  return Number(numAffectedRows) > 0
}

/** Uses up a recovery code; false when it is none of those that are left. */
export async function useRecovery(tx: Tx, userId: UserId, sealed: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update second_factor set recovery = array_remove(recovery, ${sealed}::bytea)
    where user_id = ${userId} and ${sealed}::bytea = any(recovery)`.execute(tx)
  return Number(numAffectedRows) > 0
}

export async function setRecovery(tx: Tx, userId: UserId, recovery: readonly Buffer[]): Promise<void> {
  await sql`update second_factor set recovery = ${recovery}::bytea[] where user_id = ${userId}`.execute(tx)
}

/** Whether there was one. */
export async function remove(db: Db, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('second_factor')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
