/** The call of the audit log. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Db } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { pageOfAudit } from './audit.ts'

/** What the log asks of roles, which write to it. */
export interface GuildRights {
  /** @throws Failure forbidden (no member), member.no_right */
  requireGuildRight(db: Db, userId: UserId, guildId: GuildId, right: number): Promise<unknown>
}

export const auditRoutes = ({ db }: Pick<AppContext, 'db'>, rights: GuildRights): Binding[] => [
  bindUser(listAudit, async ({ caller }, input) => {
    await rights.requireGuildRight(db, caller.userId, input.guild_id, permission.view_log)
    return pageOfAudit(db, input)
  }),
]
