/** The missed-event poller: finds in the database events that no other process reported. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Db } from '../database/db.ts'
import type { Log } from '../log.ts'
import type { Redis } from '../redis/redis.ts'
import type { Bus, Topic } from './bus.ts'
import { lastNumbers } from './events.ts'
import type { Nodes } from './nodes.ts'

const POLL_EVERY_MS = SECOND_MS
/** While Redis is connected: a node can die between a commit and its message. */
const CONNECTED_POLL_EVERY_MS = 10 * SECOND_MS
/** Without other nodes only the process before this one may have died so: by then its commits are over. */
const PREDECESSOR_MS = 30 * SECOND_MS
/** The message that asks the other nodes to poll. */
const POLL = 'look'

export interface MissedEventPoller {
  /** This node may have missed an event: polls soon. */
  checkHere(): void
  /** Other nodes may have missed an event of this one: asks them to poll. */
  checkElsewhere(): void
  close(): void
}

export interface PollerOptions {
  readonly db: Db
  readonly bus: () => Bus
  readonly nodes: Nodes
  /** Null: there are no other nodes, and only the process before this one may not have reported an event. */
  readonly redis: Redis | null
  readonly log: Log
}

/**
 * Polls the last numbers of the watched topics with one query: each second while Redis is disconnected, once
 * when it is connected again or another node is gone, and every ten seconds in any case. A single node polls
 * when `checkHere` asks for it, and every ten seconds for half a minute from its start.
 */
export const openMissedEventPoller = (options: PollerOptions): MissedEventPoller => new Poller(options)

class Poller implements MissedEventPoller {
  readonly #options: PollerOptions
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: (() => void)[]
  #isClosed = false
  #isDue = false
  #isMessageDue = false
  #isPolling = false
  #hasFailed = false
  readonly #openedAt = performance.now()
  #polledAt = this.#openedAt

  constructor(options: PollerOptions) {
    this.#options = options
    const { nodes, redis } = options
    this.#timer = setInterval(() => this.#tick(), POLL_EVERY_MS)
    this.#timer.unref()
    // Also after an absence that was shorter than the time between two ticks.
    redis?.onChange((connected) => {
      if (connected) this.#isDue = true
    })
    this.#unsubscribe = [
      nodes.onMessage(POLL, () => void this.#poll()),
      nodes.onChange((_id, isHere) => {
        if (!isHere) this.#isDue = true
      }),
    ]
  }

  readonly checkHere = (): void => {
    this.#isDue = true
  }

  readonly checkElsewhere = (): void => {
    this.#isMessageDue = true
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #tick(): void {
    const { nodes, redis } = this.#options
    const isConnected = nodes.isConnected()
    if (this.#isMessageDue && isConnected) {
      this.#isMessageDue = false
      nodes.broadcast(POLL, null)
    }
    const now = performance.now()
    const mayMiss = redis !== null || now - this.#openedAt <= PREDECESSOR_MS
    const isOld = mayMiss && now - this.#polledAt >= CONNECTED_POLL_EVERY_MS
    if (this.#isDue || !isConnected || isOld) void this.#poll()
  }

  async #poll(): Promise<void> {
    const { db, bus, log } = this.#options
    if (this.#isClosed) return
    this.#isDue = this.#isPolling
    if (this.#isPolling) return
    this.#isPolling = true
    this.#polledAt = performance.now()
    try {
      const topics: Topic[] = bus().topics()
      if (topics.length > 0) for (const [topic, seq] of await lastNumbers(db, topics)) bus().hint(topic, seq)
      this.#hasFailed = false
    } catch (error) {
      this.#isDue = true
      if (!this.#hasFailed && !this.#isClosed)
        log.warn({ err: error }, 'what was missed could not be looked for; trying again')
      this.#hasFailed = true
    } finally {
      this.#isPolling = false
    }
  }
}
