/** Two whole nodes in one process, on one database and one Redis, and people who are connected to them. */
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import { type App, startApp } from '../../app/app.ts'
import { readConfig } from '../../config.ts'
import { openLog } from '../../kit/log.ts'
import { callOver } from '../calls.ts'
import { KEYS_SECRET } from '../keys.ts'
import { freePort } from '../port.ts'
import type { TestWorld } from '../world.ts'

export const soon = { timeout: 60_000, interval: 10 }

interface Frame {
  readonly s: number
  readonly sn?: number
  readonly d?: {
    readonly session_id?: string
    readonly content?: string
    readonly extra?: { readonly type?: unknown; readonly body?: unknown }
  }
}

export interface Client {
  readonly socket: WebSocket
  readonly frames: Frame[]
  session(): string | undefined
  /** The texts of the received messages, in order. */
  words(): string[]
}

export const received = (client: Client, text: string) =>
  vi.waitUntil(() => client.words().includes(text), soon)

export interface TwoNodes {
  readonly apps: readonly App[]
  /** Resolves when both say that Redis is there. */
  areReady(): Promise<unknown>
  /** Resolves when both say that it is not. */
  areCutOff(): Promise<unknown>
  /** Opens a connection of a person to the first (0) or second (1) node; `query` goes on with a session. */
  connect(node: number, name: 'owner' | 'member' | 'outsider', query?: string): Promise<Client>
  /** The owner writes into the main channel by way of a node. */
  sendText(node: number, text: string): Promise<void>
  /** Ends all connections. */
  disconnect(): void
  close(): Promise<void>
}

/** Resolves when both nodes are ready. */
export async function openTwoNodes(world: TestWorld, redisUrl: string): Promise<TwoNodes> {
  const opened = [await openNode(world, redisUrl), await openNode(world, redisUrl)]
  const clients: Client[] = []

  const areAll = (isReady: boolean) =>
    vi.waitUntil(async () => {
      const replies = opened.map(({ app }) => app.inject({ method: 'GET', url: '/readyz' }))
      return (await Promise.all(replies)).every(({ text }) => JSON.parse(text).redis === isReady)
    }, soon)

  const nodes: TwoNodes = {
    apps: opened.map(({ app }) => app),
    areReady: () => areAll(true),
    areCutOff: () => areAll(false),
    async connect(node, name, query = '') {
      const { url } = await world.as(name).call(gatewayIndex, { compress: 0 })
      const client = openClient(`${opened[node]!.address}${url.slice(url.indexOf('/gateway'))}${query}`)
      clients.push(client)
      await vi.waitUntil(() => client.frames.some(({ s }) => s === 1), soon)
      return client
    },
    async sendText(node, text) {
      const content = JSON.stringify({ type: 9, content: text })
      const call = callOver(opened[node]!.app.inject, await world.tokenOf('owner'))
      await call(sendToChannel, { id: world.main.id, content })
    },
    disconnect() {
      for (const client of clients.splice(0)) client.socket.terminate()
    },
    async close() {
      await Promise.all(opened.map(({ app }) => app.close()))
    },
  }
  await nodes.areReady()
  return nodes
}

async function openNode(world: TestWorld, redisUrl: string): Promise<{ app: App; address: string }> {
  const port = await freePort()
  const env = {
    PORT: String(port),
    KEYS_SECRET,
    REDIS_URL: redisUrl,
    DATABASE_URL: world.database.url,
    DEMO: '0',
    FETCH_OUTSIDE: '0',
  }
  const log = openLog('quiet')
  log.level = 'silent'
  const config = readConfig(env, '/')
  const app = await startApp({ config, database: world.database, log, webDir: '/nowhere' })
  await app.listen()
  return { app, address: `ws://127.0.0.1:${port}` }
}

function openClient(address: string): Client {
  const socket = new WebSocket(address)
  const frames: Frame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame))
  return {
    socket,
    frames,
    session: () => frames.find(({ s }) => s === 1)?.d?.session_id,
    words: () =>
      frames.flatMap(({ s, d }) => (s === 0 && typeof d?.extra?.type === 'number' ? (d.content ?? '') : [])),
  }
}
