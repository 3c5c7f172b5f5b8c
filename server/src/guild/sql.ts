/** Guilds, members, roles, bans, and the search keys of members. */
import { colorType, type Role } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { EVERYONE_POSITION } from '@guildhall/wire/permission/hierarchy.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber, countRows, int8 } from '../kit/columns.ts'
import { type Db, keptPlan, type Tx } from '../kit/db.ts'
import type { GuildTable, MembershipTable, RoleTable } from '../kit/tables.ts'
import { type Face, faceColumns, numberOf } from '../user/user.ts'

/** A guild. `user_id`: its owner; `welcome_channel_id`: where newcomers are welcomed. */
export type GuildRow = Readonly<Pick<Selectable<GuildTable>, (typeof GUILD_COLUMNS)[number]>>
type StoredRole = Readonly<Pick<Selectable<RoleTable>, (typeof ROLE_COLUMNS)[number]>>
/** A role with the form of its colour on the wire. protocol.md §5.3. */
export type RoleRow = Omit<StoredRole, 'color_list'> & Pick<Role, 'color_type' | 'color_map'>
/** What is written of a role. `color_list`: the colours of a gradient, `color` being the first; null: it is solid. */
export type RoleChange = Omit<StoredRole, 'role_id' | 'position'>
export type NewRole = Omit<RoleChange, 'color_list'> & Partial<Pick<RoleChange, 'color_list'>>

const GUILD_COLUMNS = [
  'id',
  'name',
  'topic',
  'icon',
  'banner',
  'user_id',
  'default_channel_id',
  'welcome_channel_id',
  'boost_num',
  'level',
  'custom_id',
] as const
const ROLE_COLUMNS = [
  'role_id',
  'name',
  'color',
  'color_list',
  'position',
  'hoist',
  'mentionable',
  'permissions',
] as const

const roleOf = ({ color_list, ...it }: StoredRole): RoleRow => ({
  ...it,
  ...(color_list && { color_type: colorType.gradient, color_map: { color_list } }),
})

/** How the last change of a recommended guild stands. Times in ms. */
export interface RecommendRow {
  readonly audit_status: number
  readonly reason: string
  readonly passed_at: number | null
}

/** A guild with the nickname and roles of one member. `recommend` null: staff do not recommend it. */
export interface MemberGuildRow extends GuildRow {
  readonly recommend: RecommendRow | null
  readonly nickname: string
  readonly my_roles: number[]
  readonly team_members: UserId[]
}

const memberGuild = (userId: UserId) => sql`
  select guild.id, guild.name, guild.topic, guild.icon, guild.banner, guild.user_id, guild.default_channel_id, guild.welcome_channel_id,
    guild.boost_num, guild.level, guild.custom_id, membership.nickname,
    (select json_build_object('audit_status', audit_status, 'reason', reason, 'passed_at', passed_at)
     from guild_recommend it where it.guild_id = guild.id) as recommend,
    array(select role_id from membership_role it
          where it.guild_id = guild.id and it.user_id = ${userId}::bigint order by role_id) as my_roles,
    array(select user_id::text from guild_team it where it.guild_id = guild.id order by user_id) as team_members
  from membership join guild on guild.id = membership.guild_id
  where membership.user_id = ${userId} and guild.deleted_at is null`

/** A person's guilds in the order they joined. */
export async function ofMember(db: Db, userId: UserId): Promise<MemberGuildRow[]> {
  const { rows } = await sql<MemberGuildRow>`
    ${memberGuild(userId)} order by membership.joined_at, guild.id`.execute(db)
  return rows
}

/** One guild of a person's; null when there is none such, or they are no member. */
export async function forMember(db: Db, userId: UserId, guildId: GuildId): Promise<MemberGuildRow | null> {
  const { rows } = await sql<MemberGuildRow>`${memberGuild(userId)} and guild.id = ${guildId}`.execute(db)
  return rows[0] ?? null
}

export async function byId(db: Db, guildId: GuildId): Promise<GuildRow | null> {
  const row = await db
    .selectFrom('guild')
    .select(GUILD_COLUMNS)
    .where('id', '=', guildId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** A guild, also one that is closed; null: there never was one. */
export async function anyById(
  db: Db,
  guildId: GuildId,
): Promise<(GuildRow & { readonly is_closed: boolean }) | null> {
  const row = await db
    .selectFrom('guild')
    .select(GUILD_COLUMNS)
    .select((eb) => eb('deleted_at', 'is not', null).as('is_closed'))
    .where('id', '=', guildId)
    .executeTakeFirst()
  return row ? { ...row, is_closed: Boolean(row.is_closed) } : null
}

/** A guild's roles, the highest first, everyone's last. */
export async function roles(db: Db, guildId: GuildId): Promise<RoleRow[]> {
  const stored = await db
    .selectFrom('role')
    .select(ROLE_COLUMNS)
    .where('guild_id', '=', guildId)
    .orderBy('position')
    .orderBy('role_id')
    .execute()
  return stored.map(roleOf)
}

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

export async function isBanned(db: Db, guildId: GuildId, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('ban')
    .select('user_id')
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
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

/** The level of a guild, locked until the transaction ends. */
export async function lockLevel(tx: Tx, guildId: GuildId): Promise<number> {
  const row = await tx
    .selectFrom('guild')
    .select('level')
    .where('id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.level ?? 0
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

/** The highest level among a person's guilds; 0 without any. */
export async function highestLevel(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('membership')
    .innerJoin('guild', 'guild.id', 'membership.guild_id')
    .select((eb) => eb.fn.coalesce(eb.fn.max('guild.level'), eb.lit(0)).as('level'))
    .where('membership.user_id', '=', userId)
    .where('guild.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.level
}

export async function memberRoles(db: Db, guildId: GuildId, userId: UserId): Promise<number[] | null> {
  const { rows } = await sql<{ roles: number[] }>`
    select array(select role_id from membership_role it
                 where it.guild_id = membership.guild_id and it.user_id = membership.user_id) as roles
    from membership join guild on guild.id = membership.guild_id and guild.deleted_at is null
    where membership.guild_id = ${guildId} and membership.user_id = ${userId}`.execute(db)
  return rows[0]?.roles ?? null
}

export interface NamedMember extends Pick<Face, 'id' | 'username' | 'identify_num' | 'avatar'> {
  readonly nickname: string
}

/** A member with the digits of both kinds. */
type NumberedMember = NamedMember & Pick<Face, 'custom_num' | 'vip_until'>

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
  | (Face & {
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
    select "user".id, ${faceColumns}, membership.nickname, membership.joined_at::float8 as joined_at,
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

export async function addGuild(
  db: Db,
  it: {
    readonly name: string
    readonly topic: string
    readonly icon: string
    readonly ownerId: UserId
    readonly everyone: { readonly name: string; readonly permissions: number }
    readonly now: number
  },
): Promise<GuildId> {
  const { id } = await db
    .insertInto('guild')
    .values({
      name: it.name,
      topic: it.topic,
      icon: it.icon,
      user_id: it.ownerId,
      created_at: it.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('guild_counter').values({ guild_id: id, last_at: 0 }).execute()
  const { name, permissions } = it.everyone
  await db
    .insertInto('role')
    .values({ guild_id: id, role_id: EVERYONE, name, permissions, position: EVERYONE_POSITION })
    .execute()
  return id
}

/** How a guild looks to others. `topic`: its description. */
export async function setFace(
  tx: Tx,
  guildId: GuildId,
  face: Partial<Pick<GuildRow, 'name' | 'icon' | 'topic' | 'banner'>>,
): Promise<void> {
  await tx.updateTable('guild').set(face).where('id', '=', guildId).execute()
}

/** Null: staff do not recommend the guild. */
export async function recommendOf(db: Db, guildId: GuildId): Promise<RecommendRow | null> {
  const row = await db
    .selectFrom('guild_recommend')
    .select(['audit_status', 'reason'])
    .select((eb) => asNumber(eb, 'passed_at').as('passed_at'))
    .where('guild_id', '=', guildId)
    .executeTakeFirst()
  return row ?? null
}

/** False when it was so before. */
export async function addRecommend(tx: Tx, guildId: GuildId, now: number): Promise<boolean> {
  const row = await tx
    .insertInto('guild_recommend')
    .values({ guild_id: guildId, created_at: now })
    .onConflict((it) => it.doNothing())
    .returning('guild_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False when it was so before. */
export async function deleteRecommend(tx: Tx, guildId: GuildId): Promise<boolean> {
  const row = await tx
    .deleteFrom('guild_recommend')
    .where('guild_id', '=', guildId)
    .returning('guild_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setAudit(
  tx: Tx,
  guildId: GuildId,
  it: { readonly audit_status: number; readonly reason: string; readonly passed_at?: number },
): Promise<void> {
  await tx.updateTable('guild_recommend').set(it).where('guild_id', '=', guildId).execute()
}

/** Null takes the custom id away. `invite`: the code that its address leads to. */
export async function setCustomId(
  tx: Tx,
  guildId: GuildId,
  it: { readonly customId: string | null; readonly invite: string | null },
): Promise<void> {
  await tx
    .updateTable('guild')
    .set({ custom_id: it.customId, custom_invite: it.invite })
    .where('id', '=', guildId)
    .execute()
}

/** The guild of a custom id, in any case; null when there is none. */
export async function byCustomId(db: Db, customId: string): Promise<GuildId | null> {
  const row = await db
    .selectFrom('guild')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['custom_id']), '=', customId.toLowerCase()))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** False when it was so before. */
export async function setBoosts(
  tx: Tx,
  guildId: GuildId,
  { boost_num, level }: { readonly boost_num: number; readonly level: number },
): Promise<boolean> {
  const { rows } = await sql`
    update guild set boost_num = ${boost_num}, level = ${level}
    where id = ${guildId}::bigint and (boost_num, level) is distinct from (${boost_num}, ${level}::int) returning id`.execute(
    tx,
  )
  return rows.length > 0
}

/** False when they were a member before. */
export async function addMember(db: Db, guildId: GuildId, userId: UserId, now: number): Promise<boolean> {
  const added = await db
    .insertInto('membership')
    .values({ guild_id: guildId, user_id: userId, joined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}

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

export async function removeMember(db: Db, guildId: GuildId, userId: UserId): Promise<boolean> {
  const { rows } = await sql`
    with unkeyed as (delete from member_key where guild_id = ${guildId} and user_id = ${userId})
    delete from membership where guild_id = ${guildId} and user_id = ${userId} returning 1`.execute(db)
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

export async function addTeam(db: Db, guildId: GuildId, userId: UserId): Promise<void> {
  await db
    .insertInto('guild_team')
    .values({ guild_id: guildId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function addBan(db: Db, guildId: GuildId, userId: UserId, now: number): Promise<void> {
  await db
    .insertInto('ban')
    .values({ guild_id: guildId, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function addRole(db: Db, guildId: GuildId, it: NewRole): Promise<RoleRow> {
  const { name, color, color_list = null, hoist, mentionable, permissions } = it
  const added = await db
    .insertInto('role')
    .values((eb) => ({
      ...{ guild_id: guildId, name, color, color_list, hoist, mentionable, permissions },
      position: eb
        .selectFrom('role')
        .select(sql<number>`coalesce(max(position), 0) + 1`.as('position'))
        .where('guild_id', '=', guildId)
        .where('role_id', '<>', 0),
    }))
    .returning(ROLE_COLUMNS)
    .executeTakeFirstOrThrow()
  return roleOf(added)
}

/** `change` has at least one field. Null: the guild has no such role. */
export async function updateRole(
  db: Db,
  guildId: GuildId,
  roleId: number,
  change: Partial<RoleChange>,
): Promise<RoleRow | null> {
  const changed = await db
    .updateTable('role')
    .set(change)
    .where('guild_id', '=', guildId)
    .where('role_id', '=', roleId)
    .returning(ROLE_COLUMNS)
    .executeTakeFirst()
  return changed ? roleOf(changed) : null
}

/** Never everyone's role, 0. */
export async function deleteRole(db: Db, guildId: GuildId, roleId: number): Promise<RoleRow | null> {
  const deleted = await db
    .deleteFrom('role')
    .where('guild_id', '=', guildId)
    .where('role_id', '=', roleId)
    .where('role_id', '<>', 0)
    .returning(ROLE_COLUMNS)
    .executeTakeFirst()
  return deleted ? roleOf(deleted) : null
}

export async function giveRole(db: Db, guildId: GuildId, userId: UserId, roleId: number): Promise<void> {
  await db
    .insertInto('membership_role')
    .values({ guild_id: guildId, user_id: userId, role_id: roleId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function takeRole(db: Db, guildId: GuildId, userId: UserId, roleId: number): Promise<void> {
  await db
    .deleteFrom('membership_role')
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .execute()
}

/** Closes a guild; null when there is none, or it is closed. */
export async function close(tx: Tx, guildId: GuildId, now: number): Promise<GuildRow | null> {
  const row = await tx
    .updateTable('guild')
    .set({ closed_at: now, deleted_at: now, deleted_level: null })
    .where('id', '=', guildId)
    .where('deleted_at', 'is', null)
    .returning(GUILD_COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

/** Restores a guild that was closed after `closedAfter`, ms; false when there is none such. */
export async function restore(tx: Tx, guildId: GuildId, closedAfter: number): Promise<boolean> {
  const row = await tx
    .updateTable('guild')
    .set({ closed_at: null, deleted_at: null })
    .where('id', '=', guildId)
    .where('closed_at', '>', int8(closedAfter))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a guild for its owner; null when there is none, or it is closed. */
export async function markDeleted(tx: Tx, guildId: GuildId, now: number): Promise<GuildRow | null> {
  const row = await tx
    .updateTable('guild')
    .set((eb) => ({ deleted_at: now, deleted_level: eb.ref('level') }))
    .where('id', '=', guildId)
    .where('deleted_at', 'is', null)
    .returning(GUILD_COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

export async function setOwner(tx: Tx, guildId: GuildId, userId: UserId): Promise<void> {
  await tx.updateTable('guild').set({ user_id: userId }).where('id', '=', guildId).execute()
}

/** What staff search guilds by. */
export type GuildQuery =
  | { readonly guildId: GuildId }
  | { readonly customId: string }
  | { readonly ownerId: UserId; readonly after: GuildId | null }
  /** How its name begins, without regard to case. */
  | { readonly name: string; readonly after: GuildId | null }

/** A guild with its owner, as a search of staff finds it. Times in ms. */
export interface FoundGuildRow extends GuildRow {
  readonly created_at: number
  /** Null: staff did not close it. */
  readonly closed_at: number | null
  /** Null: it is open. */
  readonly deleted_at: number | null
  readonly recommended: boolean
  readonly username: string
  readonly identify_num: string
  readonly avatar: string
}

/** Guilds, closed and deleted ones too: of an owner in the order of their ids, of a name in the order of the index `guild_name_start`. */
export async function foundGuilds(db: Db, it: GuildQuery, limit: number): Promise<FoundGuildRow[]> {
  const { rows } = await sql<FoundGuildRow>`
    select ${sql.raw(GUILD_COLUMNS.map((name) => `guild.${name}`).join(', '))},
      guild.created_at::float8 as created_at, guild.closed_at::float8 as closed_at,
      guild.deleted_at::float8 as deleted_at, owner.username, owner.identify_num, owner.avatar,
      exists (select 1 from guild_recommend it where it.guild_id = guild.id) as recommended
    from guild join "user" owner on owner.id = guild.user_id
    where ${guildsOf(it)} limit ${limit}`.execute(db)
  return rows
}

function guildsOf(it: GuildQuery) {
  if ('guildId' in it) return sql`guild.id = ${it.guildId}::bigint`
  if ('customId' in it) return sql`lower(guild.custom_id) = lower(${it.customId})`
  if ('ownerId' in it)
    return sql`guild.user_id = ${it.ownerId}::bigint and guild.id > ${it.after ?? '0'}::bigint order by guild.id`
  const start = sql`lower(guild.name) collate "C"`
  return sql`${start} >= lower(${it.name}) collate "C" and ${start} < lower(${it.name}) || chr(1114111) collate "C"
    and (${it.after}::bigint is null or (${start}, guild.id) >
      (select lower(name) collate "C", id from guild where id = ${it.after}::bigint))
    order by ${start}, guild.id`
}

/** A guild that its owner deleted. */
export interface DeletedRow extends Readonly<Pick<GuildRow, 'id' | 'name' | 'icon'>> {
  /** ms */
  readonly deleted_at: number
  /** The level that it had then. */
  readonly deleted_level: number
}

/** The guilds that a person deleted after `since`, ms, the newest first. With `guildId` that one alone. */
export async function deletedBy(
  db: Db,
  userId: UserId,
  since: number,
  guildId: GuildId | null = null,
): Promise<DeletedRow[]> {
  const { rows } = await sql<DeletedRow>`
    select id, name, icon, deleted_at::float8 as deleted_at, deleted_level from guild
    where user_id = ${userId}::bigint and deleted_level is not null and deleted_at > ${since}::bigint
      and (${guildId}::bigint is null or id = ${guildId}::bigint)
    order by deleted_at desc, id desc`.execute(db)
  return rows
}

/** Brings a guild back that its owner deleted; false when that is not so any more. */
export async function undelete(tx: Tx, guildId: GuildId): Promise<boolean> {
  const row = await tx
    .updateTable('guild')
    .set({ deleted_at: null, deleted_level: null })
    .where('id', '=', guildId)
    .where('deleted_level', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
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

/** How many guilds that are open belong to a person. */
export async function countOwned(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('guild')
    .select((eb) => countRows(eb).as('count'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function deleteBans(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('ban').where('user_id', '=', userId).execute()
}

/** Locks a guild, so that concurrent changes to what it has run one after the other. */
export async function lockGuild(tx: Tx, guildId: GuildId): Promise<void> {
  await tx.selectFrom('guild').select('id').where('id', '=', guildId).forNoKeyUpdate().execute()
}

export async function setDefaultChannel(
  db: Db,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<void> {
  await db.updateTable('guild').set({ default_channel_id: channelId }).where('id', '=', guildId).execute()
}

export async function setWelcomeChannel(
  db: Db,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<void> {
  await db.updateTable('guild').set({ welcome_channel_id: channelId }).where('id', '=', guildId).execute()
}

/** A member as a list of members shows them. */
export interface FoundRow extends Face {
  /** Empty: the username is shown. */
  readonly nickname: string
  readonly roles: number[]
  /** 0: a name begins with the search text. 1: a name contains it. */
  readonly place: number
  /** The first of the matching keys. */
  readonly key: string
}

const foundColumns = sql`"user".id, ${faceColumns}, membership.nickname,
  array(select role_id from membership_role it
        where it.guild_id = membership.guild_id and it.user_id = membership.user_id order by role_id) as roles`

/**
 * Members with a key from `from` up to, but not including, `before`; reads at most `most` keys, those of names that begin
 * with the search text before those of names that contain it. Each member once, in no order.
 */
export async function membersByKey(
  db: Db,
  guildId: GuildId,
  it: { readonly from: string; readonly before: string; readonly most: number },
): Promise<FoundRow[]> {
  const { rows } = await membersByKeyQuery(guildId, it).execute(db)
  return rows
}

/** The statement of `membersByKey`, so that a test can have it explained. */
export const membersByKeyQuery = (
  guildId: GuildId,
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

/** Members by their ids, in the form of a search result; in no order. */
export async function membersById(
  db: Db,
  guildId: GuildId,
  userIds: readonly UserId[],
): Promise<Omit<FoundRow, 'place' | 'key'>[]> {
  const { rows } = await sql<Omit<FoundRow, 'place' | 'key'>>`
    select ${foundColumns} from membership join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and membership.user_id = any(${userIds}::bigint[])`.execute(db)
  return rows
}

export type UnkeyedRow = Readonly<
  Pick<Selectable<MembershipTable>, 'guild_id' | 'user_id' | 'nickname'> &
    Pick<Face, 'username' | 'identify_num' | 'custom_num'>
>

/** Members without search keys, locked; a batch skips those that another process has locked. */
export async function lockUnkeyed(
  db: Db,
  it:
    | { readonly most: number; readonly userId?: UserId }
    | { readonly guildId: GuildId; readonly userId: UserId },
): Promise<UnkeyedRow[]> {
  const { rows } = await sql<UnkeyedRow>`
    select membership.guild_id, membership.user_id, nickname, username, identify_num, custom_num
    from membership join "user" on "user".id = membership.user_id
    where not is_keyed ${
      'most' in it
        ? sql`${it.userId ? sql`and membership.user_id = ${it.userId}` : sql``}
              order by membership.guild_id, membership.user_id limit ${it.most}
              for no key update of membership skip locked`
        : sql`and membership.guild_id = ${it.guildId} and membership.user_id = ${it.userId}
              for no key update of membership`
    }`.execute(db)
  return rows
}

/** Replaces the search keys of members. */
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
  // The driver serialises a long array far slower than one text. Keys contain no space.
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
