/** Prometheus metrics: the only file that knows the client. Labels name kinds, never users or addresses. */
import { performance } from 'node:perf_hooks'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of sending messages. */
export interface SendMetrics {
  /** A batch of this many messages is stored. */
  batch(size: number): void
  /** `waiting` returns how many messages wait for a batch; called at each scrape. */
  watchQueue(waiting: () => number): void
  /** A message was committed, seconds after it was ready to be stored. */
  committed(seconds: number): void
}

/** Metrics of the event bus. */
export interface BusMetrics {
  /** The event log was read. */
  logRead(): void
  /** An event number was missing and did not arrive in time. */
  hole(): void
}

/** Metrics of the gateway. */
export interface GatewayMetrics {
  /** `count` returns the open connections, the sessions, and the events stored for replay; called at each scrape. */
  watch(
    count: () => { readonly connections: number; readonly sessions: number; readonly storedEvents: number },
  ): void
  /** Event frames were written to sockets: how many, and their bytes. */
  framesOut(events: number, bytes: number): void
  /** A session was resumed, and this many events were replayed. */
  resumed(events: number): void
  /** A session of another node was taken over. */
  takenOver(): void
  /** A session could not be resumed; the client starts a new one. */
  restarted(): void
  /** A connection that did not read was terminated. */
  slowConsumer(): void
  /** An event reached the gateway this long after its commit, seconds. */
  lag(seconds: number): void
}

/** Metrics of the cluster. */
export interface NodeMetrics {
  /** `state` returns whether Redis is connected and how many other nodes there are; called at each scrape. */
  watch(state: () => { readonly isConnected: boolean; readonly others: number }): void
}

/** Metrics of the job queue. */
export interface JobMetrics {
  /** `states` returns each queue's jobs that wait, run and have failed; called at each scrape. */
  watch(
    states: () => Promise<
      readonly {
        readonly name: string
        readonly queued: number
        readonly active: number
        readonly failed: number
      }[]
    >,
  ): void
}

export interface Metrics {
  readonly jobs: JobMetrics
  readonly nodes: NodeMetrics
  readonly sends: SendMetrics
  readonly bus: BusMetrics
  readonly gateway: GatewayMetrics
  /** A request was answered. `route` is the pattern, or `none` when nothing matched. */
  answered(method: string, route: string, status: number, seconds: number): void
  /** All metrics in the Prometheus text format. */
  page(): Promise<string>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128]

/**
 * The library measures the event loop's lag by waking it every ten milliseconds, which costs an idle server more than
 * everything else. These metrics are removed; the lag at a scrape stays.
 */
const LAG_PARTS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']

/** The metrics of one server; two servers in one process (tests) do not share them. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DAY_MS })
  for (const part of LAG_PARTS) registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`)
  let lastLook = performance.eventLoopUtilization()
  new Gauge({
    name: 'guildhall_loop_busy_ratio',
    help: 'Part of the time since the last scrape in which the event loop was at work',
    registers,
    collect() {
      const look = performance.eventLoopUtilization()
      this.set(performance.eventLoopUtilization(look, lastLook).utilization)
      lastLook = look
    },
  })
  const counter = (name: string, help: string) => new Counter({ name, help, registers })

  const batches = new Histogram({
    name: 'guildhall_commit_batch_messages',
    help: 'Messages stored by one statement',
    buckets: BATCH_SIZES,
    registers,
  })
  const committed = new Histogram({
    name: 'guildhall_commit_seconds',
    help: 'From a message ready to be stored to its commit',
    buckets: SECONDS,
    registers,
  })
  const logReads = counter('guildhall_event_log_reads_total', 'Times the bus asked the event log')
  const holes = counter('guildhall_bus_holes_total', 'Event numbers that did not come by themselves')
  const events = counter('guildhall_line_events_out_total', 'Event frames handed to sockets')
  const bytes = counter('guildhall_line_bytes_out_total', 'Bytes of event frames handed to sockets')
  const resumes = counter('guildhall_line_resumes_total', 'Lines that took up their session again')
  const replays = counter('guildhall_line_replayed_events_total', 'Event frames sent once more')
  const rebuilds = counter('guildhall_line_rebuilt_total', 'Sessions of other nodes taken up here')
  const restarts = counter('guildhall_line_restarts_total', 'Lines that could not resume and start over')
  const slow = counter('guildhall_line_slow_consumers_total', 'Sockets let go because they did not read')
  const lag = new Histogram({
    name: 'guildhall_bus_lag_seconds',
    help: 'From the commit of an event to the line',
    buckets: SECONDS,
    registers,
  })
  const requests = new Histogram({
    name: 'guildhall_http_request_seconds',
    help: 'Requests by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  })

  /** Cached by label, because a lookup costs more than counting. Routes, methods and statuses are few. */
  const answers = new Map<string, ReturnType<typeof requests.labels>>()

  return {
    jobs: {
      watch(states) {
        new Gauge({
          name: 'guildhall_jobs',
          help: 'Jobs by queue that wait, run, or have failed for good',
          labelNames: ['queue', 'state'],
          registers,
          async collect() {
            for (const { name, ...counts } of await states())
              for (const [state, count] of Object.entries(counts)) this.set({ queue: name, state }, count)
          },
        })
      },
    },
    nodes: {
      watch(state) {
        new Gauge({
          name: 'guildhall_redis_up',
          help: '1 while Redis carries words between nodes',
          registers,
          collect() {
            this.set(state().isConnected ? 1 : 0)
          },
        })
        new Gauge({
          name: 'guildhall_other_nodes',
          help: 'Other nodes heard of in the last seconds',
          registers,
          collect() {
            this.set(state().others)
          },
        })
      },
    },
    sends: {
      batch: (size) => batches.observe(size),
      watchQueue(waiting) {
        new Gauge({
          name: 'guildhall_commit_queue_messages',
          help: 'Messages that wait for a batch',
          registers,
          collect() {
            this.set(waiting())
          },
        })
      },
      committed: (seconds) => committed.observe(seconds),
    },
    bus: { logRead: () => logReads.inc(), hole: () => holes.inc() },
    gateway: {
      watch(count) {
        new Gauge({
          name: 'guildhall_lines',
          help: 'Open sockets of the line',
          registers,
          collect() {
            this.set(count().connections)
          },
        })
        new Gauge({
          name: 'guildhall_line_sessions',
          help: 'Sessions of the line, those that wait to be taken up again included',
          registers,
          collect() {
            this.set(count().sessions)
          },
        })
        new Gauge({
          name: 'guildhall_line_held_events',
          help: 'Events kept because a session may have to hear them again',
          registers,
          collect() {
            this.set(count().storedEvents)
          },
        })
      },
      framesOut(count, size) {
        events.inc(count)
        bytes.inc(size)
      },
      resumed(count) {
        resumes.inc()
        replays.inc(count)
      },
      takenOver: () => rebuilds.inc(),
      restarted: () => restarts.inc(),
      slowConsumer: () => slow.inc(),
      lag: (seconds) => lag.observe(seconds),
    },
    answered(method, route, status, seconds) {
      const name = `${method} ${status} ${route}`
      const labelled = answers.get(name) ?? requests.labels(method, route, String(status))
      answers.set(name, labelled)
      labelled.observe(seconds)
    },
    page: () => registry.metrics(),
  }
}
