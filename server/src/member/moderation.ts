/**
 * Acts on members: names, kicks, mutes and bans. Nobody acts on those above or beside them. protocol.md §8.3
 * and §8.4.
 */
import type { AuditType, AuditValues } from '@guildhall/wire/audit/audit.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { banAdded, banDeleted, muteAdded, muteDeleted } from '@guildhall/wire/member/event.ts'
import { isNickname, type MuteType, muteType } from '@guildhall/wire/member/moderation.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { outranks } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { z } from '@guildhall/wire/schema.ts'
import { DAY_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { memberTarget, writeAudit } from '../audit/audit.ts'
import { guildOfMember } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type Jobs, jobKind } from '../kit/jobs.ts'
import { requireAllowed } from '../kit/screening.ts'
import { type GuildAccess, guildAccess, memberRoles, requireGuildRight } from '../role/role.ts'
import { findUser, identitiesOf, identityOf } from '../user/user.ts'
import { leave, setNickname } from './membership.ts'
import * as rows from './moderationSql.ts'

/** A mute is over: its members are told. Nothing depends on it being on time. */
export const endMutesJob = jobKind({
  name: 'end-mutes',
  data: z.object({ guild_id: z.string(), user_id: z.string() }),
  pollSeconds: 10,
})

/** The messages of somebody who was banned are deleted in the background. `since`: ms. */
export const deleteBannedJob = jobKind({
  name: 'delete-banned',
  data: z.object({ guild_id: z.string(), user_id: z.string(), since: z.number() }),
  pollSeconds: 30,
  expiresAfterSeconds: 3_600,
})

/** What acts need beside the database: jobs that run later. */
export interface ActDeps {
  readonly appContext: AppContext
  readonly jobs: Pick<Jobs, 'send' | 'wake'>
}

/** @throws Failure member.above, for those above or beside the caller and for the caller */
function requireOutranks(inside: GuildAccess, targetId: UserId, targetRoles: readonly number[]): void {
  const target = { is_master: inside.summary.user_id === targetId, roles: targetRoles }
  if (!outranks(inside.viewer, target, inside.roles)) throw fail('member.above')
}

/** @throws Failure forbidden, member.no_right, guild.not_member (the target), member.above */
async function requireMayActOn(
  tx: Tx,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly targetId: UserId },
  right: number,
): Promise<void> {
  const inside = await requireGuildRight(tx, userId, input.guildId, right)
  const roles = await memberRoles(tx, input.guildId, input.targetId)
  if (!roles) throw fail('guild.not_member')
  requireOutranks(inside, input.targetId, roles)
}

/** Writes an act on a member down. */
const audit = (
  tx: Tx,
  by: UserId,
  type: AuditType,
  { guildId, targetId }: { readonly guildId: GuildId; readonly targetId: UserId },
  more?: { readonly before?: AuditValues; readonly after?: AuditValues; readonly reason?: string },
): Promise<void> => writeAudit(tx, { guildId, by, type, target: memberTarget(targetId), ...more })

/**
 * Changes how somebody is called in a guild, the caller by default; empty: by their username.
 * @throws Failure forbidden, guild.not_member, member.no_right, member.above, member.nickname_wrong,
 *   content.refused
 */
export async function rename(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly targetId: UserId | undefined; readonly nickname: string },
): Promise<void> {
  const targetId = input.targetId ?? userId
  const { nickname } = input
  await requireAllowed(appContext, { target: 'nickname', userId, texts: [nickname] })
  await commit(appContext, async (tx, emit) => {
    if (targetId === userId) await requireGuildRight(tx, userId, input.guildId, permission.change_nickname)
    else await requireMayActOn(tx, userId, { ...input, targetId }, permission.manage_nickname)
    if (nickname !== '' && !isNickname(nickname)) throw fail('member.nickname_wrong')
    if (targetId !== userId) await auditRename(tx, userId, { ...input, targetId })
    await setNickname(tx, emit, input.guildId, targetId, nickname)
  })
}

/** Who renames another person is written down. */
async function auditRename(
  tx: Tx,
  userId: UserId,
  { guildId, targetId, nickname }: { guildId: GuildId; targetId: UserId; nickname: string },
): Promise<void> {
  const earlier = (await guildOfMember(tx, targetId, guildId))?.nickname ?? ''
  if (earlier === nickname) return
  await writeAudit(tx, {
    guildId,
    by: userId,
    type: 'member_renamed',
    target: memberTarget(targetId),
    before: { nickname: earlier },
    after: { nickname },
  })
}

/** Ends a membership. */
export const kickOut = (
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly targetId: UserId },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    await requireMayActOn(tx, userId, input, permission.remove_member)
    await leave(tx, emit, input.guildId, input.targetId, userId)
    await audit(tx, userId, 'member_kicked', input)
  })

const rightToMute = (type: MuteType): number =>
  type === muteType.headset ? permission.deafen_member : permission.mute_member

/** Who is muted, and until when. */
export async function listMutes(
  appContext: AppContext,
  userId: UserId,
  guildId: GuildId,
  isDetailed: boolean,
) {
  const inside = await guildAccess(appContext.db, userId, guildId)
  if (!inside) throw fail('forbidden')
  if ((inside.permissions & (permission.deafen_member | permission.mute_member)) === 0)
    throw fail('member.no_right')
  const all = await rows.mutes(appContext.db, guildId, clock.now())
  const of = (type: MuteType) => all.filter((it) => it.type === type)
  const idsOf = (type: MuteType) => of(type).map(({ user_id }) => user_id)
  const { mic, headset, write } = muteType
  if (!isDetailed) return { [mic]: idsOf(mic), [headset]: idsOf(headset), [write]: idsOf(write) }
  const people = await identitiesOf(appContext.db, [...new Set(all.map(({ user_id }) => user_id))])
  return {
    users: [...people.values()].map((it) => publicUser(identityOf(it, appContext))),
    mic: { type: mic, user_ids: idsOf(mic) },
    headset: { type: headset, user_ids: idsOf(headset) },
    write: {
      type: write,
      user_ids: idsOf(write),
      ends_at: of(write).map(({ user_id, ends_at }) => ({ user_id, ends_at: ends_at ?? 0 })),
    },
  }
}

/**
 * Mutes a member, for `seconds` or without an end. Emits to the guild.
 * @throws Failure forbidden, guild.not_member, member.no_right, member.above
 */
export async function mute(
  { appContext, jobs }: ActDeps,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly targetId: UserId
    readonly type: MuteType
    readonly seconds: number | null
  },
): Promise<void> {
  await commit(appContext, async (tx, emit) => {
    await requireMayActOn(tx, userId, input, rightToMute(input.type))
    await addMute({ tx, emit, jobs }, input, { userId })
  })
}

/** A rule of the guild mutes a member. In the log it is an act of who made the rule, with its name. */
export const muteByRule = (
  { appContext, jobs }: ActDeps,
  input: {
    readonly guildId: GuildId
    readonly targetId: UserId
    readonly seconds: number
    readonly by: Muter
  },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    if (!(await memberRoles(tx, input.guildId, input.targetId))) return
    await addMute({ tx, emit, jobs }, { ...input, type: muteType.write }, input.by)
  })

/** Who mutes, and why. */
interface Muter {
  readonly userId: UserId
  readonly reason?: string
}

async function addMute(
  { tx, emit, jobs }: { readonly tx: Tx; readonly emit: Emit; readonly jobs: ActDeps['jobs'] },
  input: {
    readonly guildId: GuildId
    readonly targetId: UserId
    readonly type: MuteType
    readonly seconds: number | null
  },
  { userId, reason = '' }: Muter,
): Promise<void> {
  const { guildId, targetId, type, seconds } = input
  const now = clock.now()
  const endsAt = seconds === null ? null : now + seconds * SECOND_MS
  await rows.mute(tx, { guildId, userId: targetId, type, endsAt, now })
  emit.guild(guildId, muteAdded, { user_id: targetId, guild_id: guildId, type, ends_at: endsAt ?? 0 })
  await audit(tx, userId, type === muteType.headset ? 'member_deafened' : 'member_muted', input, {
    after: { type, ends_at: endsAt ?? 0 },
    reason,
  })
  if (seconds === null) return
  const options = { startAfterMs: seconds * SECOND_MS }
  await jobs.send(tx, endMutesJob, { guild_id: guildId, user_id: targetId }, options)
}

/**
 * Ends a mute; none is no failure. Also of somebody who left. @throws Failure forbidden, member.no_right,
 * member.above
 */
export const unmute = (
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly targetId: UserId; readonly type: MuteType },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const inside = await requireGuildRight(tx, userId, input.guildId, rightToMute(input.type))
    const roles = await memberRoles(tx, input.guildId, input.targetId)
    if (roles) requireOutranks(inside, input.targetId, roles)
    if (!(await rows.unmute(tx, input.guildId, input.targetId, input.type))) return
    emitUnmute(emit, input)
    const type = input.type === muteType.headset ? 'member_undeafened' : 'member_unmuted'
    await audit(tx, userId, type, input, { before: { type: input.type } })
  })

/** Tells a guild that mutes of somebody are over. May be repeated. */
export const endMutes = (appContext: AppContext, guildId: GuildId, userId: UserId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const ended = await rows.takeEnded(tx, guildId, userId, clock.now())
    for (const type of ended) emitUnmute(emit, { guildId, targetId: userId, type })
  })

const emitUnmute = (
  emit: Emit,
  input: { readonly guildId: GuildId; readonly targetId: UserId; readonly type: number },
) =>
  emit.guild(input.guildId, muteDeleted, {
    user_id: input.targetId,
    guild_id: input.guildId,
    type: input.type,
  })

/** A page of the banned, the newest first. */
export async function listBans(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly page: number; readonly size: number },
) {
  const inside = await guildAccess(appContext.db, userId, input.guildId)
  if (!inside) throw fail('forbidden')
  if (!has(inside.permissions, permission.ban_member)) throw fail('member.no_right')
  const size = Math.min(input.size, LIST_SIZE_MAX)
  const { items, total } = await rows.bans(appContext.db, input.guildId, {
    limit: size,
    offset: (input.page - 1) * size,
  })
  const operators = await identitiesOf(
    appContext.db,
    items.flatMap(({ operator_id }) => operator_id ?? []),
  )
  const personOf = (id: UserId | null) => {
    const identity = id === null ? undefined : operators.get(id)
    return identity ? publicUser(identityOf(identity, appContext)) : null
  }
  return {
    items: items.map(({ created_at, remark, operator_id, ...identity }) => ({
      user_id: identity.id,
      created_time: created_at,
      remark,
      user: publicUser(identityOf(identity, appContext)),
      operator: personOf(operator_id),
    })),
    meta: { page: input.page, page_total: Math.ceil(total / size), page_size: size, total },
    sort: {},
  }
}

/** Everybody who is banned from a guild, the newest first; `by`: null: nobody knows who banned them. */
export async function everyBan(db: Db, guildId: GuildId) {
  const { items } = await rows.bans(db, guildId, { limit: null, offset: 0 })
  return items.map(({ id, username, remark, operator_id, created_at }) => ({
    user_id: id,
    username,
    remark,
    by: operator_id,
    created_time: created_at,
  }))
}

/**
 * Bans somebody, a member or not; their membership ends. Messages of the last `deletedDays` are deleted soon
 * after. Emits to the guild. A second ban changes the remark alone.
 * @throws Failure forbidden, user.unknown, member.no_right, member.above
 */
export async function ban(
  { appContext, jobs }: ActDeps,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly targetId: UserId
    readonly remark: string
    readonly deletedDays: number
  },
): Promise<void> {
  const { guildId, targetId, remark, deletedDays } = input
  await commit(appContext, async (tx, emit) => {
    const inside = await requireGuildRight(tx, userId, guildId, permission.ban_member)
    const target = await findUser(tx, targetId)
    if (!target || target.deleted_at !== null) throw fail('user.unknown')
    const roles = await memberRoles(tx, guildId, targetId)
    if (roles) requireOutranks(inside, targetId, roles)
    const now = clock.now()
    await rows.ban(tx, { guildId, userId: targetId, operatorId: userId, remark, now })
    await leave(tx, emit, guildId, targetId, userId)
    emit.guild(guildId, banAdded, { operator_id: userId, remark, user_id: [targetId] })
    await audit(tx, userId, 'member_banned', input, {
      reason: remark,
      ...(deletedDays > 0 && { after: { del_msg_days: deletedDays } }),
    })
    if (deletedDays === 0) return
    const since = now - deletedDays * DAY_MS
    await jobs.send(tx, deleteBannedJob, { guild_id: guildId, user_id: targetId, since })
  })
  if (deletedDays > 0) jobs.wake(deleteBannedJob)
}

/** Ends a ban; none is no failure. Emits to the guild. @throws Failure forbidden, member.no_right */
export const unban = (
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly targetId: UserId },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    await requireGuildRight(tx, userId, input.guildId, permission.ban_member)
    if (!(await rows.unban(tx, input.guildId, input.targetId))) return
    emit.guild(input.guildId, banDeleted, { operator_id: userId, remark: '', user_id: [input.targetId] })
    await audit(tx, userId, 'member_unbanned', input)
  })

/** Deletes the mutes of a deleted account. */
export const forgetMutes = rows.forgetMutes
