import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { mayChangeBits, outranksRole } from '@guildhall/wire/permission/hierarchy.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'

/**
 * The roles of a guild that its reader may grant, the highest first: those below them, whose permissions they
 * all have. The caller checks the right to manage roles.
 */
export function grantable(guild: Guild): Role[] {
  const actor = { is_master: guild.is_master, roles: guild.my_roles }
  return guild.roles.filter(
    (role) =>
      role.role_id !== EVERYONE &&
      outranksRole(actor, role, guild.roles) &&
      mayChangeBits(guild.permissions, 0, role.permissions),
  )
}
