/** Whom the rules of a guild leave alone. Decision 118. */
import {
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type Viewer,
} from '../permission/permission.ts'

/** Owners and those who manage the guild. Bots and the roles that a rule leaves out are left alone, too. */
export const isAboveRules = (viewer: Viewer, roles: readonly RolePermissions[]): boolean =>
  viewer.is_master || has(guildPermissions(viewer, roles), permission.manage_guild)
