/** Stored files. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { asNumber, int8 } from '../kit/database/columns.ts'
import { type Db, preparedStatement, type Tx } from '../kit/database/db.ts'
import type { AssetTable } from '../kit/database/tables.ts'
import type { Copy } from './copy.ts'

/** Bytes in `size`, px in `width` and `height`, hex in `sha256`; null what is unknown or does not apply. */
export interface AssetRow
  extends Readonly<
    Pick<
      Selectable<AssetTable>,
      'key' | 'user_id' | 'kind' | 'mime' | 'name' | 'width' | 'height' | 'duration_ms' | 'thumbhash'
    >
  > {
  readonly size: number
  readonly sha256: string
  /** Ascending. */
  readonly copies: readonly Copy[]
}

const columns = sql`key, user_id, kind, mime, name, size::float8 as size, encode(sha256, 'hex') as sha256, width, height,
  duration_ms, thumbhash, copies`

/** A stored file, and who shows it. */
export interface FoundAsset extends AssetRow {
  /** Whoever has its address may read it, wherever else it is shown: a face, or what nothing shows yet. */
  readonly is_open: boolean
  /** Some of the channels whose messages show it, in order. */
  readonly channels: readonly ChannelId[]
  /** The channel that was asked for does. */
  readonly is_there: boolean
}

/** Channels looked at together. */
const CHANNELS_AT_ONCE = 50

/** Each channel once, however many of its messages show the file: the index is entered anew for each. */
const channelsAfter = (key: RawBuilder<unknown>, after: string) => sql`array(
  with recursive each as (
    (select channel_id from asset_use it where it.key = ${key} and channel_id > ${after}::bigint
     order by channel_id limit 1)
    union all
    select (select channel_id from asset_use it where it.key = ${key} and channel_id > each.channel_id
            order by channel_id limit 1) from each where each.channel_id is not null
  )
  select channel_id::text from each where channel_id is not null limit ${CHANNELS_AT_ONCE})`

const found = (channelId?: string) => sql`${columns},
  (is_face or not exists (select 1 from asset_use it where it.key = asset.key)
    or exists (select 1 from asset_use it
               where it.key = asset.key and it.guild_id is not null and it.channel_id is null)) as is_open,
  ${channelsAfter(sql`asset.key`, '0')} as channels,
  exists (select 1 from asset_use it where it.key = asset.key and it.channel_id = ${channelId ?? null}::bigint) as is_there`

/** `channelId`: whether a message of that channel shows it is asked too. */
export async function byKey(db: Db, key: string, channelId?: string): Promise<FoundAsset | null> {
  const { rows } = await sql<FoundAsset>`
    ${preparedStatement} select ${found(channelId)} from asset where key = ${key}`.execute(db)
  return rows[0] ?? null
}

export async function byKeys(db: Db, keys: readonly string[]): Promise<FoundAsset[]> {
  const { rows } = await sql<FoundAsset>`
    select ${found()} from asset where key = any(${[...keys]}::text[])`.execute(db)
  return rows
}

/** The channels that show a file after those; none when these were the last. */
export async function moreChannels(
  db: Db,
  key: string,
  before: readonly ChannelId[],
): Promise<readonly ChannelId[]> {
  if (before.length < CHANNELS_AT_ONCE) return []
  const { rows } = await sql<{ channels: ChannelId[] }>`
    select ${channelsAfter(sql`${key}`, before.at(-1)!)} as channels`.execute(db)
  return rows[0]!.channels
}

/** Of the files that were stored last. */
export async function newestKeys(db: Db, count: number): Promise<string[]> {
  const found = db.selectFrom('asset').select('key').orderBy('created_at', 'desc').limit(count)
  return (await found.execute()).map(({ key }) => key)
}

/** Records that an object is about to be stored. */
export async function addArrival(db: Db, key: string, now: number): Promise<void> {
  await db.insertInto('asset_arrival').values({ key, started_at: now }).execute()
}

/**
 * Turns an arrival into an asset, in one statement; false when the arrival was given up meanwhile. `checkAt`:
 * when it is deleted unless a message shows it, ms; null: never.
 */
export async function completeArrival(
  db: Db,
  row: AssetRow,
  now: number,
  checkAt: number | null,
  isDoubtful = false,
): Promise<boolean> {
  const { rows } = await sql`
    with arrived as (delete from asset_arrival where key = ${row.key} and not given_up returning key)
    insert into asset (key, user_id, kind, mime, name, size, sha256, width, height, duration_ms, thumbhash, copies,
      created_at, check_at, is_doubtful)
    select key, ${row.user_id}::bigint, ${row.kind}, ${row.mime}, ${row.name}, ${row.size}::bigint,
      decode(${row.sha256}, 'hex'), ${row.width}::integer, ${row.height}::integer, ${row.duration_ms}::integer,
      ${row.thumbhash}, ${JSON.stringify(row.copies)}::jsonb, ${now}::bigint, ${checkAt}::bigint,
      ${isDoubtful}
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

/**
 * Notes that a message shows files. Keys without a file are left out; in a text, also files of others. The
 * files are locked, in the order of their keys, so that they are not deleted meanwhile.
 */
export async function use(
  tx: Tx,
  input: {
    readonly messageId: MessageId
    readonly guildId: GuildId | null
    readonly channelId: ChannelId | null
    readonly authorId: UserId
    readonly isText: boolean
    readonly isPreview: boolean
    readonly isEvidence?: boolean
  },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    with file as materialized (
      select key, user_id from asset where key = any(${[...keys]}::text[]) order by key for key share
    )
    insert into asset_use (key, message_id, guild_id, channel_id, is_preview, is_evidence)
    select key, ${input.messageId}::uuid, ${input.guildId}::bigint, ${input.channelId}::bigint, ${input.isPreview},
      ${input.isEvidence ?? false} from file
    where not ${input.isText} or user_id = ${input.authorId}::bigint
    on conflict do nothing`.execute(tx)
}

/**
 * Part of the statement that stores messages of guilds: the files they show, locked before the guilds'
 * counters.
 */
export const lockingFiles = sql`, file as materialized (
      select key, user_id from asset
      where key in (select jsonb_array_elements_text(files) from draft) order by key for key share
    )`
export const storingUses = sql`, used as (
      insert into asset_use (key, message_id, guild_id, channel_id)
      select distinct file.key, id::uuid, guild_id, channel_id
      from numbered, jsonb_array_elements_text(files) shown join file on file.key = shown
      where kind not in ('text', 'kmarkdown') or file.user_id = author_id
    )`

/**
 * Keeps pictures that an account or a guild shows now, as evidence does: others come back to whoever shows
 * them.
 */
export async function useFaces(tx: Tx, evidenceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    with file as materialized (
      select key from asset where key = any(${[...keys]}::text[]) and is_face order by key for key share
    )
    insert into asset_use (key, message_id, is_evidence) select key, ${evidenceId}::uuid, true from file
    on conflict do nothing`.execute(tx)
}

/** Whether evidence keeps the file. */
const isEvidence = sql<boolean>`exists (
  select 1 from asset_use it where it.key = asset.key and it.is_evidence)`

/** Turns an asset into a given-up arrival, unless evidence keeps it: then nobody shows it any longer. */
export async function discardUnlessKept(db: Db, key: string): Promise<void> {
  const kept = await db
    .updateTable('asset')
    .set({ is_face: false })
    .where('key', '=', key)
    .where(isEvidence)
    .returning('key')
    .executeTakeFirst()
  if (!kept) await discard(db, key)
}

/** A person's files that evidence does not keep, at most `limit`. Emoji belong to their guilds. */
export async function unkeptOf(db: Db, userId: UserId, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('asset')
    .select('key')
    .where('user_id', '=', userId)
    .where((eb) => eb.not(eb.fn<boolean>('starts_with', ['key', eb.val('emojis/')])))
    .where((eb) => eb.not(isEvidence))
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** Forgets which files a message shows; returns them. */
export async function endUses(
  tx: Tx,
  messageId: MessageId,
): Promise<{ readonly key: string; readonly is_preview: boolean }[]> {
  return tx
    .deleteFrom('asset_use')
    .where('message_id', '=', messageId)
    .returning(['key', 'is_preview'])
    .execute()
}

/** Whether the review service is not sure of one of these files. */
export async function areDoubtful(db: Db, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from asset where key = any(${[...keys]}::text[]) and is_doubtful limit 1`.execute(db)
  return rows.length > 0
}

/** Staff have looked at these files. */
export async function clearDoubt(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update asset set is_doubtful = false
    where key in (
      select key from asset where key = any(${[...keys]}::text[]) and is_doubtful order by key for no key update
    )`.execute(tx)
}

/** Whether a message of a guild shows the file. */
export async function isUsedIn(db: Db, key: string, guildId: GuildId): Promise<boolean> {
  const row = await db
    .selectFrom('asset_use')
    .select('key')
    .where('key', '=', key)
    .where('guild_id', '=', guildId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Looks at files at `at`, ms, whether anything shows them; not earlier than planned. `isKnown`: only where
 * that is planned at all.
 */
export async function checkLater(
  tx: Tx,
  keys: readonly string[],
  at: number,
  isKnown = false,
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update asset set check_at = greatest(check_at, ${at}::bigint)
    where key in (
      select key from asset where key = any(${[...keys]}::text[]) and (check_at is not null or not ${isKnown})
      order by key for no key update
    )`.execute(tx)
}

/** Notes that an account shows a picture of its own, in messages or not. Null when it is none. */
export async function keepAvatar(
  tx: Tx,
  key: string,
  userId: UserId,
): Promise<
  (Pick<AssetRow, 'size' | 'copies' | 'width' | 'height'> & { readonly is_doubtful: boolean }) | null
> {
  const row = await tx
    .updateTable('asset')
    .set({ is_face: true, check_at: null })
    .where('key', '=', key)
    .where('user_id', '=', userId)
    .where('kind', '=', 'image')
    .returning((eb) => asNumber(eb, 'size').as('size'))
    .returning(['width', 'height', 'is_doubtful'])
    .returning(sql<readonly Copy[]>`copies`.as('copies'))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Notes that no account shows a picture any longer; at `checkAt`, ms, it is deleted unless a message shows
 * it.
 */
export async function releaseAvatar(tx: Tx, key: string, checkAt: number): Promise<void> {
  await tx
    .updateTable('asset')
    .set({ is_face: false, check_at: checkAt })
    .where('key', '=', key)
    .where((eb) => eb('is_face', '=', true))
    .execute()
}

/** Deletes those of some files that nothing shows. Returns how many. */
export async function discardUnused(tx: Tx, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  // A statement of its own: the next one then sees every use that was noted before the lock.
  await sql`select key from asset where key = any(${[...keys]}::text[]) order by key for update`.execute(tx)
  const { rows } = await sql`
    with gone as (
      delete from asset where key = any(${[...keys]}::text[])
        and not is_face
        and not exists (select 1 from asset_use it where it.key = asset.key)
      returning key
    )
    insert into asset_arrival (key, started_at, given_up) select key, 0, true from gone returning 1`.execute(
    tx,
  )
  return rows.length
}

/**
 * Deletes files that are to be looked at by now and that nothing shows, at most `limit`. Returns how many it
 * looked at.
 */
export function discardUnusedBy(db: Db, now: number, limit: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('asset')
      .select('key')
      .where('check_at', '<=', int8(now))
      .orderBy('check_at')
      .limit(limit)
      .execute()
    const keys = due.map(({ key }) => key)
    await discardUnused(tx, keys)
    if (keys.length > 0)
      await tx.updateTable('asset').set({ check_at: null }).where('key', 'in', keys).execute()
    return keys.length
  })
}
