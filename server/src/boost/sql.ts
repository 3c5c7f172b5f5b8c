/** Boost packs and their use. */
import { BOOST_LASTS_MS } from '@guildhall/wire/boost/trend.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'
import type { GrantFact } from '../order/order.ts'

/** Serialises the packs of one person, until the transaction ends. */
export const lockPacks = (tx: Tx, userId: UserId): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`boost packs ${userId}`}, 0))`.execute(tx)

export async function unused(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(count - used), 0)::int as n from boost_pack
    where user_id = ${userId}::bigint and revoked_at is null and used < count`.execute(db)
  return rows[0]?.n ?? 0
}

/** Null when this order gave its packs before. */
export async function addPacks(
  tx: Tx,
  input: {
    readonly userId: UserId
    readonly orderId: string | null
    readonly count: number
    readonly now: Millis
  },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into boost_pack (user_id, order_id, count, granted_at)
    values (${input.userId}::bigint, ${input.orderId}::bigint, ${input.count}, ${input.now}::bigint)
    on conflict (order_id) do nothing returning id::text`.execute(tx)
  return rows[0]?.id ?? null
}

export async function unusedPacks(
  tx: Tx,
  userId: UserId,
): Promise<readonly { readonly id: string; readonly left: number }[]> {
  const { rows } = await sql<{ id: string; left: number }>`
    select id::text, count - used as left from boost_pack
    where user_id = ${userId}::bigint and revoked_at is null and used < count order by id`.execute(tx)
  return rows
}

export async function addUse(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly userId: UserId
    readonly packId: string
    readonly count: number
    readonly now: Millis
  },
): Promise<void> {
  await sql`update boost_pack set used = used + ${input.count} where id = ${input.packId}::bigint`.execute(tx)
  await sql`
    insert into boost_use (guild_id, user_id, pack_id, count, start_at, end_at)
    values (${input.guildId}::bigint, ${input.userId}::bigint, ${input.packId}::bigint, ${input.count}, ${input.now}::bigint,
      ${input.now + BOOST_LASTS_MS}::bigint)`.execute(tx)
}

/** Takes the packs of an order back, and ends their use. The guilds that lose packs. */
export async function revokePacks(tx: Tx, orderId: string, now: Millis): Promise<readonly GuildId[]> {
  const { rows } = await sql<{ id: string }>`
    update boost_pack set revoked_at = ${now}::bigint
    where order_id = ${orderId}::bigint and revoked_at is null returning id::text`.execute(tx)
  const ended = await sql<{ guild_id: GuildId }>`
    update boost_use set end_at = greatest(start_at, ${now}::bigint)
    where pack_id = any(${rows.map(({ id }) => id)}::bigint[]) and end_at > ${now}::bigint
    returning guild_id::text`.execute(tx)
  return [...new Set(ended.rows.map(({ guild_id }) => guild_id))]
}

/** The packs that an order gave. */
export async function granted(db: Db, orderId: string): Promise<readonly GrantFact[]> {
  const { rows } = await sql<GrantFact>`
    select 'boost' as what, granted_at::float8 as "grantedAt", revoked_at::float8 as "revokedAt", null as length, count, used
    from boost_pack where order_id = ${orderId}::bigint`.execute(db)
  return rows
}

/** Of some orders, those whose packs count. */
export async function standing(db: Db, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id::text from boost_pack
    where revoked_at is null and order_id = any(${orderIds}::bigint[])`.execute(db)
  return new Set(rows.map((it) => it.order_id))
}

/** Packs in use on a guild at each of some times. */
export async function countsAt(
  db: Db,
  guildId: GuildId,
  times: readonly Millis[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ n: number }>`
    select coalesce((
      select sum(it.count) from boost_use it
      where it.guild_id = ${guildId}::bigint and it.end_at > moment.at and it.start_at <= moment.at
    ), 0)::int as n
    from unnest(${times}::bigint[]) with ordinality as moment(at, ordinal) order by ordinal`.execute(db)
  return rows.map(({ n }) => n)
}

/** Uses of a guild that end after a time. */
export async function usesAfter(
  db: Db,
  guildId: GuildId,
  after: Millis,
): Promise<readonly { readonly start_at: Millis; readonly end_at: Millis; readonly count: number }[]> {
  const { rows } = await sql<{ start_at: Millis; end_at: Millis; count: number }>`
    select start_at::float8 as start_at, end_at::float8 as end_at, count from boost_use
    where guild_id = ${guildId}::bigint and end_at > ${after}::bigint`.execute(db)
  return rows
}

/**
 * Who uses packs on a guild now, those that end first before the others; packs that one person used at once
 * together.
 */
export async function usersOf(
  db: Db,
  guildId: GuildId,
  now: Millis,
  limit: number,
): Promise<readonly { readonly user_id: UserId; readonly count: number; readonly end_at: Millis }[]> {
  const { rows } = await sql<{ user_id: UserId; count: number; end_at: Millis }>`
    select user_id::text, sum(count)::int as count, end_at::float8 as end_at from boost_use
    where guild_id = ${guildId}::bigint and boost_use.end_at > ${now}::bigint
    group by boost_use.user_id, boost_use.end_at
    order by boost_use.end_at, boost_use.user_id limit ${limit}`.execute(db)
  return rows
}

export async function boosters(db: Db, guildId: GuildId, now: Millis): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ user_id: UserId }>`
    select distinct user_id::text from boost_use where guild_id = ${guildId} and end_at > ${now}`.execute(db)
  return new Set(rows.map(({ user_id }) => user_id))
}

/** When the next use of a guild ends, ms; null: none is under way. */
export async function nextEnd(db: Db, guildId: GuildId, now: Millis): Promise<Millis | null> {
  const { rows } = await sql<{ at: Millis | null }>`
    select min(end_at)::float8 as at from boost_use
    where guild_id = ${guildId}::bigint and end_at > ${now}::bigint`.execute(db)
  return rows[0]?.at ?? null
}

/** Null: nothing of the guild changes by itself any more. */
export async function setTurn(tx: Tx, guildId: GuildId, at: Millis | null): Promise<void> {
  if (at === null) await sql`delete from boost_turn where guild_id = ${guildId}::bigint`.execute(tx)
  else
    await sql`
      insert into boost_turn (guild_id, at) values (${guildId}::bigint, ${at}::bigint)
      on conflict (guild_id) do update set at = excluded.at`.execute(tx)
}

export async function dueTurns(db: Db, now: Millis, limit: number): Promise<readonly GuildId[]> {
  const { rows } = await sql<{ guild_id: GuildId }>`
    select guild_id::text from boost_turn where at <= ${now}::bigint order by at limit ${limit}`.execute(db)
  return rows.map(({ guild_id }) => guild_id)
}

export interface MyBoost {
  readonly guild_id: GuildId
  readonly boost_start_time: Millis
  readonly boost_end_time: Millis
  readonly use_boost_num: number
  readonly name: string
  readonly icon: string
}

/** What somebody uses now, the newest first; packs that were used at once together. */
export async function usedBy(db: Db, userId: UserId, now: Millis): Promise<readonly MyBoost[]> {
  const { rows } = await sql<MyBoost>`
    select guild.id::text as guild_id, it.start_at::float8 as boost_start_time, it.end_at::float8 as boost_end_time,
      sum(it.count)::int as use_boost_num, guild.name, guild.icon
    from boost_use it join guild on guild.id = it.guild_id and guild.deleted_at is null
    where it.user_id = ${userId}::bigint and it.end_at > ${now}::bigint
    group by guild.id, it.start_at, it.end_at order by it.start_at desc, guild.id`.execute(db)
  return rows
}

export interface UseRow {
  readonly user_id: UserId
  readonly start_at: Millis
  readonly end_at: Millis
}

/** Uses of a guild, a row per pack, the newest first. */
export async function history(
  db: Db,
  guildId: GuildId,
  input: { readonly from: Millis; readonly to: Millis; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly UseRow[]; readonly total: number }> {
  const { rows } = await sql<UseRow>`
    select user_id::text, start_at::float8 as start_at, end_at::float8 as end_at
    from boost_use it cross join lateral generate_series(1, it.count)
    where guild_id = ${guildId}::bigint and start_at between ${input.from}::bigint and ${input.to}::bigint
    order by start_at desc, id desc limit ${input.limit} offset ${input.offset}`.execute(db)
  const counted = await sql<{ n: number }>`
    select coalesce(sum(count), 0)::int as n from boost_use
    where guild_id = ${guildId}::bigint and start_at between ${input.from}::bigint and ${input.to}::bigint`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.n ?? 0 }
}
