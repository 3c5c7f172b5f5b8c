/** Acts on guilds and memberships by staff, by an operator, or when an account is deleted. */
import { fail } from '@guildhall/wire/failure.ts'
import {
  GUILD_RESTORABLE_MS,
  guildDeleted,
  memberExited,
  selfExited,
  selfJoined,
} from '@guildhall/wire/guild/guild.ts'
import { guildEventForm } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { commit, type Emit, type Live } from '../kit/events/events.ts'
import * as memberRows from './memberSql.ts'
import * as rows from './sql.ts'

/** Members that get the event of a restored guild in one transaction. */
const TOLD_AT_ONCE = 200

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
 * Restores a closed guild as it was, within `GUILD_RESTORABLE_MS`. Its members get `self_joined_guild`, batch
 * by batch after
 * `within`, the transaction that restores it.
 * @throws Failure guild.not_closed
 */
export async function restoreGuild(
  live: Live,
  guildId: GuildId,
  within: (tx: Tx, emit: Emit) => Promise<void> = async () => undefined,
): Promise<void> {
  await commit(live, async (tx, emit) => {
    if (!(await rows.restore(tx, guildId, clock.now() - GUILD_RESTORABLE_MS))) throw fail('guild.not_closed')
    await within(tx, emit)
  })
  await tellRestored(live, guildId)
}

/** Tells all members of a guild that it is there again, batch by batch. */
export async function tellRestored(live: Live, guildId: GuildId): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const members: UserId[] = await memberRows.memberIds(live.db, guildId, after, TOLD_AT_ONCE)
    await commit(live, async (_tx, emit) => {
      for (const userId of members) emit.person(userId, selfJoined, { guild_id: guildId })
    })
    after = members.at(-1)
  }
}

/**
 * Ends the membership of a person who is not the owner. Emits to the guild and the person.
 * @throws Failure guild.unknown, guild.not_member, guild.owner
 */
export async function removeMember(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<void> {
  const guild = await rows.byId(tx, guildId)
  if (!guild) throw fail('guild.unknown')
  if (guild.user_id === userId) throw fail('guild.owner')
  if (!(await memberRows.removeMember(tx, guildId, userId))) throw fail('guild.not_member')
  emitExit(emit, guildId, userId)
}

function emitExit(emit: Emit, guildId: GuildId, userId: UserId): void {
  emit.guild(guildId, memberExited, { user_id: userId, exited_at: clock.now() })
  emit.person(userId, selfExited, { guild_id: guildId })
}

/** @throws Failure user.owns_guilds (detail.n) */
export async function requireOwnsNone(tx: Tx, userId: UserId): Promise<void> {
  const n = await rows.countOwned(tx, userId)
  if (n > 0) throw fail('user.owns_guilds', { n })
}

/**
 * Ends every membership of a person, those of closed guilds too, and forgets their bans. Emits for the guilds
 * that are open.
 */
export async function forgetMember(tx: Tx, emit: Emit, userId: UserId): Promise<void> {
  for (const { guild_id, is_gone } of await memberRows.everyMembership(tx, userId)) {
    const isRemoved = await memberRows.removeMember(tx, guild_id, userId)
    if (isRemoved && !is_gone) emitExit(emit, guild_id, userId)
  }
  await memberRows.deleteBans(tx, userId)
}

/** A person's memberships in the order of joining, with those of closed guilds. */
export const everyMembership = (db: Db, userId: UserId) => memberRows.everyMembership(db, userId)

/** The first of them, at most `limit`. */
export const someMembershipsOf = (db: Db, userId: UserId, limit: number) =>
  memberRows.everyMembership(db, userId, limit)
