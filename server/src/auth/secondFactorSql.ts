/** Second factors: the sealed secret, the codes that were used, and the recovery codes that are left. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

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
export async function useRecovery(tx: Tx, userId: UserId, hash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update second_factor set recovery = array_remove(recovery, ${hash}::bytea)
    where user_id = ${userId} and ${hash}::bytea = any(recovery)`.execute(tx)
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
