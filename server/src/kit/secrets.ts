/** Secrets of the server, made at the first start and stored in the database. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * A key of this installation: 32 random bytes, generated the first time it is asked for and the same for every node
 * from then on.
 */
export async function readSecret(db: Db, name: string): Promise<Buffer> {
  await sql`insert into secret (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ value: Buffer }>`select value from secret where name = ${name}`.execute(db)
  return rows[0]!.value
}
