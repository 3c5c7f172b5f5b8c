/**
 * The write scheduler: decides when each connection writes what waits for it, so that many events share one
 * write. One for a whole gateway. docs/decisions/0015-write-scheduling.md
 */
import type { TransportMetrics } from './transport.ts'
import { WriteBuffer } from './writeBuffer.ts'

/** Events of a guild that the client does not show leave together, at most this much later, ms. */
export const DELAY_MAX_MS = 1_000
const DELAY_SLOTS = 10

/** After so many connections a round of writing yields to the event loop. */
const CONNECTIONS_PER_STEP = 100
/**
 * A round that took this long, ms, is followed by a pause as long, during which more events are collected.
 */
const LONG_ROUND_MS = 2
const PAUSE_MAX_MS = 3
/**
 * A connection writes about once in this time, ms: too short to notice, and enough for a round of many
 * connections.
 */
export const WRITE_GAP_MS = 25
/**
 * When the first gap ends, connections whose last write is at least this old, ms, write too: one long round
 * costs less.
 */
export const WRITE_GAP_MIN_MS = WRITE_GAP_MS / 2

/** A connection as the scheduler uses it. */
export interface ScheduledConnection {
  /** When it last wrote, ms of the scheduler's clock. */
  readonly writtenAt: number
  /** The round that `schedule` asked for. */
  onRound(): void
  /** The slot that `scheduleDelayed` asked for. */
  onDelayed(): void
}

/**
 * A connection writes when the current turn of the event loop ends; when it wrote a moment ago, after its
 * gap; and under constant load at most half of the time is spent on writing.
 */
export class WriteScheduler {
  readonly buffer = new WriteBuffer()
  readonly #metrics: TransportMetrics | null
  readonly #now: () => number
  /** Delivers broadcast events to the connections. */
  readonly #flushPending: () => void
  #isFlushDue = false
  #pausedUntil = 0
  /** The current round, how many of its connections are done, and how long they took, ms. */
  #round: ScheduledConnection[] = []
  #done = 0
  #tookMs = 0
  #events = 0
  #bytes = 0
  /** Connections of the next round, and whether it is scheduled. */
  #next: ScheduledConnection[] = []
  #isScheduled = false
  /** Connections in their gap, and the timer that ends it. */
  #inGap: ScheduledConnection[] = []
  #gapTimer: NodeJS.Timeout | null = null
  #clock = 0
  /** Connections with delayed events, by the tenth of a second in which they write. */
  readonly #delayed: ScheduledConnection[][] = Array.from({ length: DELAY_SLOTS }, () => [])
  #slot = 0
  #lastSlot = 0
  #delayTimer: NodeJS.Timeout | null = null
  #idleSlots = 0

  constructor(
    metrics: TransportMetrics | null = null,
    flushPending: () => void = () => undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#metrics = metrics
    this.#flushPending = flushPending
    this.#now = now
  }

  /** Counts event frames and bytes that were written to a socket. */
  count(events: number, bytes: number): void {
    this.#events += events
    this.#bytes += bytes
  }

  /** Counts a slow consumer. */
  countSlowConsumer(): void {
    this.#metrics?.slowConsumer()
  }

  /** When the current step of a round began, or the last one did, ms. */
  get clock(): number {
    return this.#clock
  }

  /** Events were broadcast: `flushPending` is called before the next write. */
  scheduleFlush(): void {
    this.#isFlushDue = true
    if (!this.#isScheduled) this.#startRound()
  }

  /** Calls `onRound` when the turn of the event loop ends, or after the connection's gap or a pause. */
  schedule(connection: ScheduledConnection): void {
    const waitMs = connection.writtenAt + WRITE_GAP_MS - this.#now()
    if (waitMs > 0) {
      if (this.#inGap.length === 0) this.#gapTimer = setTimeout(this.#onGapEnd, waitMs)
      this.#inGap.push(connection)
      return
    }
    this.#next.push(connection)
    if (!this.#isScheduled) this.#startRound()
  }

  /** Ends all gaps. */
  endGaps(): void {
    if (this.#inGap.length > 0) this.#scheduleAfterGap(0)
  }

  /** Assigns a new connection its slot for delayed writes. */
  assignSlot(): number {
    this.#lastSlot = (this.#lastSlot + 1) % DELAY_SLOTS
    return this.#lastSlot
  }

  /** Calls `onDelayed` within `DELAY_MAX_MS`. */
  scheduleDelayed(connection: ScheduledConnection, slot: number): void {
    this.#delayed[slot]!.push(connection)
    // The timer ends after a whole turn of the slots without a connection, counted from now.
    this.#idleSlots = 0
    this.#delayTimer ??= setInterval(this.#onSlot, DELAY_MAX_MS / DELAY_SLOTS).unref()
  }

  readonly #onGapEnd = (): void => this.#scheduleAfterGap(WRITE_GAP_MIN_MS)

  /**
   * Schedules the connections whose last write is at least `leastMs` old; the others wait for the end of
   * their gap.
   */
  #scheduleAfterGap(leastMs: number): void {
    if (this.#gapTimer) clearTimeout(this.#gapTimer)
    this.#gapTimer = null
    const waiting = this.#inGap
    this.#inGap = []
    const now = this.#now()
    let first = Number.POSITIVE_INFINITY
    for (const connection of waiting) {
      if (now - connection.writtenAt >= leastMs) {
        this.#next.push(connection)
        continue
      }
      this.#inGap.push(connection)
      first = Math.min(first, connection.writtenAt)
    }
    if (this.#inGap.length > 0) this.#gapTimer = setTimeout(this.#onGapEnd, first + WRITE_GAP_MS - now)
    if (this.#next.length > 0 && !this.#isScheduled) this.#startRound()
  }

  #startRound(): void {
    this.#isScheduled = true
    const pauseMs = this.#pausedUntil === 0 ? 0 : this.#pausedUntil - this.#now()
    if (pauseMs > 0) setTimeout(this.#runStep, pauseMs)
    else setImmediate(this.#runStep)
  }

  readonly #runStep = (): void => {
    const began = this.#now()
    this.#clock = began
    // Also between two steps, so that connections written now get new events without waiting for another
    // round.
    if (this.#isFlushDue) {
      this.#isFlushDue = false
      this.#flushPending()
    }
    if (this.#round.length === 0) {
      this.#round = this.#next
      this.#next = []
    }
    const end = Math.min(this.#done + CONNECTIONS_PER_STEP, this.#round.length)
    for (let index = this.#done; index < end; index += 1) this.#round[index]!.onRound()
    this.#reportCounts()
    this.#done = end
    this.#tookMs += this.#now() - began
    // Requests are handled between two steps of a long round.
    if (end < this.#round.length) return void setImmediate(this.#runStep)
    this.#pausedUntil = this.#tookMs < LONG_ROUND_MS ? 0 : this.#now() + Math.min(this.#tookMs, PAUSE_MAX_MS)
    this.#round = []
    this.#done = 0
    this.#tookMs = 0
    this.#isScheduled = false
    if (this.#next.length > 0 || this.#isFlushDue) this.#startRound()
  }

  readonly #onSlot = (): void => {
    this.#slot = (this.#slot + 1) % DELAY_SLOTS
    this.#clock = this.#now()
    const connections = this.#delayed[this.#slot]!
    this.#delayed[this.#slot] = []
    for (const connection of connections) connection.onDelayed()
    this.#reportCounts()
    this.#idleSlots = connections.length > 0 ? 0 : this.#idleSlots + 1
    if (this.#idleSlots <= DELAY_SLOTS || !this.#delayTimer) return
    clearInterval(this.#delayTimer)
    this.#delayTimer = null
    this.#idleSlots = 0
  }

  #reportCounts(): void {
    if (this.#bytes > 0) this.#metrics?.framesOut(this.#events, this.#bytes)
    this.#events = 0
    this.#bytes = 0
  }
}
