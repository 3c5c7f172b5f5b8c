import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { clock } from './clock.ts'
import type { Log } from './log.ts'
import type { BusMetrics } from './metrics.ts'

interface Numbered {
  /** Its number: of the guild's events, or of the person's. Starts at 1, no holes. */
  readonly seq: number
  /** When it happened, ms. Never goes back within a guild. */
  readonly at: number
  /** `message`, or the name of a system event. protocol.md §3.4. */
  readonly kind: string
  readonly body: unknown
}

/** Something happened in a guild. With a `channelId` only those who may view that channel may hear of it. */
export interface GuildEvent extends Numbered {
  readonly to: 'guild'
  readonly guildId: GuildId
  readonly channelId: ChannelId | null
}

/** Something happened that concerns one person alone. */
export interface PersonEvent extends Numbered {
  readonly to: 'person'
  readonly userId: UserId
}

export type LiveEvent = GuildEvent | PersonEvent
export type Topic = `guild:${string}` | `person:${string}`

export const topicOf = (event: LiveEvent): Topic =>
  event.to === 'guild' ? `guild:${event.guildId}` : `person:${event.userId}`

/** The truth behind the bus: the events of a topic that are committed. */
export interface EventLog {
  /** At most `limit` events after number `seq`, in order. */
  after(topic: Topic, seq: number, limit: number): Promise<LiveEvent[]>
  /** The number of the topic's last event before a time, ms; 0 when there is none. */
  lastBefore(topic: Topic, at: number): Promise<number>
}

export interface Bus {
  /** Hands in a committed event. Events of one topic may come in any order and more than once. */
  publish(event: LiveEvent): void
  /** Something was committed elsewhere under this number: the log is read for it. */
  hint(topic: Topic, seq: number): void
  /**
   * Somebody here wants to hear a topic. Resolves when no event of it can pass unnoticed any more: read the state of
   * things then, and `begin` with the number it has.
   */
  watch(topic: Topic): Promise<void>
  /** The state of things is known up to this number: what comes after it is passed on. */
  begin(topic: Topic, seq: number): void
  /** One of those who called `watch` does not want to hear it any more. */
  unwatch(topic: Topic): void
  /** Waits until everything up to this number was passed on, reading the log for it; for a topic nobody watches, not at all. */
  reach(topic: Topic, seq: number): Promise<void>
  /** The topics whose events are passed on here. */
  topics(): Topic[]
  /**
   * For what is remembered until an event says otherwise: since when no event of a topic can pass this process
   * unnoticed, on a clock of its own that `hearings` reads; null when one could.
   */
  subscribedSince(topic: Topic): number | null
  /** The time on that clock. */
  subscriptionClock(): number
  /** Every event from now on: each once, each topic in the order of its numbers, without holes. Returns the way out. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /**
   * For caches: every event as soon as this process knows of it, in any order and maybe more than once. What was
   * committed here is told before whoever committed it goes on.
   */
  onUnordered(listener: (event: LiveEvent) => void): void
  /** Waits until what was handed in has been passed on. */
  settled(): Promise<void>
  close(): void
}

/**
 * The way to the buses of other processes. With one, only what somebody watches is passed on here, so that a process
 * pays nothing for the rooms of others; without one, everything is.
 */
export interface Relay {
  /** Hands an event committed here to the processes that watch its topic. May lose it. */
  send(topic: Topic, event: LiveEvent): void
  /** Hands what others send under a topic to `take`. Resolves once it does, or when that cannot be had now. */
  watch(topic: Topic, take: (event: LiveEvent) => void): Promise<void>
  unwatch(topic: Topic): void
}

interface Lane {
  /** The last number passed on; null until the log was asked where this process began. */
  last: number | null
  readonly held: Map<number, LiveEvent>
  /** Counts, over all topics, the times one began to be heard. */
  since: number
  /** The largest number heard of. */
  known: number
  timer: NodeJS.Timeout | null
  reading: Promise<void> | null
  /** How many want to hear it. */
  watchers: number
}

/** How long a hole is left to be filled by the commit that is just behind, ms. */
const HOLE_WAIT_MS = 15
const RETRY_MS = 500
const PAGE = 500

/**
 * The fast path from commit to sockets, in this process. Two commits of one guild may be published in the wrong
 * order, because their answers travel on different connections. So each topic has a lane that passes on only the
 * next number and holds what jumps ahead. Numbers are given under a row lock and commit in order: once number n is
 * known to be committed, all before it are in the log. A hole that does not close by itself is therefore read from
 * there, which also covers a commit whose answer was lost and one made by another process.
 */
export function openBus(log: EventLog, logger?: Log, metrics?: BusMetrics, relay: Relay | null = null): Bus {
  const startedAt = clock.now()
  const lanes = new Map<Topic, Lane>()
  const listeners = new Set<(event: LiveEvent) => void>()
  const eavesdroppers: ((event: LiveEvent) => void)[] = []
  let closed = false
  let hearings = 0

  function laneOf(topic: Topic): Lane {
    let lane = lanes.get(topic)
    if (!lane) {
      lane = { last: null, held: new Map(), known: 0, timer: null, reading: null, watchers: 0, since: 0 }
      lanes.set(topic, lane)
    }
    return lane
  }

  function take(topic: Topic, event: LiveEvent): void {
    if (closed) return
    for (const eavesdropper of eavesdroppers) eavesdropper(event)
    const lane = relay ? lanes.get(topic) : laneOf(topic)
    if (!lane) return
    lane.known = Math.max(lane.known, event.seq)
    if (lane.last !== null && event.seq <= lane.last) return
    if (lane.last !== null && event.seq === lane.last + 1) passOn(lane, event)
    else lane.held.set(event.seq, event)
    drain(lane)
    look(topic, lane, lane.last === null ? 0 : HOLE_WAIT_MS)
  }

  function pass(event: LiveEvent): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        // One listener's fault must not keep the event from the others.
        logger?.error({ err: error, kind: event.kind }, 'a listener failed on an event')
      }
    }
  }

  function passOn(lane: Lane, event: LiveEvent): void {
    lane.last = event.seq
    pass(event)
  }

  function drain(lane: Lane): void {
    if (lane.last === null || lane.held.size === 0) return
    for (let next = lane.held.get(lane.last + 1); next; next = lane.held.get(lane.last + 1)) {
      lane.held.delete(next.seq)
      passOn(lane, next)
    }
  }

  const isHeard = (topic: Topic, lane: Lane) => !closed && lanes.get(topic) === lane

  const isBehind = (lane: Lane) => lane.last === null || lane.last < lane.known

  function look(topic: Topic, lane: Lane, waitMs: number): void {
    if (!isHeard(topic, lane) || lane.timer || lane.reading || !isBehind(lane)) return
    // It will be told where to begin.
    if (relay && lane.last === null) return
    if (waitMs === 0) return read(topic, lane)
    lane.timer = setTimeout(() => {
      lane.timer = null
      if (!isBehind(lane)) return
      metrics?.hole()
      read(topic, lane)
    }, waitMs)
    lane.timer.unref()
  }

  function read(topic: Topic, lane: Lane): void {
    lane.reading = readLog(topic, lane).then(
      () => {
        lane.reading = null
        look(topic, lane, HOLE_WAIT_MS)
      },
      (error: unknown) => {
        lane.reading = null
        if (!closed) logger?.warn({ err: error, topic }, 'the event log could not be read; trying again')
        look(topic, lane, RETRY_MS)
      },
    )
  }

  /** The log has no such number, although a later one is committed: it was removed there and will not come. */
  function skip(topic: Topic, lane: Lane): void {
    const next = Math.min(...lane.held.keys(), lane.known + 1)
    logger?.error({ topic, after: lane.last, next }, 'the event log has a hole; passing over it')
    lane.last = next - 1
  }

  function startAt(lane: Lane, last: number): void {
    lane.last = last
    for (const seq of lane.held.keys()) if (seq <= last) lane.held.delete(seq)
    drain(lane)
  }

  async function readLog(topic: Topic, lane: Lane): Promise<void> {
    if (lane.last === null) {
      const last = await log.lastBefore(topic, startedAt)
      if (isHeard(topic, lane) && lane.last === null) startAt(lane, last)
    }
    while (isHeard(topic, lane) && lane.last !== null && lane.last < lane.known) {
      metrics?.logRead()
      const from: number = lane.last
      const events = await log.after(topic, from, PAGE)
      // Whoever watches it by now has begun anew, with a lane of their own.
      if (!isHeard(topic, lane)) return
      for (const event of events) {
        for (const eavesdropper of eavesdroppers) eavesdropper(event)
        if (event.seq > lane.last) lane.held.set(event.seq, event)
      }
      // An answer proves only what it was asked for: what is missing after news came meanwhile is asked for anew.
      if (lane.last === from && !lane.held.has(from + 1)) skip(topic, lane)
      drain(lane)
    }
  }

  return {
    publish(event) {
      const topic = topicOf(event)
      relay?.send(topic, event)
      take(topic, event)
    },
    hint(topic, seq) {
      if (closed) return
      const lane = relay ? lanes.get(topic) : laneOf(topic)
      if (!lane) return
      lane.known = Math.max(lane.known, seq)
      look(topic, lane, 0)
    },
    async watch(topic) {
      laneOf(topic).watchers += 1
      await relay?.watch(topic, (event) => take(topic, event))
    },
    begin(topic, seq) {
      const lane = lanes.get(topic)
      if (!lane || lane.last !== null) return
      lane.known = Math.max(lane.known, seq)
      hearings += 1
      lane.since = hearings
      startAt(lane, seq)
      look(topic, lane, HOLE_WAIT_MS)
    },
    unwatch(topic) {
      const lane = lanes.get(topic)
      if (lane) lane.watchers -= 1
      if (!relay || !lane || lane.watchers > 0) return
      if (lane.timer) clearTimeout(lane.timer)
      lanes.delete(topic)
      relay.unwatch(topic)
    },
    async reach(topic, seq) {
      const lane = lanes.get(topic)
      const isShort = () => !closed && lanes.get(topic) === lane && lane?.last != null && lane.last < seq
      if (!lane || !isShort()) return
      lane.known = Math.max(lane.known, seq)
      look(topic, lane, 0)
      while (isShort()) await (lane.reading ?? new Promise((again) => setTimeout(again, HOLE_WAIT_MS)))
    },
    topics: () => [...lanes.keys()],
    subscribedSince(topic) {
      // Alone, a process hears all.
      if (!relay) return 0
      const lane = lanes.get(topic)
      return lane && lane.last !== null ? lane.since : null
    },
    subscriptionClock: () => hearings,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onUnordered: (listener) => void eavesdroppers.push(listener),
    async settled() {
      for (;;) {
        const behind = [...lanes].filter(([, lane]) => lane.reading || lane.timer)
        if (behind.length === 0) return
        await Promise.all(
          behind.map(
            ([, lane]) => lane.reading ?? new Promise((resolve) => setTimeout(resolve, HOLE_WAIT_MS)),
          ),
        )
      }
    },
    close() {
      closed = true
      for (const lane of lanes.values()) if (lane.timer) clearTimeout(lane.timer)
      listeners.clear()
    },
  }
}

/** For work that nobody can hear of yet, such as seeding an empty database. */
export const noopBus: Bus = {
  publish() {},
  hint() {},
  watch: async () => undefined,
  begin() {},
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
