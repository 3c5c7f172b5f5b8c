/** Acts on guilds by staff, by an operator, or when an account is deleted. */
import { fail } from '@guildhall/wire/failure.ts'
import { GUILD_RESTORABLE_MS, guildDeleted } from '@guildhall/wire/guild/guild.ts'
import { guildEventForm } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import * as rows from './sql.ts'

/**
 * Closes a guild: it is gone for everybody, its invites are invalid, and its members get `deleted_guild`.
 * Nothing in it is deleted.
 * @throws Failure guild.unknown, also for one that is closed
 */
export async function closeGuild(tx: Tx, emit: Emit, guildId: GuildId): Promise<void> {
  const guild = await rows.close(tx, guildId, clock.now())
  if (!guild) throw fail('guild.unknown')
  emit.guild(guildId, guildDeleted, guildEventForm(guild))
}

/**
 * Restores a closed guild as it was, within `GUILD_RESTORABLE_MS`. The caller tells its members after the
 * commit.
 * @throws Failure guild.not_closed
 */
export async function restoreGuild(tx: Tx, guildId: GuildId): Promise<void> {
  if (!(await rows.restore(tx, guildId, clock.now() - GUILD_RESTORABLE_MS))) throw fail('guild.not_closed')
}

/** @throws Failure user.owns_guilds (detail.n) */
export async function requireOwnsNone(tx: Tx, userId: UserId): Promise<void> {
  const n = await rows.countOwned(tx, userId)
  if (n > 0) throw fail('user.owns_guilds', { n })
}
