/** `role …`: roles of a guild. */
import type { GuildId } from '@guildhall/wire/id.ts'
import { BY_OPERATOR, writeAudit } from '../audit/audit.ts'
import { findGuild, requirePrivilege } from '../guild/guild.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { addRole, auditRoleChange, dropRole, rolesOf, roleTarget, updateRole } from '../role/role.ts'
import { type Commands, guildFor, readColors, readName, readPermissions, readRole } from './command.ts'

const newRole = { color: 0, hoist: 0, mentionable: 0 } as const

function noRole(guild: string, role: string): never {
  throw new OperatorError(`Guild ${guild} has no role ${role} that this can be done to.`)
}

async function requireGradients(tx: Tx, guildId: GuildId): Promise<void> {
  requirePrivilege('gradient_color', (await findGuild(tx, guildId))?.level ?? 0)
}

export const roleCommands: Commands = {
  'role list': {
    usage: '--guild GUILD_ID',
    isReading: true,
    async run({ guild = '' }, { appContext }) {
      const roles = await rolesOf(appContext.db, await guildFor(appContext.db, guild))
      return roles.map(({ role_id, name, position, permissions }) => ({
        role_id,
        name,
        position,
        permissions,
      }))
    },
  },

  'role create': {
    usage: '--guild GUILD_ID --name NAME [--permissions N]',
    async run({ guild = '', name = '', permissions = '0' }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const it = { ...newRole, name: readName(name), permissions: readPermissions(permissions) }
      return commit(appContext, async (tx, emit) => {
        const role = await addRole(tx, guildId, it, emit)
        await writeAudit(tx, { guildId, by: BY_OPERATOR, type: 'role_created', target: roleTarget(role) })
        return role
      })
    },
  },

  'role update': {
    usage: '--guild GUILD_ID --role ROLE_ID [--name NAME] [--permissions N] [--color COLORS]',
    async run({ guild = '', role = '', name, permissions, color }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      if (name === undefined && permissions === undefined && color === undefined)
        throw new OperatorError('role update needs --name, --permissions or --color.')
      const colors = color === undefined ? null : readColors(color)
      const change = {
        ...(name !== undefined && { name: readName(name) }),
        ...(permissions !== undefined && { permissions: readPermissions(permissions) }),
        ...colors,
      }
      const updated = await commit(appContext, async (tx, emit) => {
        if (colors?.color_list) await requireGradients(tx, guildId)
        const before = (await rolesOf(tx, guildId)).find(({ role_id }) => role_id === readRole(role))
        if (before) await auditRoleChange(tx, { guildId, by: BY_OPERATOR, role: before, change })
        return updateRole(tx, emit, guildId, readRole(role), change)
      })
      return updated ?? noRole(guild, role)
    },
  },

  'role delete': {
    usage: '--guild GUILD_ID --role ROLE_ID',
    destroys: ({ guild, role }) => `Role ${role} of guild ${guild} is deleted; its members lose it.`,
    async run({ guild = '', role = '' }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const dropped = await commit(appContext, async (tx, emit) => {
        const it = await dropRole(tx, emit, guildId, readRole(role))
        if (it)
          await writeAudit(tx, { guildId, by: BY_OPERATOR, type: 'role_deleted', target: roleTarget(it) })
        return it
      })
      return dropped ?? noRole(guild, role)
    },
  },
}
