/** Guilds that their owners delete and bring back. Decision 72. */
import { fail } from '@guildhall/wire/failure.ts'
import { GUILD_RESTORABLE_MS, guildDeleted } from '@guildhall/wire/guild/guild.ts'
import { hasRight } from '@guildhall/wire/guild/levelRights.ts'
import { GUILDS_OWNED_MAX } from '@guildhall/wire/guild/ownGuild.ts'
import { guildEventForm } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { writeAudit } from '../../audit/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { lockUser } from '../../user/user.ts'
import { guildTarget } from '../audit.ts'
import { requirePrivilege } from '../levelRights.ts'
import * as rows from '../sql.ts'

/**
 * Deletes a guild for its owner: it is gone for everybody, its invites are invalid, and its members get
 * `deleted_guild`. What is in it stays for a restoration.
 * @throws Failure forbidden (no member), guild.not_owner
 */
export const deleteGuild = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    await rows.lockGuild(tx, guildId)
    const guild = await rows.forMember(tx, userId, guildId)
    if (!guild) throw fail('forbidden')
    if (guild.user_id !== userId) throw fail('guild.not_owner')
    const deleted = await rows.markDeleted(tx, guildId, clock.now())
    if (!deleted) return
    emit.guild(guildId, guildDeleted, guildEventForm(deleted))
    await writeAudit(tx, { guildId, by: userId, type: 'guild_deleted', target: guildTarget(guild) })
  })

/** The guilds that a person deleted within the time in which they can be restored, the newest first. */
export async function deletedGuilds(db: Db, userId: UserId) {
  const found = await rows.deletedBy(db, userId, clock.now() - GUILD_RESTORABLE_MS)
  return found.map(({ id, name, icon, deleted_at, deleted_level }) => ({
    id,
    name,
    icon,
    deleted_at,
    restorable_until: deleted_at + GUILD_RESTORABLE_MS,
    can_restore: hasRight('restore_delete_guild', deleted_level),
  }))
}

/**
 * Restores a guild that its owner deleted, as it was. The caller tells its members after that.
 * @throws Failure guild.not_closed (not theirs, not deleted, or too long ago), guild.level (that of the guild
 *   when it was deleted), guild.owns_too_many
 */
export const restoreOwnGuild = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, async (tx) => {
    // The lock makes two of the person's calls at once count one after the other.
    await lockUser(tx, userId)
    const [found] = await rows.deletedBy(tx, userId, clock.now() - GUILD_RESTORABLE_MS, guildId)
    if (!found) throw fail('guild.not_closed')
    requirePrivilege('restore_delete_guild', found.deleted_level)
    if ((await rows.countOwned(tx, userId)) >= GUILDS_OWNED_MAX)
      throw fail('guild.owns_too_many', { n: GUILDS_OWNED_MAX })
    if (!(await rows.undelete(tx, guildId))) throw fail('guild.not_closed')
    await writeAudit(tx, { guildId, by: userId, type: 'guild_restored', target: guildTarget(found) })
  })
