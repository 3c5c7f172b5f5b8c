/** Two whole nodes in one process, on one database and a Redis Cluster. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { redisPrefixOf } from '../../app/cluster.ts'
import { slotOf } from '../../kit/redis/slots.ts'
import { openTestRedisCluster, type TestRedisCluster } from '../../testing/nodes/redisCluster.ts'
import { openTwoNodes, received, type TwoNodes } from '../../testing/nodes/twoNodes.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let redis: TestRedisCluster
let nodes: TwoNodes
/** The channel through which the guild's events go. */
let topic: string

beforeAll(async () => {
  ;[world, redis] = await Promise.all([openWorld(), openTestRedisCluster()])
  nodes = await openTwoNodes(world, redis.url)
  topic = `${await redisPrefixOf(world.database.db)}guild:${world.guildId}`
})
afterEach(() => nodes.disconnect())
afterAll(async () => {
  await nodes?.close()
  await redis?.close()
  await world?.close()
})

it('while the slot of a guild moves, each of its messages is received once and in order', async () => {
  const client = await nodes.connect(1, 'member')
  const from = redis.serverOf(topic)
  const to = redis.servers.find((server) => server !== from)!
  const moves = async () => {
    await redis.moveSlot(slotOf(topic), from, to)
    await redis.moveSlot(slotOf(topic), to, from)
  }
  const texts = Array.from({ length: 8 }, (_, n) => `搬家 ${n}`)
  const moved = moves()
  for (const text of texts) await nodes.sendText(0, text)
  await moved
  await nodes.areReady()
  await nodes.sendText(0, '搬完')
  await received(client, '搬完')
  expect(client.words()).toEqual([...texts, '搬完'])
})

it('with the master of a guild killed and when it is back, each message is received once and in order', async () => {
  const client = await nodes.connect(1, 'member')
  await nodes.sendText(0, '走前')
  await redis.serverOf(topic).kill()
  await nodes.areCutOff()
  await nodes.sendText(0, '不在 1')
  await nodes.sendText(1, '不在 2')
  await received(client, '不在 2')
  await redis.serverOf(topic).start()
  await nodes.areReady()
  await nodes.sendText(0, '回来')
  await received(client, '回来')
  expect(client.words()).toEqual(['走前', '不在 1', '不在 2', '回来'])
})
