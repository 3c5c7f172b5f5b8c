/**
 * Boosts: packs that people have, their use on guilds, and the level that follows. A guild's count and level
 * change when packs are used, end or are taken back, and at the midnight of Beijing on which a grace ends.
 * commerce.md §4, §9.
 */
import { dateOf, dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { boostPacksUpdated } from '@guildhall/wire/boost/boost.ts'
import {
  type DayCount,
  GRACE_DAYS,
  type KeptLevel,
  keptLevel,
  levelOf,
  levelWithGrace,
} from '@guildhall/wire/boost/trend.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { int, type Out, z } from '@guildhall/wire/schema.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { writeAudit } from '../audit/audit.ts'
import { findGuild, guildTarget, lockGuild, setBoosts } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { isMember } from '../member/member.ts'
import type { ProductKind } from '../order/order.ts'
import * as rows from './sql.ts'

/** Whose boosts of a guild last. */
export const everyBooster = (db: Db, guildId: GuildId): Promise<ReadonlySet<UserId>> =>
  rows.boosters(db, guildId, clock.now())

export { history, unused as unusedBoosts, usedBy, usersOf as boostersOf } from './sql.ts'

const PACKS_MAX = 1_000
const details = z.object({ packs: int(1, PACKS_MAX) })

/** Packs go to who receives them; an order that names a guild uses them there at once. */
export const boostKind: ProductKind = {
  name: 'boost',
  details,
  forGuild: 'maybe',
  isGift: true,
  isCounted: true,
  async grants(tx, emit, line) {
    const count = (details.parse(line.details) as Out<typeof details>).packs * line.count
    if (!(await givePacks(tx, emit, line.userId, { count, orderId: line.orderId }))) return
    if (line.guildId !== null) await usePacks(tx, emit, line.userId, { guildId: line.guildId, count })
  },
  async revokes(tx, emit, line) {
    await rows.lockPacks(tx, line.userId)
    const guilds = await rows.revokePacks(tx, line.orderId, clock.now())
    for (const guildId of [...guilds].sort()) await recount(tx, emit, guildId)
    await notifyPacks(tx, emit, line.userId)
  },
  owners: async () => new Set(),
  hasBetter: null,
  endsAt: null,
  granted: rows.granted,
  standing: rows.standing,
}

/** Gives packs. False when the order gave its packs before. */
export async function givePacks(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  input: { readonly count: number; readonly orderId: string | null },
): Promise<boolean> {
  await rows.lockPacks(tx, userId)
  const isNew = (await rows.addPacks(tx, { ...input, userId, now: clock.now() })) !== null
  if (isNew) await notifyPacks(tx, emit, userId)
  return isNew
}

const notifyPacks = async (tx: Tx, emit: Emit, userId: UserId): Promise<void> =>
  emit.person(userId, boostPacksUpdated, { unused_boost_num: await rows.unused(tx, userId) })

export interface Boosted {
  readonly boost_num: number
  readonly level: number
}

/**
 * Uses packs of somebody on a guild of theirs, for thirty days from now, the oldest packs first.
 * @throws Failure guild.unknown, boost.too_few
 */
export const boost = (
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly count: number },
): Promise<Boosted & { readonly unused_boost_num: number }> =>
  commit(appContext, async (tx, emit) => {
    if (!(await isMember(tx, input.guildId, userId))) throw fail('guild.unknown')
    await rows.lockPacks(tx, userId)
    const boosted = await usePacks(tx, emit, userId, input)
    await auditBoost(tx, userId, input, boosted)
    return { ...boosted, unused_boost_num: await rows.unused(tx, userId) }
  })

async function auditBoost(
  tx: Tx,
  userId: UserId,
  { guildId, count }: { readonly guildId: GuildId; readonly count: number },
  { boost_num, level }: Boosted,
): Promise<void> {
  const guild = await findGuild(tx, guildId)
  if (!guild) return
  const after = { count, boost_num, level }
  await writeAudit(tx, { guildId, by: userId, type: 'guild_boosted', target: guildTarget(guild), after })
}

/**
 * Gives packs of the operator and uses them on a guild, at a time that may be in the past. For the demo
 * world.
 */
export async function boostByOperator(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly count: number; readonly at: Millis },
): Promise<void> {
  await givePacks(tx, emit, userId, { count: input.count, orderId: null })
  await usePacks(tx, emit, userId, input)
}

async function usePacks(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  { guildId, count, at }: { readonly guildId: GuildId; readonly count: number; readonly at?: Millis },
): Promise<Boosted> {
  const packs = await rows.unusedPacks(tx, userId)
  const has = packs.reduce((sum, { left }) => sum + left, 0)
  if (has < count) throw fail('boost.too_few', { n: has })
  // Before the time is taken, so that uses of one guild are in the order of their times.
  await lockGuild(tx, guildId)
  const now = at ?? clock.now()
  let missing = count
  for (const { id, left } of packs) {
    if (missing === 0) break
    const used = Math.min(left, missing)
    await rows.addUse(tx, { guildId, userId, packId: id, count: used, now })
    missing -= used
  }
  await notifyPacks(tx, emit, userId)
  return recount(tx, emit, guildId)
}

/** Counts the packs of a guild anew, tells what changed, and remembers when it changes next by itself. */
async function recount(tx: Tx, emit: Emit, guildId: GuildId): Promise<Boosted> {
  await lockGuild(tx, guildId)
  const now = clock.now()
  const counts = await rows.countsAt(tx, guildId, [...endsOfDaysBefore(now), now])
  const boost_num = counts.at(-1) ?? 0
  const level = levelWithGrace(counts.slice(0, -1), boost_num)
  await setBoosts(tx, emit, guildId, { boost_num, level })
  const ends = await rows.nextEnd(tx, guildId, now)
  const midnight = level > levelOf(boost_num) ? dayStart(dayNumber(now) + 1) : null
  const turns = [ends, midnight].filter((at) => at !== null)
  await rows.setTurn(tx, guildId, turns.length > 0 ? Math.min(...turns) : null)
  return { boost_num, level }
}

/** The last moments of the days that the grace looks back on, the oldest first. */
const endsOfDaysBefore = (now: Millis): Millis[] =>
  Array.from({ length: GRACE_DAYS }, (_, n) => dayStart(dayNumber(now) - GRACE_DAYS + n + 1) - 1)

const AT_ONCE = 50

/**
 * Does what is due by now: packs that ended, graces that are over. Each guild by itself, so that one does not
 * hold the others up.
 */
export async function turnBoosts(appContext: AppContext, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await rows.dueTurns(appContext.db, clock.now(), AT_ONCE)
    for (const guildId of due) await commit(appContext, (tx, emit) => recount(tx, emit, guildId))
    if (due.length < AT_ONCE) return
  }
}

/**
 * The packs of each day of a guild: those before today at their ends, today's now, and later ones at their
 * ends, until the last pack ends. It begins as many days before today as a grace lasts, so that today's is
 * known. The level is that which the guild has.
 */
export async function countTrend(
  db: Db,
  guildId: GuildId,
): Promise<{ readonly items: readonly (DayCount & KeptLevel)[]; readonly today: string }> {
  const now = clock.now()
  const today = dayNumber(now)
  const first = today - GRACE_DAYS - 1
  const uses = await rows.usesAfter(db, guildId, dayStart(first + 1) - 1)
  const last = Math.max(today, ...uses.map(({ end_at }) => dayNumber(end_at)))
  const countAt = (at: Millis) =>
    uses
      .filter(({ start_at, end_at }) => start_at <= at && at < end_at)
      .reduce((sum, { count }) => sum + count, 0)
  const ends = Array.from({ length: last - first + 1 }, (_, n): DayCount => {
    const day = first + n
    return { date: dateOf(day), count: countAt(dayStart(day + 1) - 1) }
  })
  const items = ends.map((end, n) => {
    const count = first + n === today ? countAt(now) : end.count
    return { date: end.date, count, ...keptLevel(ends.slice(0, n), count) }
  })
  return { items, today: dateOf(today) }
}
