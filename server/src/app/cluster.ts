/**
 * This node among others: the bus of events, what carries it between nodes, and who is online on any of them.
 */
import type { Config } from '../config.ts'
import { readSecret } from '../kit/crypto/secrets.ts'
import type { Database, Db } from '../kit/database/db.ts'
import { type Bus, openBus } from '../kit/events/bus.ts'
import { eventLogOf, listenForEvents } from '../kit/events/events.ts'
import { openMissedEventPoller } from '../kit/events/missedEventPoller.ts'
import { alone, type Nodes, openNodes } from '../kit/events/nodes.ts'
import { type Presence, sharePresence } from '../kit/events/presence.ts'
import { openRelay } from '../kit/events/relay.ts'
import type { Log } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics/metrics.ts'
import { openRedis, type Redis } from '../kit/redis/redis.ts'
import { GatewayHook } from './hooks.ts'

export interface Cluster {
  /** Null: this node is the only one. */
  readonly redis: Redis | null
  /** What the keys of this system begin with in Redis. */
  readonly prefix: string
  readonly nodes: Nodes
  readonly bus: Bus
  /** Attached once the gateway is open. */
  readonly gateway: GatewayHook
  readonly presence: Presence
  /** Whether events of other processes are received. */
  isListening(): boolean
  close(): void
}

/** What begins the names of channels and keys: the database distinguishes systems that share a Redis. */
export const redisPrefixOf = async (db: Db): Promise<string> =>
  `guildhall:${(await readSecret(db, 'nodes')).toString('hex', 0, 8)}:`

export async function openCluster({
  config,
  database: { db, pool },
  log,
  metrics,
}: {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly metrics: Metrics
}): Promise<Cluster> {
  const redis = config.redis && openRedis(config.redis, log)
  const prefix = await redisPrefixOf(db)
  const nodes = redis ? openNodes({ redis, prefix, log }) : alone()
  if (redis) metrics.nodes.watch(() => ({ isConnected: redis.isConnected(), others: nodes.others().length }))
  const gateway = new GatewayHook()
  const missedEvents = openMissedEventPoller({
    db,
    bus: () => bus,
    nodes,
    redis,
    log,
  })
  const relay = redis && openRelay(redis, prefix, missedEvents)
  const bus = openBus(eventLogOf(db), log, metrics.bus, relay)
  const listener = await listenForEvents(pool, bus, log, missedEvents.checkHere)
  const shared = redis && sharePresence(nodes, () => gateway.current, gateway.onChange)
  return {
    redis,
    prefix,
    nodes,
    bus,
    gateway,
    presence: shared ?? gateway,
    isListening: () => listener.isListening(),
    close() {
      listener.close()
      missedEvents.close()
      shared?.close()
      bus.close()
      nodes.close()
      redis?.close()
    },
  }
}
