/** The rows of what people note of others for themselves. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { countRows } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

/** Serialises the notes that a person writes, until the transaction ends. */
export async function lockNotesOf(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`person notes ${userId}`}, 0))`.execute(tx)
}

/** Empty: there is none. */
export async function noteOn(db: Db, userId: UserId, targetId: UserId): Promise<string> {
  const row = await db
    .selectFrom('person_note')
    .select('content')
    .where('user_id', '=', userId)
    .where('target_id', '=', targetId)
    .executeTakeFirst()
  return row?.content ?? ''
}

export async function count(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('person_note')
    .select((eb) => countRows(eb).as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.n
}

export async function write(
  tx: Tx,
  row: {
    readonly user_id: UserId
    readonly target_id: UserId
    readonly content: string
    readonly updated_at: number
  },
): Promise<void> {
  const { content, updated_at } = row
  await tx
    .insertInto('person_note')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'target_id']).doUpdateSet({ content, updated_at }))
    .execute()
}

export async function remove(tx: Tx, userId: UserId, targetId: UserId): Promise<void> {
  await tx.deleteFrom('person_note').where('user_id', '=', userId).where('target_id', '=', targetId).execute()
}

/** A person's notes with the names of those they are on, the newest first. */
export async function all(
  db: Db,
  userId: UserId,
  limit: number,
): Promise<{ name: string; note: string; updated_at: number }[]> {
  const { rows } = await sql<{ name: string; note: string; updated_at: number }>`
    select username || '#' || identify_num as name, content as note, it.updated_at::float8 as updated_at
    from person_note it join "user" on "user".id = it.target_id
    where it.user_id = ${userId} order by it.updated_at desc, it.target_id limit ${limit}`.execute(db)
  return rows
}
