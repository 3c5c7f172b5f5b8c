/** Guilds, members, roles, bans, and the search keys of members. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { type Db, keptPlan } from '../kit/db.ts'
import type { Face } from '../user/user.ts'

export interface GuildRow {
  readonly id: GuildId
  readonly name: string
  readonly topic: string
  readonly icon: string
  /** The owner. */
  readonly user_id: UserId
  readonly default_channel_id: ChannelId | null
  /** Where newcomers are welcomed. */
  readonly welcome_channel_id: ChannelId | null
  readonly boost_num: number
  readonly level: number
}

export interface RoleRow {
  readonly role_id: number
  readonly name: string
  readonly color: number
  readonly position: number
  readonly hoist: number
  readonly mentionable: number
  readonly permissions: number
}

/** A guild with what one of its members is in it. */
export interface MemberGuildRow extends GuildRow {
  readonly nickname: string
  readonly my_roles: number[]
  readonly team_members: UserId[]
}

const roleColumns = sql`role_id, name, color, position, hoist, mentionable, permissions`

const memberGuild = (userId: string) => sql`
  select guild.id, guild.name, guild.topic, guild.icon, guild.user_id, guild.default_channel_id, guild.welcome_channel_id,
    guild.boost_num, guild.level, membership.nickname,
    array(select role_id from membership_role it
          where it.guild_id = guild.id and it.user_id = ${userId}::bigint order by role_id) as my_roles,
    array(select user_id::text from guild_team it where it.guild_id = guild.id order by user_id) as team_members
  from membership join guild on guild.id = membership.guild_id
  where membership.user_id = ${userId} and guild.deleted_at is null`

/** A person's guilds in the order they joined. */
export async function ofMember(db: Db, userId: string): Promise<MemberGuildRow[]> {
  const { rows } = await sql<MemberGuildRow>`
    ${memberGuild(userId)} order by membership.joined_at, guild.id`.execute(db)
  return rows
}

/** One guild of a person's; null when there is none such, or they are no member. */
export async function forMember(db: Db, userId: string, guildId: string): Promise<MemberGuildRow | null> {
  const { rows } = await sql<MemberGuildRow>`${memberGuild(userId)} and guild.id = ${guildId}`.execute(db)
  return rows[0] ?? null
}

export async function byId(db: Db, guildId: string): Promise<GuildRow | null> {
  const { rows } = await sql<GuildRow>`
    select id, name, topic, icon, user_id, default_channel_id, welcome_channel_id, boost_num, level from guild
    where id = ${guildId} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** A guild's roles, the highest first, everyone's last. */
export async function roles(db: Db, guildId: string): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select ${roleColumns} from role where guild_id = ${guildId}
    order by role_id = 0, position, role_id`.execute(db)
  return rows
}

export async function isMember(db: Db, guildId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from membership where guild_id = ${guildId} and user_id = ${userId}`.execute(db)
  return rows.length > 0
}

export async function isBanned(db: Db, guildId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ban where guild_id = ${guildId} and user_id = ${userId}`.execute(db)
  return rows.length > 0
}

export async function countMembers(db: Db, guildId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from membership where guild_id = ${guildId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function memberships(db: Db, userId: string): Promise<{ guild_id: GuildId; roles: number[] }[]> {
  const { rows } = await sql<{ guild_id: GuildId; roles: number[] }>`
    select membership.guild_id,
      array(select role_id from membership_role it
            where it.guild_id = membership.guild_id and it.user_id = membership.user_id) as roles
    from membership join guild on guild.id = membership.guild_id
    where membership.user_id = ${userId} and guild.deleted_at is null`.execute(db)
  return rows
}

export async function highestLevel(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ level: number }>`
    select coalesce(max(guild.level), 0) as level from membership join guild on guild.id = membership.guild_id
    where membership.user_id = ${userId} and guild.deleted_at is null`.execute(db)
  return rows[0]?.level ?? 0
}

export async function memberRoles(db: Db, guildId: string, userId: string): Promise<number[] | null> {
  const { rows } = await sql<{ roles: number[] }>`
    select array(select role_id from membership_role it
                 where it.guild_id = membership.guild_id and it.user_id = membership.user_id) as roles
    from membership where guild_id = ${guildId} and user_id = ${userId}`.execute(db)
  return rows[0]?.roles ?? null
}

export interface NamedMember {
  readonly id: UserId
  readonly username: string
  readonly identify_num: string
  readonly avatar: string
  readonly nickname: string
}

/** Those of `userIds` who are members, with their names here. */
export async function namedMembers(
  db: Db,
  guildId: string,
  userIds: readonly string[],
): Promise<NamedMember[]> {
  const { rows } = await sql<NamedMember>`
    select "user".id, username, identify_num, avatar, coalesce(nullif(nickname, ''), username) as nickname
    from membership join "user" on "user".id = membership.user_id
    where guild_id = ${guildId} and user_id = any(${userIds}::bigint[])`.execute(db)
  return rows
}

export async function membersCalled(
  db: Db,
  guildId: string,
  calls: readonly { readonly username: string; readonly identify_num: string }[],
): Promise<NamedMember[]> {
  const names = calls.map(({ username }) => username)
  const numbers = calls.map(({ identify_num }) => identify_num)
  const { rows } = await sql<NamedMember>`
    select "user".id, username, identify_num, avatar, coalesce(nullif(nickname, ''), username) as nickname
    from membership join "user" on "user".id = membership.user_id
    where guild_id = ${guildId}
      and (username, identify_num) in (select * from unnest(${names}::text[], ${numbers}::text[]))`.execute(
    db,
  )
  return rows
}

export async function addGuild(
  db: Db,
  it: {
    readonly name: string
    readonly topic: string
    readonly icon: string
    readonly ownerId: string
    readonly level: number
    readonly boosts: number
    readonly isRecommended: boolean
    readonly everyone: { readonly name: string; readonly permissions: number }
    readonly now: number
  },
): Promise<GuildId> {
  const { rows } = await sql<{ id: GuildId }>`
    insert into guild (name, topic, icon, user_id, level, boost_num, is_recommended, created_at)
    values (${it.name}, ${it.topic}, ${it.icon}, ${it.ownerId}, ${it.level}, ${it.boosts},
            ${it.isRecommended}, ${it.now})
    returning id`.execute(db)
  const id = rows[0]!.id
  await sql`insert into guild_counter (guild_id, last_at) values (${id}, 0)`.execute(db)
  await sql`
    insert into role (guild_id, role_id, name, permissions)
    values (${id}, 0, ${it.everyone.name}, ${it.everyone.permissions})`.execute(db)
  return id
}

/** True when they were no member before. */
export async function addMember(db: Db, guildId: string, userId: string, now: number): Promise<boolean> {
  const { rows } = await sql`
    insert into membership (guild_id, user_id, joined_at) values (${guildId}, ${userId}, ${now})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

export async function shareGuild(db: Db, userId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from membership mine join membership theirs using (guild_id)
    where mine.user_id = ${userId} and theirs.user_id = ${otherId} limit 1`.execute(db)
  return rows.length > 0
}

export async function removeMember(db: Db, guildId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    with unkeyed as (delete from member_key where guild_id = ${guildId} and user_id = ${userId})
    delete from membership where guild_id = ${guildId} and user_id = ${userId} returning 1`.execute(db)
  return rows.length > 0
}

export async function setNickname(db: Db, guildId: string, userId: string, nickname: string): Promise<void> {
  await sql`
    update membership set nickname = ${nickname}
    where guild_id = ${guildId} and user_id = ${userId}`.execute(db)
}

export async function addTeam(db: Db, guildId: string, userId: string): Promise<void> {
  await sql`
    insert into guild_team (guild_id, user_id) values (${guildId}, ${userId}) on conflict do nothing`.execute(
    db,
  )
}

export async function addBan(db: Db, guildId: string, userId: string, now: number): Promise<void> {
  await sql`
    insert into ban (guild_id, user_id, created_at) values (${guildId}, ${userId}, ${now})
    on conflict do nothing`.execute(db)
}

export async function addRole(
  db: Db,
  guildId: string,
  it: Omit<RoleRow, 'role_id' | 'position'>,
): Promise<RoleRow> {
  const { rows } = await sql<RoleRow>`
    insert into role (guild_id, name, color, position, hoist, mentionable, permissions)
    values (${guildId}, ${it.name}, ${it.color},
      (select coalesce(max(position), 0) + 1 from role where guild_id = ${guildId} and role_id <> 0),
      ${it.hoist}, ${it.mentionable}, ${it.permissions})
    returning ${roleColumns}`.execute(db)
  return rows[0]!
}

export async function giveRole(db: Db, guildId: string, userId: string, roleId: number): Promise<void> {
  await sql`
    insert into membership_role (guild_id, user_id, role_id) values (${guildId}, ${userId}, ${roleId})
    on conflict do nothing`.execute(db)
}

export async function takeRole(db: Db, guildId: string, userId: string, roleId: number): Promise<void> {
  await sql`
    delete from membership_role
    where guild_id = ${guildId} and user_id = ${userId} and role_id = ${roleId}`.execute(db)
}

export async function setDefaultChannel(db: Db, guildId: string, channelId: string): Promise<void> {
  await sql`update guild set default_channel_id = ${channelId} where id = ${guildId}`.execute(db)
}

export async function setWelcomeChannel(db: Db, guildId: string, channelId: string | null): Promise<void> {
  await sql`update guild set welcome_channel_id = ${channelId} where id = ${guildId}`.execute(db)
}

/** A member with all that a list of members draws. */
export interface FoundRow extends Face {
  /** Empty: the username counts. */
  readonly nickname: string
  readonly roles: number[]
  /** 0: a name begins with what was searched. 1: it is inside. */
  readonly place: number
  /** Of the keys that fit, the first. */
  readonly key: string
}

const foundColumns = sql`"user".id, username, identify_num, avatar, vip_avatar, is_vip, bot, status, membership.nickname,
  array(select role_id from membership_role it
        where it.guild_id = membership.guild_id and it.user_id = membership.user_id order by role_id) as roles`

/**
 * Members by the beginnings of their keys, at most `most` keys being looked at: those whose name begins with `from` before
 * those that have it inside. `before` is the first text that does not begin so. Each member once, in no order.
 */
export async function membersByKey(
  db: Db,
  guildId: string,
  it: { readonly from: string; readonly before: string; readonly most: number },
): Promise<FoundRow[]> {
  const { rows } = await membersByKeyQuery(guildId, it).execute(db)
  return rows
}

/** The statement of `membersByKey`, so that a test can have it explained. */
export const membersByKeyQuery = (
  guildId: string,
  { from, before, most }: { readonly from: string; readonly before: string; readonly most: number },
) => {
  const walk = (place: number) => sql`
    select user_id, place, key from member_key
    where guild_id = ${guildId} and place = ${sql.lit(place)} and key >= ${from} and key < ${before}
    order by key`
  return sql<FoundRow>`${keptPlan}
    with begun as materialized (${walk(0)} limit ${sql.lit(most)}),
    hit as (
      select distinct on (user_id) user_id, place, key from (
        select * from begun
        union all (${walk(1)} limit (select ${sql.lit(most)} - count(*) from begun))
      ) it
      order by user_id, place, key
    )
    select ${foundColumns}, hit.place, hit.key
    from hit
    join membership on membership.guild_id = ${guildId} and membership.user_id = hit.user_id
    join "user" on "user".id = hit.user_id`
}

/** Members by their ids, as a search finds them; in no order. */
export async function membersById(
  db: Db,
  guildId: string,
  userIds: readonly string[],
): Promise<Omit<FoundRow, 'place' | 'key'>[]> {
  const { rows } = await sql<Omit<FoundRow, 'place' | 'key'>>`
    select ${foundColumns} from membership join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and membership.user_id = any(${userIds}::bigint[])`.execute(db)
  return rows
}

export interface UnkeyedRow {
  readonly guild_id: GuildId
  readonly user_id: UserId
  readonly nickname: string
  readonly username: string
  readonly identify_num: string
}

/** Members whose keys have to be made, locked; those that another process has under way are left out. */
export async function lockUnkeyed(
  db: Db,
  it: { readonly most: number } | { readonly guildId: string; readonly userId: string },
): Promise<UnkeyedRow[]> {
  const { rows } = await sql<UnkeyedRow>`
    select membership.guild_id, membership.user_id, nickname, username, identify_num
    from membership join "user" on "user".id = membership.user_id
    where not is_keyed ${
      'most' in it
        ? sql`order by membership.guild_id, membership.user_id limit ${it.most}
              for no key update of membership skip locked`
        : sql`and membership.guild_id = ${it.guildId} and membership.user_id = ${it.userId}
              for no key update of membership`
    }`.execute(db)
  return rows
}

/** Sets the keys of members, whatever they were. */
export async function setKeys(
  db: Db,
  members: readonly { readonly guild_id: string; readonly user_id: string }[],
  keys: readonly {
    readonly guild_id: string
    readonly user_id: string
    readonly place: number
    readonly key: string
  }[],
): Promise<void> {
  // No key has a space in it. The driver takes far longer over arrays of so many than over one text.
  const list = (all: readonly (string | number)[], type: 'bigint' | 'smallint' | 'text') =>
    sql`string_to_array(${all.join(' ')}, ' ')::${sql.raw(type)}[]`
  const those = sql`(select * from unnest(${list(
    members.map((it) => it.guild_id),
    'bigint',
  )}, ${list(
    members.map((it) => it.user_id),
    'bigint',
  )}))`
  await sql`delete from member_key where (guild_id, user_id) in ${those}`.execute(db)
  const column = (name: 'guild_id' | 'user_id' | 'place' | 'key') => keys.map((it) => it[name])
  await sql`
    insert into member_key (guild_id, user_id, place, key)
    select * from unnest(${list(column('guild_id'), 'bigint')}, ${list(column('user_id'), 'bigint')},
      ${list(column('place'), 'smallint')}, ${list(column('key'), 'text')})
    on conflict do nothing`.execute(db)
  await sql`update membership set is_keyed = true where (guild_id, user_id) in ${those}`.execute(db)
}
