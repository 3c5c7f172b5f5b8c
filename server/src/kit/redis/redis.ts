/**
 * Redis (or Valkey): one server, or a Redis Cluster. This folder alone knows its client. Redis may be
 * unavailable at any time: nothing here waits for it longer than a quarter of a second, nothing is queued for
 * it, and it reconnects by itself.
 */
import type { Log } from '../log.ts'
import type { RedisAddress } from './address.ts'
import { ANSWER_WITHIN_MS } from './client.ts'
import { RedisCluster } from './cluster.ts'
import type { Redis } from './links.ts'
import { RedisServer } from './server.ts'

export { hostsOf, parseRedisUrl, type RedisAddress } from './address.ts'
export type { Script } from './link.ts'
export type { Redis } from './links.ts'

/** Starts to connect and returns at once. `answerWithinMs`: how long a script or a message may take. */
export function openRedis(address: RedisAddress, log: Log, answerWithinMs = ANSWER_WITHIN_MS): Redis {
  const redis = address.isCluster
    ? new RedisCluster(address, answerWithinMs)
    : new RedisServer(address, answerWithinMs)
  redis.onChange((connected, why) =>
    connected ? log.info('redis is there') : log.warn({ err: why }, 'redis is away'),
  )
  return redis
}
