/**
 * Prometheus metrics of a server. Only this folder knows the client. Labels name kinds, never users or
 * addresses.
 */
import { Histogram, Registry } from 'prom-client'
import { type ReplicaMetrics, replicaMeters } from './database.ts'
import { GatewayMeters, type GatewayMetrics, NodeMeters, type NodeMetrics } from './gateway.ts'
import { BusMeters, type BusMetrics, SendMeters, type SendMetrics } from './messages.ts'
import { Meters, SECONDS } from './meters.ts'
import {
  DiskMeters,
  type DiskMetrics,
  type EveryMinuteMetrics,
  everyMinuteMeters,
  JobMeters,
  type JobMetrics,
  ReadyMeters,
  type ReadyMetrics,
  watchProcess,
} from './node.ts'
import { type PayMetrics, payMeters } from './pay.ts'
import {
  type CaptchaMetrics,
  type ClientErrorMetrics,
  captchaMeters,
  clientErrorMeters,
  type RegistrationMetrics,
  registrationMeters,
  type SmsMetrics,
  smsMeters,
} from './people.ts'
import { type ScreeningMetrics, type StaffMetrics, screeningMeters, staffMeters } from './staff.ts'

export interface Metrics {
  readonly replica: ReplicaMetrics
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

/** The metrics of one server; two servers in one process (tests) do not share them. */
export const openMetrics = (): Metrics => new PrometheusMetrics()

class PrometheusMetrics implements Metrics {
  readonly replica: ReplicaMetrics
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
    this.replica = replicaMeters(this.#registry)
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
