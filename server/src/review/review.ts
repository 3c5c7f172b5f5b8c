/**
 * What waits for staff: changes of recommended guilds. Each is decided once. commerce.md §4
 * "Recommended-guild audit". Decision 75.
 */
import { fail } from '@guildhall/wire/failure.ts'
import { auditStatus } from '@guildhall/wire/guild/recommend.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { guildReviewed } from '@guildhall/wire/profile/profile.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { differing, writeAudit } from '../audit/audit.ts'
import { notifyFromOfficialAccount } from '../chat/chat.ts'
import { emitGuild, guildTarget, lockGuild, setAudit, setProfile, setRecommended } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import type { Actor } from '../kit/securityLog.ts'
import {
  type CaseRow,
  caseById,
  decideCase,
  guildProfileOf,
  profileOfCase,
  releasePictures,
  waitingCases,
  withdrawCase,
} from '../profile/profile.ts'
import { text } from './text.ts'

/** Cases of one kind that are listed at once. */
export const LISTED_MAX = 200

/** What waits, the oldest first, with how the guild looks and how it would look. */
export async function listCases(db: Db) {
  const cases = await waitingCases(db, LISTED_MAX)
  return Promise.all(
    cases.map(async (it) => {
      const guild = await guildProfileOf(db, it.guild_id)
      return {
        id: it.id,
        kind: 'guild',
        guild_id: it.guild_id,
        user_id: it.user_id,
        created_at: it.created_at,
        waits_hours: Math.floor((clock.now() - it.created_at) / HOUR_MS),
        before: guild && { name: guild.name, icon: guild.icon, desc: guild.desc, banner: guild.banner },
        after: profileOfCase(it),
      }
    }),
  )
}

/** A decision. `by`: who decides, an id or `operator`. */
export interface Decision {
  readonly isPassed: boolean
  /** Why not; people read it. */
  readonly reason: string
  readonly by: string
}

/**
 * Decides on a change: one that passed is how the guild looks from now on. Its owner and who wanted it are
 * told. `within` runs in the same transaction.
 * @throws Failure review.unknown, review.decided
 */
export const decide = (
  appContext: AppContext,
  id: string,
  input: Decision,
  within: (tx: Tx, decided: CaseRow) => Promise<void> = async () => undefined,
): Promise<CaseRow> =>
  commit(appContext, async (tx, emit) => {
    const found = await caseById(tx, id)
    if (!found) throw fail('review.unknown')
    await lockGuild(tx, found.guild_id)
    const now = clock.now()
    const status = input.isPassed ? auditStatus.passed : auditStatus.rejected
    const reason = input.isPassed ? '' : input.reason
    const guild = await guildProfileOf(tx, found.guild_id)
    if (!guild) throw fail('review.decided')
    const { user_id: ownerId, ...before } = guild
    // Of two who decide at once, the second finds that it waits no longer.
    const decided = await decideCase(tx, id, { status, reason, by: input.by, now, before })
    if (!decided) throw fail('review.decided')
    await setAudit(tx, decided.guild_id, {
      audit_status: status,
      reason,
      ...(input.isPassed && { passed_at: now }),
    })
    if (input.isPassed) {
      const profile = profileOfCase(decided)
      await setProfile(tx, emit, decided.guild_id, profile)
      await releasePictures(tx, guild, profile)
    } else await emitGuild(tx, emit, decided.guild_id)
    await auditDecision(tx, decided, before, input)
    for (const userId of new Set([ownerId, decided.user_id])) {
      const body = { guild_id: decided.guild_id, name: guild.name, audit_status: status, reason }
      emit.person(userId, guildReviewed, body)
      const t = text[defaultLocale]
      const content = input.isPassed ? t.passed(guild.name) : t.rejected(guild.name, reason)
      await notifyFromOfficialAccount(appContext, tx, emit, { to: userId, text: content })
    }
    await within(tx, decided)
    return decided
  })

/** A guild's log says what staff decided. */
function auditDecision(
  tx: Tx,
  decided: CaseRow,
  before: Pick<Awaited<ReturnType<typeof profileOfCase>>, 'name' | 'icon' | 'desc' | 'banner'>,
  { isPassed, reason, by }: Decision,
): Promise<void> {
  const { guild_id: guildId } = decided
  return writeAudit(tx, {
    guildId,
    by: { staff: by as Actor },
    type: isPassed ? 'guild_updated' : 'guild_update_refused',
    target: guildTarget({ id: guildId, name: before.name }),
    ...differing(before, profileOfCase(decided)),
    reason: isPassed ? '' : reason,
  })
}

/**
 * Recommends a guild, or no longer: a change that waits is given up then. False, without an effect, when it
 * was so before. Emits to the guild.
 */
export async function recommend(tx: Tx, emit: Emit, guildId: GuildId, isOn: boolean): Promise<boolean> {
  await lockGuild(tx, guildId)
  if (!(await setRecommended(tx, guildId, isOn))) return false
  if (!isOn) {
    const ended = await withdrawCase(tx, guildId)
    const guild = await guildProfileOf(tx, guildId)
    if (ended && guild) await releasePictures(tx, profileOfCase(ended), guild)
  }
  await emitGuild(tx, emit, guildId)
  return true
}
