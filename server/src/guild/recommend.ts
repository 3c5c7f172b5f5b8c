/** Guilds that staff recommend. What they change is in `profile`. */
import { auditStatus, type RecommendInfo, updateDayGap } from '@guildhall/wire/guild/recommend.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import * as rows from './sql.ts'

/** How the last change of a recommended guild stands. */
export type Audit = rows.RecommendRow

/** Null: staff do not recommend the guild. */
export const recommendInfoOf = (
  guild: Pick<rows.GuildRow, 'banner' | 'topic'>,
  audit: Audit | null,
): RecommendInfo | null =>
  audit && {
    banner: guild.banner,
    desc: guild.topic,
    audit_status: audit.audit_status,
    update_day_gap:
      audit.audit_status === auditStatus.passed ? updateDayGap(audit.passed_at, clock.now()) : 0,
    audit_reason: audit.reason,
  }

/** Null: staff do not recommend the guild. */
export const recommendOf = (db: Db, guildId: GuildId): Promise<Audit | null> => rows.recommendOf(db, guildId)

/** Recommends a guild, or no longer. False, without an effect, when it was so before. Emits nothing. */
export const setRecommended = (tx: Tx, guildId: GuildId, isRecommended: boolean): Promise<boolean> =>
  isRecommended ? rows.addRecommend(tx, guildId, clock.now()) : rows.deleteRecommend(tx, guildId)

/**
 * Notes how the last change of a recommended guild stands. `passed_at`, ms, when it passed. Emits nothing.
 */
export const setAudit = (
  tx: Tx,
  guildId: GuildId,
  input: { readonly audit_status: number; readonly reason: string; readonly passed_at?: number },
): Promise<void> => rows.setAudit(tx, guildId, input)
