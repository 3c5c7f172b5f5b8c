/** Prometheus metrics: the only file that knows the client. Labels name kinds, never users or addresses. */
import { performance } from 'node:perf_hooks'
import { DAY_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
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
  /**
   * `count` returns the open connections, the sessions, and the events stored for replay; called at each
   * scrape.
   */
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

/** Metrics of sending codes. */
export interface SmsMetrics {
  /** The outcomes of a provider are counted from zero, so that the first failure is a rise. */
  expect(provider: string, outcomes: readonly string[]): void
  /** A request to a provider ended. */
  sent(provider: string, outcome: string): void
  /** `sent` returns the messages of today, called at each scrape; `most` is their bound, null without one. */
  watchDay(sent: () => Promise<number>, most: number | null): void
}

/** Metrics of captchas. */
export interface CaptchaMetrics {
  /** `asked`: a call was refused until one of this kind is solved; `solved` or `wrong`: one was answered. */
  counted(kind: string, outcome: 'asked' | 'solved' | 'wrong'): void
}

/** Metrics of errors of pages. */
export interface ClientErrorMetrics {
  /** A page reported an error. `name` is one of few. */
  counted(name: string): void
}

/** Metrics of registrations. */
export interface RegistrationMetrics {
  /** An account was made. `source`: 0 to 6, or `none`; `via`: by what its inviter is known, or `none`. */
  counted(source: string, via: string): void
}

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
  watchTroubles(count: () => Promise<CountsByName>): void
  /**
   * `count` returns the renewals of the last day by how they ended, also those of none; called at each
   * scrape.
   */
  watchRenewals(count: () => Promise<CountsByName>): void
}

type CountsByName = Readonly<Record<string, number>>

/** Metrics of what every node does every minute: it drives payments, refunds, renewals and ends of rights. */
export interface EveryMinuteMetrics {
  /** `age` returns for how long the part that is latest was not done, ms; called at each scrape. */
  watch(age: () => number): void
}

/** Metrics of word rules and of the review service. */
export interface ScreeningMetrics {
  /** Something that somebody wrote or uploaded was judged. */
  judged(place: string, verdict: string): void
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

export interface Metrics {
  readonly jobs: JobMetrics
  readonly sms: SmsMetrics
  readonly captchas: CaptchaMetrics
  readonly clientErrors: ClientErrorMetrics
  readonly registrations: RegistrationMetrics
  readonly pay: PayMetrics
  readonly screening: ScreeningMetrics
  readonly staff: StaffMetrics
  readonly disk: DiskMetrics
  readonly everyMinute: EveryMinuteMetrics
  readonly nodes: NodeMetrics
  readonly ready: ReadyMetrics
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
 * The library measures the event loop's lag by waking it every ten milliseconds, which costs an idle server
 * more than everything else. These metrics are removed; the lag at a scrape stays.
 */
const LAG_PARTS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']

/** Prometheus gives a scrape up after ten seconds, and then has none of the metrics. */
const KNOWN_WITHIN_MS = 2 * SECOND_MS

/**
 * What the database says, for a scrape; null while it is away, so that the last value stays and the others
 * are told.
 */
async function known<T>(ask: () => Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, KNOWN_WITHIN_MS, null).unref())
  return Promise.race([ask().catch(() => null), late])
}

/** All metrics of one scrape that ask for the same have the same answer. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

/** A gauge of counts by a label; what is not counted any more is gone. */
function countsGauge(
  input: {
    readonly name: string
    readonly help: string
    readonly label: string
    readonly registers: Registry[]
  },
  count: () => Promise<CountsByName>,
): void {
  const { name, help, label, registers } = input
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      const found = await known(count)
      if (!found) return
      this.reset()
      for (const [each, n] of Object.entries(found)) this.set({ [label]: each }, n)
    },
  })
}

/** The metrics of one server; two servers in one process (tests) do not share them. */
export const openMetrics = (): Metrics => new PrometheusMetrics()

class PrometheusMetrics implements Metrics {
  readonly jobs: JobMetrics
  readonly sms: SmsMetrics
  readonly captchas: CaptchaMetrics
  readonly clientErrors: ClientErrorMetrics
  readonly registrations: RegistrationMetrics
  readonly pay: PayMetrics
  readonly screening: ScreeningMetrics
  readonly staff: StaffMetrics
  readonly disk: DiskMetrics
  readonly everyMinute: EveryMinuteMetrics
  readonly sends: SendMetrics
  readonly bus: BusMetrics
  readonly gateway: GatewayMetrics
  readonly nodes: NodeMetrics
  readonly ready: ReadyMetrics
  readonly #registry = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  /** Cached by label, because a lookup costs more than counting. Routes, methods and statuses are few. */
  readonly #requestsByLabel = new Map<
    string,
    ReturnType<Histogram<'method' | 'route' | 'status'>['labels']>
  >()

  constructor() {
    const meters = new Meters(this.#registry)
    watchProcess(this.#registry, meters)
    this.sends = new SendMeters(meters)
    this.bus = new BusMeters(meters)
    this.gateway = new GatewayMeters(meters)
    this.nodes = new NodeMeters(meters)
    this.ready = new ReadyMeters(this.#registry)
    this.jobs = new JobMeters(this.#registry)
    this.sms = smsMeters(this.#registry)
    this.captchas = captchaMeters(this.#registry)
    this.clientErrors = clientErrorMeters(this.#registry)
    this.registrations = registrationMeters(this.#registry)
    this.pay = payMeters(this.#registry)
    this.screening = screeningMeters(this.#registry)
    this.staff = staffMeters(this.#registry)
    this.disk = new DiskMeters(this.#registry)
    this.everyMinute = everyMinuteMeters(meters)
    this.#requests = new Histogram({
      name: 'guildhall_http_request_seconds',
      help: 'Requests by route and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: SECONDS,
      registers: [this.#registry],
    })
  }

  answered(method: string, route: string, status: number, seconds: number): void {
    const label = `${method} ${status} ${route}`
    let labelled = this.#requestsByLabel.get(label)
    if (!labelled) {
      labelled = this.#requests.labels(method, route, String(status))
      this.#requestsByLabel.set(label, labelled)
    }
    labelled.observe(seconds)
  }

  page(): Promise<string> {
    return this.#registry.metrics()
  }
}

/** Makes the metrics of one registry. */
class Meters {
  readonly #registers: Registry[]

  constructor(registry: Registry) {
    this.#registers = [registry]
  }

  counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: this.#registers })
  }

  histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name, help, buckets, registers: this.#registers })
  }

  /** `read` is called at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(read())
      },
    })
  }
}

/** The library's metrics of the process, and how busy the event loop is. */
function watchProcess(registry: Registry, meters: Meters): void {
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

class SendMeters implements SendMetrics {
  readonly #meters: Meters
  readonly #batches: Histogram
  readonly #committed: Histogram

  constructor(meters: Meters) {
    this.#meters = meters
    this.#batches = meters.histogram(
      'guildhall_commit_batch_messages',
      'Messages stored by one statement',
      BATCH_SIZES,
    )
    this.#committed = meters.histogram(
      'guildhall_commit_seconds',
      'From a message ready to be stored to its commit',
      SECONDS,
    )
  }

  batch(size: number): void {
    this.#batches.observe(size)
  }

  watchQueue(waiting: () => number): void {
    this.#meters.gauge('guildhall_commit_queue_messages', 'Messages that wait for a batch', waiting)
  }

  committed(seconds: number): void {
    this.#committed.observe(seconds)
  }
}

class BusMeters implements BusMetrics {
  readonly #logReads: Counter
  readonly #holes: Counter

  constructor(meters: Meters) {
    this.#logReads = meters.counter('guildhall_event_log_reads_total', 'Reads of the event log by the bus')
    this.#holes = meters.counter('guildhall_bus_holes_total', 'Event numbers that did not arrive in time')
  }

  logRead(): void {
    this.#logReads.inc()
  }

  hole(): void {
    this.#holes.inc()
  }
}

class GatewayMeters implements GatewayMetrics {
  readonly #meters: Meters
  readonly #events: Counter
  readonly #bytes: Counter
  readonly #resumes: Counter
  readonly #replays: Counter
  readonly #takeovers: Counter
  readonly #restarts: Counter
  readonly #slowConsumers: Counter
  readonly #lag: Histogram

  constructor(meters: Meters) {
    this.#meters = meters
    const counter = (name: string, help: string) => meters.counter(`guildhall_line_${name}_total`, help)
    this.#events = counter('events_out', 'Event frames written to sockets')
    this.#bytes = counter('bytes_out', 'Bytes of event frames written to sockets')
    this.#resumes = counter('resumes', 'Sessions resumed by a new connection')
    this.#replays = counter('replayed_events', 'Event frames replayed to resumed sessions')
    this.#takeovers = counter('rebuilt', 'Sessions taken over from other nodes')
    this.#restarts = counter('restarts', 'Sessions that could not be resumed and started anew')
    this.#slowConsumers = counter('slow_consumers', 'Connections terminated because they did not read')
    this.#lag = meters.histogram(
      'guildhall_bus_lag_seconds',
      'From the commit of an event to the gateway',
      SECONDS,
    )
  }

  watch(
    count: () => { readonly connections: number; readonly sessions: number; readonly storedEvents: number },
  ): void {
    this.#meters.gauge('guildhall_lines', 'Open gateway connections', () => count().connections)
    this.#meters.gauge(
      'guildhall_line_sessions',
      'Gateway sessions, also those that wait to be resumed',
      () => count().sessions,
    )
    this.#meters.gauge('guildhall_line_held_events', 'Events stored for replay', () => count().storedEvents)
  }

  framesOut(events: number, bytes: number): void {
    this.#events.inc(events)
    this.#bytes.inc(bytes)
  }

  resumed(events: number): void {
    this.#resumes.inc()
    this.#replays.inc(events)
  }

  takenOver(): void {
    this.#takeovers.inc()
  }

  restarted(): void {
    this.#restarts.inc()
  }

  slowConsumer(): void {
    this.#slowConsumers.inc()
  }

  lag(seconds: number): void {
    this.#lag.observe(seconds)
  }
}

class NodeMeters implements NodeMetrics {
  readonly #meters: Meters

  constructor(meters: Meters) {
    this.#meters = meters
  }

  watch(state: () => { readonly isConnected: boolean; readonly others: number }): void {
    this.#meters.gauge('guildhall_redis_up', '1 while Redis is connected', () =>
      state().isConnected ? 1 : 0,
    )
    this.#meters.gauge('guildhall_other_nodes', 'Other nodes seen in the last seconds', () => state().others)
  }
}

class ReadyMeters implements ReadyMetrics {
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

class JobMeters implements JobMetrics {
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

function smsMeters(registry: Registry): SmsMetrics {
  const registers = [registry]
  const requests = new Counter({
    name: 'guildhall_sms_sent_total',
    help: 'Requests to SMS providers by how they ended',
    labelNames: ['provider', 'outcome'],
    registers,
  })
  return {
    expect(provider, outcomes) {
      for (const outcome of outcomes) requests.inc({ provider, outcome }, 0)
    },
    sent: (provider, outcome) => requests.inc({ provider, outcome }),
    watchDay(sent, most) {
      if (most !== null)
        new Gauge({ name: 'guildhall_sms_day_max', help: 'Codes a day at most', registers }).set(most)
      new Gauge({
        name: 'guildhall_sms_day_messages',
        help: 'Codes sent today, all nodes together',
        registers,
        async collect() {
          const count = await known(sent)
          if (count !== null) this.set(count)
        },
      })
    },
  }
}

function captchaMeters(registry: Registry): CaptchaMetrics {
  const counter = new Counter({
    name: 'guildhall_captchas_total',
    help: 'Captchas that were asked for, and answers to them, by kind',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  return { counted: (kind, outcome) => counter.inc({ kind, outcome }) }
}

function clientErrorMeters(registry: Registry): ClientErrorMetrics {
  const counter = new Counter({
    name: 'guildhall_client_errors_total',
    help: 'Errors that pages reported, by name',
    labelNames: ['name'],
    registers: [registry],
  })
  return { counted: (name) => counter.inc({ name }) }
}

function registrationMeters(registry: Registry): RegistrationMetrics {
  const counter = new Counter({
    name: 'guildhall_registrations_total',
    help: 'Accounts that were made, by where they come from and by what they were invited',
    labelNames: ['source', 'via'],
    registers: [registry],
  })
  return { counted: (source, via) => counter.inc({ source, via }) }
}

function payMeters(registry: Registry): PayMetrics {
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
    watchTroubles(count) {
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

function everyMinuteMeters(meters: Meters): EveryMinuteMetrics {
  const help = 'For how long the latest part of what this node does every minute was not done'
  return {
    watch: (age) => meters.gauge('guildhall_every_minute_age_seconds', help, () => age() / SECOND_MS),
  }
}

class DiskMeters implements DiskMetrics {
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

function screeningMeters(registry: Registry): ScreeningMetrics {
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
    judged: (place, verdict) => judged.inc({ place, verdict }),
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

function staffMeters(registry: Registry): StaffMetrics {
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
