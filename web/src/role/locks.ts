/** What somebody may change of roles and of who has them, and why not. Pure; the rules are the contract's. */
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { mayChangeBits, outranks, outranksRole } from '@guildhall/wire/permission/hierarchy.ts'
import type { Viewer } from '@guildhall/wire/permission/permission.ts'

type Rights = Pick<Guild, 'is_master' | 'my_roles' | 'permissions' | 'roles'>

const actorOf = ({ is_master, my_roles }: Rights): Viewer => ({ is_master, roles: my_roles })

/** Whether a role stands at or above one's own highest one, so that one only looks at it. */
export const isAbove = (guild: Rights, role: Role): boolean =>
  !outranksRole(actorOf(guild), role, guild.roles)

/** Whether one may switch a right of a role that is below one. */
export const maySwitch = (guild: Rights, right: number): boolean => mayChangeBits(guild.permissions, 0, right)

/** Whether one may give a role that is below one: not with rights that one lacks. */
export const mayGrant = (guild: Rights, role: Role): boolean =>
  mayChangeBits(guild.permissions, 0, role.permissions)

/** Whether a member stands below one, so that one may give them roles and take those. */
export const mayActOn = (
  guild: Rights,
  member: { readonly is_master: boolean; readonly roles: readonly number[] },
): boolean => outranks(actorOf(guild), member, guild.roles)
