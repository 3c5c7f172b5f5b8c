/** What the audit log says of guilds. */
import type { GuildId } from '@guildhall/wire/id.ts'
import type { AuditTarget } from '../audit/audit.ts'

/** A guild as what was acted on. */
export const guildTarget = ({ id, name }: { readonly id: GuildId; readonly name: string }): AuditTarget => ({
  kind: 'guild',
  id,
  name,
})
