/** Deleted roles, with what they were and who had them. */
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { RoleTable } from '../kit/database/tables.ts'

/** Keeps what a role is, before it is deleted. Never everyone's role. */
export async function keepDeleted(tx: Tx, guildId: GuildId, roleId: RoleId, now: number): Promise<void> {
  await sql`
    insert into deleted_role (guild_id, role_id, deleted_at, name, color, color_list, position, hoist, mentionable,
      permissions, members, rules)
    select guild_id, role_id, ${now}, name, color, color_list, position, hoist, mentionable, permissions,
      array(select user_id from membership_role held where held.guild_id = role.guild_id and held.role_id = role.role_id),
      coalesce((select jsonb_agg(jsonb_build_object('channel_id', channel_id::text, 'allow', allow, 'deny', deny))
        from channel_role_rule it where it.guild_id = role.guild_id and it.role_id = role.role_id), '[]')
    from role where guild_id = ${guildId} and role_id = ${roleId} and role_id <> 0
    on conflict (guild_id, role_id) do update set deleted_at = excluded.deleted_at, restored_at = null,
      name = excluded.name, color = excluded.color, color_list = excluded.color_list, position = excluded.position,
      hoist = excluded.hoist, mentionable = excluded.mentionable, permissions = excluded.permissions,
      rules = excluded.rules,
      -- Those who did not have it again yet.
      members = excluded.members || deleted_role.members`.execute(tx)
}

export type DeletedRole = Pick<
  Selectable<RoleTable>,
  'role_id' | 'name' | 'color' | 'color_list' | 'position' | 'hoist' | 'mentionable' | 'permissions'
> & { readonly deleted_at: number }

/** A role that was deleted and is not restored; null when there is none. */
export async function deletedRole(db: Db, guildId: GuildId, roleId: RoleId): Promise<DeletedRole | null> {
  const row = await db
    .selectFrom('deleted_role')
    .select(['role_id', 'name', 'color', 'color_list', 'position', 'hoist', 'mentionable', 'permissions'])
    .select((eb) => asNumber(eb, 'deleted_at').as('deleted_at'))
    .where('guild_id', '=', guildId)
    .where('role_id', '=', roleId)
    .where('restored_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores a deleted role as a role again at the position that it had, those from there on move down by one;
 * and the rules of channels for it. `except`: who does not get it again. The channels that have one.
 */
export async function storeRestored(
  tx: Tx,
  guildId: GuildId,
  role: Pick<DeletedRole, 'role_id' | 'position'>,
  { now, except }: { readonly now: number; readonly except: UserId | null },
): Promise<ChannelId[]> {
  await sql`
    update role set position = position + 1
    where guild_id = ${guildId} and role_id <> 0 and position >= ${role.position}
      and exists (select 1 from role it where it.guild_id = ${guildId} and it.position = ${role.position} and it.role_id <> 0)`.execute(
    tx,
  )
  await sql`
    insert into role (guild_id, role_id, name, color, color_list, position, hoist, mentionable, permissions)
    select guild_id, role_id, name, color, color_list, position, hoist, mentionable, permissions
    from deleted_role where guild_id = ${guildId} and role_id = ${role.role_id}`.execute(tx)
  const { rows } = await sql<{ channel_id: ChannelId }>`
    insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
    select channel.id, channel.guild_id, ${role.role_id}::int, rule.allow, rule.deny
    from deleted_role it
    cross join jsonb_to_recordset(it.rules) as rule(channel_id bigint, allow int, deny int)
    join channel on channel.id = rule.channel_id and channel.guild_id = it.guild_id
    where it.guild_id = ${guildId} and it.role_id = ${role.role_id}
    returning channel_id`.execute(tx)
  await sql`
    update deleted_role set restored_at = ${now}, members = array_remove(members, ${except}::bigint)
    where guild_id = ${guildId} and role_id = ${role.role_id}`.execute(tx)
  return rows.map(({ channel_id }) => channel_id)
}

/** Members who do not have a restored role again yet, at most `limit`, who are crossed off. */
export async function takeSome(
  tx: Tx,
  guildId: GuildId,
  roleId: RoleId,
  limit: number,
): Promise<{ readonly some: UserId[]; readonly isLast: boolean }> {
  const { rows } = await sql<{ some: UserId[]; is_last: boolean }>`
    with it as (
      select members[1:${limit}::int] as some, members[${limit}::int + 1:] as others from deleted_role
      where guild_id = ${guildId} and role_id = ${roleId} and restored_at is not null for update)
    update deleted_role set members = it.others from it
    where guild_id = ${guildId} and role_id = ${roleId}
    returning it.some::text[] as some, cardinality(it.others) = 0 as is_last`.execute(tx)
  return { some: rows[0]?.some ?? [], isLast: rows[0]?.is_last ?? true }
}

/** Gives members a role; those who left get none. */
export async function giveSome(
  tx: Tx,
  guildId: GuildId,
  roleId: RoleId,
  members: readonly UserId[],
): Promise<void> {
  await sql`
    insert into membership_role (guild_id, user_id, role_id)
    select guild_id, user_id, ${roleId}::int from membership
    where guild_id = ${guildId} and user_id = any(${[...members]}::bigint[])
    on conflict do nothing`.execute(tx)
}

/** Forgets roles that were deleted before a time, ms, and how long it may take to give them back. */
export async function forgetDeleted(db: Db, before: number): Promise<void> {
  await sql`delete from deleted_role where greatest(deleted_at, restored_at) < ${before}`.execute(db)
}
