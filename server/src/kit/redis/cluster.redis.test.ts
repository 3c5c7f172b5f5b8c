import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestRedis } from '../../testing/redis.ts'
import { openTestRedisCluster, runCommand, type TestRedisCluster } from '../../testing/redisCluster.ts'
import { redisRateLimiter } from '../limits/rateLimit.ts'
import { openLog } from '../log.ts'
import { openRedis, type Redis, type RedisAddress } from './redis.ts'
import { slotOf } from './slots.ts'

let cluster: TestRedisCluster
const open: Redis[] = []
const log = openLog('quiet')
log.level = 'silent'
const soon = { timeout: 60_000, interval: 10 }

beforeAll(async () => {
  cluster = await openTestRedisCluster()
})
afterAll(() => cluster?.close())
afterEach(() => {
  for (const redis of open.splice(0)) redis.close()
})

function openOne(address: RedisAddress = cluster.address): Redis {
  const redis = openRedis(address, log)
  open.push(redis)
  return redis
}

/** As the parts of two nodes of the product. */
async function openTwo(): Promise<readonly [Redis, Redis]> {
  const both = [openOne(), openOne()] as const
  await vi.waitUntil(() => both.every((redis) => redis.isConnected()), soon)
  return both
}

/** A channel of the first server, of the second and of the third. */
const channels = ['a', 'b', 'c'].map((tag) => `topic:{${tag}}`)
const serverOf = (channel: string) => cluster.servers[Math.min(2, Math.floor(slotOf(channel) / 5461))]!

it('away', async () => {
  expect(new Set(channels.map(serverOf)).size).toBe(3)
})
it('slots', async () => {
  for (const key of ['', 'guild:3100000000000001', '{user}.x', 'x{}y{z}', 'x{{y}}', '公会{厅}'])
    expect(slotOf(key)).toBe(Number(await runCommand(cluster.servers[0], `CLUSTER KEYSLOT "${key}"`)))
})
it('pub', async () => {
  const [one, two] = await openTwo()
  const received: string[] = []
  for (const channel of channels) await two.subscribe(channel, (text) => received.push(`${channel} ${text}`))
  for (const channel of channels) one.publish(channel, 'x')
  await vi.waitUntil(() => received.length === 3, soon)
})
