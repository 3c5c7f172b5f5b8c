/** The calls of roles. */
import {
  copyRole as copyRoleRoute,
  countRoleMembers as countRoleMembersRoute,
  createRole as createRoleRoute,
  deleteRole as deleteRoleRoute,
  grantRole as grantRoleRoute,
  listRoles as listRolesRoute,
  moveRole as moveRoleRoute,
  restoreRole as restoreRoleRoute,
  revokeRole as revokeRoleRoute,
  updateRole as updateRoleRoute,
} from '@guildhall/wire/role/role.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { type RestoreDeps, restoreRole } from './restore.ts'
import {
  changeRole,
  copyRole,
  countRoleMembers,
  createRole,
  deleteRole,
  grantRole,
  listRoles,
  moveRole,
  revokeRole,
} from './role.ts'

export const roleRoutes = ({ appContext, ...deps }: RestoreDeps): Binding[] => [
  bindUser(listRolesRoute, ({ caller }, { guild_id, page, page_size }) =>
    listRoles(appContext.db, caller.userId, { guildId: guild_id, page, size: page_size }),
  ),
  bindUser(countRoleMembersRoute, ({ caller }, { guild_id }) =>
    countRoleMembers(appContext.db, caller.userId, guild_id),
  ),
  bindUser(createRoleRoute, ({ caller }, { guild_id, name }) =>
    createRole(appContext, caller.userId, { guildId: guild_id, name }),
  ),
  bindUser(copyRoleRoute, ({ caller }, { guild_id, role_id, name }) =>
    copyRole(appContext, caller.userId, { guildId: guild_id, roleId: role_id, name }),
  ),
  bindUser(updateRoleRoute, ({ caller }, { guild_id, role_id, ...change }) =>
    changeRole(appContext, caller.userId, { guildId: guild_id, roleId: role_id, change }),
  ),
  bindUser(moveRoleRoute, ({ caller }, { guild_id, role_id, position }) =>
    moveRole(appContext, caller.userId, { guildId: guild_id, roleId: role_id, position }),
  ),
  bindUser(deleteRoleRoute, async ({ caller }, { guild_id, role_id }) => {
    await deleteRole(appContext, caller.userId, { guildId: guild_id, roleId: role_id })
    return {}
  }),
  bindUser(restoreRoleRoute, ({ caller }, { guild_id, role_id }) =>
    restoreRole({ appContext, ...deps }, caller.userId, { guildId: guild_id, roleId: role_id }),
  ),
  bindUser(grantRoleRoute, ({ caller }, { guild_id, user_id, role_id }) =>
    grantRole(appContext, caller.userId, { guildId: guild_id, userId: user_id, roleId: role_id }),
  ),
  bindUser(revokeRoleRoute, ({ caller }, { guild_id, user_id, role_id }) =>
    revokeRole(appContext, caller.userId, { guildId: guild_id, userId: user_id, roleId: role_id }),
  ),
]
