/** Events between nodes: the bus's way through Redis, and the watch that finds in the database what Redis lost. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Bus, LiveEvent, Relay, Topic } from './bus.ts'
import type { Db } from './db.ts'
import { lastNumbers } from './events.ts'
import type { Log } from './log.ts'
import type { Nodes } from './nodes.ts'
import type { Redis } from './redis.ts'

/** How long the state of a guild is not read because Redis is slow to say that it is being listened to. */
const WATCH_WITHIN_MS = 500

/** Each topic is a channel: a node hears of the rooms it has lines for, and of no others. `missed` says that a look into the log is due. */
export function openRelay(
  redis: Redis,
  prefix: string,
  missed: Pick<MissedEventPoller, 'checkHere' | 'checkElsewhere'>,
): Relay {
  const lost = () => missed.checkElsewhere()
  return {
    send: (topic, event) => redis.publish(`${prefix}${topic}`, JSON.stringify(event), lost),
    async watch(topic, take) {
      let isLate = false
      const heard = redis
        .subscribe(`${prefix}${topic}`, (text) => take(JSON.parse(text) as LiveEvent))
        .then(() => {
          if (isLate) missed.checkHere()
        })
      const late = new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          isLate = true
          resolve()
        }, WATCH_WITHIN_MS)
        heard.then(() => clearTimeout(timer))
      })
      await Promise.race([heard, late])
    },
    unwatch: (topic) => redis.unsubscribe(`${prefix}${topic}`),
  }
}

/** Waits until everything that is committed by now was passed on here, as far as it is watched. */
export async function catchUp(db: Db, bus: Bus, topics: readonly Topic[]): Promise<void> {
  if (topics.length === 0) return
  await Promise.all([...(await lastNumbers(db, topics))].map(([topic, seq]) => bus.reach(topic, seq)))
}

const EVERY_MS = SECOND_MS
/** With Redis there, still now and then: a node can die between a commit and its word. */
const QUIET_EVERY_MS = 10 * SECOND_MS
const LOOK = 'look'

/** What finds in the database what nobody told of. */
export interface MissedEventPoller {
  /** Something may have been missed here. */
  checkHere(): void
  /** Something said here may have been missed elsewhere, and is to be found there. */
  checkElsewhere(): void
  close(): void
}

/**
 * Asks the database what the watched topics have come to, with one query: each second while Redis is away, once when
 * it is back or another node is lost, and every ten seconds anyway. `alsoLook` is done along with it.
 */
export function openMissedEventPoller({
  db,
  bus,
  nodes,
  isAlone,
  alsoLook,
  log,
}: {
  readonly db: Db
  readonly bus: () => Bus
  readonly nodes: Nodes
  /** Nobody else tells anything: only what `here` says is looked for. */
  readonly isAlone: boolean
  readonly alsoLook: () => Promise<void>
  readonly log: Log
}): MissedEventPoller {
  let closed = false
  let isDue = false
  let isTellingDue = false
  let busy = false
  let failed = false
  let lookedAt = performance.now()
  let wasConnected = nodes.isConnected()

  async function look(): Promise<void> {
    if (closed) return
    isDue = busy
    if (busy) return
    busy = true
    lookedAt = performance.now()
    try {
      const topics: Topic[] = bus().topics()
      if (topics.length > 0) for (const [topic, seq] of await lastNumbers(db, topics)) bus().hint(topic, seq)
      await alsoLook()
      failed = false
    } catch (error) {
      isDue = true
      if (!failed && !closed)
        log.warn({ err: error }, 'what was missed could not be looked for; trying again')
      failed = true
    } finally {
      busy = false
    }
  }

  const timer = setInterval(() => {
    const isConnected = nodes.isConnected()
    if (isConnected && !wasConnected) isDue = true
    wasConnected = isConnected
    if (isTellingDue && isConnected) {
      isTellingDue = false
      nodes.broadcast(LOOK, null)
    }
    const isQuietOver = !isAlone && performance.now() - lookedAt >= QUIET_EVERY_MS
    if (isDue || !isConnected || isQuietOver) void look()
  }, EVERY_MS)
  timer.unref()
  const unheard = [
    nodes.onMessage(LOOK, () => void look()),
    nodes.onChange((_id, isHere) => {
      if (!isHere) isDue = true
    }),
  ]

  return {
    checkHere() {
      isDue = true
    },
    checkElsewhere() {
      isTellingDue = true
    },
    close() {
      closed = true
      clearInterval(timer)
      for (const stop of unheard) stop()
    },
  }
}
