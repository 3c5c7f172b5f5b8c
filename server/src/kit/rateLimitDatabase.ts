/** Rate limits of attempts, such as login codes: counted in the database, for all nodes and across restarts. */
import { sql } from 'kysely'
import { clock } from './clock.ts'
import { int8 } from './columns.ts'
import type { Db } from './db.ts'

/** At most `most` attempts per key in the `windowMs` that start with the first attempt. */
export interface RateLimit {
  readonly name: string
  readonly most: number
  readonly windowMs: number
}

/**
 * Counts one attempt, or `amount`; false when less is left, and then nothing is counted. The count is in the database, so that a
 * restart keeps it and two concurrent requests cannot both use the last attempt.
 */
export async function consumeAttempt(
  db: Db,
  { name, most, windowMs }: RateLimit,
  key: string,
  amount = 1,
): Promise<boolean> {
  if (amount > most) return false
  const now = clock.now()
  const { rows } = await sql`
    insert into attempt as it (name, key, started_at, spent) values (${name}, ${key}, ${now}, ${amount})
    on conflict (name, key) do update set
      started_at = case when it.started_at <= ${now - windowMs}::bigint then excluded.started_at else it.started_at end,
      spent = case when it.started_at <= ${now - windowMs}::bigint then excluded.spent else it.spent + excluded.spent end
    where it.started_at <= ${now - windowMs}::bigint or it.spent <= ${most - amount}
    returning 1`.execute(db)
  return rows.length > 0
}

/** Whether nothing is left of a limit. */
export async function isUsedUp(db: Db, { name, most, windowMs }: RateLimit, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('attempt')
    .select('name')
    .where('name', '=', name)
    .where('key', '=', key)
    .where('started_at', '>', int8(clock.now() - windowMs))
    .where('spent', '>=', most)
    .executeTakeFirst()
  return row !== undefined
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

/** The network that one customer has: an IPv4 address, or an IPv6 /64. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.toLowerCase().split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
