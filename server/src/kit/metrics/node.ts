/** Metrics of a node: its process, what it needs, its disk, its jobs. */
import { performance } from 'node:perf_hooks'
import { DAY_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { known, type Meters, together } from './meters.ts'

/** Metrics of what the node needs. */
export interface ReadyMetrics {
  /**
   * `state` returns whether each part works, and how far the node's clock is before the database's, ms; null
   * when unknown. Called at each scrape.
   */
  watch(
    state: () => Promise<{
      readonly parts: Readonly<Record<string, boolean>>
      readonly clockOffsetMs: number | null
    }>,
  ): void
}

/** Metrics of what every node does every minute: it drives payments, refunds, renewals and ends of rights. */
export interface EveryMinuteMetrics {
  /** `age` returns for how long the part that is latest was not done, ms; called at each scrape. */
  watch(age: () => number): void
}

/** Metrics of the disk of the uploads. */
export interface DiskMetrics {
  /** `space` returns its free and total bytes; called at each scrape. */
  watch(space: () => Promise<{ readonly free: number; readonly total: number }>): void
}

/** Metrics of the job queue. */
export interface JobMetrics {
  /**
   * `states` returns each queue's jobs that wait, run and have failed, and since when the oldest waits that
   * could run, ms; called at each scrape.
   */
  watch(
    states: () => Promise<
      readonly {
        readonly name: string
        readonly queued: number
        readonly active: number
        readonly failed: number
        readonly oldest: Millis | null
      }[]
    >,
  ): void
}

/**
 * The library measures the event loop's lag by waking it every ten milliseconds, which costs an idle server
 * more than everything else. These metrics are removed; the lag at a scrape stays.
 */
const LAG_PARTS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']

/** The library's metrics of the process, and how busy the event loop is. */
export function watchProcess(registry: Registry, meters: Meters): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DAY_MS })
  for (const part of LAG_PARTS) registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`)
  let last = performance.eventLoopUtilization()
  const help = 'Part of the time since the last scrape in which the event loop was at work'
  meters.gauge('guildhall_loop_busy_ratio', help, () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  })
}

export class ReadyMeters implements ReadyMetrics {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  watch(state: Parameters<ReadyMetrics['watch']>[0]): void {
    const registers = [this.#registry]
    const read = together(state)
    new Gauge({
      name: 'guildhall_ready',
      help: '1 for each part that works, as /readyz says',
      labelNames: ['part'],
      registers,
      async collect() {
        for (const [part, works] of Object.entries((await read()).parts)) this.set({ part }, works ? 1 : 0)
      },
    })
    new Gauge({
      name: 'guildhall_clock_offset_seconds',
      help: 'The clock of this node minus that of the database',
      registers,
      async collect() {
        const { clockOffsetMs } = await read()
        if (clockOffsetMs !== null) this.set(clockOffsetMs / SECOND_MS)
      },
    })
  }
}

export class JobMeters implements JobMetrics {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  watch(states: Parameters<JobMetrics['watch']>[0]): void {
    const read = together(states)
    new Gauge({
      name: 'guildhall_jobs_oldest_seconds',
      help: 'How long the oldest job of a queue waits that could run; 0 when none waits',
      labelNames: ['queue'],
      registers: [this.#registry],
      async collect() {
        for (const { name, oldest } of (await known(read)) ?? [])
          this.set({ queue: name }, oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / SECOND_MS))
      },
    })
    new Gauge({
      name: 'guildhall_jobs',
      help: 'Jobs by queue that wait, run, or have failed for good',
      labelNames: ['queue', 'state'],
      registers: [this.#registry],
      async collect() {
        for (const { name, queued, active, failed } of (await known(read)) ?? [])
          for (const [state, count] of Object.entries({ queued, active, failed }))
            this.set({ queue: name, state }, count)
      },
    })
  }
}

export function everyMinuteMeters(meters: Meters): EveryMinuteMetrics {
  const help = 'For how long the latest part of what this node does every minute was not done'
  return {
    watch: (age) => meters.gauge('guildhall_every_minute_age_seconds', help, () => age() / SECOND_MS),
  }
}

export class DiskMeters implements DiskMetrics {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  watch(space: Parameters<DiskMetrics['watch']>[0]): void {
    for (const part of ['free', 'total'] as const)
      new Gauge({
        name: `guildhall_disk_${part}_bytes`,
        help: `The disk of the uploads: bytes ${part === 'free' ? 'that are free' : 'in all'}`,
        registers: [this.#registry],
        async collect() {
          const found = await space().catch(() => null)
          if (found) this.set(found[part])
        },
      })
  }
}
