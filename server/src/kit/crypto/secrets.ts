/** Secrets of the server, generated at the first start and stored in the database. */
import { randomBytes } from 'node:crypto'
import type { Db } from '../database/db.ts'

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
