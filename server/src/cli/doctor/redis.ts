/** The Redis between nodes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Config } from '../../config.ts'
import { openLog } from '../../kit/log.ts'
import { inspectRedis, type RedisReport } from '../../kit/redis/inspect.ts'
import { hostsOf, openRedis, type RedisAddress } from '../../kit/redis/redis.ts'
import { bad, type Finding, ok, orFine, warn } from './finding.ts'

const CONNECTS_WITHIN_MS = 5 * SECOND_MS
const LOOK_EVERY_MS = 100
/** The first version whose channels have slots. */
const CLUSTER_VERSION = 7

export async function checkRedis({ redis }: Pick<Config, 'redis'>): Promise<Finding[]> {
  if (redis === null) return [ok('redis', 'this node is alone and needs none')]
  const hosts = hostsOf(redis)
  const report = await inspectRedis(redis).catch(() => null)
  if (report === null) return [silence(hosts)]
  const found = judge(redis, report)
  const isBroken = found.some(({ health }) => health === 'bad')
  if (!isBroken && !(await passesMessages(redis))) found.push(silence(hosts))
  return orFine('redis', `${hosts} passes messages on`, found)
}

/** What is wrong with what the servers say of themselves. */
export function judge({ isCluster }: RedisAddress, report: RedisReport): Finding[] {
  if (!isCluster)
    return report.isCluster
      ? [
          warn(
            'redis',
            'The server is one of a Redis Cluster, but REDIS_URL names it as a single one: each message goes to every server of the cluster, and limits of calls are counted per node.',
            'Write REDIS_URL as redis+cluster://… with two or three of its servers.',
          ),
        ]
      : []
  if (!report.isCluster)
    return [
      bad(
        'redis',
        'REDIS_URL names a cluster, but the server is a single one.',
        'Write REDIS_URL as redis://….',
      ),
    ]
  const found = report.servers.flatMap(({ host, version }) => {
    if (version === null)
      return bad(
        'redis',
        `The cluster names ${host}, which does not answer here.`,
        'See whether it runs; else have it announce an address that nodes reach (cluster-announce-ip).',
      )
    return Number.parseInt(version, 10) < CLUSTER_VERSION
      ? bad(
          'redis',
          `${host} is Redis ${version}; a cluster needs ${CLUSTER_VERSION}.`,
          'Upgrade its servers.',
        )
      : []
  })
  if (report.slotsMissing > 0)
    found.push(
      bad(
        'redis',
        `${report.slotsMissing} slots of the cluster have no server.`,
        'Give them to one: redis-cli --cluster fix.',
      ),
    )
  return found
}

const silence = (hosts: string): Finding =>
  bad(
    'redis',
    `${hosts} does not pass messages on: what happens on one node reaches the others late.`,
    'See whether Redis runs, and REDIS_URL with its password.',
  )

async function passesMessages(address: RedisAddress): Promise<boolean> {
  const redis = openRedis(address, openLog('quiet', process.stderr))
  try {
    const tries = CONNECTS_WITHIN_MS / LOOK_EVERY_MS
    for (let n = 0; n < tries && !redis.isConnected(); n += 1) await sleep(LOOK_EVERY_MS)
    return redis.isConnected()
  } finally {
    redis.close()
  }
}
