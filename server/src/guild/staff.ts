/** Guilds as staff find them, and another owner by an act of staff. */
import { fail } from '@guildhall/wire/failure.ts'
import { GUILDS_OWNED_MAX } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import { lockUser } from '../user/user.ts'
import { emitGuild } from './guildUpdate.ts'
import { end as endTransfer } from './owner/transferSql.ts'
import * as rows from './sql.ts'

export type { FoundGuildRow, GuildQuery } from './sql.ts'

/** A guild with its owner, also one that is closed or deleted; null when there is none. */
export const findGuildForStaff = async (db: Db, guildId: GuildId): Promise<rows.FoundGuildRow | null> =>
  (await rows.foundGuilds(db, { guildId }, 1))[0] ?? null

/** Guilds with their owners, closed and deleted ones too, in a stable order. */
export const findGuildsForStaff = rows.foundGuilds

/**
 * A member owns the guild from now on; who owned it stays a member, and what they offered has ended. Emits
 * to the guild. Who owned it before.
 * @throws Failure guild.unknown, guild.not_member, guild.owns_too_many, staff.owner_already, user.unknown
 *   (also for a bot)
 */
export async function changeOwner(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<UserId> {
  await rows.lockGuild(tx, guildId)
  const guild = await rows.byId(tx, guildId)
  if (!guild) throw fail('guild.unknown')
  if (guild.user_id === userId) throw fail('staff.owner_already')
  if (!(await rows.forMember(tx, userId, guildId))) throw fail('guild.not_member')
  // The lock makes two guilds that are given at once count one after the other.
  if ((await lockUser(tx, userId)).bot) throw fail('user.unknown')
  if ((await rows.countOwned(tx, userId)) >= GUILDS_OWNED_MAX)
    throw fail('guild.owns_too_many', { n: GUILDS_OWNED_MAX })
  await rows.setOwner(tx, guildId, userId)
  await endTransfer(tx, guildId)
  await emitGuild(tx, emit, guildId)
  return guild.user_id
}
