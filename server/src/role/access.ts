/** A guild as one of its members may use it. */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildSummary, Role } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { guildPermissions, has, permission, type Viewer } from '@guildhall/wire/permission/permission.ts'
import { guildOfMember, listGuilds, lockGuild } from '../guild/guild.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import * as rows from './sql.ts'

/** A guild as one of its members sees it, all but its channels. */
export interface GuildAccess {
  readonly summary: GuildSummary
  /** The highest first, everyone's last. */
  readonly roles: Role[]
  readonly viewer: Viewer
  /** What the viewer may do in the guild as a whole. */
  readonly permissions: number
  readonly nickname: string
  /** They joined, and have to accept the guild's rules before they write. */
  readonly owesRules: boolean
  /** Whether it has roles that members choose themselves. */
  readonly offersRoles: boolean
  /** They own it, and are shown what it still needs. */
  readonly hasChecklist: boolean
}

/** Null for a person who is not a member, whether the guild exists or not. */
export async function guildAccess(db: Db, userId: UserId, guildId: GuildId): Promise<GuildAccess | null> {
  const inside = await guildOfMember(db, userId, guildId)
  if (!inside) return null
  const { summary, ...own } = inside
  const roles = await rows.roles(db, guildId)
  const viewer = { is_master: summary.is_master, roles: summary.my_roles }
  return { summary, roles, viewer, permissions: guildPermissions(viewer, roles), ...own }
}

/**
 * Refuses who may not do something in a guild as a whole.
 * @throws Failure forbidden (no member), member.no_right
 */
export async function requireGuildRight(
  db: Db,
  userId: UserId,
  guildId: GuildId,
  right: number,
): Promise<GuildAccess> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  if (!has(inside.permissions, right)) throw fail('member.no_right')
  return inside
}

/** The guilds of a person in which they have a right, in the order of joining. */
export async function managedGuilds(db: Db, userId: UserId, right: number): Promise<GuildSummary[]> {
  const all = await listGuilds(db, userId)
  const roles = await rows.rightsIn(
    db,
    all.map(({ id }) => id),
  )
  return all.filter(({ id, is_master, my_roles }) => {
    const own = roles.filter(({ guild_id }) => guild_id === id)
    return has(guildPermissions({ is_master, roles: my_roles }, own), right)
  })
}

/** @throws Failure forbidden (no member, or not allowed to manage roles) */
export async function requireManages(db: Db, userId: UserId, guildId: GuildId): Promise<GuildAccess> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside || !has(inside.permissions, permission.manage_role)) throw fail('forbidden')
  return inside
}

/** The same, with the guild's roles locked: no concurrent change makes the check outdated. */
export async function lockManages(tx: Tx, userId: UserId, guildId: GuildId): Promise<GuildAccess> {
  await lockGuild(tx, guildId)
  return requireManages(tx, userId, guildId)
}
