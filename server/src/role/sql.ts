/** Roles, and the members who have them. */
import { colorType, type Role } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { EVERYONE_POSITION } from '@guildhall/wire/permission/hierarchy.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'
import type { RoleTable } from '../kit/database/tables.ts'

type StoredRole = Readonly<Pick<Selectable<RoleTable>, (typeof ROLE_COLUMNS)[number]>>
/** A role with the form of its colour on the wire. protocol.md §5.3. */
export type RoleRow = Omit<StoredRole, 'color_list'> & Pick<Role, 'color_type' | 'color_map'>
/**
 * What is written of a role. `color_list`: the colours of a gradient, `color` being the first; null: it is
 * solid.
 */
export type RoleChange = Omit<StoredRole, 'role_id' | 'position'>
export type NewRole = Omit<RoleChange, 'color_list'> &
  Partial<Pick<RoleChange, 'color_list'>> & {
    /** The bot for which it is made, and with which it goes. */
    readonly made_for?: UserId
  }

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

/** What the roles of some guilds allow; in no order. */
export function rightsIn(
  db: Db,
  guildIds: readonly GuildId[],
): Promise<{ readonly guild_id: GuildId; readonly role_id: number; readonly permissions: number }[]> {
  return db
    .selectFrom('role')
    .select(['guild_id', 'role_id', 'permissions'])
    .where('guild_id', '=', sql<GuildId>`any(${guildIds}::bigint[])`)
    .execute()
}

/** The role that everyone in a new guild has. */
export async function addEveryone(
  tx: Tx,
  guildId: GuildId,
  role: Pick<RoleChange, 'name' | 'permissions'>,
): Promise<void> {
  await tx
    .insertInto('role')
    .values({ guild_id: guildId, role_id: EVERYONE, ...role, position: EVERYONE_POSITION })
    .execute()
}

export async function addRole(db: Db, guildId: GuildId, role: NewRole): Promise<RoleRow> {
  const { name, color, color_list = null, hoist, mentionable, permissions, made_for = null } = role
  const added = await db
    .insertInto('role')
    .values((eb) => ({
      guild_id: guildId,
      name,
      color,
      color_list,
      hoist,
      mentionable,
      permissions,
      made_for,
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

/** The role of a guild that was made for a bot; null: none was. */
export async function roleMadeFor(db: Db, guildId: GuildId, botId: UserId): Promise<RoleRow | null> {
  const row = await db
    .selectFrom('role')
    .select(ROLE_COLUMNS)
    .where('guild_id', '=', guildId)
    .where('made_for', '=', botId)
    .executeTakeFirst()
  return row ? roleOf(row) : null
}

export async function isHeld(db: Db, guildId: GuildId, roleId: number): Promise<boolean> {
  const row = await db
    .selectFrom('membership_role')
    .select('role_id')
    .where('guild_id', '=', guildId)
    .where('role_id', '=', roleId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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

/** Sets the positions of roles of a guild. */
export async function setPositions(
  tx: Tx,
  guildId: GuildId,
  roles: readonly Pick<RoleRow, 'role_id' | 'position'>[],
): Promise<void> {
  await sql`
    update role set position = it.position
    from unnest(${roles.map(({ role_id }) => role_id)}::bigint[], ${roles.map(({ position }) => position)}::int[])
      as it(role_id, position)
    where role.guild_id = ${guildId} and role.role_id = it.role_id`.execute(tx)
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

export async function memberRoles(db: Db, guildId: GuildId, userId: UserId): Promise<number[] | null> {
  const { rows } = await sql<{ roles: number[] }>`
    select array(select role_id from membership_role it
                 where it.guild_id = membership.guild_id and it.user_id = membership.user_id) as roles
    from membership join guild on guild.id = membership.guild_id and guild.deleted_at is null
    where membership.guild_id = ${guildId} and membership.user_id = ${userId}`.execute(db)
  return rows[0]?.roles ?? null
}

/** How many members have each role; roles that nobody has are left out. */
export async function countMembers(
  db: Db,
  guildId: GuildId,
): Promise<{ readonly role_id: number; readonly count: number }[]> {
  const counted = await db
    .selectFrom('membership_role')
    .select(['role_id', (eb) => eb.fn.countAll<string>().as('count')])
    .where('guild_id', '=', guildId)
    .groupBy('role_id')
    .orderBy('role_id')
    .execute()
  return counted.map(({ role_id, count }) => ({ role_id, count: Number(count) }))
}

/** How a member is called in a guild, and their roles; null for a person who is not a member. */
export async function memberFacts(
  db: Db,
  guildId: GuildId,
  userId: UserId,
): Promise<{ readonly nickname: string; readonly roles: number[] } | null> {
  const { rows } = await sql<{ nickname: string; roles: number[] }>`
    select coalesce(nullif(nickname, ''), username) as nickname,
      array(select role_id from membership_role it
            where it.guild_id = membership.guild_id and it.user_id = membership.user_id) as roles
    from membership
    join guild on guild.id = membership.guild_id and guild.deleted_at is null
    join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and membership.user_id = ${userId}`.execute(db)
  return rows[0] ?? null
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
