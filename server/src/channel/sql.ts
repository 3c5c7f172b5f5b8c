/** Channels, their overwrites, and the rows that access is computed from. */

import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import type { RolePermissions } from '@guildhall/wire/permission/permission.ts'
import { type Selectable, sql } from 'kysely'
import { owesRules } from '../guild/guild.ts'
import { asNumber, countRows } from '../kit/database/columns.ts'
import { type Db, preparedStatement, type Tx } from '../kit/database/db.ts'
import type { ChannelRoleRuleTable, ChannelTable, ChannelUserRuleTable } from '../kit/database/tables.ts'
import { type Identity, identityColumns } from '../user/user.ts'

/** A channel. `user_id`: who created it. */
export type ChannelRow = Readonly<Pick<Selectable<ChannelTable>, (typeof COLUMNS)[number]>>
export type RoleRuleRow = Readonly<Pick<Selectable<ChannelRoleRuleTable>, 'role_id' | 'allow' | 'deny'>>
/** The rule of a channel for one person. */
export type OwnRule = Readonly<Pick<Selectable<ChannelUserRuleTable>, 'allow' | 'deny'>>

/** A channel with the rules that concern one viewer. */
export interface RuledChannelRow extends ChannelRow {
  readonly rules: RoleRuleRow[]
  readonly own_rule: OwnRule | null
}

/** A channel and one member of its guild: everything that decides what the member may do there. */
export interface ChannelAccessRow extends RuledChannelRow, Omit<Identity, 'id'> {
  readonly viewer_id: UserId
  readonly owner_id: UserId
  readonly nickname: string
  readonly mobile_verified: boolean
  readonly my_roles: number[]
  readonly is_team: boolean
  /** When their mute ends, ms; 0: it has no end; null: there is none. */
  readonly muted_until: number | null
  readonly owes_rules: boolean
  readonly roles: { readonly role_id: number; readonly permissions: number }[]
  /** Of the rules by which the guild moderates itself; not above 0: none is on. */
  readonly rules_version: number
  /** ms */
  readonly joined_at: number
}

const COLUMNS = [
  'id',
  'guild_id',
  'user_id',
  'parent_id',
  'name',
  'topic',
  'type',
  'level',
  'is_readonly',
  'permission_sync',
  'slow_mode',
  'limit_amount',
  'voice_quality',
] as const
const columns = sql.raw(COLUMNS.map((name) => `channel.${name}`).join(', '))

const rules = sql`coalesce((
  select json_agg(json_build_object('role_id', role_id, 'allow', allow, 'deny', deny) order by role_id)
  from channel_role_rule it where it.channel_id = channel.id), '[]') as rules`

const ownRule = (userId: UserId | null) => sql`(
  select json_build_object('allow', allow, 'deny', deny)
  from channel_user_rule it where it.channel_id = channel.id and it.user_id = ${userId}::bigint) as own_rule`

/**
 * Everything that permissions and the composer need about people in channels, in one round trip: one row per
 * pair, in order; null when there is no such channel or the person is not a member of its guild.
 */
export async function accessRows(
  db: Db,
  asked: readonly { readonly userId: UserId; readonly channelId: ChannelId }[],
): Promise<(ChannelAccessRow | null)[]> {
  const users = asked.map(({ userId }) => userId)
  const channels = asked.map(({ channelId }) => channelId)
  const { rows } = await sql<ChannelAccessRow & { readonly ordinal: number }>`${preparedStatement}
    select asked.ordinal::int as ordinal, ${columns}, ${rules}, (
        select json_build_object('allow', allow, 'deny', deny) from channel_user_rule it
        where it.channel_id = channel.id and it.user_id = asked.user_id) as own_rule,
      guild.user_id as owner_id, membership.user_id as viewer_id, membership.nickname,
      ${identityColumns}, "user".mobile_verified,
      exists (select 1 from guild_team it
              where it.guild_id = guild.id and it.user_id = membership.user_id) as is_team,
      (select coalesce(ends_at, 0)::float8 from guild_mute it
       where it.guild_id = guild.id and it.user_id = membership.user_id and it.type = 3) as muted_until,
      ${owesRules} as owes_rules, mine.ids as my_roles, guild.rules_version,
      membership.joined_at::float8 as joined_at,
      (select json_agg(json_build_object('role_id', role_id, 'permissions', permissions)) from role it
       where it.guild_id = guild.id and (it.role_id = 0 or it.role_id = any(mine.ids))) as roles
    from unnest(${users}::bigint[], ${channels}::bigint[]) with ordinality as asked(user_id, channel_id, ordinal)
    join channel on channel.id = asked.channel_id and channel.deleted_at is null
    join guild on guild.id = channel.guild_id and guild.deleted_at is null
    join membership on membership.guild_id = guild.id and membership.user_id = asked.user_id
    join "user" on "user".id = membership.user_id
    cross join lateral (
      select array(select role_id from membership_role it
                   where it.guild_id = guild.id and it.user_id = membership.user_id order by role_id) as ids
    ) mine`.execute(db)
  const answers = asked.map((): ChannelAccessRow | null => null)
  for (const { ordinal, ...row } of rows) answers[ordinal - 1] = row
  return answers
}

/** What everybody may do in channels that exist; in no order. */
export async function rulesForAll(
  db: Db,
  channelIds: readonly ChannelId[],
): Promise<{ readonly roles: RolePermissions[]; readonly rules: RoleRuleRow[] }[]> {
  const { rows } = await sql<{ roles: RolePermissions[]; rules: RoleRuleRow[] }>`${preparedStatement}
    select ${rules}, coalesce((
        select json_agg(json_build_object('role_id', role_id, 'permissions', permissions)) from role it
        where it.guild_id = guild.id and it.role_id = 0), '[]') as roles
    from channel join guild on guild.id = channel.guild_id and guild.deleted_at is null
    where channel.id = any(${[...channelIds]}::bigint[]) and channel.deleted_at is null`.execute(db)
  return rows
}

/** When the mute of a member ends, ms; 0: it has no end; null: there is none. */
export async function mutedUntil(db: Db, guildId: GuildId, userId: UserId): Promise<number | null> {
  const { rows } = await sql<{ until: number }>`
    select coalesce(ends_at, 0)::float8 as until from guild_mute
    where guild_id = ${guildId} and user_id = ${userId} and type = 3`.execute(db)
  return rows[0]?.until ?? null
}

/** All channels of a guild with the rules that concern one viewer; in no order. */
export async function ofGuild(db: Db, guildId: GuildId, userId: UserId): Promise<RuledChannelRow[]> {
  const { rows } = await sql<RuledChannelRow>`
    select ${columns}, ${rules}, ${ownRule(userId)} from channel
    where guild_id = ${guildId} and deleted_at is null`.execute(db)
  return rows
}

/** A channel by its name. */
export type NamedChannel = Pick<ChannelRow, 'id' | 'guild_id' | 'name'>

export const textsOfGuild = (db: Db, guildId: GuildId): Promise<NamedChannel[]> =>
  db
    .selectFrom('channel')
    .select(['id', 'guild_id', 'name'])
    .where('guild_id', '=', guildId)
    .where('type', '=', channelType.text)
    .where('deleted_at', 'is', null)
    .execute()

/** The channels of a category, or of no category, in their order, with the rules for roles. */
export async function someInCategory(
  db: Db,
  guildId: GuildId,
  parentId: ChannelId | null,
): Promise<(ChannelRow & { readonly rules: RoleRuleRow[] })[]> {
  const { rows } = await sql<ChannelRow & { readonly rules: RoleRuleRow[] }>`
    select ${columns}, ${rules} from channel
    where guild_id = ${guildId} and deleted_at is null and parent_id is not distinct from ${parentId}
    order by type = 0, level, id`.execute(db)
  return rows
}

/** A channel of any guild, with everything that decides whether one member may view it. */
export interface MemberChannelRow extends RuledChannelRow {
  readonly owner_id: UserId
  readonly my_roles: number[]
  readonly roles: { readonly role_id: number; readonly permissions: number }[]
}

/**
 * All text channels of all guilds somebody is a member of, or those of them that are among some; in no order.
 */
export async function textsOfMember(
  db: Db,
  userId: UserId,
  among?: readonly ChannelId[],
): Promise<MemberChannelRow[]> {
  const { rows } = await sql<MemberChannelRow>`
    select ${columns}, ${rules}, ${ownRule(userId)}, inside.owner_id, inside.my_roles, inside.roles
    from (
      select guild.id, guild.user_id as owner_id, mine.ids as my_roles,
        (select json_agg(json_build_object('role_id', role_id, 'permissions', permissions)) from role it
         where it.guild_id = guild.id and (it.role_id = 0 or it.role_id = any(mine.ids))) as roles
      from membership
      join guild on guild.id = membership.guild_id and guild.deleted_at is null
      cross join lateral (
        select array(select role_id from membership_role it
                     where it.guild_id = guild.id and it.user_id = membership.user_id order by role_id) as ids
      ) mine
      where membership.user_id = ${userId}
      offset 0
    ) inside
    join channel on channel.guild_id = inside.id and channel.deleted_at is null and channel.type = 1
      ${among ? sql`and channel.id = any(${among}::bigint[])` : sql``}`.execute(db)
  return rows
}

/**
 * Some channels of a guild, those that exist, with the rules that concern one viewer; null: only rules for
 * roles.
 */
export async function someOfGuild(
  db: Db,
  guildId: GuildId,
  userId: UserId | null,
  channelIds: readonly string[],
): Promise<RuledChannelRow[]> {
  const { rows } = await sql<RuledChannelRow>`
    select ${columns}, ${rules}, ${ownRule(userId)} from channel
    where guild_id = ${guildId} and deleted_at is null and id = any(${channelIds}::bigint[])`.execute(db)
  return rows
}

/** The rules of a channel for single people, by their ids. */
export async function ownRules(
  db: Db,
  channelId: ChannelId,
  userIds: readonly UserId[],
): Promise<Map<string, OwnRule>> {
  const rows = await db
    .selectFrom('channel_user_rule')
    .select(['user_id', 'allow', 'deny'])
    .where('channel_id', '=', channelId)
    .where('user_id', '=', sql<UserId>`any(${userIds}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

export interface FactsRow {
  readonly owner_id: UserId
  readonly seq: number
  readonly roles: { readonly role_id: number; readonly permissions: number }[]
  readonly channels: {
    readonly id: ChannelId
    readonly type: number
    readonly rules: RoleRuleRow[]
    readonly users: { readonly user_id: UserId; readonly allow: number; readonly deny: number }[]
  }[]
}

/**
 * Everything that decides who receives which events of a guild, and the number of the last event it includes:
 * one snapshot.
 */
export async function facts(db: Db, guildId: GuildId): Promise<FactsRow | null> {
  const { rows } = await sql<FactsRow>`
    select guild.user_id as owner_id, counter.event_seq::float8 as seq,
      coalesce((select json_agg(json_build_object('role_id', role_id, 'permissions', permissions))
                from role it where it.guild_id = guild.id), '[]') as roles,
      coalesce((select json_agg(json_build_object(
          'id', channel.id::text,
          'type', channel.type,
          'rules', coalesce((
            select json_agg(json_build_object('role_id', role_id, 'allow', allow, 'deny', deny))
            from channel_role_rule it where it.channel_id = channel.id), '[]'),
          'users', coalesce((
            select json_agg(json_build_object('user_id', user_id::text, 'allow', allow, 'deny', deny))
            from channel_user_rule it where it.channel_id = channel.id), '[]')))
        from channel where channel.guild_id = guild.id and channel.deleted_at is null), '[]') as channels
    from guild join guild_counter counter on counter.guild_id = guild.id
    where guild.id = ${guildId} and guild.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function byId(db: Db, channelId: ChannelId): Promise<ChannelRow | null> {
  const row = await db
    .selectFrom('channel')
    .select(COLUMNS)
    .where('id', '=', channelId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** The new channel, below the others of its category. */
export async function add(
  db: Db,
  input: {
    readonly guildId: GuildId
    readonly userId: UserId
    readonly parentId: ChannelId | null
    readonly name: string
    readonly topic: string
    readonly type: 0 | 1 | 2
    readonly isReadonly: boolean
    readonly limitAmount: number
    readonly voiceQuality?: number
    readonly slowMode?: number
    readonly now: number
  },
): Promise<ChannelRow> {
  return db
    .insertInto('channel')
    .values((eb) => ({
      guild_id: input.guildId,
      user_id: input.userId,
      parent_id: input.parentId,
      name: input.name,
      topic: input.topic,
      type: input.type,
      level: eb
        .selectFrom('channel')
        .select(sql<number>`coalesce(max(level), 0) + 100`.as('level'))
        .where('guild_id', '=', input.guildId)
        .where('parent_id', 'is not distinct from', input.parentId),
      is_readonly: input.isReadonly,
      permission_sync: input.parentId === null ? 0 : 1,
      limit_amount: input.limitAmount,
      ...(input.voiceQuality !== undefined && { voice_quality: input.voiceQuality }),
      ...(input.slowMode !== undefined && { slow_mode: input.slowMode }),
      created_at: input.now,
    }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Gives a channel without rules those of its category, or of another one. protocol.md §8.2. */
export async function copyRules(db: Db, channelId: ChannelId, fromId: ChannelId): Promise<void> {
  await db
    .insertInto('channel_role_rule')
    .columns(['channel_id', 'guild_id', 'role_id', 'allow', 'deny'])
    .expression((eb) =>
      eb
        .selectFrom('channel_role_rule')
        .select(sql<ChannelId>`${channelId}::bigint`.as('channel_id'))
        .select(['guild_id', 'role_id', 'allow', 'deny'])
        .where('channel_id', '=', fromId),
    )
    .execute()
  await db
    .insertInto('channel_user_rule')
    .columns(['channel_id', 'user_id', 'allow', 'deny'])
    .expression((eb) =>
      eb
        .selectFrom('channel_user_rule')
        .select(sql<ChannelId>`${channelId}::bigint`.as('channel_id'))
        .select(['user_id', 'allow', 'deny'])
        .where('channel_id', '=', fromId),
    )
    .execute()
}

/** An overwrite for one person, with the person as a member of the guild. */
export interface UserRuleRow extends Identity {
  readonly channel_id: ChannelId
  readonly nickname: string | null
  readonly roles: number[]
  readonly allow: number
  readonly deny: number
}

/** The overwrites for single people in some channels, and those of one person in others, by their ids. */
export async function userRules(
  db: Db,
  channelIds: readonly ChannelId[],
  own: { readonly userId: UserId; readonly channelIds: readonly ChannelId[] },
): Promise<UserRuleRow[]> {
  const { rows } = await sql<UserRuleRow>`
    select it.channel_id, it.allow, it.deny, "user".id, ${identityColumns}, membership.nickname,
      array(select role_id from membership_role held
            where held.guild_id = channel.guild_id and held.user_id = it.user_id order by role_id) as roles
    from channel_user_rule it
    join channel on channel.id = it.channel_id
    join "user" on "user".id = it.user_id
    left join membership on membership.guild_id = channel.guild_id and membership.user_id = it.user_id
    where it.channel_id = any(${channelIds}::bigint[])
      or (it.user_id = ${own.userId} and it.channel_id = any(${own.channelIds}::bigint[]))
    order by it.channel_id, it.user_id`.execute(db)
  return rows
}

/** Changes a channel; the fields that are given. */
export async function change(
  tx: Tx,
  channelId: ChannelId,
  fields: Partial<
    Pick<
      ChannelRow,
      | 'name'
      | 'level'
      | 'parent_id'
      | 'topic'
      | 'slow_mode'
      | 'limit_amount'
      | 'voice_quality'
      | 'permission_sync'
    >
  >,
): Promise<void> {
  await tx.updateTable('channel').set(fields).where('id', '=', channelId).execute()
}

/** Sets the sort keys of channels. */
export async function setLevels(
  tx: Tx,
  levels: readonly { readonly id: ChannelId; readonly level: number }[],
): Promise<void> {
  await sql`
    update channel set level = it.level
    from unnest(${levels.map(({ id }) => id)}::bigint[], ${levels.map(({ level }) => level)}::int[])
      as it(id, level)
    where channel.id = it.id`.execute(tx)
}

/** The next sort key at the end of a category, or of the top. */
export async function nextLevel(tx: Tx, guildId: GuildId, parentId: ChannelId | null): Promise<number> {
  const row = await tx
    .selectFrom('channel')
    .select(sql<number>`coalesce(max(level), 0) + 100`.as('level'))
    .where('guild_id', '=', guildId)
    .where('parent_id', 'is not distinct from', parentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.level
}

export async function remove(tx: Tx, channelId: ChannelId, now: number): Promise<void> {
  await tx.updateTable('channel').set({ deleted_at: now }).where('id', '=', channelId).execute()
}

/** A deleted channel, and when it was deleted, ms; null when there is none. */
export async function deletedById(
  db: Db,
  channelId: ChannelId,
): Promise<(ChannelRow & { readonly deleted_at: number }) | null> {
  const row = await db
    .selectFrom('channel')
    .select(COLUMNS)
    .select((eb) => asNumber(eb, 'deleted_at').$castTo<number>().as('deleted_at'))
    .where('id', '=', channelId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row ?? null
}

/** Makes a deleted channel one like others. */
export async function undelete(
  tx: Tx,
  channelId: ChannelId,
  fields: Partial<Pick<ChannelRow, 'parent_id' | 'permission_sync'>>,
): Promise<void> {
  await tx
    .updateTable('channel')
    .set({ ...fields, deleted_at: null })
    .where('id', '=', channelId)
    .execute()
}

/** The channels in a category, in their order. */
export async function children(db: Db, parentId: ChannelId): Promise<ChannelRow[]> {
  return db
    .selectFrom('channel')
    .select(COLUMNS)
    .where('parent_id', '=', parentId)
    .where('deleted_at', 'is', null)
    .orderBy('level')
    .orderBy('id')
    .execute()
}

export async function count(db: Db, guildId: GuildId): Promise<number> {
  const row = await db
    .selectFrom('channel')
    .select((eb) => countRows(eb).as('count'))
    .where('guild_id', '=', guildId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Sets the rule of a channel for a role. */
export async function setRoleRule(
  db: Db,
  input: {
    readonly channelId: ChannelId
    readonly guildId: GuildId
    readonly roleId: RoleId
    readonly allow: number
    readonly deny: number
  },
): Promise<void> {
  const { allow, deny } = input
  await db
    .insertInto('channel_role_rule')
    .values({ channel_id: input.channelId, guild_id: input.guildId, role_id: input.roleId, allow, deny })
    .onConflict((conflict) => conflict.columns(['channel_id', 'role_id']).doUpdateSet({ allow, deny }))
    .execute()
}

/** Sets the rule of a channel for one person. */
export async function setUserRule(
  db: Db,
  input: {
    readonly channelId: ChannelId
    readonly userId: UserId
    readonly allow: number
    readonly deny: number
  },
): Promise<void> {
  const { allow, deny } = input
  await db
    .insertInto('channel_user_rule')
    .values({ channel_id: input.channelId, user_id: input.userId, allow, deny })
    .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doUpdateSet({ allow, deny }))
    .execute()
}

/** A channel's overwrites for roles and for single people. */
export async function rulesOf(
  db: Db,
  channelId: ChannelId,
): Promise<{ readonly roles: RoleRuleRow[]; readonly users: (OwnRule & { readonly user_id: UserId })[] }> {
  const of = (id: 'role_id' | 'user_id', table: 'channel_role_rule' | 'channel_user_rule') => sql`
    coalesce((select json_agg(json_build_object(${sql.lit(id)}::text, ${
      id === 'role_id' ? sql`role_id` : sql`user_id::text`
    }, 'allow', allow, 'deny', deny) order by ${sql.ref(id)})
      from ${sql.table(table)} where channel_id = ${channelId}), '[]')`
  const { rows } = await sql<Awaited<ReturnType<typeof rulesOf>>>`
    select ${of('role_id', 'channel_role_rule')} as roles, ${of('user_id', 'channel_user_rule')} as users`.execute(
    db,
  )
  return rows[0]!
}

/** Deletes the rules of a channel, all or those for one role or person. */
export async function deleteRules(
  tx: Tx,
  channelId: ChannelId,
  only?: { readonly role_id: RoleId } | { readonly user_id: UserId },
): Promise<void> {
  if (!only || 'role_id' in only)
    await tx
      .deleteFrom('channel_role_rule')
      .where('channel_id', '=', channelId)
      .$if(only !== undefined, (it) => it.where('role_id', '=', (only as { role_id: RoleId }).role_id))
      .execute()
  if (!only || 'user_id' in only)
    await tx
      .deleteFrom('channel_user_rule')
      .where('channel_id', '=', channelId)
      .$if(only !== undefined, (it) => it.where('user_id', '=', (only as { user_id: UserId }).user_id))
      .execute()
}

/** Deletes all rules for one person. */
export async function deleteUserRules(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('channel_user_rule').where('user_id', '=', userId).execute()
}

/** Records that a channel has its own rules and no longer follows those of its category. */
export async function endSync(db: Db, channelId: ChannelId): Promise<void> {
  await db.updateTable('channel').set({ permission_sync: 0 }).where('id', '=', channelId).execute()
}
