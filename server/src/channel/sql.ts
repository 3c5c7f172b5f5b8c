/** Channels, their overwrites, and the rows that access is worked out from. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { type Db, keptPlan } from '../kit/db.ts'
import type { Face } from '../user/user.ts'

export interface ChannelRow {
  readonly id: ChannelId
  readonly guild_id: GuildId
  /** Who made it. */
  readonly user_id: UserId
  readonly parent_id: ChannelId | null
  readonly name: string
  readonly topic: string
  readonly type: 0 | 1 | 2
  readonly level: number
  readonly is_readonly: boolean
  readonly permission_sync: number
  readonly slow_mode: number
  readonly limit_amount: number
}

export interface RoleRuleRow {
  readonly role_id: number
  readonly allow: number
  readonly deny: number
}

export interface OwnRule {
  readonly allow: number
  readonly deny: number
}

/** A channel with the rules that concern one viewer. */
export interface RuledChannelRow extends ChannelRow {
  readonly rules: RoleRuleRow[]
  readonly own_rule: OwnRule | null
}

/** A channel as one member of its guild stands to it. */
export interface ChannelAccessRow extends RuledChannelRow, Omit<Face, 'id'> {
  readonly viewer_id: UserId
  readonly owner_id: UserId
  readonly nickname: string
  readonly mobile_verified: boolean
  readonly my_roles: number[]
  readonly is_team: boolean
  readonly roles: { readonly role_id: number; readonly permissions: number }[]
}

const columns = sql`channel.id, channel.guild_id, channel.user_id, channel.parent_id, channel.name, channel.topic,
  channel.type, channel.level, channel.is_readonly, channel.permission_sync, channel.slow_mode, channel.limit_amount`

const rules = sql`coalesce((
  select json_agg(json_build_object('role_id', role_id, 'allow', allow, 'deny', deny) order by role_id)
  from channel_role_rule it where it.channel_id = channel.id), '[]') as rules`

const ownRule = (userId: string) => sql`(
  select json_build_object('allow', allow, 'deny', deny)
  from channel_user_rule it where it.channel_id = channel.id and it.user_id = ${userId}::bigint) as own_rule`

/**
 * Everything the permission maths and the composer need about people in channels, in one round trip: one answer per
 * pair, in order, null when there is no such channel or they are no member of its guild.
 */
export async function accessRows(
  db: Db,
  asked: readonly { readonly userId: string; readonly channelId: string }[],
): Promise<(ChannelAccessRow | null)[]> {
  const users = asked.map(({ userId }) => userId)
  const channels = asked.map(({ channelId }) => channelId)
  const { rows } = await sql<ChannelAccessRow & { readonly place: number }>`${keptPlan}
    select asked.place::int as place, ${columns}, ${rules}, (
        select json_build_object('allow', allow, 'deny', deny) from channel_user_rule it
        where it.channel_id = channel.id and it.user_id = asked.user_id) as own_rule,
      guild.user_id as owner_id, membership.user_id as viewer_id, membership.nickname,
      "user".username, "user".identify_num, "user".avatar, "user".vip_avatar, "user".is_vip, "user".bot,
      "user".status, "user".mobile_verified,
      exists (select 1 from guild_team it
              where it.guild_id = guild.id and it.user_id = membership.user_id) as is_team,
      mine.ids as my_roles,
      (select json_agg(json_build_object('role_id', role_id, 'permissions', permissions)) from role it
       where it.guild_id = guild.id and (it.role_id = 0 or it.role_id = any(mine.ids))) as roles
    from unnest(${users}::bigint[], ${channels}::bigint[]) with ordinality as asked(user_id, channel_id, place)
    join channel on channel.id = asked.channel_id and channel.deleted_at is null
    join guild on guild.id = channel.guild_id and guild.deleted_at is null
    join membership on membership.guild_id = guild.id and membership.user_id = asked.user_id
    join "user" on "user".id = membership.user_id
    cross join lateral (
      select array(select role_id from membership_role it
                   where it.guild_id = guild.id and it.user_id = membership.user_id order by role_id) as ids
    ) mine`.execute(db)
  const answers = asked.map((): ChannelAccessRow | null => null)
  for (const { place, ...row } of rows) answers[place - 1] = row
  return answers
}

/** All channels of a guild with the rules that concern one viewer; in no order. */
export async function ofGuild(db: Db, guildId: string, userId: string): Promise<RuledChannelRow[]> {
  const { rows } = await sql<RuledChannelRow>`
    select ${columns}, ${rules}, ${ownRule(userId)} from channel
    where guild_id = ${guildId} and deleted_at is null`.execute(db)
  return rows
}

/** A channel of any guild, with everything that decides whether one member may view it. */
export interface MemberChannelRow extends RuledChannelRow {
  readonly owner_id: UserId
  readonly my_roles: number[]
  readonly roles: { readonly role_id: number; readonly permissions: number }[]
}

/** All text channels of all guilds somebody is a member of; in no order. */
export async function textsOfMember(db: Db, userId: string): Promise<MemberChannelRow[]> {
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
    join channel on channel.guild_id = inside.id and channel.deleted_at is null and channel.type = 1`.execute(
    db,
  )
  return rows
}

/** Some channels of a guild with the rules that concern one viewer, and those alone that exist. */
export async function someOfGuild(
  db: Db,
  guildId: string,
  userId: string,
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
  channelId: string,
  userIds: readonly string[],
): Promise<Map<string, OwnRule>> {
  const { rows } = await sql<OwnRule & { readonly user_id: UserId }>`
    select user_id, allow, deny from channel_user_rule
    where channel_id = ${channelId} and user_id = any(${userIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row]))
}

export interface FactsRow {
  readonly owner_id: UserId
  readonly seq: number
  readonly roles: { readonly role_id: number; readonly permissions: number }[]
  readonly channels: {
    readonly id: ChannelId
    readonly rules: RoleRuleRow[]
    readonly users: { readonly user_id: UserId; readonly allow: number; readonly deny: number }[]
  }[]
}

/** Everything that decides who receives which events of a guild, and the number of the last event it includes: one snapshot. */
export async function facts(db: Db, guildId: string): Promise<FactsRow | null> {
  const { rows } = await sql<FactsRow>`
    select guild.user_id as owner_id, counter.event_seq::float8 as seq,
      coalesce((select json_agg(json_build_object('role_id', role_id, 'permissions', permissions))
                from role it where it.guild_id = guild.id), '[]') as roles,
      coalesce((select json_agg(json_build_object(
          'id', channel.id::text,
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

export async function byId(db: Db, channelId: string): Promise<ChannelRow | null> {
  const { rows } = await sql<ChannelRow>`
    select ${columns} from channel where id = ${channelId} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function add(
  db: Db,
  it: {
    readonly guildId: string
    readonly userId: string
    readonly parentId: string | null
    readonly name: string
    readonly topic: string
    readonly type: 0 | 1 | 2
    readonly isReadonly: boolean
    readonly limitAmount: number
    readonly now: number
  },
): Promise<ChannelRow> {
  const { rows } = await sql<ChannelRow>`
    insert into channel (guild_id, user_id, parent_id, name, topic, type, level, is_readonly, permission_sync,
                         limit_amount, created_at)
    values (${it.guildId}, ${it.userId}, ${it.parentId}, ${it.name}, ${it.topic}, ${it.type},
      (select coalesce(max(level), 0) + 100 from channel
       where guild_id = ${it.guildId} and parent_id is not distinct from ${it.parentId}::bigint),
      ${it.isReadonly}, ${it.parentId === null ? 0 : 1}, ${it.limitAmount}, ${it.now})
    returning ${columns}`.execute(db)
  return rows[0]!
}

/** Gives a new channel the rules of its category. protocol.md §8.2. */
export async function inheritRules(db: Db, channelId: string, parentId: string): Promise<void> {
  await sql`
    insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
    select ${channelId}, guild_id, role_id, allow, deny
    from channel_role_rule where channel_id = ${parentId}`.execute(db)
  await sql`
    insert into channel_user_rule (channel_id, user_id, allow, deny)
    select ${channelId}, user_id, allow, deny from channel_user_rule where channel_id = ${parentId}`.execute(
    db,
  )
}

export async function setRoleRule(
  db: Db,
  it: { channelId: string; guildId: string; roleId: number; allow: number; deny: number },
): Promise<void> {
  await sql`
    insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
    values (${it.channelId}, ${it.guildId}, ${it.roleId}, ${it.allow}, ${it.deny})
    on conflict (channel_id, role_id) do update set allow = excluded.allow, deny = excluded.deny`.execute(db)
}

export async function setUserRule(
  db: Db,
  it: { channelId: string; userId: string; allow: number; deny: number },
): Promise<void> {
  await sql`
    insert into channel_user_rule (channel_id, user_id, allow, deny)
    values (${it.channelId}, ${it.userId}, ${it.allow}, ${it.deny})
    on conflict (channel_id, user_id) do update set allow = excluded.allow, deny = excluded.deny`.execute(db)
}

/** A channel with its own rules no longer follows its category's. */
export async function endSync(db: Db, channelId: string): Promise<void> {
  await sql`update channel set permission_sync = 0 where id = ${channelId}`.execute(db)
}
