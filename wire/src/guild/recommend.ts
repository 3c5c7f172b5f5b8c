/**
 * Guilds that staff recommend, and how their last change stands. commerce.md §3, §4 "Recommended-guild
 * audit".
 */
import { type Out, z } from '../schema.ts'
import { DAY_MS, type Millis } from '../unit.ts'

/** How the last change of a recommended guild stands; one that was never changed has passed. */
export const auditStatus = { waits: 0, passed: 1, rejected: 2 } as const

/** Days for which a recommended guild stays as it is after a change passed. */
export const UPDATE_GAP_DAYS = 7

export const recommendInfo = z.object({
  banner: z.string(),
  desc: z.string(),
  /** One of `auditStatus`. */
  audit_status: z.number(),
  /** Days until it can be changed again; 0: it can be. */
  update_day_gap: z.number(),
  /** Why the last change was rejected; else empty. Ours. */
  audit_reason: z.string(),
})
export type RecommendInfo = Out<typeof recommendInfo>

/**
 * Days until a guild whose last change passed at `passedAt` can be changed again. Null: no change has passed
 * yet.
 */
export const updateDayGap = (passedAt: Millis | null, now: Millis): number =>
  passedAt === null ? 0 : Math.max(0, Math.ceil((passedAt - now) / DAY_MS + UPDATE_GAP_DAYS))
