/**
 * Secrets of the server, generated at the first start and stored in the database: they make what ends soon,
 * such as tokens. What seals stored data is in `keys.ts`.
 */
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/db.ts'

/** A key of this installation: 32 random bytes, generated at its first use, then the same for every node. */
export async function readSecret(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('secret')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('secret')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return value
}

/** A key by its name; null when there is none. */
export async function findSecret(db: Db, name: string): Promise<Buffer | null> {
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/** Whether a database has this key under a name, as part of another statement. */
export const hasSecret = (name: string, value: Buffer): RawBuilder<boolean> =>
  sql<boolean>`exists (select from secret where name = ${name} and value = ${value})`

export async function dropSecret(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('secret').where('name', '=', name).execute()
}
