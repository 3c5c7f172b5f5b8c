/** Stored files. */
import type { UserId } from '@guildhall/wire/id.ts'
import { type Selectable, sql } from 'kysely'
import { int8 } from '../kit/columns.ts'
import { type Db, keptPlan } from '../kit/db.ts'
import type { AssetTable } from '../kit/tables.ts'

/** Bytes in `size`, px in `width` and `height`, hex in `sha256`; null what is unknown or does not apply. */
export interface AssetRow
  extends Readonly<
    Pick<
      Selectable<AssetTable>,
      'key' | 'user_id' | 'kind' | 'mime' | 'name' | 'width' | 'height' | 'duration_ms'
    >
  > {
  readonly size: number
  readonly sha256: string
}

const columns = sql`key, user_id, kind, mime, name, size::float8 as size, encode(sha256, 'hex') as sha256, width, height,
  duration_ms`

export async function byKey(db: Db, key: string): Promise<AssetRow | null> {
  const { rows } = await sql<AssetRow>`${keptPlan} select ${columns} from asset where key = ${key}`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function byKeys(db: Db, keys: readonly string[]): Promise<AssetRow[]> {
  const { rows } = await sql<AssetRow>`
    select ${columns} from asset where key = any(${[...keys]}::text[])`.execute(db)
  return rows
}

/** Records that an object is about to be stored. */
export async function addArrival(db: Db, key: string, now: number): Promise<void> {
  await db.insertInto('asset_arrival').values({ key, started_at: now }).execute()
}

/** Turns an arrival into an asset, in one statement; false when the arrival was given up meanwhile. */
export async function completeArrival(db: Db, row: AssetRow, now: number): Promise<boolean> {
  const { rows } = await sql`
    with arrived as (delete from asset_arrival where key = ${row.key} and not given_up returning key)
    insert into asset (key, user_id, kind, mime, name, size, sha256, width, height, duration_ms, created_at)
    select key, ${row.user_id}::bigint, ${row.kind}, ${row.mime}, ${row.name}, ${row.size}::bigint,
      decode(${row.sha256}, 'hex'), ${row.width}::integer, ${row.height}::integer, ${row.duration_ms}::integer,
      ${now}::bigint
    from arrived returning 1`.execute(db)
  return rows.length > 0
}

/** Arrivals that began before `before`, ms, the oldest first, at most `limit`. */
export async function staleArrivals(db: Db, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('asset_arrival')
    .select('key')
    .where('started_at', '<', int8(before))
    .orderBy('started_at')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** Prevents an arrival from becoming an asset; false when it has become one. */
export async function giveUp(db: Db, key: string): Promise<boolean> {
  const row = await db
    .updateTable('asset_arrival')
    .set({ given_up: true })
    .where('key', '=', key)
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/** Turns an asset into a given-up arrival, which the next sweep finds. */
export async function discard(db: Db, key: string): Promise<void> {
  await sql`
    with gone as (delete from asset where key = ${key} returning key)
    insert into asset_arrival (key, started_at, given_up) select key, 0, true from gone`.execute(db)
}

/** A person's own file. `size` in bytes, `created_at` in ms. */
export interface OwnFileRow extends Readonly<Pick<AssetRow, 'key' | 'name' | 'mime' | 'size'>> {
  readonly created_at: number
}

/** A person's files with keys after `after`, in order. Emoji belong to their guilds. */
export async function ofPerson(db: Db, userId: UserId, after: string, limit: number): Promise<OwnFileRow[]> {
  const { rows } = await sql<OwnFileRow>`
    select key, name, mime, size::float8 as size, created_at::float8 as created_at from asset
    where user_id = ${userId} and key > ${after} and not starts_with(key, 'emojis/') order by key limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function deleteArrival(db: Db, key: string): Promise<void> {
  await db.deleteFrom('asset_arrival').where('key', '=', key).execute()
}
