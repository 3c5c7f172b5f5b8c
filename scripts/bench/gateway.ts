// The gateway benchmark: server CPU per delivered event and memory per idle connection, compared with a bare
// `ws` server that broadcasts one constant string and with one that deflates each event for each socket. Each
// server runs in a separate process, the clients in another. Rounds are interleaved, and ratios are taken
// within a round. Loopback only.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { IDLE_MS } from '@guildhall/wire/gateway/timing.ts'
import { eventOf } from '@guildhall/wire/message/event.ts'
import { DEFAULT_EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { WebSocketServer } from 'ws'
import type { MessageBody } from '../../server/src/gateway/encodeEvent.ts'
import { openGateway } from '../../server/src/gateway/gateway.ts'
import type { GatewayPorts } from '../../server/src/gateway/ports.ts'
import { WRITE_GAP_MS } from '../../server/src/gateway/transport/writeScheduler.ts'

type Kind = 'plain' | 'compressed' | 'passive' | 'bare' | 'deflate'
const KINDS: readonly Kind[] = ['plain', 'compressed', 'bare', 'deflate']
const HOST = '127.0.0.1'
const IDLE_CONNECTIONS = 5_000
/** Events further apart than this plus a round of writing do not share a write. */
const EVENT_GAP_MS = WRITE_GAP_MS
const ROUNDS = 5
/** How long a child process may take to answer, ms. */
const ANSWER_MS = 60_000

const GUILD = '10' as MessageBody['message']['guild_id']
const CHANNEL = '20' as MessageBody['message']['channel_id']

/** An event of the protocol's full size. protocol.md §3.2. */
function body(seq: number): MessageBody {
  const content = `第 ${seq} 句：今晚八点集合，带上药水和地图 (met)1789420001(met)`
  const message = {
    id: `26af7ebe-0000-4000-8000-${String(seq).padStart(12, '0')}`,
    channel_id: CHANNEL,
    guild_id: GUILD,
    type: 1,
    content,
    create_at: 1_711_101_899_861 + seq,
    updated_at: 0,
    author: {
      id: '619360001',
      username: 'ann',
      identify_num: '6620',
      online: true,
      os: 'Android',
      status: 1,
      avatar: 'https://h/a.jpg',
      vip_avatar: 'https://h/a.jpg',
      banner: '',
      nickname: '小满',
      roles: [32567669],
      is_vip: false,
      vip_amp: false,
      bot: false,
      nameplate: [],
      is_sys: false,
    },
    nonce: `0f8fad5b-d9cb-469f-a165-${String(seq).padStart(12, '0')}`,
    mention: ['1789420001'],
    mention_all: false,
    mention_here: false,
    mention_roles: [],
    kmarkdown: {
      raw_content: content,
      mention_part: [{ id: '1789420001', username: 'bot', full_name: 'bot#6551', avatar: 'https://h/b.png' }],
      mention_role_part: [],
      channel_part: [],
      item_part: [],
      emoji: [],
    },
    quote: null,
    attachments: null,
    reactions: [],
    embeds: [],
    seq,
  } as unknown as MessageBody['message']
  return { message, channel: { name: '闲聊', type: 1 } }
}

const frameText = (seq: number): string => {
  const it = body(seq)
  return JSON.stringify({ s: 0, sn: seq, d: eventOf(it.message, it.channel, 'specification') })
}

/** A measured server. */
interface Subject {
  broadcast(): void
  connections(): number
}

function ours(server: ReturnType<typeof createServer>): Subject {
  let seq = 0
  const ports: GatewayPorts = {
    readToken: (token) => ({ userId: token as never, loginId: `login of ${token}` }),
    isLoginAlive: async () => true,
    membershipsOf: async () => [{ guild_id: GUILD, roles: [] }],
    rolesOf: async () => [],
    factsOf: async () => ({
      guild_id: GUILD,
      owner_id: '1' as never,
      seq,
      roles: [{ role_id: 0, permissions: DEFAULT_EVERYONE }],
      channels: [{ id: CHANNEL, rules: [], users: [] }],
    }),
    uuid: () => crypto.randomUUID(),
    now: () => Date.now(),
    log: { warn: () => {}, error: (detail) => console.error(detail) },
  }
  const gateway = openGateway(server, ports, { handshakesPerNetwork: Number.MAX_SAFE_INTEGER })
  return {
    broadcast() {
      seq += 1
      gateway.guildEvent({
        to: 'guild',
        guildId: GUILD,
        channelId: CHANNEL,
        kind: 'message',
        at: Date.now(),
        seq,
        body: body(seq),
      })
    },
    connections: () => gateway.onlineCount(GUILD),
  }
}

function theirs(server: ReturnType<typeof createServer>, kind: Kind): Subject {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (ws) => {
    ws.on('message', () => {})
    ws.on('error', () => ws.terminate())
  })
  const constant = frameText(1)
  let seq = 0
  return {
    broadcast() {
      seq += 1
      if (kind === 'bare') for (const ws of sockets.clients) ws.send(constant)
      else {
        const text = frameText(seq)
        for (const ws of sockets.clients) ws.send(deflateSync(text))
      }
    },
    connections: () => sockets.clients.size,
  }
}

type Ask =
  /** `addresses`: how many addresses of this machine they come from, as one has some thousands of ports. */
  | { ask: 'open'; port: number; from: number; count: number; compress: 0 | 1; addresses?: number }
  | { ask: 'received'; port: number }
  | { ask: 'focus nothing'; port: number }
  | { ask: 'connections' }
  | { ask: 'written' }
  | { ask: 'memory' }
  /** CPU of so many ms in which nothing is sent but heartbeats, µs. */
  | { ask: 'rest'; forMs: number }
  /** Each of them says that it is there, spread over the time between two heartbeats. */
  | { ask: 'ping evenly'; port: number }
  | { ask: 'broadcast'; times: number; burst: number; gapMs: number; tailMs: number }

/** The process of a server: answers each request with a number. CPU in microseconds, memory in bytes. */
async function serve(kind: Kind): Promise<void> {
  const server = createServer()
  const open = new Set<Socket>()
  server.on('connection', (socket) => open.add(socket))
  const subject = kind === 'bare' || kind === 'deflate' ? theirs(server, kind) : ours(server)
  await new Promise<void>((done) => server.listen({ port: 0, host: HOST, backlog: 4096 }, done))
  answer(async (it) => {
    if (it.ask === 'connections') return subject.connections()
    if (it.ask === 'written') return [...open].reduce((sum, socket) => sum + socket.bytesWritten, 0)
    if (it.ask === 'memory') {
      globalThis.gc?.()
      await sleep(200)
      globalThis.gc?.()
      return process.memoryUsage.rss()
    }
    const before = process.cpuUsage()
    if (it.ask === 'rest') {
      await sleep(it.forMs)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    if (it.ask !== 'broadcast') throw new Error(`a server cannot ${it.ask}`)
    for (let n = 0; n < it.times; n += 1) {
      for (let m = 0; m < it.burst; m += 1) subject.broadcast()
      await sleep(it.gapMs)
    }
    await sleep(it.tailMs)
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  process.send?.((server.address() as AddressInfo).port)
}

/** A client's text frame, masked with zeros. RFC 6455 §5.2. */
const clientFrame = (json: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | json.length, 0, 0, 0, 0]), Buffer.from(json)])
const FOCUS_NOTHING = clientFrame('{"s":7,"d":{"guild_id":null}}')
const PING = clientFrame('{"s":2}')
/** The gateway closes connections that are silent for longer than `IDLE_MS`. */
const PING_EVERY_MS = IDLE_MS / 3
const PING_STEP_MS = 10

/** The process of the clients: raw sockets that read into one buffer and count. */
function drain(): void {
  const received = new Map<number, number>()
  const buffer = Buffer.allocUnsafe(64 * 1024)
  const opened = new Map<number, Socket[]>()
  setInterval(() => {
    for (const sockets of opened.values()) for (const socket of sockets) socket.write(PING)
  }, PING_EVERY_MS).unref()
  answer(async (it) => {
    if (it.ask === 'received') return received.get(it.port) ?? 0
    if (it.ask === 'focus nothing') {
      for (const socket of opened.get(it.port) ?? []) socket.write(FOCUS_NOTHING)
      return 0
    }
    if (it.ask === 'ping evenly') {
      const sockets = opened.get(it.port) ?? []
      opened.delete(it.port)
      const steps = PING_EVERY_MS / PING_STEP_MS
      let step = 0
      setInterval(() => {
        for (let n = step % steps; n < sockets.length; n += steps) sockets[n]!.write(PING)
        step += 1
      }, PING_STEP_MS).unref()
      return sockets.length
    }
    if (it.ask !== 'open') throw new Error(`clients cannot ${it.ask}`)
    const { port, compress, addresses = 1 } = it
    const opening = opened.get(port) ?? []
    opened.set(port, opening)
    const openOne = (id: number) =>
      new Promise<void>((done, refuse) => {
        const callback = (bytes: number) => {
          received.set(port, (received.get(port) ?? 0) + bytes)
          done()
          return true
        }
        const localAddress = `127.0.0.${1 + (id % addresses)}`
        const socket = connect({ port, host: HOST, localAddress, onread: { buffer, callback } })
        socket.on('error', refuse)
        opening.push(socket)
        socket.write(
          `GET /gateway?compress=${compress}&token=${id} HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\n` +
            'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
        )
      })
    for (let id = 0; id < it.count; id += 50) {
      const some = Math.min(50, it.count - id)
      await Promise.all(Array.from({ length: some }, (_, n) => openOne(it.from + id + n)))
    }
    return it.count
  })
  process.send?.(0)
}

function answer(act: (input: Ask) => Promise<number>): void {
  process.on('message', (input: Ask) => {
    act(input).then(
      (value) => process.send?.(value),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}

/** So many files may a process have open that has 100 000 connections; only root may raise it. */
const FILES_MAX = 250_000
const RAISE = `ulimit -n ${FILES_MAX} 2>/dev/null`
/** How many files such a process may have open here. */
export const filesMax = (): number =>
  Number(execFileSync('sh', ['-c', `${RAISE}; ulimit -n`], { encoding: 'utf8' }))

/** A child process; `port` is the first number it sends. */
export class Child {
  readonly #process: ChildProcess
  port = 0
  constructor(...role: string[]) {
    const args = [
      '-c',
      `${RAISE}; exec "$0" "$@"`,
      process.execPath,
      '--expose-gc',
      import.meta.filename,
      ...role,
    ]
    this.#process = spawn('sh', args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  }
  async started(): Promise<this> {
    this.port = await this.#next()
    return this
  }
  async ask(input: Ask): Promise<number> {
    this.#process.send(input)
    return this.#next()
  }
  end(): void {
    this.#process.kill()
  }
  async #next(): Promise<number> {
    const timeout = AbortSignal.timeout(ANSWER_MS)
    const [value] = await once(this.#process, 'message', { signal: timeout })
    return value as number
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Runs `act` with servers of the given kinds that have this many connections each. */
async function withServers(
  kinds: readonly Kind[],
  connections: number,
  act: (servers: ReadonlyMap<Kind, Child>, clients: Child) => Promise<void>,
): Promise<void> {
  const clients = new Child('clients')
  const servers = new Map(kinds.map((kind) => [kind, new Child('server', kind)]))
  try {
    await clients.started()
    for (const [kind, server] of servers) {
      await server.started()
      const compress = kind === 'compressed' || kind === 'passive' ? 1 : 0
      await clients.ask({ ask: 'open', port: server.port, from: 1, count: connections, compress })
      for (let tries = 0; (await server.ask({ ask: 'connections' })) < connections; tries += 1) {
        if (tries > 200) throw new Error(`${kind}: not every connection opened`)
        await sleep(50)
      }
      if (kind === 'passive') await clients.ask({ ask: 'focus nothing', port: server.port })
    }
    await act(servers, clients)
  } finally {
    for (const child of [clients, ...servers.values()]) child.end()
  }
}

interface Load {
  readonly kinds: readonly Kind[]
  readonly connections: number
  readonly times: number
  readonly burst: number
  readonly gapMs: number
  /** Waits this long for delayed events, ms. */
  readonly tailMs?: number
}

/**
 * CPU per delivered event of each kind, µs, one figure per round. @throws when a written byte was not
 * received
 */
async function measure(load: Load, servers: ReadonlyMap<Kind, Child>, clients: Child) {
  const { connections, times, burst, gapMs, tailMs = 0 } = load
  const costs = new Map<Kind, number[]>(load.kinds.map((kind) => [kind, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of load.kinds) {
      const server = servers.get(kind)!
      const cpu = await server.ask({ ask: 'broadcast', times, burst, gapMs, tailMs })
      // The first round is a warm-up.
      if (round > 0) costs.get(kind)?.push(cpu / (times * burst * connections))
      // Both are read again each time: a pong may be written meanwhile.
      const isReceived = async () =>
        (await clients.ask({ ask: 'received', port: server.port })) === (await server.ask({ ask: 'written' }))
      for (let tries = 0; !(await isReceived()); tries += 1) {
        if (tries > 100) throw new Error(`${kind}: what was written did not all arrive`)
        await sleep(50)
      }
    }
  }
  return costs
}

const NAMES: Readonly<Record<Kind, string>> = {
  plain: 'guildhall',
  compressed: 'guildhall, compressed',
  passive: 'guildhall, unfocused',
  bare: 'ws, one string',
  deflate: 'ws, deflate per socket',
}

const ratio = (a: readonly number[] = [], b: readonly number[] = []) =>
  median(a.map((value, round) => value / (b[round] ?? Number.NaN)))

function print(title: string, costs: ReadonlyMap<Kind, number[]>, base: readonly number[] | undefined): void {
  console.log(title)
  for (const [kind, values] of costs) {
    const label = NAMES[kind].padEnd(24)
    console.log(
      `  ${label} ${median(values).toFixed(2).padStart(7)} µs   × ${ratio(values, base).toFixed(2)}`,
    )
  }
}

/** Runs the whole comparison and prints it: about eight minutes. */
export async function run(): Promise<void> {
  console.log('server CPU per delivered event, ratio to a ws server that broadcasts one constant string')
  for (const connections of [100, 1_000]) {
    await withServers(KINDS, connections, async (servers, clients) => {
      const oneAtATime = {
        kinds: KINDS,
        connections,
        times: 40_000 / connections,
        burst: 1,
        gapMs: EVENT_GAP_MS + connections / 40,
      }
      const single = await measure(
        connections === 100 ? { ...oneAtATime, times: 200 } : oneAtATime,
        servers,
        clients,
      )
      print(`${connections} members, one event at a time`, single, single.get('bare'))
      const cheaper = ratio(single.get('deflate'), single.get('compressed'))
      console.log(`  compressed is ${cheaper.toFixed(1)} times cheaper than deflating per socket`)
      const kinds = ['plain', 'compressed', 'bare'] as const
      const burst = { kinds, connections, times: 10, burst: 10, gapMs: EVENT_GAP_MS + connections / 10 }
      const together = await measure(burst, servers, clients)
      print(
        `${connections} members, ten events at once; ratio to one at a time`,
        together,
        single.get('bare'),
      )
    })
  }
  const busy = ['compressed', 'passive', 'bare'] as const
  await withServers(busy, 1_000, async (servers, clients) => {
    const load = { kinds: busy, connections: 1_000, times: 20, burst: 1, gapMs: 100, tailMs: 1_100 }
    const costs = await measure(load, servers, clients)
    print('1000 members, ten events a second', costs, costs.get('bare'))
  })
  console.log(`${IDLE_CONNECTIONS} connections, memory of the whole process`)
  const memory = new Map<Kind, number>()
  const costs = new Map<Kind, number[]>()
  for (const kind of ['bare', 'plain', 'compressed'] as const) {
    await withServers([kind], IDLE_CONNECTIONS, async (servers, clients) => {
      memory.set(kind, (await servers.get(kind)?.ask({ ask: 'memory' })) ?? 0)
      const load = { kinds: [kind], connections: IDLE_CONNECTIONS, times: 8, burst: 1, gapMs: 100 }
      for (const [name, values] of await measure(load, servers, clients)) costs.set(name, values)
    })
  }
  for (const [kind, rss] of memory) {
    const perConnection = (rss / IDLE_CONNECTIONS / 1024).toFixed(2).padStart(7)
    const times = (rss / (memory.get('bare') ?? Number.NaN)).toFixed(2)
    console.log(`  ${NAMES[kind].padEnd(24)} ${perConnection} KiB  × ${times}`)
  }
  print(`${IDLE_CONNECTIONS} members, one event at a time`, costs, costs.get('bare'))
}

const [role, kind] = process.argv.slice(2)
if (import.meta.main) {
  if (role === 'server') await serve(kind as Kind)
  else if (role === 'clients') drain()
  else await run()
}
