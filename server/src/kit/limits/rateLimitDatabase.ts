/**
 * Rate limits of attempts, such as login codes: counted in the database, for all nodes and across restarts.
 */
import { sql } from 'kysely'
import { clock } from '../clock.ts'
import { asNumber, int8 } from '../database/columns.ts'
import { type Db, type Tx, transaction } from '../database/db.ts'
import { type RateLimit, TooMany } from './rateLimit.ts'

export type { RateLimit } from './rateLimit.ts'

/**
 * Counts one attempt, or `amount`; false when less is left, and then nothing is counted. The count is in the
 * database, so that a restart keeps it and two concurrent requests cannot both use the last attempt.
 */
export async function consumeAttempt(
  db: Db,
  { name, most, windowMs }: RateLimit,
  key: string,
  amount = 1,
): Promise<boolean> {
  if (amount > most) return false
  const now = clock.now()
  // One that starts later than a window from now was counted while the clock of some node was wrong.
  const isOver = sql`(it.started_at <= ${now - windowMs}::bigint or it.started_at > ${now + windowMs}::bigint)`
  const { rows } = await sql`
    insert into attempt as it (name, key, started_at, spent) values (${name}, ${key}, ${now}, ${amount})
    on conflict (name, key) do update set
      started_at = case when ${isOver} then excluded.started_at else it.started_at end,
      spent = case when ${isOver} then excluded.spent else it.spent + excluded.spent end
    where ${isOver} or it.spent <= ${most - amount}
    returning 1`.execute(db)
  return rows.length > 0
}

/**
 * Counts one attempt of a limit whose refusal is HTTP 429: the answer's headers name the window that refused.
 * @throws Failure too_many
 */
export async function useAttempt(db: Db, limit: RateLimit, key: string): Promise<void> {
  if (await consumeAttempt(db, limit, key)) return
  throw new TooMany(limit.most, await windowLeftMs(db, limit, key))
}

/** One attempt under a limit. */
export type Attempt = readonly [limit: RateLimit, key: string]

/**
 * Counts an attempt under several limits, always in the same order, so that two transactions cannot wait for
 * each other. Returns the first limit that has none left: the caller rolls back, and then nothing is counted.
 */
export async function consumeAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<RateLimit | null> {
  for (const [limit, key] of attempts) if (!(await consumeAttempt(tx, limit, key))) return limit
  return null
}

/**
 * Counts an attempt under several limits whose refusal is HTTP 429, or under none of them. The order is the
 * same for all callers, as in `consumeAttempts`.
 * @throws Failure too_many
 */
export async function useAttempts(db: Db, attempts: readonly Attempt[]): Promise<void> {
  await transaction(db, async (tx) => {
    for (const [limit, key] of attempts) await useAttempt(tx, limit, key)
  })
}

/** Gives one attempt back, because what was tried did not happen or was right. */
export async function refundAttempt(db: Db, { name }: RateLimit, key: string): Promise<void> {
  await db
    .updateTable('attempt')
    .set((eb) => ({ spent: eb('spent', '-', 1) }))
    .where('name', '=', name)
    .where('key', '=', key)
    .where('spent', '>', 0)
    .execute()
}

/** Gives one attempt under each of the limits back. */
export async function refundAttempts(db: Db, attempts: readonly Attempt[]): Promise<void> {
  await transaction(db, async (tx) => {
    for (const [limit, key] of attempts) await refundAttempt(tx, limit, key)
  })
}

/** The attempts that were counted under a key. */
export async function attemptsSpent(db: Db, { name }: RateLimit, key: string): Promise<number> {
  const row = await db
    .selectFrom('attempt')
    .select('spent')
    .where('name', '=', name)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.spent ?? 0
}

/** How long until the window of a key ends, ms; 0 without one. */
export async function windowLeftMs(db: Db, { name, windowMs }: RateLimit, key: string): Promise<number> {
  const row = await db
    .selectFrom('attempt')
    .select((eb) => asNumber(eb, 'started_at').as('started_at'))
    .where('name', '=', name)
    .where('key', '=', key)
    .executeTakeFirst()
  const leftMs = row ? row.started_at + windowMs - clock.now() : 0
  return leftMs > 0 && leftMs <= 2 * windowMs ? leftMs : 0
}

/** Whether nothing is left of a limit. */
export async function isUsedUp(db: Db, { name, most, windowMs }: RateLimit, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('attempt')
    .select('name')
    .where('name', '=', name)
    .where('key', '=', key)
    .where('started_at', '>', int8(clock.now() - windowMs))
    // A window of a clock that ran ahead does not count, see `consumeAttempt`.
    .where('started_at', '<=', int8(clock.now() + windowMs))
    .where('spent', '>=', most)
    .executeTakeFirst()
  return row !== undefined
}

/** Refuses when nothing is left of a limit, and counts nothing. @throws Failure too_many */
export async function refuseUsedUp(db: Db, limit: RateLimit, key: string): Promise<void> {
  if (await isUsedUp(db, limit, key)) throw new TooMany(limit.most, await windowLeftMs(db, limit, key))
}

/** Those of the limits that have nothing left. One query for all of them, and nothing is counted. */
export async function usedUpAmong(db: Db, attempts: readonly Attempt[]): Promise<RateLimit[]> {
  const rows = await db
    .selectFrom('attempt')
    .select(['name', 'key', 'spent'])
    .select((eb) => asNumber(eb, 'started_at').as('started_at'))
    .where((eb) => eb.or(attempts.map(([{ name }, key]) => eb.and({ name, key }))))
    .execute()
  const now = clock.now()
  return attempts.flatMap(([limit, key]) => {
    const row = rows.find((each) => each.name === limit.name && each.key === key)
    // A window of a clock that ran ahead does not count, see `consumeAttempt`.
    const isOpen = row !== undefined && Math.abs(now - row.started_at) < limit.windowMs
    return isOpen && row.spent >= limit.most ? [limit] : []
  })
}

/** Resets the count, after a success. */
export async function resetAttempts(db: Db, { name }: RateLimit, key: string): Promise<void> {
  await db.deleteFrom('attempt').where('name', '=', name).where('key', '=', key).execute()
}

/** Deletes expired counts. Returns how many. */
export async function trimAttempts(db: Db, olderThanMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('attempt')
    .where('started_at', '<', int8(clock.now() - olderThanMs))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
