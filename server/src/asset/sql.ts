/** Stored files. */
import type { AssetKind } from '@guildhall/wire/asset/asset.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { type Db, keptPlan } from '../kit/db.ts'

export interface AssetRow {
  readonly key: string
  readonly user_id: UserId
  readonly kind: AssetKind
  readonly mime: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Hex. */
  readonly sha256: string
  /** px; null when unknown. */
  readonly width: number | null
  readonly height: number | null
  readonly duration_ms: number | null
}

export async function byKey(db: Db, key: string): Promise<AssetRow | null> {
  const { rows } = await sql<AssetRow>`${keptPlan}
    select key, user_id, kind, mime, name, size::float8 as size, encode(sha256, 'hex') as sha256, width, height,
      duration_ms
    from asset where key = ${key}`.execute(db)
  return rows[0] ?? null
}

export async function byKeys(db: Db, keys: readonly string[]): Promise<AssetRow[]> {
  const { rows } = await sql<AssetRow>`
    select key, user_id, kind, mime, name, size::float8 as size, encode(sha256, 'hex') as sha256, width, height,
      duration_ms
    from asset where key = any(${[...keys]}::text[])`.execute(db)
  return rows
}

/** Says that an object is about to be stored. */
export async function announce(db: Db, key: string, now: number): Promise<void> {
  await sql`insert into asset_arrival (key, started_at) values (${key}, ${now})`.execute(db)
}

/** Turns an arrival into an asset, in one statement; false when the arrival was given up meanwhile. */
export async function settle(db: Db, row: AssetRow, now: number): Promise<boolean> {
  const { rows } = await sql`
    with arrived as (delete from asset_arrival where key = ${row.key} and not given_up returning key)
    insert into asset (key, user_id, kind, mime, name, size, sha256, width, height, duration_ms, created_at)
    select key, ${row.user_id}::bigint, ${row.kind}, ${row.mime}, ${row.name}, ${row.size}::bigint,
      decode(${row.sha256}, 'hex'), ${row.width}::integer, ${row.height}::integer, ${row.duration_ms}::integer,
      ${now}::bigint
    from arrived returning 1`.execute(db)
  return rows.length > 0
}

/** Arrivals that began before `before`, the oldest first, at most `limit`. */
export async function stale(db: Db, before: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from asset_arrival where started_at < ${before} order by started_at limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** Lets nobody settle an arrival any more; false when it has settled. */
export async function giveUp(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql`
    update asset_arrival set given_up = true where key = ${key} returning 1`.execute(db)
  return rows.length > 0
}

/** Turns an asset into an arrival that nobody may settle and that the next sweep finds. */
export async function discard(db: Db, key: string): Promise<void> {
  await sql`
    with gone as (delete from asset where key = ${key} returning key)
    insert into asset_arrival (key, started_at, given_up) select key, 0, true from gone`.execute(db)
}

/** Forgets an arrival. */
export async function forget(db: Db, key: string): Promise<void> {
  await sql`delete from asset_arrival where key = ${key}`.execute(db)
}
