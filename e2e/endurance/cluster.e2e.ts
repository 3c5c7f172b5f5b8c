/**
 * Faults of a cluster: two nodes with Redis and PostgreSQL, and two dozen clients that keep sending, a third
 * of them through nginx, while a node is killed, Redis and PostgreSQL are restarted and a node is drained.
 * Every acknowledged message is stored, and every client receives all messages once and in order.
 */
import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NETWORK_POLL_MS } from '@guildhall/wire/gateway/timing.ts'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { ensurePackages, NEEDS } from '../../scripts/packages.ts'
import { readWorld, type World } from '../../server/src/demo/world.ts'
import { shownFactor } from '../../server/src/testing/calls.ts'
import {
  findPostgres,
  openTestPostgres,
  type TestPostgres,
} from '../../server/src/testing/database/postgres.ts'
import { openTestRedis, type TestRedis } from '../../server/src/testing/nodes/redis.ts'
import { freePort } from '../../server/src/testing/port.ts'
import {
  brokenNumbers,
  inspect,
  type ServerLocation,
  type ServerProcess,
  startServerProcess,
} from '../../server/src/testing/process.ts'
import { openTalker, type Talker } from '../connection/talker.ts'
import { haveNginx, printedConfigurations, replaced, startNginx } from '../nginx.ts'
import { waitUntil } from '../waitUntil.ts'

const TALKERS = 24
const SPEAKERS = ['owner', 'admin', 'member'] as const
/** The average pause of a client between two messages, ms. */
const SEND_EVERY_MS = 400

/** The index of the balancer, after the nodes. */
const BALANCER = 2

let balancer: ChildProcess
let balancerPort: number
let postgres: TestPostgres
let redis: TestRedis
let world: World
const locations: ServerLocation[] = []
const servers: ServerProcess[] = []
const talkers: Talker[] = []
const directories: string[] = []

test.beforeAll(async () => {
  expect(haveNginx()).toBe(true)
  expect(ensurePackages(NEEDS.redis)).toBe(true)
  expect(ensurePackages(NEEDS.postgres, () => findPostgres() !== null)).toBe(true)
  ;[postgres, redis] = await Promise.all([openTestPostgres(), openTestRedis()])
  for (let n = 0; n < 2; n += 1) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-node-'))
    await chmod(dataDir, 0o755)
    directories.push(dataDir)
    locations.push({
      dataDir,
      port: await freePort(),
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      env: { UPLOADS_SHARED_DIR: path.join(directories[0]!, 'uploads') },
    })
  }
  for (const location of locations) servers.push(await startServerProcess(location))
  world = await inspect(locations[0]!, readWorld)

  balancerPort = await freePort()
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-nginx-'))
  directories.push(directory)
  const { one, several } = await printedConfigurations()
  const nginxServer = replaced(
    one.replace(/upstream guildhall \{[^}]*\}/, several).replaceAll(/^ *ssl_.*$/gm, ''),
    [
      ['10.0.0.1:8080', `127.0.0.1:${locations[0]!.port}`],
      ['10.0.0.2:8080', `127.0.0.1:${locations[1]!.port}`],
      ['listen 80;', `listen unix:${directory}/http.sock;`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${balancerPort};`],
      ['server_name guildhall.example.com;', 'server_name localhost;'],
      ['server_name guildhall.example.com;', 'server_name localhost;'],
      ['/var/log/nginx/guildhall.log', `${directory}/access.log`],
    ],
  )
  balancer = await startNginx(directory, nginxServer, balancerPort)
})

test.afterAll(async () => {
  for (const talker of talkers) talker.close()
  balancer?.kill('SIGTERM')
  await Promise.all(servers.map((server) => server.kill(false)))
  await redis?.close()
  await postgres?.close()
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

const url = (node: number) => `http://127.0.0.1:${node === BALANCER ? balancerPort : locations[node]?.port}`
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function request<T>(
  node: number,
  token: string,
  method: string,
  at: string,
  body?: object,
): Promise<{ status: number; headers: Headers; body: T }> {
  const answer = await fetch(`${url(node)}${at}`, {
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : null) as T }
}

async function login(name: string, node = 0): Promise<string> {
  const { mobile, password } = world.people[name]!
  const { body } = await request<{ token: string }>(node, '', 'POST', '/api/v2/auth/login', {
    mobile,
    password,
    ...shownFactor(world.people[name]!),
  })
  return body.token
}

async function readiness(node: number): Promise<Record<string, unknown> | null> {
  const answer = await fetch(`${url(node)}/readyz`).catch(() => null)
  return answer && ((await answer.json()) as Record<string, unknown>)
}
const bothReady = async () => (await readiness(0))?.ok === true && (await readiness(1))?.ok === true

const demoGuild = () => world.guilds[0]!
const channel = () =>
  world.channels.find((each) => each.guild_id === demoGuild().id && each.type === 1 && !each.is_readonly)!

async function openAt(name: string, node: number): Promise<{ talker: Talker; token: string }> {
  const token = await login(name, node)
  const talker = openTalker({
    name: `${name}-${talkers.length}`,
    me: world.people[name]!.id,
    token,
    channelId: channel().id,
    ...(node === BALANCER ? { urls: [url(node)], first: 0 } : { urls: [url(0), url(1)], first: node }),
  })
  talkers.push(talker)
  return { talker, token }
}

const isConnected = (talker: Talker) => talker.connection().phase === 'connected'
const newestOf = (talker: Talker) => talker.room().run.at(-1)?.seq
const standing = (talker: Talker) => ({
  name: talker.name,
  newest: newestOf(talker),
  connection: talker.connection(),
  closes: Object.fromEntries(talker.closes),
  delivered: talker.delivered.map(({ session, seqs }) => `${session} up to ${seqs.at(-1)}`),
})

test('presence is shared between nodes, and a login ended at one closes its connections at the other', async () => {
  const { talker, token } = await openAt('admin', 1)
  await waitUntil(() => isConnected(talker))
  const invite = world.invites.find((each) => each.guild_id === demoGuild().id)!.code
  const online = async (node: number) =>
    (
      await request<{ data: { guild: { online_count: number } } }>(
        node,
        '',
        'GET',
        `/api/v3/invite/view?id=${invite}`,
      )
    ).body.data.guild.online_count
  await waitUntil(async () => (await online(0)) === 1 && (await online(1)) === 1)

  await request(0, token, 'DELETE', '/api/v2/auths')
  await waitUntil(() => talker.closes.get(4001) === 1)
  await waitUntil(async () => (await online(0)) === 0 && (await online(1)) === 0)
  talker.close()
})

test('rate limits count the calls of both nodes together', async () => {
  const token = await login('outsider')
  const left = async (node: number) =>
    Number((await request(node, token, 'GET', '/api/v3/user/me')).headers.get('x-rate-limit-remaining'))
  const first = await left(0)
  for (let n = 0; n < 10; n += 1) await left(0)
  // A node for which Redis was slow counts a call for itself. One of three that Redis counted is enough.
  expect(Math.min(await left(1), await left(1), await left(1))).toBeLessThan(first - 5)
})

test('a login ended while Redis is down closes its connections at the other node too', async () => {
  const { talker, token } = await openAt('muted', 1)
  await waitUntil(() => isConnected(talker))
  await redis.kill()
  await waitUntil(async () => (await readiness(1))?.redis === false)
  expect((await fetch(`${url(1)}/readyz`)).status).toBe(503)
  await request(0, token, 'DELETE', '/api/v2/auths')
  await waitUntil(() => talker.closes.get(4001) === 1)
  await redis.start()
  await waitUntil(bothReady)
  talker.close()
})

test('every client receives every message once and in order while nodes, Redis and PostgreSQL restart', async () => {
  const clients: Talker[] = []
  for (let n = 0; n < TALKERS; n += 1)
    clients.push((await openAt(SPEAKERS[n % 3]!, Math.floor(n / 3) % 3)).talker)
  await waitUntil(() => clients.every(isConnected))
  let isOver = false
  const talking = clients.map((talker) => talker.talk(SEND_EVERY_MS, () => isOver))
  await pause(2_000)

  await servers[1]!.kill(false)
  await pause(2_000)
  servers[1] = await startServerProcess(locations[1]!)
  await pause(2_000)

  await redis.kill()
  await waitUntil(async () => (await readiness(0))?.redis === false)
  await pause(1_500)
  await redis.start()
  await waitUntil(bothReady)
  await pause(1_000)

  // A node dies while the other node cannot be notified.
  await redis.kill()
  await servers[0]!.kill(false)
  await pause(1_500)
  servers[0] = await startServerProcess(locations[0]!)
  await pause(500)
  await redis.start()
  await waitUntil(bothReady)
  await pause(1_000)

  await postgres.stop('crash')
  await waitUntil(async () => (await readiness(0))?.database === false)
  await postgres.start()
  await waitUntil(bothReady)
  await pause(2_000)

  // All clients are connected to this node since the other one died.
  await servers[1]!.stop()
  servers[1] = await startServerProcess(locations[1]!)
  await pause(2_000)

  isOver = true
  await Promise.all(talking)
  const stored = await inspect(locations[0]!, async (db) => {
    expect(await brokenNumbers(db)).toEqual([])
    const { rows } = await sql<{ id: string; nonce: string; seq: number }>`
      select id, nonce, seq::float8 as seq from message where channel_id = ${channel().id} order by seq`.execute(
      db,
    )
    return rows
  })
  const sentMessages = stored.filter(({ nonce }) => nonce !== '')
  const acknowledged = new Map(clients.flatMap((talker) => [...talker.acknowledged]))
  expect(acknowledged.size).toBeGreaterThan(TALKERS * 10)
  expect(new Map(sentMessages.map(({ nonce, id }) => [nonce, id]))).toEqual(acknowledged)
  expect(sentMessages).toHaveLength(acknowledged.size)
  for (const talker of clients) {
    const mine = sentMessages.filter(({ nonce }) => nonce.startsWith(`${talker.name}-`))
    expect(mine.map(({ nonce }) => nonce)).toEqual(mine.map((_row, n) => `${talker.name}-${n}`))
    expect(talker.refusals).toEqual([])
  }

  const last = stored.at(-1)!.seq
  // Where they stand is what an error prints. Who could not connect tries again after NETWORK_POLL_MS.
  await expect
    .poll(() => clients.filter((talker) => !isConnected(talker) || newestOf(talker) !== last).map(standing), {
      timeout: 3 * NETWORK_POLL_MS,
    })
    .toEqual([])
  const numbers = stored.map(({ seq }) => seq)
  for (const talker of clients) {
    // Within a session nothing is missing, duplicated or out of order.
    for (const { seqs } of talker.delivered)
      expect(seqs).toEqual(numbers.filter((seq) => seq >= seqs[0]! && seq <= seqs.at(-1)!))
    await talker.readAll()
    expect(talker.room().run.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
  }
  // The drained node asked its clients to reconnect to another node.
  expect(clients.reduce((sum, talker) => sum + (talker.closes.get(1012) ?? 0), 0)).toBeGreaterThan(0)
})
