/**
 * A Redis Cluster of one test: three masters, whose slots can be moved and each of which can be killed, and a
 * replica of the third.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '../../kit/process.ts'
import { parseRedisUrl, type RedisAddress } from '../../kit/redis/redis.ts'
import { slotOf } from '../../kit/redis/slots.ts'
import { freePort } from '../port.ts'
import { openTestRedis, type TestRedis } from './redis.ts'

export interface TestRedisCluster {
  readonly url: string
  readonly address: RedisAddress
  /** The first has slots 0 to 5460, the second 5461 to 10922, the third the others. */
  readonly servers: readonly [TestRedis, TestRedis, TestRedis]
  /** Of the third; it takes over by `CLUSTER FAILOVER TAKEOVER`. */
  readonly replica: TestRedis
  /** The server that had the slot of a key in the beginning. */
  serverOf(key: string): TestRedis
  /** Gives a slot to another server, as `redis-cli --cluster reshard` does. */
  moveSlot(slot: number, from: TestRedis, to: TestRedis): Promise<void>
  close(): Promise<void>
}

const SLOTS = [
  [0, 5460],
  [5461, 10_922],
  [10_923, 16_383],
] as const
/** Starts a server with slots to give, which is no part of a cluster yet. */
export async function openTestRedisServer(): Promise<TestRedis & { readonly busPort: number }> {
  const busPort = await freePort()
  const redis = await openTestRedis([
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(busPort),
    // A replica takes over when a test says so, and not when the machine is slow.
    '--cluster-replica-no-failover',
    'yes',
    '--repl-diskless-sync-delay',
    '0',
  ])
  return { ...redis, busPort }
}

/** Runs a command, of words without spaces. @throws with what the server refuses it with */
export async function runCommand({ port }: TestRedis, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('utf8')
  socket.write(`${command}\r\n`)
  let reply = ''
  try {
    for (;;) {
      const [, first = '', rest = ''] = /^([^\r]*)\r\n(.*)$/s.exec(reply) ?? []
      if (first.startsWith('-')) throw new Error(`${command}: ${first}`)
      if (first.startsWith('$') && rest.length >= Number(first.slice(1)) + 2) return rest.trim()
      if (first.startsWith('+') || first.startsWith(':')) return first.slice(1)
      reply += (await once(socket, 'data'))[0]
    }
  } finally {
    socket.destroy()
  }
}

async function says(server: TestRedis, command: string, answer: string): Promise<void> {
  if (await until(async () => (await runCommand(server, command)).includes(answer), 60_000)) return
  throw new Error(`${command} does not say ${answer}`)
}

/** Starts four servers and makes them one cluster; resolves when it serves all slots. */
export async function openTestRedisCluster(): Promise<TestRedisCluster> {
  const [replica, ...servers] = await Promise.all([
    openTestRedisServer(),
    openTestRedisServer(),
    openTestRedisServer(),
    openTestRedisServer(),
  ])
  const all = [replica, ...servers]
  const close = async () => void (await Promise.all(all.map((server) => server.close())))
  try {
    await Promise.all(
      servers.map(async (server, n) => {
        await runCommand(server, `CLUSTER ADDSLOTSRANGE ${SLOTS[n]!.join(' ')}`)
        await runCommand(server, `CLUSTER SET-CONFIG-EPOCH ${n + 1}`)
      }),
    )
    for (const { port, busPort } of servers)
      await runCommand(replica, `CLUSTER MEET 127.0.0.1 ${port} ${busPort}`)
    const followed = await runCommand(servers[2], 'CLUSTER MYID')
    await says(replica, 'CLUSTER NODES', followed)
    await runCommand(replica, `CLUSTER REPLICATE ${followed}`)
    for (const server of all) await says(server, 'CLUSTER INFO', 'cluster_state:ok')
    await says(replica, 'INFO replication', 'master_link_status:up')
  } catch (error) {
    await close()
    throw error
  }
  const url = `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  return {
    url,
    address: parseRedisUrl(url)!,
    servers,
    replica,
    serverOf: (key) => servers[SLOTS.findIndex(([, last]) => slotOf(key) <= last)]!,
    async moveSlot(slot, from, to) {
      const [fromId, toId] = await Promise.all([from, to].map((server) => runCommand(server, 'CLUSTER MYID')))
      await runCommand(to, `CLUSTER SETSLOT ${slot} IMPORTING ${fromId}`)
      await runCommand(from, `CLUSTER SETSLOT ${slot} MIGRATING ${toId}`)
      const others = servers.filter((server) => server !== to && server !== from)
      for (const server of [to, from, ...others])
        await runCommand(server, `CLUSTER SETSLOT ${slot} NODE ${toId}`)
    },
    close,
  }
}
