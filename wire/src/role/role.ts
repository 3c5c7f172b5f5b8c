/**
 * Roles of a guild as its members manage them: with the right to manage roles, and below one's own rank.
 * protocol.md §4.3, §8.3.
 */

import { GRADIENT_COLORS } from '../guild/guild.ts'
import { publicRole } from '../guild/publicGuild.ts'
import { guildId, roleId, userId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { EVERYONE_POSITION } from '../permission/hierarchy.ts'
import { route } from '../route.ts'
import { flag, int, nothing, text, z } from '../schema.ts'
import { isNameOf, readName } from '../words.ts'
import { ROLE_MEMBERS_PATH } from './event.ts'

export const ROLE_NAME_MAX = 64
/** The name of a role that is created without one. protocol.md §4.3. */
export const DEFAULT_ROLE_NAME = '新角色'
/** All permission bits that a role may have. */
export const PERMISSIONS_MAX = 2 ** 31 - 1

/** Whether a role may have this name. */
export const isRoleName = (name: string): boolean => isNameOf(name, 1, ROLE_NAME_MAX)

const name = text(200, 0, readName)
const bit = z.pipe(flag(), z.transform(Number))

/** The roles of a guild, the highest first, everyone's last. */
export const listRoles = route({
  method: 'GET',
  path: '/api/v3/guild-role/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, ...pageInput }),
  answer: pageOf(publicRole),
  fails: ['forbidden'],
})

/**
 * How many members have each role of a guild. Roles that nobody has are left out, and everyone's. Ours:
 * protocol.md §4.3 leaves it open.
 */
export const countRoleMembers = route({
  method: 'GET',
  path: ROLE_MEMBERS_PATH,
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.object({ items: z.array(z.object({ role_id: roleId, count: int() })) }),
  fails: ['forbidden'],
})

/** Creates a role below all others except everyone's, without permissions. */
export const createRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, name: z._default(name, '') }),
  answer: publicRole,
  fails: ['forbidden', 'role.full', 'role.name_wrong', 'content.refused', 'content.reserved'],
})

/**
 * Creates a role like another one, below all others except everyone's, with those of its permissions that the
 * caller has. Nobody has it, and no channel names it. Without a name it has that of the other one. Ours.
 */
export const copyRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/copy',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, role_id: roleId, name: z._default(name, '') }),
  answer: publicRole,
  fails: [
    'forbidden',
    'guild.level',
    'role.everyone',
    'role.full',
    'role.name_wrong',
    'role.unknown',
    'content.refused',
    'content.reserved',
  ],
})

const colorList = z
  .array(int(1, 0xffffff))
  .check(z.minLength(GRADIENT_COLORS.min), z.maxLength(GRADIENT_COLORS.max))

/**
 * Changes the fields that are given. Of everyone's role only the permissions change. `color_map` makes a
 * gradient, unless `color_type` is 1; null, `color_type` 1 and another `color` make the role solid.
 */
export const updateRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    role_id: roleId,
    name: z.optional(name),
    color: z.optional(int(0, 0xffffff)),
    color_type: z.optional(int(1, 2)),
    color_map: z.optional(z.nullable(z.object({ color_list: colorList }))),
    hoist: z.optional(bit),
    mentionable: z.optional(bit),
    permissions: z.optional(int(0, PERMISSIONS_MAX)),
  }),
  answer: publicRole,
  fails: [
    'bad_input',
    'forbidden',
    'guild.level',
    'role.above',
    'role.bits',
    'role.everyone',
    'role.name_wrong',
    'role.unknown',
    'content.refused',
    'content.reserved',
  ],
})

/**
 * Moves a role to a position in the order, 1 being the highest; a position after the last one means the last.
 * Those from there on move down by one. Everyone's role stays the last. Answers all, the highest first.
 */
export const moveRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/move',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, role_id: roleId, position: int(1, EVERYONE_POSITION) }),
  answer: z.object({ items: z.array(publicRole) }),
  fails: ['bad_input', 'forbidden', 'role.above', 'role.everyone', 'role.unknown'],
})

/** Deletes a role; its members lose it. */
export const deleteRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, role_id: roleId }),
  answer: nothing,
  fails: ['forbidden', 'role.above', 'role.everyone', 'role.unknown'],
})

/**
 * Restores a role that was deleted within seven days: those who had it and are still members have it again,
 * and channels their overwrites for it. Needs the right that deleting needs, and its permissions.
 */
export const restoreRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/restore',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, role_id: roleId }),
  answer: publicRole,
  fails: ['forbidden', 'role.above', 'role.bits', 'role.full', 'role.not_restorable'],
})

const ofMember = z.object({ guild_id: guildId, user_id: userId, role_id: roleId })
/** The member's roles after the call. */
const rolesAfter = z.object({ user_id: userId, guild_id: guildId, roles: z.array(roleId) })

/** Gives a member a role whose permissions the caller has. */
export const grantRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/grant',
  dialect: 'v3',
  who: 'user',
  input: ofMember,
  answer: rolesAfter,
  fails: [
    'forbidden',
    'guild.not_member',
    'guild.outranked',
    'role.above',
    'role.bits',
    'role.everyone',
    'role.unknown',
  ],
})

/** Takes a role from a member. */
export const revokeRole = route({
  method: 'POST',
  path: '/api/v3/guild-role/revoke',
  dialect: 'v3',
  who: 'user',
  input: ofMember,
  answer: rolesAfter,
  fails: ['forbidden', 'guild.not_member', 'guild.outranked', 'role.above', 'role.everyone', 'role.unknown'],
})
