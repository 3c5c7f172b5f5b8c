/** Raids: more people join at once than a rule allows, and joining is slowed or paused. Decision 118. */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { raidLimitOf } from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { writeAudit } from '../audit/audit.ts'
import { emitGuild, guildTarget } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import type { RateLimiter } from '../kit/limits/rateLimit.ts'
import type { Joining } from '../kit/moderation.ts'
import { notifyChannel } from '../message/message.ts'
import { requireGuildRight } from '../role/role.ts'
import { raidNotice } from './notice.ts'
import * as rows from './sql.ts'

/** How often one person is let in while joining is slow. */
const SLOW_JOINS = { name: 'slow joins by guild', most: 1, windowMs: 10 * SECOND_MS } as const

interface RaidDeps {
  readonly appContext: AppContext
  /** Where those who join are counted, for all nodes. */
  readonly windows: RateLimiter
}

/** @throws Failure moderation.raid (detail.minutes), moderation.raid_slow, captcha.needed */
export async function requireNoRaid(
  { appContext, windows }: RaidDeps,
  { guildId, userId, requireCaptcha }: Joining,
  isMember: () => Promise<boolean>,
): Promise<void> {
  const rules = await rows.raidRules(appContext.db, guildId)
  if (rules.length === 0 || (await isMember())) return
  const before = await rows.pauseOf(appContext.db, guildId)
  let isOver = before.paused_until > clock.now()
  for (const rule of rules) {
    const { count = 0, seconds = 0 } = rule.looks_for
    const windowMs = seconds * SECOND_MS
    // After a pause, which somebody may have lifted, it is counted anew; each person once.
    const key = `${rule.id} ${before.paused_until}`
    const own = await windows.count('tries to join by raid rule', `${key} ${userId}`, windowMs)
    if (own.spent > 1) continue
    const { spent } = await windows.count('joins by raid rule', key, windowMs)
    if (spent <= count) continue
    isOver = true
    await begin({ appContext, windows }, rule)
  }
  // Those who were counted before it was too many are let in, also when a pause has begun meanwhile.
  if (!isOver) return
  const { paused_until, pause_is_slow, pause_asks_captcha } = await rows.pauseOf(appContext.db, guildId)
  const left = paused_until - clock.now()
  if (left <= 0) return
  if (pause_asks_captcha) return requireCaptcha()
  if (!pause_is_slow) throw fail('moderation.raid', { minutes: Math.ceil(left / MINUTE_MS) })
  const { spent } = await windows.count(SLOW_JOINS.name, guildId, SLOW_JOINS.windowMs)
  if (spent > SLOW_JOINS.most) throw fail('moderation.raid_slow')
}

/** Once for a raid: joining is limited, it is written down, and the channel is told. */
async function begin({ appContext, windows }: RaidDeps, rule: rows.RuleRow): Promise<void> {
  const { guild_id: guildId, acts, name, id, looks_for } = rule
  const limit = raidLimitOf(acts)
  const now = clock.now()
  const pause = limit && {
    paused_until: now + limit.duration * SECOND_MS,
    pause_is_slow: limit.type === 'slow',
    pause_asks_captcha: limit.type === 'captcha',
  }
  // A rule that limits nobody has no time in which it is over: it is told once in its own.
  if (!pause && (await windows.count('raids told', id, (looks_for.seconds ?? 0) * SECOND_MS)).spent > 1)
    return
  const hasBegun = await commit(appContext, async (tx, emit) => {
    // Of those who join at once one begins it, and nobody while it lasts.
    if (pause && !(await rows.setPause(tx, guildId, { now, isPaused: false, to: pause }))) return false
    const target = { kind: 'rule', id, name } as const
    await writeAudit(tx, { guildId, by: rule.user_id, type: 'raid_began', target })
    await emitGuild(tx, emit, guildId)
    return true
  })
  if (!hasBegun) return
  await rows.countCaught(appContext.db, id, rows.today())
  const told = acts.find(({ type }) => type === 'notify')?.channel_id
  if (told) await notifyChannel(appContext, { guildId, channelId: told }, async () => raidNotice(rule))
}

/** People may join again. @throws Failure forbidden, member.no_right */
export const liftPause = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const now = clock.now()
    const to = { paused_until: now, pause_is_slow: false, pause_asks_captcha: false }
    if (!(await rows.setPause(tx, guildId, { now, isPaused: true, to }))) return
    await writeAudit(tx, { guildId, by: userId, type: 'raid_lifted', target: guildTarget(summary) })
    await emitGuild(tx, emit, guildId)
  })
