/** The relay: the bus's connection to other nodes through Redis pub/sub. */

import type { Db } from '../database/db.ts'
import type { Redis } from '../redis/redis.ts'
import type { Bus, LiveEvent, Relay, Topic } from './bus.ts'
import { lastNumbers } from './events.ts'
import type { MissedEventPoller } from './missedEventPoller.ts'

/** How long `watch` waits for Redis to confirm a subscription, ms. */
const WATCH_WITHIN_MS = 500

/**
 * Each topic is a Redis channel, so a node receives the guilds it has sessions for and no others. What may be
 * lost is left to `missed`.
 */
export function openRelay(
  redis: Redis,
  prefix: string,
  missed: Pick<MissedEventPoller, 'checkHere' | 'checkElsewhere'>,
): Relay {
  const onLost = () => missed.checkElsewhere()
  return {
    send: (topic, event) => redis.publish(`${prefix}${topic}`, JSON.stringify(event), onLost),
    async watch(topic, receive) {
      let isLate = false
      const subscribed = redis
        .subscribe(`${prefix}${topic}`, (text) => receive(JSON.parse(text) as LiveEvent))
        .then(() => {
          if (isLate) missed.checkHere()
        })
      const late = new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          isLate = true
          resolve()
        }, WATCH_WITHIN_MS)
        subscribed.then(() => clearTimeout(timer))
      })
      await Promise.race([subscribed, late])
    },
    unwatch: (topic) => redis.unsubscribe(`${prefix}${topic}`),
  }
}

/** Resolves when everything that is committed by now was delivered here, for the topics that are watched. */
export async function catchUp(db: Db, bus: Bus, topics: readonly Topic[]): Promise<void> {
  if (topics.length === 0) return
  await Promise.all([...(await lastNumbers(db, topics))].map(([topic, seq]) => bus.reach(topic, seq)))
}
