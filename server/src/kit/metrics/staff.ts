/** Metrics of what staff decide and of what waits for them. */
import { type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import { known } from './meters.ts'

/** Metrics of word rules and of the review service. */
export interface ScreeningMetrics {
  /** Something that somebody wrote or uploaded was judged. */
  judged(target: string, verdict: string): void
  /** The review service gave no answer about a `text` or a `picture`. */
  unanswered(what: string): void
  /** `since` returns since when the oldest message waits for staff, ms; called at each scrape. */
  watch(since: () => Promise<Millis | null>): void
}

/** Metrics of acts of staff. */
export interface StaffMetrics {
  /** An account of staff tried to redeem a code. */
  redeemRefused(): void
  /**
   * `state` returns since when the oldest act waits for approval, ms, and how many were rejected within a
   * day; called at each scrape.
   */
  watch(state: () => Promise<{ readonly oldestAt: Millis | null; readonly rejected: number }>): void
}

export function screeningMeters(registry: Registry): ScreeningMetrics {
  const registers = [registry]
  const judged = new Counter({
    name: 'guildhall_screened_total',
    help: 'What people wrote and uploaded, by place, and what the word rules and the review service decided',
    labelNames: ['place', 'verdict'] as const,
    registers,
  })
  const unanswered = new Counter({
    name: 'guildhall_review_unanswered_total',
    help: 'Texts and pictures about which the review service gave no answer in time',
    labelNames: ['what'] as const,
    registers,
  })
  return {
    judged: (target, verdict) => judged.inc({ place: target, verdict }),
    unanswered: (what) => unanswered.inc({ what }),
    watch(since) {
      new Gauge({
        name: 'guildhall_held_oldest_seconds',
        help: 'How long the oldest message has waited for staff; 0 when none waits',
        registers,
        async collect() {
          const at = await known(async () => ({ since: await since() }))
          if (at) this.set(at.since === null ? 0 : Math.max(0, (Date.now() - at.since) / SECOND_MS))
        },
      })
    },
  }
}

export function staffMeters(registry: Registry): StaffMetrics {
  const registers = [registry]
  const redeems = new Counter({
    name: 'guildhall_staff_redeems_total',
    help: 'Codes that accounts of staff tried to redeem',
    registers,
  })
  return {
    redeemRefused: () => redeems.inc(),
    watch(state) {
      new Gauge({
        name: 'guildhall_approval_oldest_seconds',
        help: 'How long the oldest act of staff has waited for approval; 0 when none waits',
        registers,
        async collect() {
          const found = await known(state)
          if (found)
            this.set(found.oldestAt === null ? 0 : Math.max(0, (Date.now() - found.oldestAt) / SECOND_MS))
        },
      })
      new Gauge({
        name: 'guildhall_approvals_rejected',
        help: 'Acts of staff that somebody else rejected within a day',
        registers,
        async collect() {
          const found = await known(state)
          if (found) this.set(found.rejected)
        },
      })
    },
  }
}
