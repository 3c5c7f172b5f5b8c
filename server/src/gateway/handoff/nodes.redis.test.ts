/** Two whole nodes in one process, on one database and one Redis that is stopped and started. */
import { updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { createChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type App, startApp } from '../../app/app.ts'
import { readConfig } from '../../config.ts'
import { commit } from '../../kit/events/events.ts'
import { openLog } from '../../kit/log.ts'
import { join } from '../../member/member.ts'
import { callOver } from '../../testing/calls.ts'
import { KEYS_SECRET } from '../../testing/keys.ts'
import { freePort } from '../../testing/port.ts'
import { openTestRedis, type TestRedis } from '../../testing/redis.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let redis: TestRedis
const nodes: { app: App; address: string }[] = []
const clients: Client[] = []

beforeAll(async () => {
  ;[world, redis] = await Promise.all([openWorld(), openTestRedis()])
  const log = openLog('quiet')
  log.level = 'silent'
  for (let n = 0; n < 2; n += 1) {
    const port = await freePort()
    const env = {
      PORT: String(port),
      KEYS_SECRET,
      REDIS_URL: redis.url,
      DATABASE_URL: world.database.url,
      DEMO: '0',
      FETCH_OUTSIDE: '0',
    }
    const app = await startApp({
      config: readConfig(env, '/'),
      database: world.database,
      log,
      webDir: '/nowhere',
    })
    await app.listen()
    nodes.push({ app, address: `ws://127.0.0.1:${port}` })
  }
  await vi.waitUntil(areReady, soon)
})
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.terminate()
})
afterAll(async () => {
  await Promise.all(nodes.map(({ app }) => app.close()))
  await redis?.close()
  await world?.close()
})

const soon = { timeout: 60_000, interval: 10 }

async function isReady(node: number): Promise<boolean> {
  const reply = await nodes[node]!.app.inject({ method: 'GET', url: '/readyz' })
  return (JSON.parse(reply.text) as { redis: boolean }).redis
}
const areReady = async () => (await isReady(0)) && (await isReady(1))
const areCutOff = async () => !(await isReady(0)) && !(await isReady(1))

interface Frame {
  readonly s: number
  readonly sn?: number
  readonly d?: {
    readonly session_id?: string
    readonly content?: string
    readonly extra?: { readonly type?: unknown; readonly body?: unknown }
  }
}

interface Client {
  readonly socket: WebSocket
  readonly frames: Frame[]
  session(): string | undefined
  /** The texts of the received messages, in order. */
  words(): string[]
}

async function connect(node: number, name: 'owner' | 'member' | 'outsider', query = ''): Promise<Client> {
  const { url } = await world.as(name).call(gatewayIndex, { compress: 0 })
  const socket = new WebSocket(`${nodes[node]!.address}${url.slice(url.indexOf('/gateway'))}${query}`)
  const frames: Frame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame))
  const client: Client = {
    socket,
    frames,
    session: () => frames.find(({ s }) => s === 1)?.d?.session_id,
    words: () =>
      frames.flatMap(({ s, d }) => (s === 0 && typeof d?.extra?.type === 'number' ? (d.content ?? '') : [])),
  }
  clients.push(client)
  await vi.waitUntil(() => frames.some(({ s }) => s === 1), soon)
  return client
}

async function sendText(node: number, text: string): Promise<void> {
  const content = JSON.stringify({ type: 9, content: text })
  const call = callOver(nodes[node]!.app.inject, await world.tokenOf('owner'))
  await call(sendToChannel, { id: world.main.id, content })
}

const received = (client: Client, text: string) => vi.waitUntil(() => client.words().includes(text), soon)

it('a message sent at one node is received at the other', async () => {
  const client = await connect(1, 'member')
  await sendText(0, '隔壁')
  await received(client, '隔壁')
})

it('while Redis is unavailable and after it is back, each message is received once and in order', async () => {
  const client = await connect(1, 'member')
  await sendText(0, '走前')
  await redis.kill()
  await vi.waitUntil(areCutOff, soon)
  await sendText(0, '不在 1')
  await sendText(1, '不在 2')
  await sendText(0, '不在 3')
  await received(client, '不在 3')
  await redis.start()
  await vi.waitUntil(areReady, soon)
  await sendText(0, '回来')
  await received(client, '回来')
  expect(client.words()).toEqual(['走前', '不在 1', '不在 2', '不在 3', '回来'])
})

it('a person who joins a guild at one node receives its events at the other, with or without Redis', async () => {
  const client = await connect(1, 'outsider')
  await redis.kill()
  await vi.waitUntil(areCutOff, soon)
  const guildId = world.guilds[0]!.id
  await commit(nodes[0]!.app.appContext, (tx, emit) => join(tx, emit, guildId, world.people.outsider.id))
  const isTold = () => client.frames.some(({ d }) => d?.extra?.type === 'self_joined_guild')
  await vi.waitUntil(isTold, soon)
  await redis.start()
  await vi.waitUntil(areReady, soon)
  await sendText(0, '欢迎')
  await received(client, '欢迎')
})

it('a session that moves to a node that lags behind receives nothing twice', async () => {
  await connect(1, 'owner')
  await redis.kill()
  await vi.waitUntil(areCutOff, soon)
  for (let n = 0; n < 4; n += 1) {
    const before = await connect(0, 'member')
    await sendText(0, `之前 ${n}`)
    await received(before, `之前 ${n}`)
    // Long enough for the first node to store the session, too short for a poll of the other node.
    await new Promise((wait) => setTimeout(wait, 200))
    const sn = before.frames.findLast(({ s }) => s === 0)?.sn
    before.socket.terminate()
    const after = await connect(1, 'member', `&resume=1&sn=${sn}&session_id=${before.session()}`)
    await sendText(1, `之后 ${n}`)
    await received(after, `之后 ${n}`)
    expect(after.session()).toBe(before.session())
    expect([...before.words(), ...after.words()].filter((text) => text.endsWith(` ${n}`))).toEqual([
      `之前 ${n}`,
      `之后 ${n}`,
    ])
  }
  await redis.start()
  await vi.waitUntil(areReady, soon)
})

it('files of a channel that not everybody may view have signed addresses at every node, and after a move', async () => {
  const call = callOver(nodes[0]!.app.inject, await world.tokenOf('owner'))
  const { id: channel_id } = await call(createChannel, { guild_id: world.guilds[0]!.id, name: '密室' })
  const { view_channel: VIEW } = permission
  await call(updateOverwrite, { channel_id, value: world.idOf('member'), allow: VIEW })
  await call(updateOverwrite, { channel_id, type: 'role_id', value: 0, deny: VIEW })
  const [here, there] = [await connect(0, 'member'), await connect(1, 'member')]
  const show = (name: string) => {
    const content = `http://localhost/assets/2026-11/${name}0p00go.png`
    return call(sendToChannel, { id: channel_id, content: JSON.stringify({ type: 9, content }) })
  }
  await show('firstfirst')
  const signed = (client: Client, name: string) =>
    client.words().find((it) => it.includes(`${name}0p00go.png?e=`))
  await vi.waitUntil(() => signed(here, 'firstfirst') && signed(there, 'firstfirst'), soon)
  expect(signed(here, 'firstfirst')).toBe(signed(there, 'firstfirst'))

  const sn = here.frames.findLast(({ s }) => s === 0)?.sn
  here.socket.terminate()
  await show('secondfile')
  const moved = await connect(1, 'member', `&resume=1&sn=${sn}&session_id=${here.session()}`)
  await vi.waitUntil(() => signed(moved, 'secondfile') && signed(there, 'secondfile'), soon)
  expect(moved.session()).toBe(here.session())
  expect(signed(moved, 'secondfile')).toBe(signed(there, 'secondfile'))
})
