/** A Redis Cluster of three masters, whose slots move and which are killed, as two nodes see it. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { PATIENCE_MS, type TestRedis } from '../../testing/nodes/redis.ts'
import { openTestRedisCluster, runCommand, type TestRedisCluster } from '../../testing/nodes/redisCluster.ts'
import { redisRateLimiter } from '../limits/rateLimit.ts'
import { openLog } from '../log.ts'
import { openRedis, type Redis, type RedisAddress } from './redis.ts'
import { slotOf } from './slots.ts'

let cluster: TestRedisCluster
const open: Redis[] = []
const log = openLog('quiet')
log.level = 'silent'
const soon = { timeout: 20_000, interval: 10 }

beforeAll(async () => {
  cluster = await openTestRedisCluster()
})
afterAll(() => cluster?.close())
afterEach(() => {
  for (const redis of open.splice(0)) redis.close()
})

function openOne(address: RedisAddress = cluster.address, answerWithinMs?: number): Redis {
  const redis = openRedis(address, log, answerWithinMs)
  open.push(redis)
  return redis
}

async function openTwo(answerWithinMs?: number): Promise<readonly [Redis, Redis]> {
  const both = [openOne(cluster.address, answerWithinMs), openOne(cluster.address, answerWithinMs)] as const
  await areConnected(both)
  return both
}

const areConnected = (all: readonly Redis[]) =>
  vi.waitUntil(() => all.every((redis) => redis.isConnected()), soon)

/** A channel of each server. */
const channels = ['b', 'c', 'a'].map((tag) => `topic:{${tag}}`) as [string, string, string]

const lostOn = (redis: Redis, channel: string) =>
  new Promise<void>((lost) => redis.publish(channel, 'lost', lost))

const refusal = /redis is away/
const COUNT = { name: 'testCount', lua: `return redis.call('incr', KEYS[1])` }

it('without a reachable server nothing waits: messages are lost and scripts are refused', async () => {
  const redis = openOne({ isCluster: true, urls: ['redis://127.0.0.1:1', 'redis://127.0.0.1:2'] })
  await redis.subscribe('topic', () => undefined)
  await lostOn(redis, 'topic')
  await expect(redis.runScript(COUNT, ['key'], [])).rejects.toThrow(refusal)
  expect(redis.isConnected()).toBe(false)
})

it('a script whose keys have several slots is refused, and one whose keys share braces runs', async () => {
  const [one] = await openTwo(PATIENCE_MS)
  await expect(one.runScript(COUNT, channels, [])).rejects.toThrow(/same slot/)
  expect(await one.runScript(COUNT, ['{x}1', '{x}2'], [])).toBe(1)
})

it('the slot of a key is the one that the server computes', async () => {
  for (const key of ['', 'guild:3100000000000001', '{user}.x', 'x{}y{z}', 'x{{y}}', 'x}{y', '公会{厅}'])
    expect([key, slotOf(key)]).toEqual([
      key,
      Number(await runCommand(cluster.servers[0], `CLUSTER KEYSLOT "${key}"`)),
    ])
})

it('what is published on any of the servers reaches those who subscribe to it, once, and nobody else', async () => {
  const [one, two] = await openTwo()
  const received: string[] = []
  for (const channel of channels) {
    await one.subscribe(channel, (text) => received.push(`one ${channel} ${text}`))
    await two.subscribe(channel, (text) => received.push(`two ${channel} ${text}`))
  }
  one.unsubscribe(channels[0])
  for (const channel of channels) two.publish(channel, '你好')
  const expected = channels.flatMap((channel) => [`one ${channel} 你好`, `two ${channel} 你好`]).slice(1)
  await vi.waitUntil(() => received.length >= expected.length, soon)
  for (const channel of channels) two.publish(channel, 'end')
  await vi.waitUntil(() => received.length >= 2 * expected.length, soon)
  expect(received.filter((each) => each.endsWith('你好')).toSorted()).toEqual(expected.toSorted())
})

it('two nodes count limits in one window, wherever its key lies', async () => {
  const nodes = (await openTwo(PATIENCE_MS)).map((redis) => redisRateLimiter(redis, 'test:'))
  const keys = Array.from({ length: 30 }, (_, n) => `person ${n}`)
  for (const key of keys) await nodes[0]!.count('test', key, 60_000)
  const spent = await Promise.all(keys.map((key) => nodes[1]!.count('test', key, 60_000)))
  expect(new Set(spent.map((window) => window.spent))).toEqual(new Set([2]))
  await nodes[0]!.refund('test', keys[0]!)
  expect((await nodes[1]!.count('test', keys[0]!, 60_000)).spent).toBe(2)
})

/** Publishes at `one` until `act` is over and both are connected; what happened, in order. */
async function publishWhile(one: Redis, two: Redis, channel: string, act: () => Promise<void>) {
  const happened: string[] = []
  two.onChange((connected) => happened.push(connected ? 'there' : 'away'))
  await two.subscribe(channel, (text) => happened.push(`received ${text}`))
  let n = 0
  const publish = () => {
    n += 1
    const text = String(n)
    happened.push(`sent ${text}`)
    one.publish(channel, text, () => happened.push(`lost ${text}`))
  }
  const timer = setInterval(publish, 2)
  await vi.waitUntil(() => happened.includes('received 3'), soon)
  await act()
  await vi.waitUntil(() => happened.includes('away'), soon)
  await areConnected([one, two])
  clearInterval(timer)
  one.publish(channel, 'last')
  await vi.waitUntil(() => happened.includes('received last'), soon)
  return happened
}

/**
 * Those that did not come and that nobody would look for: they were sent after the last `there`, and are not
 * known to be lost.
 */
const missedForGood = (happened: readonly string[]) =>
  happened.filter((each, at) => {
    const [what, n] = each.split(' ')
    const isKnown = happened.includes(`received ${n}`) || happened.includes(`lost ${n}`)
    return what === 'sent' && !isKnown && at > happened.lastIndexOf('there')
  })

const move = (slot: number, from: TestRedis, to: TestRedis) => () => cluster.moveSlot(slot, from, to)

it('while a slot moves Redis is away, and what is published once it is there again arrives once', async () => {
  const [channel] = channels
  const [from, to] = cluster.servers
  const [one, two] = await openTwo()
  const happened = await publishWhile(one, two, channel, move(slotOf(channel), from, to))
  expect(missedForGood(happened)).toEqual([])
  const received = happened.filter((each) => each.startsWith('received'))
  expect(received).toEqual([...new Set(received)])
  const back = await publishWhile(one, two, channel, move(slotOf(channel), to, from))
  expect(missedForGood(back)).toEqual([])
})

it('a slot that moves away and back at once is subscribed to again', async () => {
  const [channel] = channels
  const [from, to] = cluster.servers
  const [one, two] = await openTwo()
  const happened = await publishWhile(one, two, channel, async () => {
    await cluster.moveSlot(slotOf(channel), from, to)
    await cluster.moveSlot(slotOf(channel), to, from)
  })
  expect(missedForGood(happened)).toEqual([])
})

it('the slot of the heartbeat may move, too', async () => {
  const [from, to] = cluster.servers
  const [one, two] = await openTwo()
  // The first number whose slot the first server has.
  const slot = slotOf('{3}')
  expect(await publishWhile(one, two, channels[0], move(slot, from, to))).toContain('there')
  await cluster.moveSlot(slot, to, from)
})

it('with a killed master Redis is away until it is back, and the other masters pass messages on', async () => {
  const [one, two] = await openTwo()
  const received: string[] = []
  for (const channel of channels) await two.subscribe(channel, (text) => received.push(`${channel} ${text}`))
  await cluster.servers[1].kill()
  await vi.waitUntil(() => !one.isConnected() && !two.isConnected(), soon)
  await lostOn(one, channels[1])
  one.publish(channels[0], 'goes on')
  one.publish(channels[2], 'goes on')
  await vi.waitUntil(() => received.length === 2, soon)
  expect((await redisRateLimiter(one, 'test:').count('test', channels[1], 60_000)).spent).toBe(1)
  await cluster.servers[1].start()
  await areConnected([one, two])
  one.publish(channels[1], 'again')
  await vi.waitUntil(() => received.includes(`${channels[1]} again`), soon)
})

it('when the replica of a killed master takes over, messages pass through it, also those of a new node', async () => {
  const [one, two] = await openTwo()
  const received: string[] = []
  await two.subscribe(channels[2], (text) => received.push(text))
  await cluster.servers[2].kill()
  await vi.waitUntil(() => !one.isConnected() && !two.isConnected(), soon)
  await runCommand(cluster.replica, 'CLUSTER FAILOVER TAKEOVER')
  await areConnected([one, two])
  one.publish(channels[2], 'from one')
  const [three] = await openTwo()
  three.publish(channels[2], 'from three')
  await vi.waitUntil(() => received.length === 2, soon)
  expect(received.toSorted()).toEqual(['from one', 'from three'])
})
