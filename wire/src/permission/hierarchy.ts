/** Who stands above whom in a guild. Endpoints and screens use the same rules. protocol.md §8.3. */
import { EVERYONE, has, permission, type Viewer } from './permission.ts'

/** The position of everyone's role, the lowest: below every other one. A smaller position is higher. */
export const EVERYONE_POSITION = 2 ** 31 - 1
/** The owner stands above every role. */
const OWNER_RANK = -1

export interface RankedRole {
  readonly role_id: number
  readonly position: number
}

/** The rank of a member: the position of their highest role. A smaller rank is higher. */
export function rankOf(member: Viewer, roles: readonly RankedRole[]): number {
  if (member.is_master) return OWNER_RANK
  let rank = EVERYONE_POSITION
  for (const { role_id, position } of roles)
    if (role_id !== EVERYONE && position < rank && member.roles.includes(role_id)) rank = position
  return rank
}

/** Whether a member may act on another: only on those strictly below. Nobody acts on the owner. */
export const outranks = (actor: Viewer, other: Viewer, roles: readonly RankedRole[]): boolean =>
  rankOf(actor, roles) < rankOf(other, roles)

/** Whether a role stands strictly below a member, who may then change, grant and revoke it. */
export const outranksRole = (actor: Viewer, role: RankedRole, roles: readonly RankedRole[]): boolean =>
  // The right to manage roles may come from everyone's role itself.
  role.role_id === EVERYONE || rankOf(actor, roles) < role.position

/**
 * The highest position in the order of a guild's roles into which a member may move a role that stands below
 * them; 1 is the highest.
 */
export const highestPosition = (actor: Viewer, roles: readonly RankedRole[]): number =>
  roles.filter((role) => !outranksRole(actor, role, roles)).length + 1

/** Those of some permissions that a member whose own are `own` may give and take. */
export const changeableBits = (own: number, bits: number): number =>
  // The bits of all permissions are counted to 27; who has everything may change newer ones too.
  has(own, permission.manage) ? bits : bits & own

/** Whether a member whose permissions are `own` may turn `before` into `after`. */
export const mayChangeBits = (own: number, before: number, after: number): boolean =>
  changeableBits(own, before ^ after) === (before ^ after)

/**
 * The roles of a guild that its reader may give to members, the highest first: those below them, whose
 * permissions they all have. The caller checks the right to manage roles.
 */
export const grantable = <Role extends RankedRole & { readonly permissions: number }>(guild: {
  readonly is_master: boolean
  readonly my_roles: Viewer['roles']
  readonly permissions: number
  readonly roles: readonly Role[]
}): Role[] =>
  guild.roles.filter(
    (role) =>
      role.role_id !== EVERYONE &&
      outranksRole({ is_master: guild.is_master, roles: guild.my_roles }, role, guild.roles) &&
      mayChangeBits(guild.permissions, 0, role.permissions),
  )
