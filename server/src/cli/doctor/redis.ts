/** The Redis between nodes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Config } from '../../config.ts'
import { openLog } from '../../kit/log.ts'
import { openRedis } from '../../kit/redis.ts'
import { bad, type Finding, ok } from './finding.ts'

const CONNECTS_WITHIN_MS = 5 * SECOND_MS
const LOOK_EVERY_MS = 100

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return [ok('redis', 'this node is alone and needs none')]
  const redis = openRedis(redisUrl, openLog('quiet', process.stderr))
  try {
    const { host } = new URL(redisUrl)
    const tries = CONNECTS_WITHIN_MS / LOOK_EVERY_MS
    for (let n = 0; n < tries; n += 1) {
      if (redis.isConnected()) return [ok('redis', `${host} passes messages on`)]
      await sleep(LOOK_EVERY_MS)
    }
    return [
      bad(
        'redis',
        `${host} does not pass messages on: what happens on one node reaches the others late.`,
        'See whether Redis runs, and REDIS_URL with its password.',
      ),
    ]
  } finally {
    redis.close()
  }
}
