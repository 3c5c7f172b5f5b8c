// What the line costs: server CPU per delivered event and memory per idle line, against a bare `ws` server that
// broadcasts one constant string and one that deflates each event for each socket. Every server is a process of its
// own, the clients are another, rounds are interleaved, and ratios are taken within a round. Loopback only.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
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
const IDLE_LINES = 5_000
/** Events farther apart than this and a round of writing do not share a write. */
const APART_MS = WRITE_GAP_MS
const ROUNDS = 5
/** A child that does not answer in this time is lost, ms. */
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
      ...{ id: '619360001', username: 'ann', identify_num: '6620', online: true, os: 'Android', status: 1 },
      ...{ avatar: 'https://h/a.jpg', vip_avatar: 'https://h/a.jpg', banner: '', nickname: '小满' },
      ...{ roles: [32567669], is_vip: false, vip_amp: false, bot: false, nameplate: [], is_sys: false },
    },
    nonce: `0f8fad5b-d9cb-469f-a165-${String(seq).padStart(12, '0')}`,
    ...{ mention: ['1789420001'], mention_all: false, mention_here: false, mention_roles: [] },
    kmarkdown: {
      raw_content: content,
      mention_part: [{ id: '1789420001', username: 'bot', full_name: 'bot#6551', avatar: 'https://h/b.png' }],
      ...{ mention_role_part: [], channel_part: [], item_part: [], emoji: [] },
    },
    ...{ quote: null, attachments: null, reactions: [], embeds: [], seq },
  } as unknown as MessageBody['message']
  return { message, channel: { name: '闲聊', type: 1 } }
}

const frameText = (seq: number): string => {
  const it = body(seq)
  return JSON.stringify({ s: 0, sn: seq, d: eventOf(it.message, it.channel, 'specification') })
}

/** One server's side of the bench: says one event to everyone, and counts who is there. */
interface Subject {
  say(): void
  lines(): number
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
  const gateway = openGateway(server, ports)
  return {
    say() {
      seq += 1
      gateway.guildEvent({
        ...{ to: 'guild', guildId: GUILD, channelId: CHANNEL, kind: 'message', at: Date.now() },
        ...{ seq, body: body(seq) },
      })
    },
    lines: () => gateway.onlineCount(GUILD),
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
    say() {
      seq += 1
      if (kind === 'bare') for (const ws of sockets.clients) ws.send(constant)
      else {
        const text = frameText(seq)
        for (const ws of sockets.clients) ws.send(deflateSync(text))
      }
    },
    lines: () => sockets.clients.size,
  }
}

type Ask =
  | { ask: 'open'; port: number; from: number; count: number; compress: 0 | 1 }
  | { ask: 'received'; port: number }
  | { ask: 'look away'; port: number }
  | { ask: 'lines' }
  | { ask: 'written' }
  | { ask: 'memory' }
  | { ask: 'say'; times: number; burst: number; gapMs: number; tailMs: number }

/** The process of a server: answers a number to each question. CPU in microseconds, memory in bytes. */
async function serve(kind: Kind): Promise<void> {
  const server = createServer()
  const open = new Set<Socket>()
  server.on('connection', (socket) => open.add(socket))
  const subject = kind === 'bare' || kind === 'deflate' ? theirs(server, kind) : ours(server)
  await new Promise<void>((done) => server.listen({ port: 0, host: HOST, backlog: 4096 }, done))
  answer(async (it) => {
    if (it.ask === 'lines') return subject.lines()
    if (it.ask === 'written') return [...open].reduce((sum, socket) => sum + socket.bytesWritten, 0)
    if (it.ask === 'memory') {
      globalThis.gc?.()
      await sleep(200)
      globalThis.gc?.()
      return process.memoryUsage.rss()
    }
    if (it.ask !== 'say') throw new Error(`a server cannot ${it.ask}`)
    const before = process.cpuUsage()
    for (let n = 0; n < it.times; n += 1) {
      for (let m = 0; m < it.burst; m += 1) subject.say()
      await sleep(it.gapMs)
    }
    await sleep(it.tailMs)
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  process.send?.((server.address() as AddressInfo).port)
}

/** A client's frame that says its page shows no guild. Masked with zeros. RFC 6455 §5.2. */
const LOOK = Buffer.from('{"s":7,"d":{"guild_id":null}}')
const LOOK_AWAY = Buffer.concat([Buffer.from([0x81, 0x80 | LOOK.length, 0, 0, 0, 0]), LOOK])

/** The process of the clients: raw sockets that read into one buffer and count. */
function drain(): void {
  const received = new Map<number, number>()
  const buffer = Buffer.allocUnsafe(64 * 1024)
  const opened = new Map<number, Socket[]>()
  answer(async (it) => {
    if (it.ask === 'received') return received.get(it.port) ?? 0
    if (it.ask === 'look away') {
      for (const socket of opened.get(it.port) ?? []) socket.write(LOOK_AWAY)
      return 0
    }
    if (it.ask !== 'open') throw new Error(`clients cannot ${it.ask}`)
    const { port, compress } = it
    const openOne = (id: number) =>
      new Promise<void>((done, refuse) => {
        const callback = (bytes: number) => {
          received.set(port, (received.get(port) ?? 0) + bytes)
          done()
          return true
        }
        const socket = connect({ port, host: HOST, onread: { buffer, callback } })
        socket.on('error', refuse)
        opened.set(port, [...(opened.get(port) ?? []), socket])
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

function answer(act: (it: Ask) => Promise<number>): void {
  process.on('message', (it: Ask) => {
    act(it).then(
      (value) => process.send?.(value),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}

/** A child and the number it answered first. */
class Child {
  readonly #process: ChildProcess
  port = 0
  constructor(...role: string[]) {
    this.#process = fork(import.meta.filename, role, { execArgv: ['--expose-gc'] })
  }
  async started(): Promise<this> {
    this.port = await this.#next()
    return this
  }
  async ask(it: Ask): Promise<number> {
    this.#process.send(it)
    return this.#next()
  }
  end(): void {
    this.#process.kill()
  }
  async #next(): Promise<number> {
    const gone = AbortSignal.timeout(ANSWER_MS)
    const [value] = await once(this.#process, 'message', { signal: gone })
    return value as number
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Servers of the given kinds with that many lines each, in use by `act`, and gone afterwards. */
async function withServers(
  kinds: readonly Kind[],
  lines: number,
  act: (servers: ReadonlyMap<Kind, Child>, clients: Child) => Promise<void>,
): Promise<void> {
  const clients = new Child('clients')
  const servers = new Map(kinds.map((kind) => [kind, new Child('server', kind)]))
  try {
    await clients.started()
    for (const [kind, server] of servers) {
      await server.started()
      const compress = kind === 'compressed' || kind === 'passive' ? 1 : 0
      await clients.ask({ ask: 'open', port: server.port, from: 1, count: lines, compress })
      for (let tries = 0; (await server.ask({ ask: 'lines' })) < lines; tries += 1) {
        if (tries > 200) throw new Error(`${kind}: not every line opened`)
        await sleep(50)
      }
      if (kind === 'passive') await clients.ask({ ask: 'look away', port: server.port })
    }
    await act(servers, clients)
  } finally {
    for (const child of [clients, ...servers.values()]) child.end()
  }
}

interface Load {
  readonly kinds: readonly Kind[]
  readonly lines: number
  readonly times: number
  readonly burst: number
  readonly gapMs: number
  /** What may come late is waited for. */
  readonly tailMs?: number
}

/** CPU per delivered event of each kind, µs, one figure a round. Refuses when a byte written was not received. */
async function measure(load: Load, servers: ReadonlyMap<Kind, Child>, clients: Child) {
  const { lines, times, burst, gapMs, tailMs = 0 } = load
  const costs = new Map<Kind, number[]>(load.kinds.map((kind) => [kind, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of load.kinds) {
      const server = servers.get(kind)!
      const cpu = await server.ask({ ask: 'say', times, burst, gapMs, tailMs })
      // The first round only warms up.
      if (round > 0) costs.get(kind)?.push(cpu / (times * burst * lines))
      const written = await server.ask({ ask: 'written' })
      for (
        let tries = 0;
        (await clients.ask({ ask: 'received', port: server.port })) !== written;
        tries += 1
      ) {
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
  passive: 'guildhall, not looking',
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

/** Runs the whole comparison and prints it: about two minutes. */
export async function run(): Promise<void> {
  console.log('server CPU per delivered event, ratio to a ws server that broadcasts one constant string')
  for (const lines of [100, 1_000]) {
    await withServers(KINDS, lines, async (servers, clients) => {
      const quiet = {
        kinds: KINDS,
        lines,
        times: 40_000 / lines,
        burst: 1,
        gapMs: APART_MS + lines / 40,
      }
      const single = await measure(lines === 100 ? { ...quiet, times: 200 } : quiet, servers, clients)
      print(`${lines} members, one event at a time`, single, single.get('bare'))
      const cheaper = ratio(single.get('deflate'), single.get('compressed'))
      console.log(`  compressed is ${cheaper.toFixed(1)} times cheaper than deflating per socket`)
      const kinds = ['plain', 'compressed', 'bare'] as const
      const burst = { kinds, lines, times: 10, burst: 10, gapMs: APART_MS + lines / 10 }
      const together = await measure(burst, servers, clients)
      print(`${lines} members, ten events at once; ratio to one at a time`, together, single.get('bare'))
    })
  }
  const busy = ['compressed', 'passive', 'bare'] as const
  await withServers(busy, 1_000, async (servers, clients) => {
    const load = { kinds: busy, lines: 1_000, times: 20, burst: 1, gapMs: 100, tailMs: 1_100 }
    const costs = await measure(load, servers, clients)
    print('1000 members, ten events a second', costs, costs.get('bare'))
  })
  console.log(`${IDLE_LINES} lines, memory of the whole process`)
  const memory = new Map<Kind, number>()
  const costs = new Map<Kind, number[]>()
  for (const kind of ['bare', 'plain', 'compressed'] as const) {
    await withServers([kind], IDLE_LINES, async (servers, clients) => {
      memory.set(kind, (await servers.get(kind)?.ask({ ask: 'memory' })) ?? 0)
      const load = { kinds: [kind], lines: IDLE_LINES, times: 8, burst: 1, gapMs: 100 }
      for (const [name, values] of await measure(load, servers, clients)) costs.set(name, values)
    })
  }
  for (const [kind, rss] of memory) {
    const perLine = (rss / IDLE_LINES / 1024).toFixed(2).padStart(7)
    const times = (rss / (memory.get('bare') ?? Number.NaN)).toFixed(2)
    console.log(`  ${NAMES[kind].padEnd(24)} ${perLine} KiB  × ${times}`)
  }
  print(`${IDLE_LINES} members, one event at a time`, costs, costs.get('bare'))
}

const [role, kind] = process.argv.slice(2)
if (import.meta.main) {
  if (role === 'server') await serve(kind as Kind)
  else if (role === 'clients') drain()
  else await run()
}
