import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { openTestRedis, PATIENCE_MS, type TestRedis } from '../../testing/nodes/redis.ts'
import { openLog } from '../log.ts'
import { openRedis, type Redis } from '../redis/redis.ts'
import { redisRateLimiter } from './rateLimit.ts'

let server: TestRedis
/** Waits for Redis as long as it takes, so that each call is counted there. */
let redis: Redis
const log = openLog('quiet')
log.level = 'silent'
const soon = { timeout: 60_000, interval: 10 }

beforeAll(async () => {
  server = await openTestRedis()
  redis = openRedis(server.address, log, PATIENCE_MS)
  await vi.waitUntil(() => redis.isConnected(), soon)
})
afterAll(async () => {
  redis?.close()
  await server?.close()
})

it('two nodes count in one window, and concurrent calls are each counted', async () => {
  const nodes = [redisRateLimiter(redis, 'test:'), redisRateLimiter(redis, 'test:')]
  const spent = await Promise.all(
    Array.from({ length: 50 }, (_, n) => nodes[n % 2]!.count('test', 'somebody', 60_000)),
  )
  expect(spent.map((window) => window.spent).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 1),
  )
  for (const { resetMs } of spent) expect(resetMs).toBeGreaterThan(0)
  await Promise.all([0, 1, 0].map((n) => nodes[n]!.refund('test', 'somebody')))
  expect((await nodes[1]!.count('test', 'somebody', 60_000)).spent).toBe(48)
  await nodes[0]!.refund('test', 'nobody')
  expect((await nodes[0]!.count('test', 'nobody', 60_000)).spent).toBe(1)
})

it('a window ends by itself, and the next one starts from zero', async () => {
  const windows = redisRateLimiter(redis, 'test:')
  const spent = async () => (await windows.count('test', 'short', 300)).spent
  await vi.waitUntil(async () => (await spent()) === 2, soon)
  await vi.waitUntil(async () => (await spent()) === 1, { ...soon, interval: 400 })
})

it('without Redis, hanging or gone, each node counts for itself', async () => {
  const shared = redisRateLimiter(redis, 'test:')
  await shared.count('test', 'cut off', 60_000)
  expect((await shared.count('test', 'cut off', 60_000)).spent).toBe(2)
  const impatient = openRedis(server.address, log)
  onTestFinished(() => impatient.close())
  await vi.waitUntil(() => impatient.isConnected(), soon)
  const windows = redisRateLimiter(impatient, 'test:')
  server.hang()
  expect((await windows.count('test', 'cut off', 60_000)).spent).toBe(1)
  server.resume()
  await server.kill()
  await vi.waitUntil(() => !impatient.isConnected(), soon)
  expect((await windows.count('test', 'cut off', 60_000)).spent).toBe(2)
})
