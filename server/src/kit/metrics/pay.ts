/** Metrics of orders and payments. */
import { type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type CountsByName, countsGauge, known } from './meters.ts'

/** Metrics of orders and payments. */
export interface PayMetrics {
  /** A message to a notify address was not taken. `why` is one of few. */
  refused(way: string, why: string): void
  /** A payment was taken. */
  settled(way: string): void
  /** The nightly check of the ledger found so many faults. */
  faults(count: number): void
  /**
   * `state` returns the orders by their state, and since when the oldest that is due to somebody waits, ms.
   * Called at each scrape.
   */
  watch(
    state: () => Promise<{
      readonly orders: Readonly<Record<string, number>>
      readonly unsettledSince: Millis | null
      /** Differences between the ledger and the providers' bills. */
      readonly differences: number
    }>,
  ): void
  /** `count` returns the orders that a person must look at, by why; called at each scrape. */
  watchNeedingAttention(count: () => Promise<CountsByName>): void
  /**
   * `count` returns the renewals of the last day by how they ended, also those of none; called at each
   * scrape.
   */
  watchRenewals(count: () => Promise<CountsByName>): void
}

export function payMeters(registry: Registry): PayMetrics {
  const registers = [registry]
  const refused = new Counter({
    name: 'guildhall_pay_notifications_refused_total',
    help: 'Messages to notify addresses that were not taken, by why',
    labelNames: ['way', 'why'],
    registers,
  })
  const settled = new Counter({
    name: 'guildhall_pay_settled_total',
    help: 'Payments that were taken',
    labelNames: ['way'],
    registers,
  })
  const help = 'Faults that the last check of the ledger found on this node'
  const faults = new Gauge({ name: 'guildhall_ledger_faults', help, registers })
  return {
    refused: (way, why) => refused.inc({ way, why }),
    settled: (way) => settled.inc({ way }),
    faults: (count) => faults.set(count),
    watchNeedingAttention(count) {
      const help = 'Orders that a person must look at, by why; refund: money that does not go back'
      countsGauge({ name: 'guildhall_orders_in_trouble', help, label: 'why', registers }, count)
    },
    watchRenewals(count) {
      const help = 'Renewals of the last day by how they ended; notice and charge: that failed'
      countsGauge({ name: 'guildhall_renewals_day', help, label: 'outcome', registers }, count)
    },
    watch(state) {
      new Gauge({
        name: 'guildhall_orders',
        help: 'Orders by their state',
        labelNames: ['state'],
        registers,
        async collect() {
          const found = await known(state)
          for (const [name, count] of Object.entries(found?.orders ?? {})) this.set({ state: name }, count)
        },
      })
      new Gauge({
        name: 'guildhall_pay_differences',
        help: 'Differences between the ledger and the bills of the providers',
        registers,
        async collect() {
          const found = await known(state)
          if (found) this.set(found.differences)
        },
      })
      new Gauge({
        name: 'guildhall_pay_unsettled_seconds',
        help: 'How long the oldest paid order that is not granted, or refund that is not made, waits',
        registers,
        async collect() {
          const found = await known(state)
          if (!found) return
          this.set(found.unsettledSince === null ? 0 : (Date.now() - found.unsettledSince) / SECOND_MS)
        },
      })
    },
  }
}
