/** Metrics of the gateway and of the nodes of a cluster. */
import type { Counter, Histogram } from 'prom-client'
import { type Meters, SECONDS } from './meters.ts'

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

export class GatewayMeters implements GatewayMetrics {
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

export class NodeMeters implements NodeMetrics {
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
