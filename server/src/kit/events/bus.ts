/**
 * The event bus: hands committed events to subscribers in this process, each topic in the order of its
 * numbers and without holes, and to the buses of other processes through a relay.
 */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { BusMetrics } from '../metrics/messages.ts'

interface Numbered {
  /** Its number among the guild's or the person's events: from 1 on, without holes. */
  readonly seq: number
  /** When it happened, ms. Never goes back within a guild. */
  readonly at: number
  /** `message`, or the name of a system event. protocol.md §3.4. */
  readonly kind: string
  readonly body: unknown
}

/** An event of a guild. With a `channelId` only those who may view that channel receive it. */
export interface GuildEvent extends Numbered {
  readonly to: 'guild'
  readonly guildId: GuildId
  readonly channelId: ChannelId | null
}

/** An event of one person, which nobody else receives. */
export interface PersonEvent extends Numbered {
  readonly to: 'person'
  readonly userId: UserId
}

export type LiveEvent = GuildEvent | PersonEvent
export type Topic = `guild:${string}` | `person:${string}`

export const topicOf = (event: LiveEvent): Topic =>
  event.to === 'guild' ? `guild:${event.guildId}` : `person:${event.userId}`

/** The event log: the committed events of each topic. */
export interface EventLog {
  /** At most `limit` events after number `seq`, in order. */
  after(topic: Topic, seq: number, limit: number): Promise<LiveEvent[]>
  /** The number of the topic's last event before a time, ms; 0 when there is none. */
  lastBefore(topic: Topic, at: number): Promise<number>
}

export interface Bus {
  /** Publishes a committed event. Events of one topic may come in any order and more than once. */
  publish(event: LiveEvent): void
  /** Another process committed up to this number: the log is read for it. */
  hint(topic: Topic, seq: number): void
  /**
   * Adds a watcher of a topic. Resolves when no event of it can be missed any more: then read the current
   * state, and call `start` with its number.
   */
  watch(topic: Topic): Promise<void>
  /**
   * The state that a watcher has read includes this number: events after it are delivered. Returns the number
   * after which they are. When it is larger, another watcher began with a later state, and what lies between
   * the two is not delivered: the state is to be read again.
   */
  start(topic: Topic, seq: number): number
  /** Removes a watcher of a topic. */
  unwatch(topic: Topic): void
  /**
   * Resolves when everything up to this number is delivered, reading the log for it; at once for a topic
   * without watchers.
   */
  reach(topic: Topic, seq: number): Promise<void>
  /** The topics whose events are delivered here. */
  topics(): Topic[]
  /**
   * For caches that events invalidate: since when this process misses no event of a topic, as a time of
   * `subscriptionClock`; null when it may miss some.
   */
  subscribedSince(topic: Topic): number | null
  /** A counter that grows with each `start`. */
  subscriptionClock(): number
  /**
   * Delivers every later event once, each topic in the order of its numbers and without holes. Returns the
   * unsubscribe function.
   */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /**
   * For caches: delivers every event as soon as this process knows it, in any order and maybe more than once.
   * For an event committed here that is before `publish` returns.
   */
  onUnordered(listener: (event: LiveEvent) => void): void
  /** Resolves when everything published so far is delivered. */
  settled(): Promise<void>
  close(): void
}

/**
 * The connection to the buses of other processes. With a relay, a bus delivers only topics that are watched
 * here, so that guilds without sessions on this node cost nothing; without one, it delivers all.
 */
export interface Relay {
  /** Sends an event committed here to the processes that watch its topic. May lose it. */
  send(topic: Topic, event: LiveEvent): void
  /**
   * Calls `receive` with what others send to a topic. Resolves once subscribed, or when that is not possible
   * now.
   */
  watch(topic: Topic, receive: (event: LiveEvent) => void): Promise<void>
  unwatch(topic: Topic): void
}

/** The delivery state of one topic. */
interface TopicQueue {
  /** The last number delivered; null until it is known where this process begins. */
  last: number | null
  /** The number after which this process began. */
  startedAfter: number
  /** The smallest number that the state of a watcher includes. */
  oldestState: number
  /** Events that arrived before an earlier number. */
  readonly early: Map<number, LiveEvent>
  /** The time of `start`, on the subscription clock. */
  since: number
  /** The largest number known to be committed. */
  known: number
  timer: NodeJS.Timeout | null
  reading: Promise<void> | null
  watchers: number
}

/** How long a hole may wait for an event that is published a moment later, ms. */
const HOLE_WAIT_MS = 15
const RETRY_MS = 500
/** Events read from the log at once. */
const PAGE = 500

export const openBus = (log: EventLog, logger?: Log, metrics?: BusMetrics, relay: Relay | null = null): Bus =>
  new EventBus(log, logger ?? null, metrics ?? null, relay)

/**
 * Two commits of one guild may be published in the wrong order, because their answers travel on different
 * connections. Each topic therefore has a queue that delivers only the next number and holds later ones.
 * Numbers are taken under a row lock and commit in order: when number n is committed, all before it are in
 * the log. A hole that does not close within `HOLE_WAIT_MS` is read from there, which also covers a commit
 * whose answer was lost and one of another process.
 */
class EventBus implements Bus {
  readonly #startedAt = clock.now()
  readonly #queues = new Map<Topic, TopicQueue>()
  readonly #subscribers = new Set<(event: LiveEvent) => void>()
  readonly #unorderedSubscribers: ((event: LiveEvent) => void)[] = []
  readonly #log: EventLog
  readonly #logger: Log | null
  readonly #metrics: BusMetrics | null
  readonly #relay: Relay | null
  #isClosed = false
  #subscriptionClock = 0

  constructor(log: EventLog, logger: Log | null, metrics: BusMetrics | null, relay: Relay | null) {
    this.#log = log
    this.#logger = logger
    this.#metrics = metrics
    this.#relay = relay
  }

  readonly publish = (event: LiveEvent): void => {
    const topic = topicOf(event)
    this.#relay?.send(topic, event)
    this.#receive(topic, event)
  }

  readonly hint = (topic: Topic, seq: number): void => {
    if (this.#isClosed) return
    const queue = this.#relay ? this.#queues.get(topic) : this.#queueOf(topic)
    if (!queue) return
    queue.known = Math.max(queue.known, seq)
    this.#scheduleRead(topic, queue, 0)
  }

  readonly watch = async (topic: Topic): Promise<void> => {
    this.#queueOf(topic).watchers += 1
    await this.#relay?.watch(topic, (event) => this.#receive(topic, event))
  }

  readonly start = (topic: Topic, seq: number): number => {
    const queue = this.#queues.get(topic)
    if (!queue) return seq
    if (queue.last !== null) return queue.startedAfter
    queue.oldestState = Math.min(queue.oldestState, seq)
    // Without a relay all that this process commits is delivered: others read an earlier state than this one.
    if (!this.#relay) return seq
    queue.known = Math.max(queue.known, seq)
    this.#subscriptionClock += 1
    queue.since = this.#subscriptionClock
    this.#startAt(queue, seq)
    this.#scheduleRead(topic, queue, HOLE_WAIT_MS)
    return seq
  }

  readonly unwatch = (topic: Topic): void => {
    const queue = this.#queues.get(topic)
    if (queue) queue.watchers -= 1
    if (!this.#relay || !queue || queue.watchers > 0) return
    if (queue.timer) clearTimeout(queue.timer)
    this.#queues.delete(topic)
    this.#relay.unwatch(topic)
  }

  readonly reach = async (topic: Topic, seq: number): Promise<void> => {
    const queue = this.#queues.get(topic)
    if (!queue) return
    const isShort = () => this.#isCurrent(topic, queue) && queue.last !== null && queue.last < seq
    if (!isShort()) return
    queue.known = Math.max(queue.known, seq)
    this.#scheduleRead(topic, queue, 0)
    while (isShort()) await (queue.reading ?? new Promise((again) => setTimeout(again, HOLE_WAIT_MS)))
  }

  readonly topics = (): Topic[] => [...this.#queues.keys()]

  readonly subscribedSince = (topic: Topic): number | null => {
    // Without a relay a process receives everything.
    if (!this.#relay) return 0
    const queue = this.#queues.get(topic)
    return queue && queue.last !== null ? queue.since : null
  }

  readonly subscriptionClock = (): number => this.#subscriptionClock

  readonly subscribe = (listener: (event: LiveEvent) => void): (() => void) => {
    this.#subscribers.add(listener)
    return () => this.#subscribers.delete(listener)
  }

  readonly onUnordered = (listener: (event: LiveEvent) => void): void => {
    this.#unorderedSubscribers.push(listener)
  }

  readonly settled = async (): Promise<void> => {
    for (;;) {
      const busy = [...this.#queues.values()].filter(({ reading, timer }) => reading || timer)
      if (busy.length === 0) return
      await Promise.all(
        busy.map(({ reading }) => reading ?? new Promise((resolve) => setTimeout(resolve, HOLE_WAIT_MS))),
      )
    }
  }

  readonly close = (): void => {
    this.#isClosed = true
    for (const { timer } of this.#queues.values()) if (timer) clearTimeout(timer)
    this.#subscribers.clear()
  }

  #queueOf(topic: Topic): TopicQueue {
    let queue = this.#queues.get(topic)
    if (!queue) {
      queue = {
        last: null,
        startedAfter: 0,
        oldestState: Number.POSITIVE_INFINITY,
        early: new Map(),
        known: 0,
        timer: null,
        reading: null,
        watchers: 0,
        since: 0,
      }
      this.#queues.set(topic, queue)
    }
    return queue
  }

  #receive(topic: Topic, event: LiveEvent): void {
    if (this.#isClosed) return
    for (const subscriber of this.#unorderedSubscribers) subscriber(event)
    const queue = this.#relay ? this.#queues.get(topic) : this.#queueOf(topic)
    if (!queue) return
    queue.known = Math.max(queue.known, event.seq)
    if (queue.last !== null && event.seq <= queue.last) return
    if (queue.last !== null && event.seq === queue.last + 1) this.#deliver(queue, event)
    else queue.early.set(event.seq, event)
    this.#deliverEarly(queue)
    this.#scheduleRead(topic, queue, queue.last === null ? 0 : HOLE_WAIT_MS)
  }

  #deliver(queue: TopicQueue, event: LiveEvent): void {
    queue.last = event.seq
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(event)
      } catch (error) {
        // An error of one subscriber must not keep the event from the others.
        this.#logger?.error({ err: error, kind: event.kind }, 'a listener failed on an event')
      }
    }
  }

  #deliverEarly(queue: TopicQueue): void {
    if (queue.last === null || queue.early.size === 0) return
    for (let next = queue.early.get(queue.last + 1); next; next = queue.early.get(queue.last + 1)) {
      queue.early.delete(next.seq)
      this.#deliver(queue, next)
    }
  }

  /** False when the bus is closed, or everybody left the topic since. */
  #isCurrent(topic: Topic, queue: TopicQueue): boolean {
    return !this.#isClosed && this.#queues.get(topic) === queue
  }

  #scheduleRead(topic: Topic, queue: TopicQueue, waitMs: number): void {
    if (!this.#isCurrent(topic, queue) || queue.timer || queue.reading || !isBehind(queue)) return
    // `start` sets where to start.
    if (this.#relay && queue.last === null) return
    if (waitMs === 0) return this.#read(topic, queue)
    queue.timer = setTimeout(() => {
      queue.timer = null
      if (!isBehind(queue)) return
      this.#metrics?.hole()
      this.#read(topic, queue)
    }, waitMs)
    queue.timer.unref()
  }

  #read(topic: Topic, queue: TopicQueue): void {
    queue.reading = this.#readLog(topic, queue).then(
      () => {
        queue.reading = null
        this.#scheduleRead(topic, queue, HOLE_WAIT_MS)
      },
      (error: unknown) => {
        queue.reading = null
        if (!this.#isClosed)
          this.#logger?.warn({ err: error, topic }, 'the event log could not be read; trying again')
        this.#scheduleRead(topic, queue, RETRY_MS)
      },
    )
  }

  async #readLog(topic: Topic, queue: TopicQueue): Promise<void> {
    if (queue.last === null) {
      const last = await this.#log.lastBefore(topic, this.#startedAt)
      if (this.#isCurrent(topic, queue) && queue.last === null)
        this.#startAt(queue, Math.min(last, queue.oldestState))
    }
    while (this.#isCurrent(topic, queue) && queue.last !== null && queue.last < queue.known) {
      this.#metrics?.logRead()
      const from: number = queue.last
      const events = await this.#log.after(topic, from, PAGE)
      // A new watcher of the topic has its own queue.
      if (!this.#isCurrent(topic, queue)) return
      for (const event of events) {
        for (const subscriber of this.#unorderedSubscribers) subscriber(event)
        if (event.seq > queue.last) queue.early.set(event.seq, event)
      }
      // The answer proves a hole only for the state it was asked in: events may have arrived meanwhile.
      if (queue.last === from && !queue.early.has(from + 1)) this.#skipHole(topic, queue)
      this.#deliverEarly(queue)
    }
  }

  /** A later number is committed, and the log lacks this one: it was deleted there and will not come. */
  #skipHole(topic: Topic, queue: TopicQueue): void {
    const next = Math.min(...queue.early.keys(), queue.known + 1)
    this.#logger?.error({ topic, after: queue.last, next }, 'the event log has a hole; passing over it')
    queue.last = next - 1
  }

  #startAt(queue: TopicQueue, last: number): void {
    queue.last = last
    queue.startedAfter = last
    for (const seq of queue.early.keys()) if (seq <= last) queue.early.delete(seq)
    this.#deliverEarly(queue)
  }
}

const isBehind = ({ last, known }: TopicQueue): boolean => last === null || last < known

/** For work that has no subscribers, such as seeding an empty database. */
export const noopBus: Bus = {
  publish() {},
  hint() {},
  watch: async () => undefined,
  start: (_topic, seq) => seq,
  unwatch() {},
  reach: async () => undefined,
  topics: () => [],
  subscribedSince: () => null,
  subscriptionClock: () => 0,
  subscribe: () => () => undefined,
  onUnordered() {},
  settled: async () => undefined,
  close() {},
}
