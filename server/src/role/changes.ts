/** Changes of roles and of who has them, with their events. The caller checks that they may be made. */
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { toPublicRole } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { memberUpdated } from '@guildhall/wire/member/event.ts'
import { DEFAULT_EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { roleAdded, roleDeleted, roleUpdated } from '@guildhall/wire/role/event.ts'
import { guildText, lockGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import { keepDeleted } from './deletedSql.ts'
import * as rows from './sql.ts'

/** The role that everyone in a new guild has. Nobody is told: it has no members yet. */
export const addEveryone = (tx: Tx, guildId: GuildId): Promise<void> =>
  rows.addEveryone(tx, guildId, {
    name: guildText[defaultLocale].everyoneRole,
    permissions: DEFAULT_EVERYONE,
  })

/** Adds a role below all others except everyone's. With `emit` its event is emitted. */
export async function addRole(tx: Tx, guildId: GuildId, input: rows.NewRole, emit?: Emit): Promise<Role> {
  // Nobody else takes the last position until the commit.
  await lockGuild(tx, guildId)
  const role = await rows.addRole(tx, guildId, input)
  emit?.guild(guildId, roleAdded, toPublicRole(role))
  return role
}

/** Changes a role; the fields that are given. Null: the guild has no such role. */
export async function updateRole(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  roleId: RoleId,
  change: Partial<rows.RoleChange>,
): Promise<Role | null> {
  const role = await rows.updateRole(tx, guildId, roleId, change)
  if (role) emit.guild(guildId, roleUpdated, toPublicRole(role))
  return role
}

/**
 * Gives the roles of a guild, all but everyone's, the positions in which they stand here. Emits for each
 * whose position changed. Returns them with their positions. The caller has locked the guild's roles.
 */
export async function orderRoles(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  roles: readonly Role[],
): Promise<Role[]> {
  const ordered = roles.map((role, index) => ({ ...role, position: index + 1 }))
  const moved = ordered.filter(({ position }, index) => position !== roles[index]?.position)
  if (moved.length > 0) await rows.setPositions(tx, guildId, moved)
  for (const role of moved) emit.guild(guildId, roleUpdated, toPublicRole(role))
  return ordered
}

/**
 * Deletes a role, which can be restored for a while; its members lose it. Null: the guild has no such role,
 * or it is everyone's.
 */
export async function dropRole(tx: Tx, emit: Emit, guildId: GuildId, roleId: RoleId): Promise<Role | null> {
  await keepDeleted(tx, guildId, roleId, clock.now())
  const role = await rows.deleteRole(tx, guildId, roleId)
  if (role) emit.guild(guildId, roleDeleted, toPublicRole(role))
  return role
}

/** Gives a member a role. The caller checks that the guild has the role. */
export async function giveRole(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  roleId: RoleId,
): Promise<void> {
  await rows.giveRole(tx, guildId, userId, roleId)
  await emitMember(tx, emit, guildId, userId)
}

/** Takes a role from a member; no change if they do not have it. */
export async function takeRole(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  roleId: RoleId,
): Promise<void> {
  await rows.takeRole(tx, guildId, userId, roleId)
  await emitMember(tx, emit, guildId, userId)
}

/** Tells a guild how a member is called and which roles they have. */
export async function emitMember(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<void> {
  const member = await rows.memberFacts(tx, guildId, userId)
  if (member) emit.guild(guildId, memberUpdated, { user_id: userId, ...member })
}
