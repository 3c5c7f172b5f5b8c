/** Memberships: who is a member of which guild, how they begin and end, and what members are called. */
import { fail } from '@guildhall/wire/failure.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import {
  memberExited,
  memberIdentityUpdated,
  memberJoined,
  selfExited,
  selfJoined,
} from '@guildhall/wire/member/event.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import type { ChangedIdentity } from '@guildhall/wire/user/changedIdentity.ts'
import type { AuditActor } from '../audit/audit.ts'
import { findGuild, lockLevel } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { deleteDaysBefore } from '../kit/database/days.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type RateLimit, useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import type { Joining } from '../kit/moderation.ts'
import { dropUnheld, emitMember, lockRoleMadeFor } from '../role/role.ts'
import * as rows from './membershipSql.ts'
import { forgetBans, isBanned } from './moderationSql.ts'
import { indexMember, indexSomeOf } from './nameSearch.ts'

/** True for a member of a guild that is open. */
export const isMember = rows.isMember

/** True when two people have a guild in common. */
export const shareGuild = rows.shareGuild

export const countMembers = rows.countMembers

/** Who came and went in a guild by day of Beijing, from one day on; days of nobody are left out. */
export const memberDays = rows.memberDays

/** Deletes some of the counts of days before one. How many: 0 when none are left. */
export const trimMemberDays = (db: Db, day: string): Promise<number> =>
  deleteDaysBefore(db, 'member_day', day)

/** Every open guild and how many members it has, in the order of their ids. */
export const everyGuild = rows.everyGuild

/** Every bot but the official account, and the open guilds that it is in, in the order of their ids. */
export const everyBot = rows.everyBot

/** The guilds of a person, with their roles in each: for the gateway's audience. */
export const membershipsOf = (db: Db, userId: UserId): Promise<{ guild_id: GuildId; roles: RoleId[] }[]> =>
  rows.memberships(db, userId)

/** The members among `userIds`, with their names in this guild; in no order. */
export const namedMembers = rows.namedMembers

/** Members by the name and the digits behind it; in no order. */
export const membersByTag = rows.membersCalled

/**
 * Makes a person a member. False, without an effect, when they are one already. Emits to the guild and the
 * person. The caller checks that they may join.
 * @throws Failure guild.full (detail.most)
 */
export async function join(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<boolean> {
  const now = clock.now()
  if (await rows.isMember(tx, guildId, userId)) return false
  await requireRoom(tx, guildId)
  if (!(await rows.addMember(tx, guildId, userId, now))) return false
  await indexMember(tx, guildId, userId)
  emit.guild(guildId, memberJoined, { user_id: userId, joined_at: now })
  emit.person(userId, selfJoined, { guild_id: guildId })
  return true
}

/**
 * Asks the rules of a guild about somebody who is about to join by their own act. Before the transaction.
 * @throws Failure moderation.raid (detail.minutes), moderation.raid_slow, captcha.needed
 */
export const requireMayJoin = async (
  { db, moderation }: Pick<AppContext, 'db' | 'moderation'>,
  who: Joining,
): Promise<void> => moderation?.joining(who, () => rows.isMember(db, who.guildId, who.userId))

/** Times that somebody may join one guild; who leaves and comes back in a loop would fill it with events. */
const JOINS: RateLimit = { name: 'joins by person and guild', most: 5, windowMs: HOUR_MS }

/**
 * Makes somebody a member who asks for it. False, without an effect, when they are one already.
 * @throws Failure guild.banned, guild.full (detail.most), too_many
 */
export async function joinOwn(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<boolean> {
  if (await isBanned(tx, guildId, userId)) throw fail('guild.banned')
  await useAttempt(tx, JOINS, `${guildId} ${userId}`)
  return join(tx, emit, guildId, userId)
}

/**
 * Checks that a guild has room for another member, and keeps others from joining until the commit.
 * @throws Failure guild.full (detail.most)
 */
async function requireRoom(tx: Tx, guildId: GuildId): Promise<void> {
  const level = await lockLevel(tx, guildId)
  const most = amountAt('max_members', level)
  // A statement after the lock, so that it counts those who joined while this waited.
  if (await rows.hasMembers(tx, guildId, most)) throw fail('guild.full', { most })
}

/**
 * Ends a membership and its roles. With a bot goes the role that was made for it, unless others hold it.
 * `by`: who ends it, by default the member. False, without an effect, when the person is not a member.
 */
export async function leave(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  by: AuditActor = userId,
): Promise<boolean> {
  const role = await lockRoleMadeFor(tx, guildId, userId)
  if (!(await rows.removeMember(tx, guildId, userId, clock.now()))) return false
  emitExit(emit, guildId, userId)
  if (role) await dropUnheld(tx, emit, { guildId, by, role })
  return true
}

/** The caller leaves a guild. */
export const leaveGuild = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, (tx, emit) => removeMember(tx, emit, guildId, userId))

/**
 * Ends the membership of a person who is not the owner, as `leave` does.
 * @throws Failure guild.unknown, guild.not_member, guild.owner
 */
export async function removeMember(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  by?: AuditActor,
): Promise<void> {
  const guild = await findGuild(tx, guildId)
  if (!guild) throw fail('guild.unknown')
  if (guild.user_id === userId) throw fail('guild.owner')
  if (!(await leave(tx, emit, guildId, userId, by))) throw fail('guild.not_member')
}

function emitExit(emit: Emit, guildId: GuildId, userId: UserId): void {
  emit.guild(guildId, memberExited, { user_id: userId, exited_at: clock.now() })
  emit.person(userId, selfExited, { guild_id: guildId })
}

/**
 * Ends every membership of a person, those of closed guilds too, and forgets their bans. Emits for the guilds
 * that are open.
 */
export async function forgetMember(tx: Tx, emit: Emit, userId: UserId): Promise<void> {
  // In the order of their ids: each locks the count of its guild, and two people lock them in one order.
  const all = (await rows.everyMembership(tx, userId)).toSorted((one, other) =>
    Number(BigInt(one.guild_id) - BigInt(other.guild_id)),
  )
  for (const { guild_id, is_gone } of all) {
    const isRemoved = await rows.removeMember(tx, guild_id, userId, clock.now())
    if (isRemoved && !is_gone) emitExit(emit, guild_id, userId)
  }
  await forgetBans(tx, userId)
}

/** A person's memberships in the order of joining, with those of closed guilds. */
export const everyMembership = (db: Db, userId: UserId) => rows.everyMembership(db, userId)

/** The first of them, at most `limit`. */
export const someMembershipsOf = (db: Db, userId: UserId, limit: number) =>
  rows.everyMembership(db, userId, limit)

/** Sets a member's nickname; empty: the username is shown. Emits to the guild. */
export async function setNickname(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  nickname: string,
): Promise<void> {
  await rows.setNickname(tx, guildId, userId, nickname)
  await indexMember(tx, guildId, userId)
  await emitMember(tx, emit, guildId, userId)
}

/**
 * Guilds that are told in one transaction how a member is called and looks: it locks the counters of their
 * events.
 */
const TOLD_AT_ONCE = 100

/**
 * Tells the members of a person's guilds, with one event for each, how they are called and look from now on,
 * and renews what finds them by name: in the guilds after `after`, in one bounded batch. Returns the last
 * one; null when none are left. The caller holds the lock of the person, so that no older name or picture is
 * told after a newer one.
 */
export async function notifySomeGuildsOf(
  tx: Tx,
  emit: Emit,
  identity: ChangedIdentity,
  after: GuildId | null,
): Promise<GuildId | null> {
  await indexSomeOf(tx, identity.user_id, TOLD_AT_ONCE)
  const next = await rows.someMemberships(tx, identity.user_id, after, TOLD_AT_ONCE)
  for (const { guild_id, nickname } of next)
    emit.guild(guild_id, memberIdentityUpdated, { ...identity, nickname: nickname || identity.username })
  return next.length < TOLD_AT_ONCE ? null : next.at(-1)!.guild_id
}

/** Members that get the event of a restored guild in one transaction. */
const RESTORED_AT_ONCE = 200

/** Tells all members of a guild that it is there again, batch by batch. */
export async function notifyRestored(appContext: AppContext, guildId: GuildId): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const members: UserId[] = await rows.memberIds(appContext.db, guildId, after, RESTORED_AT_ONCE)
    await commit(appContext, async (_tx, emit) => {
      for (const userId of members) emit.person(userId, selfJoined, { guild_id: guildId })
    })
    after = members.at(-1)
  }
}
