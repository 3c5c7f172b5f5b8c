/** Memberships: who is in which guild, and what members are called. */
import { beijingDay } from '@guildhall/wire/beijing.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber, countRows } from '../kit/database/columns.ts'
import type { Db } from '../kit/database/db.ts'
import { type Identity, identityColumns, numberOf } from '../user/user.ts'

export async function isMember(db: Db, guildId: GuildId, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .innerJoin('guild', 'guild.id', 'membership.guild_id')
    .select('membership.user_id')
    .where('membership.guild_id', '=', guildId)
    .where('membership.user_id', '=', userId)
    .where('guild.deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function countMembers(db: Db, guildId: GuildId): Promise<number> {
  const row = await db
    .selectFrom('membership')
    .select((eb) => countRows(eb).as('count'))
    .where('guild_id', '=', guildId)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function everyGuild(
  db: Db,
): Promise<
  { readonly id: GuildId; readonly name: string; readonly user_id: UserId; readonly members: number }[]
> {
  const { rows } = await sql<{ id: GuildId; name: string; user_id: UserId; members: number }>`
    select id, name, user_id,
      (select count(*)::int4 from membership where membership.guild_id = guild.id) as members
    from guild where deleted_at is null order by id`.execute(db)
  return rows
}

export async function everyBot(
  db: Db,
): Promise<{ readonly id: UserId; readonly name: string; readonly guilds: GuildId[] }[]> {
  const { rows } = await sql<{ id: UserId; name: string; guilds: GuildId[] }>`
    select id, username as name,
      array(select guild.id::text from membership join guild on guild.id = membership.guild_id
            where membership.user_id = "user".id and guild.deleted_at is null order by guild.id) as guilds
    from "user" where bot and not is_official and deleted_at is null order by id`.execute(db)
  return rows
}

/** Whether a guild has at least so many members. */
export async function hasMembers(db: Db, guildId: GuildId, count: number): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('user_id')
    .where('guild_id', '=', guildId)
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function memberships(db: Db, userId: UserId): Promise<{ guild_id: GuildId; roles: number[] }[]> {
  const { rows } = await sql<{ guild_id: GuildId; roles: number[] }>`
    select membership.guild_id,
      array(select role_id from membership_role it
            where it.guild_id = membership.guild_id and it.user_id = membership.user_id) as roles
    from membership join guild on guild.id = membership.guild_id
    where membership.user_id = ${userId} and guild.deleted_at is null`.execute(db)
  return rows
}

export interface NamedMember extends Pick<Identity, 'id' | 'username' | 'identify_num' | 'avatar'> {
  readonly nickname: string
}

/** A member with the digits of both kinds. */
type NumberedMember = NamedMember & Pick<Identity, 'custom_num' | 'vip_until'>

const namedOf = ({ custom_num, vip_until, ...it }: NumberedMember): NamedMember => ({
  ...it,
  identify_num: numberOf({ identify_num: it.identify_num, custom_num, vip_until }),
})

const namedColumns = sql`"user".id, username, identify_num, custom_num, vip_until, avatar,
  coalesce(nullif(nickname, ''), username) as nickname`

/** A member as everybody in the guild sees them; null for somebody who is none. */
export async function member(
  db: Db,
  guildId: GuildId,
  userId: UserId,
): Promise<
  | (Identity & {
      readonly nickname: string
      readonly roles: number[]
      readonly mobile_verified: boolean
      readonly joined_at: number
      /** When one of their sessions was last used, ms; 0: never. */
      readonly seen_at: number
      readonly is_master: boolean
    })
  | null
> {
  const { rows } = await sql<NonNullable<Awaited<ReturnType<typeof member>>>>`
    select "user".id, ${identityColumns}, membership.nickname, membership.joined_at::float8 as joined_at,
      "user".mobile_verified,
      coalesce((select max(seen_at) from session it where it.user_id = membership.user_id), 0)::float8 as seen_at,
      guild.user_id = membership.user_id as is_master,
      array(select role_id from membership_role it
            where it.guild_id = membership.guild_id and it.user_id = membership.user_id order by role_id) as roles
    from membership
    join "user" on "user".id = membership.user_id
    join guild on guild.id = membership.guild_id and guild.deleted_at is null
    where membership.guild_id = ${guildId} and membership.user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

/** The members among `userIds`, with their names in this guild. */
export async function namedMembers(
  db: Db,
  guildId: GuildId,
  userIds: readonly string[],
): Promise<NamedMember[]> {
  const { rows } = await sql<NumberedMember>`
    select ${namedColumns}
    from membership join "user" on "user".id = membership.user_id
    where guild_id = ${guildId} and user_id = any(${userIds}::bigint[])`.execute(db)
  return rows.map(namedOf)
}

export async function membersCalled(
  db: Db,
  guildId: GuildId,
  calls: readonly { readonly username: string; readonly identify_num: string }[],
): Promise<NamedMember[]> {
  const names = calls.map(({ username }) => username)
  const numbers = calls.map(({ identify_num }) => identify_num)
  const called = sql`(select * from unnest(${names}::text[], ${numbers}::text[]))`
  const { rows } = await sql<NumberedMember>`
    select ${namedColumns}
    from membership join "user" on "user".id = membership.user_id
    where guild_id = ${guildId}
      and ((username, identify_num) in ${called} or (custom_num <> '' and (username, custom_num) in ${called}))`.execute(
    db,
  )
  return rows.map(namedOf)
}

/** Adds a member, and counts it. False when they were one before. */
export async function addMember(db: Db, guildId: GuildId, userId: UserId, now: number): Promise<boolean> {
  const { rows } = await sql`
    with added as (
      insert into membership (guild_id, user_id, joined_at) values (${guildId}, ${userId}, ${now})
      on conflict do nothing returning guild_id),
    counted as (
      insert into member_day (guild_id, day, joins) select guild_id, ${beijingDay(now)}, 1 from added
      on conflict (guild_id, day) do update set joins = member_day.joins + 1)
    select 1 from added`.execute(db)
  return rows.length > 0
}

/** Who came and went in a guild by day, from one day of Beijing on. */
export const memberDays = (
  db: Db,
  guildId: GuildId,
  from: string,
): Promise<{ readonly day: string; readonly joins: number; readonly leaves: number }[]> =>
  db
    .selectFrom('member_day')
    .select(['day', 'joins', 'leaves'])
    .where('guild_id', '=', guildId)
    .where('day', '>=', from)
    .execute()

/** True when two people are members of one guild. */
export async function shareGuild(db: Db, userId: UserId, otherId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('membership as mine')
    .innerJoin('membership as theirs', 'theirs.guild_id', 'mine.guild_id')
    .innerJoin('guild', 'guild.id', 'mine.guild_id')
    .select('mine.guild_id')
    .where('guild.deleted_at', 'is', null)
    .where('mine.user_id', '=', userId)
    .where('theirs.user_id', '=', otherId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a membership, and counts it. False when there was none. */
export async function removeMember(db: Db, guildId: GuildId, userId: UserId, now: number): Promise<boolean> {
  const { rows } = await sql`
    with unkeyed as (delete from member_key where guild_id = ${guildId} and user_id = ${userId}),
    removed as (
      delete from membership where guild_id = ${guildId} and user_id = ${userId} returning guild_id),
    counted as (
      insert into member_day (guild_id, day, leaves) select guild_id, ${beijingDay(now)}, 1 from removed
      on conflict (guild_id, day) do update set leaves = member_day.leaves + 1)
    select 1 from removed`.execute(db)
  return rows.length > 0
}

export async function setNickname(db: Db, guildId: GuildId, userId: UserId, nickname: string): Promise<void> {
  await db
    .updateTable('membership')
    .set({ nickname })
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .execute()
}

/** Members with ids above `after`, in order, at most `limit`. */
export async function memberIds(db: Db, guildId: GuildId, after: string, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('membership')
    .select('user_id')
    .where('guild_id', '=', guildId)
    .where('user_id', '>', after as UserId)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** A person's memberships in guilds that are open, in order of the guilds' ids, after one of them. */
export const someMemberships = (
  db: Db,
  userId: UserId,
  after: GuildId | null,
  limit: number,
): Promise<{ readonly guild_id: GuildId; readonly nickname: string }[]> =>
  db
    .selectFrom('membership')
    .innerJoin('guild', 'guild.id', 'membership.guild_id')
    .select(['membership.guild_id', 'membership.nickname'])
    .where('membership.user_id', '=', userId)
    .where('guild.deleted_at', 'is', null)
    .$if(after !== null, (it) => it.where('membership.guild_id', '>', after!))
    .orderBy('membership.guild_id')
    .limit(limit)
    .execute()

/** A person's memberships, with those of closed guilds; the first `limit` in the order of joining, or all. */
export const everyMembership = (
  db: Db,
  userId: UserId,
  limit: number | null = null,
): Promise<
  {
    readonly guild_id: GuildId
    readonly name: string
    readonly nickname: string
    readonly owner_id: UserId
    readonly joined_at: number
    readonly is_gone: boolean
  }[]
> =>
  db
    .selectFrom('membership')
    .innerJoin('guild', 'guild.id', 'membership.guild_id')
    .select(['membership.guild_id', 'guild.name', 'membership.nickname', 'guild.user_id as owner_id'])
    .select((eb) => [
      asNumber(eb, 'membership.joined_at').as('joined_at'),
      eb('guild.deleted_at', 'is not', null).$castTo<boolean>().as('is_gone'),
    ])
    .where('membership.user_id', '=', userId)
    .orderBy('membership.joined_at')
    .orderBy('membership.guild_id')
    .$if(limit !== null, (query) => query.limit(limit!))
    .execute()
