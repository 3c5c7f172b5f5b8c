/**
 * How a guild looks to others, as those who manage it change it. A recommended guild is not changed at once:
 * each change waits for staff beside the guild. commerce.md §4 "Recommended-guild audit", "Profile form".
 * Decision 75.
 */
import { fail } from '@guildhall/wire/failure.ts'
import { auditStatus, type RecommendInfo } from '@guildhall/wire/guild/recommend.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { GuildProfile } from '@guildhall/wire/profile/profile.ts'
import { differing, writeAudit } from '../audit/audit.ts'
import { emitGuild, guildTarget, lockGuild, requirePrivilege, setAudit, setProfile } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { guildAccess, requireGuildRight } from '../role/role.ts'
import { changedProfile, type PictureOf, type ProfileChange, releasePictures } from './changedProfile.ts'
import * as rows from './sql.ts'

export { releasePictures } from './changedProfile.ts'
export type { PublicGuilds } from './discovery.ts'
export { SITE_MAP_PATH } from './siteMap.ts'
export type { CaseRow } from './sql.ts'
export {
  caseById,
  decideCase,
  decidedCases,
  guildProfileOf,
  profileOfCase,
  revisionsOf,
  waitingCases,
  withdrawCase,
} from './sql.ts'

const profileOf = (input: { name: string; icon: string; topic: string; banner: string }): GuildProfile => ({
  name: input.name,
  icon: input.icon,
  desc: input.topic,
  banner: input.banner,
})

/**
 * Changes how a guild looks, at once. Emits to the guild.
 * @throws Failure forbidden, member.no_right, profile.needs_review, guild.level (a banner, a picture that
 *   moves), content.refused, and those of `changedProfile`
 */
export async function changeProfile(
  appContext: AppContext,
  userId: UserId,
  guildId: GuildId,
  wanted: ProfileChange,
): Promise<GuildProfile> {
  await requireAllowedProfile(appContext, userId, wanted)
  return commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    if (summary.recommend_info) throw fail('profile.needs_review')
    const now = profileOf(summary)
    const { level } = summary
    if (wanted.banner && wanted.banner !== now.banner) requirePrivilege('guild_banner', level)
    const change = await changedProfile(tx, now, wanted, pictureOf(appContext, userId, level))
    const next = { ...now, ...change }
    await setProfile(tx, emit, guildId, change)
    await releasePictures(tx, now, next)
    const fields = differing(now, change)
    const target = guildTarget(summary)
    if (fields) await writeAudit(tx, { guildId, by: userId, type: 'guild_updated', target, ...fields })
    return next
  })
}

const pictureOf = ({ publicUrl, screening }: AppContext, userId: UserId, level: number): PictureOf => ({
  userId,
  level,
  publicUrl,
  ...(screening && { screening }),
})

/** @throws Failure content.refused */
const requireAllowedProfile = (
  appContext: AppContext,
  userId: UserId,
  { name = '', desc = '' }: ProfileChange,
): Promise<void> => requireAllowed(appContext, { target: 'guild', userId, texts: [name, desc] })

/**
 * Takes the banner of a guild away. Emits to the guild.
 * @throws Failure forbidden, member.no_right, profile.needs_review
 */
export const deleteBanner = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    if (summary.recommend_info) throw fail('profile.needs_review')
    if (summary.banner === '') return
    await setProfile(tx, emit, guildId, { banner: '' })
    await releasePictures(tx, { banner: summary.banner }, { icon: summary.icon })
    await writeAudit(tx, {
      guildId,
      by: userId,
      type: 'guild_updated',
      target: guildTarget(summary),
      before: { banner: summary.banner },
      after: { banner: '' },
    })
  })

/** @throws Failure forbidden, profile.not_recommended */
export async function viewRecommended(db: Db, userId: UserId, guildId: GuildId): Promise<RecommendInfo> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  if (!inside.summary.recommend_info) throw fail('profile.not_recommended')
  return inside.summary.recommend_info
}

/**
 * How a recommended guild looks with its last change, unless that has passed and is how the guild looks.
 * @throws Failure forbidden, member.no_right, profile.not_recommended
 */
export async function viewUpdate(db: Db, userId: UserId, guildId: GuildId): Promise<GuildProfile> {
  const { summary } = await requireGuildRight(db, userId, guildId, permission.manage_guild)
  const info = summary.recommend_info
  if (!info) throw fail('profile.not_recommended')
  const last = info.audit_status === auditStatus.passed ? null : await rows.lastCase(db, guildId)
  return last ? rows.profileOfCase(last) : profileOf(summary)
}

/**
 * Hands a change of a recommended guild in: it waits for staff beside the guild. Emits to the guild how the
 * change stands.
 * @throws Failure forbidden, member.no_right, profile.not_recommended, profile.waits, profile.locked
 *   (detail.days), profile.unchanged, content.refused, and those of `changedProfile`
 */
export async function handIn(
  appContext: AppContext,
  userId: UserId,
  guildId: GuildId,
  wanted: ProfileChange,
): Promise<void> {
  await requireAllowedProfile(appContext, userId, wanted)
  await commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const info = summary.recommend_info
    if (!info) throw fail('profile.not_recommended')
    if (info.audit_status === auditStatus.waits) throw fail('profile.waits')
    if (info.update_day_gap > 0) throw fail('profile.locked', { days: info.update_day_gap })
    const shown = profileOf(summary)
    const last = info.audit_status === auditStatus.rejected ? await rows.lastCase(tx, guildId) : null
    const before = last ? rows.profileOfCase(last) : shown
    const by = pictureOf(appContext, userId, summary.level)
    // A recommended guild keeps its banner: it is what discovery shows.
    const { banner, ...rest } = wanted
    const change = await changedProfile(tx, before, banner === '' ? rest : wanted, by)
    const next = { ...before, ...change }
    if (rows.isSameProfile(next, shown)) throw fail('profile.unchanged')
    await rows.addCase(tx, { guildId, userId, profile: next, now: clock.now() })
    await releasePictures(tx, before, next, shown)
    await setAudit(tx, guildId, { audit_status: auditStatus.waits, reason: '' })
    await emitGuild(tx, emit, guildId)
    const fields = differing(shown, next) ?? {}
    const target = guildTarget(summary)
    await writeAudit(tx, { guildId, by: userId, type: 'guild_update_sent', target, ...fields })
  })
}
