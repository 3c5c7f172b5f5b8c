/** What the audit log says of roles. */
import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { type AuditActor, type AuditTarget, differing, memberTarget, writeAudit } from '../audit/audit.ts'
import type { Tx } from '../kit/database/db.ts'
import type { RoleChange } from './sql.ts'

interface Act {
  readonly guildId: GuildId
  readonly by: AuditActor
  /** As it was before. */
  readonly role: Role
}

export const roleTarget = ({ role_id, name }: Pick<Role, 'role_id' | 'name'>): AuditTarget => ({
  kind: 'role',
  id: role_id,
  name,
})

/** A change of the fields of a role. */
export async function auditRoleChange(
  tx: Tx,
  { guildId, by, role, change }: Act & { readonly change: Partial<RoleChange> },
): Promise<void> {
  const fields = differing({ ...role, color_list: role.color_map?.color_list ?? null }, change)
  if (fields) await writeAudit(tx, { guildId, by, type: 'role_updated', target: roleTarget(role), ...fields })
}

/** A role has another position. `roles`: all, as they are now. */
export async function auditMove(
  tx: Tx,
  { guildId, by, role, roles }: Act & { readonly roles: readonly Role[] },
): Promise<void> {
  const { position = role.position } = roles.find(({ role_id }) => role_id === role.role_id) ?? {}
  const fields = differing({ position: role.position }, { position })
  if (fields) await writeAudit(tx, { guildId, by, type: 'role_moved', target: roleTarget(role), ...fields })
}

interface Grant extends Act {
  readonly userId: UserId
  readonly isGranted: boolean
  /** The code of the invite by which they got it. */
  readonly invite?: string
}

/** A member was given a role, or lost it. */
export function auditGrant(tx: Tx, { guildId, by, role, userId, isGranted, invite }: Grant): Promise<void> {
  const held = { role_id: role.role_id, role: role.name, ...(invite !== undefined && { invite }) }
  return writeAudit(tx, {
    guildId,
    by,
    type: isGranted ? 'role_granted' : 'role_revoked',
    target: memberTarget(userId),
    ...(isGranted ? { after: held } : { before: held }),
  })
}
