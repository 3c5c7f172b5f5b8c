/**
 * Silent members of a guild are removed together: who they are is what the list of members finds by days of
 * silence. They go in pieces, in the background. Decision 120.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import type { Member } from '@guildhall/wire/member/member.ts'
import { PRUNE_SHOWN, type PruneState } from '@guildhall/wire/member/prune.ts'
import { outranks } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { z } from '@guildhall/wire/schema.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { writeAudit } from '../../audit/audit.ts'
import { findGuild, guildTarget } from '../../guild/guild.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { type Jobs, jobKind } from '../../kit/jobs.ts'
import { type GuildAccess, guildAccess, requireGuildRight } from '../../role/role.ts'
import { chosen, listingOf, type MemberLists, shown, silentFor } from '../lists.ts'
import { leave } from '../membership.ts'
import type { Roster, RosterMember } from '../roster.ts'
import { membersAmong } from '../sql.ts'
import * as rows from './sql.ts'

/** `started_at`: which of the guild's removals it is. */
export const pruneJob = jobKind({
  name: 'prune-members',
  data: z.object({ guild_id: z.string(), started_at: z.number() }),
  pollSeconds: 10,
  expiresAfterSeconds: 3_600,
})

export interface PruneDeps extends MemberLists {
  readonly jobs: Pick<Jobs, 'send' | 'wake'>
  /** Whose boosts of a guild last. */
  readonly boostersOf: (db: Db, guildId: GuildId) => Promise<ReadonlySet<UserId>>
}

interface Asked {
  readonly guildId: GuildId
  readonly silentDays: number
  readonly roleIds: readonly RoleId[]
}

/** Members that are removed in one transaction. */
const PIECE = 100
/** One that did not go on for this long holds up no other, ms. */
const STALE_MS = HOUR_MS

type Fits = (
  member: Pick<RosterMember, 'id' | 'bot' | 'joined_at' | 'seen_at'>,
  roles: readonly RoleId[],
) => boolean

/** Whether a member goes: silent, below who asks, with no other roles, without boosts that last. */
async function fitsOf(deps: PruneDeps, db: Db, inside: GuildAccess, asked: Asked): Promise<Fits> {
  const boosters = await deps.boostersOf(db, asked.guildId)
  const isSilent = silentFor(deps.appContext, asked.silentDays)
  const known = new Map<readonly RoleId[], boolean>()
  const mayGo = (roles: readonly RoleId[]) =>
    outranks(inside.viewer, { is_master: false, roles }, inside.roles) &&
    inside.roles.every(({ role_id }) => !roles.includes(role_id) || asked.roleIds.includes(role_id))
  return (member, roles) => {
    if (!isSilent(member) || member.id === inside.summary.user_id || boosters.has(member.id)) return false
    // Members of the roster share what they have in common.
    const answer = known.get(roles) ?? mayGo(roles)
    known.set(roles, answer)
    return answer
  }
}

/** Who would go now, by name. @throws Failure forbidden */
async function silentIn(
  deps: PruneDeps,
  inside: GuildAccess,
  asked: Asked,
): Promise<{ readonly roster: Roster; readonly found: readonly RosterMember[] }> {
  const { roster } = await listingOf(deps, asked.guildId, null)
  const fits = await fitsOf(deps, deps.appContext.db, inside, asked)
  return { roster, found: await chosen(roster.sorted, (each) => fits(each, each.roleIds)) }
}

const requireMayRemove = (deps: PruneDeps, userId: UserId, guildId: GuildId): Promise<GuildAccess> =>
  requireGuildRight(deps.appContext.db, userId, guildId, permission.remove_member)

/** How many would be removed, and the first of them. @throws Failure forbidden, member.no_right */
export async function previewPrune(
  deps: PruneDeps,
  userId: UserId,
  asked: Asked,
): Promise<{ count: number; items: Member[] }> {
  const inside = await requireMayRemove(deps, userId, asked.guildId)
  const { roster, found } = await silentIn(deps, inside, asked)
  return {
    count: found.length,
    items: await shown(deps.appContext, roster, found.slice(0, PRUNE_SHOWN)),
  }
}

/** Begins to remove them. @throws Failure forbidden, member.no_right, prune.running */
export async function startPrune(deps: PruneDeps, userId: UserId, asked: Asked): Promise<PruneState> {
  const { appContext, jobs } = deps
  const inside = await requireMayRemove(deps, userId, asked.guildId)
  const { found } = await silentIn(deps, inside, asked)
  const total = found.length
  if (total === 0) return { is_running: false, total, removed: 0 }
  const { guildId, silentDays, roleIds } = asked
  const started_at = clock.now()
  await commit(appContext, async (tx) => {
    const prune = { user_id: userId, silent_days: silentDays, role_ids: roleIds, started_at, total }
    if (!(await rows.start(tx, guildId, prune, started_at - STALE_MS))) throw fail('prune.running')
    await jobs.send(tx, pruneJob, { guild_id: guildId, started_at })
  })
  jobs.wake(pruneJob)
  return { is_running: true, total, removed: 0 }
}

/** How far the last one is. @throws Failure forbidden, member.no_right */
export async function viewPrune(deps: PruneDeps, userId: UserId, guildId: GuildId): Promise<PruneState> {
  await requireMayRemove(deps, userId, guildId)
  const prune = await rows.last(deps.appContext.db, guildId)
  if (!prune) return { is_running: false, total: 0, removed: 0 }
  const { total, removed, ended_at, touched_at } = prune
  return { is_running: ended_at === null && touched_at > clock.now() - STALE_MS, total, removed }
}

/**
 * Removes the members of one that was begun, piece by piece, and writes down how many. May be repeated: it
 * goes on where it was. Who asked for it must have the right until the end.
 */
export async function runPrune(
  deps: PruneDeps,
  { guild_id, started_at }: { readonly guild_id: string; readonly started_at: number },
  signal: AbortSignal,
): Promise<void> {
  const guildId = guild_id as GuildId
  const prune = await rows.last(deps.appContext.db, guildId)
  if (!prune || prune.started_at !== started_at || prune.ended_at !== null) return
  const asked = { guildId, silentDays: prune.silent_days, roleIds: prune.role_ids }
  const inside = await stillMay(deps.appContext, prune.user_id, guildId)
  const ids = inside ? (await silentIn(deps, inside, asked)).found.map(({ id }) => id) : []
  for (let at = 0; at < ids.length; at += PIECE) {
    signal.throwIfAborted()
    if (!(await removePiece(deps, prune, asked, ids.slice(at, at + PIECE)))) break
    await new Promise(setImmediate)
  }
  await endPrune(deps.appContext, prune, asked)
}

/** Null: who asked has the right no more, or the guild is gone. */
async function stillMay(
  { db }: Pick<AppContext, 'db'>,
  userId: UserId,
  guildId: GuildId,
): Promise<GuildAccess | null> {
  const inside = await guildAccess(db, userId, guildId)
  return inside && has(inside.permissions, permission.remove_member) ? inside : null
}

/** Removes those who still fit. False: this one is over. */
async function removePiece(
  deps: PruneDeps,
  { user_id, started_at }: rows.PruneRow,
  asked: Asked,
  ids: readonly UserId[],
): Promise<boolean> {
  return commit(deps.appContext, async (tx, emit) => {
    const now = await rows.last(tx, asked.guildId, true)
    const inside = await stillMay({ db: tx }, user_id, asked.guildId)
    if (!inside || now?.started_at !== started_at || now.ended_at !== null) return false
    const fits = await fitsOf(deps, tx, inside, asked)
    let removed = 0
    for (const member of await membersAmong(tx, asked.guildId, ids))
      if (fits(member, member.roles) && (await leave(tx, emit, asked.guildId, member.id, user_id)))
        removed += 1
    await rows.count(tx, asked.guildId, removed, clock.now())
    return true
  })
}

const endPrune = (
  appContext: AppContext,
  { user_id, started_at }: rows.PruneRow,
  { guildId, silentDays }: Asked,
): Promise<void> =>
  commit(appContext, async (tx) => {
    const now = await rows.last(tx, guildId, true)
    if (now?.started_at !== started_at || now.ended_at !== null) return
    await rows.end(tx, guildId, clock.now())
    const guild = await findGuild(tx, guildId)
    if (!guild || now.removed === 0) return
    await writeAudit(tx, {
      guildId,
      by: user_id,
      type: 'members_pruned',
      target: guildTarget(guild),
      after: { count: now.removed, silent_days: silentDays },
    })
  })
