/** Metrics of sending messages and of the event bus. */
import type { Counter, Histogram } from 'prom-client'
import { type Meters, SECONDS } from './meters.ts'

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128]

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

export class SendMeters implements SendMetrics {
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

export class BusMeters implements BusMetrics {
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
