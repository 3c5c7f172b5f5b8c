import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRedisUrl } from '../../kit/redis/redis.ts'
import { openTestRedis, type TestRedis } from '../../testing/nodes/redis.ts'
import { openTestRedisServer, runCommand } from '../../testing/nodes/redisCluster.ts'
import { freePort } from '../../testing/port.ts'
import { checkRedis, judge } from './redis.ts'

let single: TestRedis
/** A cluster of one server. */
let cluster: TestRedis
beforeAll(async () => {
  ;[single, cluster] = await Promise.all([openTestRedis(), openTestRedisServer()])
})
afterAll(async () => {
  await Promise.all([single?.close(), cluster?.close()])
})

const check = async (url: string) => {
  const [finding, ...others] = await checkRedis({ redis: parseRedisUrl(url) })
  expect(others).toEqual([])
  return finding
}
const asCluster = ({ url }: TestRedis) => url.replace('redis:', 'redis+cluster:')

it('a server that does not answer, or refuses the password, is bad, and what is said of it has no password', async () => {
  for (const host of ['127.0.0.1:1', `127.0.0.1:${single.port}`]) {
    const found = await check(`redis://somebody:hunter2@${host}`)
    expect(found).toMatchObject({ health: 'bad', says: expect.stringContaining('does not pass messages on') })
    expect(JSON.stringify(found)).not.toContain('hunter2')
  }
})

it('a single server under the address of a cluster is bad', async () => {
  expect(await check(asCluster(single))).toMatchObject({
    health: 'bad',
    do: expect.stringContaining('redis://'),
  })
})

it('a cluster is bad while slots have no server', async () => {
  await runCommand(cluster, 'CLUSTER ADDSLOTSRANGE 0 16380')
  expect(await check(asCluster(cluster))).toMatchObject({
    health: 'bad',
    says: expect.stringMatching(/^3 slots/),
  })
  await runCommand(cluster, 'CLUSTER ADDSLOTSRANGE 16381 16383')
})

it('a server of a cluster under the address of a single one works, with a warning', async () => {
  expect(await check(cluster.url)).toMatchObject({
    health: 'warn',
    do: expect.stringContaining('redis+cluster://'),
  })
})

it('a single server and a cluster that pass messages on are fine', async () => {
  expect(await check(single.url)).toMatchObject({ health: 'ok' })
  expect(await check(asCluster(cluster))).toMatchObject({ health: 'ok' })
})

it('a cluster is bad when it names a server that is not reached from here, or one that is too old', async () => {
  await runCommand(cluster, 'CONFIG SET cluster-announce-ip 127.0.0.1')
  await runCommand(cluster, `CONFIG SET cluster-announce-port ${await freePort()}`)
  expect(await check(asCluster(cluster))).toMatchObject({
    health: 'bad',
    do: expect.stringContaining('announce'),
  })

  const servers = [{ host: 'a:7000', version: '6.2.14' }]
  const [found] = judge(parseRedisUrl('redis+cluster://a:7000')!, {
    isCluster: true,
    servers,
    slotsMissing: 0,
  })
  expect(found).toMatchObject({ health: 'bad', says: expect.stringContaining('6.2.14') })
})
