/**
 * Roles as members manage them: nobody changes what stands above or beside them, or grants what they lack.
 * protocol.md §8.3.
 */
import { isDeepStrictEqual } from 'node:util'
import { fail } from '@guildhall/wire/failure.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import { type PublicRole, toPublicRole } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import {
  changeableBits,
  highestPosition,
  mayChangeBits,
  outranks,
  outranksRole,
} from '@guildhall/wire/permission/hierarchy.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { DEFAULT_ROLE_NAME, isRoleName } from '@guildhall/wire/role/role.ts'
import { type AuditActor, writeAudit } from '../audit/audit.ts'
import { lockGuild, requirePrivilege } from '../guild/guild.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { type GuildAccess, lockManages, requireManages } from './access.ts'
import { auditGrant, auditMove, auditRoleChange, roleTarget } from './audit.ts'
import { addRole, dropRole, giveRole, orderRoles, takeRole, updateRole } from './changes.ts'
import { type AskedColors, colorsAsked } from './color.ts'
import * as rows from './sql.ts'

export { type GuildAccess, guildAccess, managedGuilds, requireGuildRight } from './access.ts'
export { auditGrant, auditRoleChange, roleTarget } from './audit.ts'
export { addEveryone, addRole, dropRole, emitMember, giveRole, takeRole, updateRole } from './changes.ts'
export { colorsOf } from './color.ts'

/** The roles of a guild, the highest first, everyone's last. */
export const rolesOf = (db: Db, guildId: GuildId): Promise<Role[]> => rows.roles(db, guildId)

/** A member's roles; null for a person who is not a member. */
export const memberRoles = (db: Db, guildId: GuildId, userId: UserId): Promise<RoleId[] | null> =>
  rows.memberRoles(db, guildId, userId)

/** @throws Failure role.unknown, role.above */
function requireBelow(actor: GuildAccess, roleId: RoleId): Role {
  const role = actor.roles.find((each) => each.role_id === roleId)
  if (!role) throw fail('role.unknown')
  if (!outranksRole(actor.viewer, role, actor.roles)) throw fail('role.above')
  return role
}

/** A page of a guild's roles, the highest first, everyone's last. */
export async function listRoles(
  db: Db,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly page: number; readonly size: number },
) {
  const { roles } = await requireManages(db, userId, input.guildId)
  const limit = Math.min(input.size, LIST_SIZE_MAX)
  const first = (input.page - 1) * limit
  const total = roles.length
  return {
    items: roles.slice(first, first + limit).map(toPublicRole),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

/** How many members have each role of a guild, without roles that nobody has. */
export async function countRoleMembers(db: Db, userId: UserId, guildId: GuildId) {
  await requireManages(db, userId, guildId)
  return { items: await rows.countMembers(db, guildId) }
}

/** @throws Failure role.name_wrong */
function nameOf(name: string): string {
  if (!isRoleName(name)) throw fail('role.name_wrong')
  return name
}

/**
 * Creates a role below all others except everyone's, without permissions. Emits to the guild.
 * @throws Failure forbidden, role.full (detail.most), role.name_wrong, content.refused
 */
export const createRole = (
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly name: string },
): Promise<PublicRole> =>
  makeRole(appContext, userId, input, () => ({
    name: DEFAULT_ROLE_NAME,
    color: 0,
    hoist: 0,
    mentionable: 0,
    permissions: 0,
  }))

/**
 * Creates a role like another one, which may stand above the caller, below all others except everyone's. It
 * has those of its permissions that the caller may give. Emits to the guild.
 * @throws Failure forbidden, role.unknown, role.everyone, role.full (detail.most), role.name_wrong,
 *   guild.level (a gradient), content.refused
 */
export const copyRole = (
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly roleId: RoleId; readonly name: string },
): Promise<PublicRole> =>
  makeRole(appContext, userId, input, ({ roles, permissions, summary }) => {
    if (input.roleId === EVERYONE) throw fail('role.everyone')
    const like = roles.find(({ role_id }) => role_id === input.roleId)
    if (!like) throw fail('role.unknown')
    if (like.color_map) requirePrivilege('gradient_color', summary.level)
    const { name, color, hoist, mentionable } = like
    const given = changeableBits(permissions, like.permissions)
    return {
      name,
      color,
      color_list: like.color_map?.color_list ?? null,
      hoist,
      mentionable,
      permissions: given,
    }
  })

/** `modelOf`: what the role is like, and what it is called without a name. */
async function makeRole(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly name: string },
  modelOf: (actor: GuildAccess) => rows.NewRole,
): Promise<PublicRole> {
  await requireAllowed(appContext, { target: 'role', userId, texts: [input.name] })
  return commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, input.guildId)
    const most = amountAt('max_role_num', actor.summary.level)
    if (actor.roles.length >= most) throw fail('role.full', { most })
    const model = modelOf(actor)
    const role = await addRole(tx, input.guildId, { ...model, name: nameOf(input.name || model.name) }, emit)
    await writeAudit(tx, {
      guildId: input.guildId,
      by: userId,
      type: 'role_created',
      target: roleTarget(role),
    })
    return toPublicRole(role)
  })
}

/** A change of a role as a call names it. */
type AskedChange = AskedColors & {
  readonly [Field in 'name' | 'hoist' | 'mentionable' | 'permissions']?: Role[Field] | undefined
}
type Change = Partial<rows.RoleChange>

/** @throws Failure role.name_wrong, bad_input */
const askedOf = (role: Role, { name, hoist, mentionable, permissions, ...colors }: AskedChange) => ({
  hoist,
  mentionable,
  permissions,
  name: name === undefined ? undefined : nameOf(name),
  ...colorsAsked(role, colors),
})

/** The fields of a change that differ from the role. */
function differences(
  role: Role,
  change: { readonly [Field in keyof Change]: Change[Field] | undefined },
): Change {
  const before: rows.RoleChange = { ...role, color_list: role.color_map?.color_list ?? null }
  const entries = Object.entries(change) as [keyof Change, unknown][]
  return Object.fromEntries(
    entries.filter(([field, value]) => value !== undefined && !isDeepStrictEqual(before[field], value)),
  )
}

/**
 * Changes the fields of a role that are given; of everyone's role the permissions alone. What changes nothing
 * emits nothing. A guild that lost the level for gradients keeps those that it has.
 * @throws Failure forbidden, role.unknown, role.above, role.everyone, role.bits, role.name_wrong,
 *   guild.level, bad_input, content.refused
 */
export async function changeRole(
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly roleId: RoleId
    readonly change: AskedChange
  },
): Promise<PublicRole> {
  const { name } = input.change
  if (name !== undefined) await requireAllowed(appContext, { target: 'role', userId, texts: [name] })
  return commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, input.guildId)
    const role = requireBelow(actor, input.roleId)
    const change = differences(role, askedOf(role, input.change))
    const { permissions, ...rest } = change
    if (role.role_id === EVERYONE && Object.keys(rest).length > 0) throw fail('role.everyone')
    if (permissions !== undefined && !mayChangeBits(actor.permissions, role.permissions, permissions))
      throw fail('role.bits')
    if (change.color_list) requirePrivilege('gradient_color', actor.summary.level)
    if (Object.keys(change).length === 0) return toPublicRole(role)
    const changed = await updateRole(tx, emit, input.guildId, input.roleId, change)
    await auditRoleChange(tx, { guildId: input.guildId, by: userId, role, change })
    return toPublicRole(changed ?? role)
  })
}

/**
 * Moves a role to a position in the order, 1 being the highest and a position after the last one the last.
 * Everyone's role stays below all. Emits for each role whose position changed. All roles, the highest first.
 * @throws Failure forbidden, role.unknown, role.above (the role, or the position), role.everyone
 */
export function moveRole(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly roleId: RoleId; readonly position: number },
): Promise<{ items: PublicRole[] }> {
  return commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, input.guildId)
    const role = requireBelow(actor, input.roleId)
    if (role.role_id === EVERYONE) throw fail('role.everyone')
    if (input.position < highestPosition(actor.viewer, actor.roles)) throw fail('role.above')
    const everyone = actor.roles.filter((each) => each.role_id === EVERYONE)
    const others = actor.roles.filter((each) => each !== role && each.role_id !== EVERYONE)
    const ordered = others.toSpliced(input.position - 1, 0, role)
    const roles = await orderRoles(tx, emit, input.guildId, ordered)
    await auditMove(tx, { guildId: input.guildId, by: userId, role, roles })
    return { items: [...roles, ...everyone].map(toPublicRole) }
  })
}

/**
 * Deletes a role; its members lose it. Emits to the guild.
 * @throws Failure forbidden, role.unknown, role.above, role.everyone
 */
export function deleteRole(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly roleId: RoleId },
): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, input.guildId)
    const role = requireBelow(actor, input.roleId)
    if (role.role_id === EVERYONE) throw fail('role.everyone')
    await dropRole(tx, emit, input.guildId, input.roleId)
    await writeAudit(tx, {
      guildId: input.guildId,
      by: userId,
      type: 'role_deleted',
      target: roleTarget(role),
    })
  })
}

/** The role that was made for a bot, with the guild's roles locked; null: none was. */
export async function lockRoleMadeFor(tx: Tx, guildId: GuildId, botId: UserId): Promise<Role | null> {
  if (!(await rows.roleMadeFor(tx, guildId, botId))) return null
  await lockGuild(tx, guildId)
  return rows.roleMadeFor(tx, guildId, botId)
}

/** Deletes a role that nobody holds any more, and writes it down; others hold it: it stays. */
export async function dropUnheld(
  tx: Tx,
  emit: Emit,
  { guildId, by, role }: { readonly guildId: GuildId; readonly by: AuditActor; readonly role: Role },
): Promise<void> {
  if (await rows.isHeld(tx, guildId, role.role_id)) return
  await dropRole(tx, emit, guildId, role.role_id)
  await writeAudit(tx, { guildId, by, type: 'role_deleted', target: roleTarget(role) })
}

interface OfMember {
  readonly guildId: GuildId
  readonly userId: UserId
  readonly roleId: RoleId
}

/** @throws Failure role.bits: a role with more permissions than one's own would be a way to get them */
function requireBits(actor: GuildAccess, role: Role): Role {
  if (!mayChangeBits(actor.permissions, 0, role.permissions)) throw fail('role.bits')
  return role
}

/**
 * A role that somebody may give to members, with the guild's roles locked.
 * @throws Failure forbidden, role.everyone, role.unknown, role.above, role.bits
 */
export async function lockGrantable(tx: Tx, userId: UserId, guildId: GuildId, roleId: RoleId): Promise<Role> {
  const actor = await lockManages(tx, userId, guildId)
  if (roleId === EVERYONE) throw fail('role.everyone')
  return requireBits(actor, requireBelow(actor, roleId))
}

/** Gives a member a role. Emits to the guild unless they have it. */
export function grantRole(appContext: AppContext, callerId: UserId, input: OfMember) {
  return commit(appContext, async (tx, emit) => {
    const { actor, role, roles } = await lockGrant(tx, callerId, input)
    requireBits(actor, role)
    if (!roles.includes(input.roleId)) {
      await giveRole(tx, emit, input.guildId, input.userId, input.roleId)
      await auditGrant(tx, { ...input, by: callerId, role, isGranted: true })
    }
    return rolesAfter(tx, input)
  })
}

/** Takes a role from a member. Emits to the guild unless they lack it. */
export function revokeRole(appContext: AppContext, callerId: UserId, input: OfMember) {
  return commit(appContext, async (tx, emit: Emit) => {
    const { roles, role } = await lockGrant(tx, callerId, input)
    if (roles.includes(input.roleId)) {
      await takeRole(tx, emit, input.guildId, input.userId, input.roleId)
      await auditGrant(tx, { ...input, by: callerId, role, isGranted: false })
    }
    return rolesAfter(tx, input)
  })
}

async function lockGrant(tx: Tx, callerId: UserId, input: OfMember) {
  const actor = await lockManages(tx, callerId, input.guildId)
  if (input.roleId === EVERYONE) throw fail('role.everyone')
  const role = requireBelow(actor, input.roleId)
  const roles = await memberRoles(tx, input.guildId, input.userId)
  if (!roles) throw fail('guild.not_member')
  const member = { is_master: actor.summary.user_id === input.userId, roles }
  if (!outranks(actor.viewer, member, actor.roles)) throw fail('guild.outranked')
  return { actor, role, roles }
}

const rolesAfter = async (tx: Tx, input: OfMember) => ({
  user_id: input.userId,
  guild_id: input.guildId,
  roles: [...((await memberRoles(tx, input.guildId, input.userId)) ?? [])].sort((a, b) => a - b),
})
