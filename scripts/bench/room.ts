// A whole house in use: server CPU per delivered message, HTTP, permissions and commit included, beside a bare `ws`
// server that broadcasts one constant frame; and how long a message takes from its send to every line at half the load
// the house can take. The house, the bare server and the clients are a process each; the database has its own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventOf } from '@guildhall/wire/message/event.ts'
import { sql } from 'kysely'
import { WebSocketServer } from 'ws'
import { startApp } from '../../server/src/app.ts'
import { createChannel } from '../../server/src/channel/channel.ts'
import { readConfig } from '../../server/src/config.ts'
import { createGuild, join } from '../../server/src/guild/guild.ts'
import { deafBus } from '../../server/src/kit/bus.ts'
import { commit } from '../../server/src/kit/events.ts'
import { openHome } from '../../server/src/kit/home.ts'
import { ids } from '../../server/src/kit/ids.ts'
import { openLog } from '../../server/src/kit/log.ts'
import { collectSeldom } from '../../server/src/kit/process.ts'

const HOST = '127.0.0.1'
const LINES = 1_000
const FEW = 100
const SENDERS = 16
const ROUNDS = 3
const ROUND_MS = 2_000
/** The busier the house, the more of its messages share a round trip, a commit and a write. */
const RATES_PER_S = [400, 800, 1_600]
const SATURATION_MS = 5_000
/** A house in use has compiled what it does all day, before the first figure is taken. */
const WARM_RATE_PER_S = 1_600
const WARM_MS = 8_000
// What a flood leaves to be tidied up is not half a load.
const SETTLING_MS = 5_000
// Long enough for what comes now and then, such as a collection or a vacuum, to come as often as it does.
const STEADY_MS = 60_000
/** Latencies are counted in tenths of a millisecond; what took longer than this, ms, counts as this. */
const LATENCY_MAX_MS = 10_000
const ANSWER_MS = 120_000
const WORDS = '今晚八点开荒，缺一个奶和两个输出，语音频道集合，迟到的请大家喝奶茶。See you there!'

interface Seat {
  readonly token: string
  readonly gateway: string
}
type Ask =
  | { ask: 'seed'; lines: number }
  | { ask: 'cpu' }
  | { ask: 'say'; times: number; gapMs: number }
  | { ask: 'open'; seats: readonly string[]; port: number; greets: boolean }
  | {
      ask: 'send'
      port: number
      tokens: readonly string[]
      channelId: string
      ratePerS: number
      forMs: number
      /** When the first message is due, ms since 1970; at once without. */
      startAt?: number
    }
  | { ask: 'count' }
  /** What was sent before, ms since 1970, is heard but not part of the figures. */
  | { ask: 'measure'; from: number }
  | { ask: 'heard' }

interface Sent {
  readonly sent: number
  readonly tookMs: number
}
interface Heard {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The house as `npm start` runs it, with its database beside it. */
async function serveHouse(): Promise<void> {
  collectSeldom()
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const home = await openHome({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  const { database } = home
  const { db } = database
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const app = await startApp({
    config: readConfig({ PORT: String(port), DEMO: '0' }, '/'),
    database,
    log: openLog('quiet'),
    checkAnswers: false,
    webDir: '/nowhere',
  })
  await app.listen()
  process.once('disconnect', async () => {
    await app.close()
    await home.close()
    await rm(directory, { recursive: true, force: true })
    process.exit(0)
  })

  /** A guild with one channel, and as many members as there are lines. */
  async function seed(lines: number) {
    const { rows: people } = await sql<{ id: string }>`
      insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
      select 'room' || ${lines}::text || '-' || n, '1234', '86', ((${lines}::bigint * 10000000) + n)::text, true, 0
      from generate_series(1, ${lines}) as n returning id`.execute(db)
    const channelId = await commit({ db, bus: deafBus }, async (tx, emit) => {
      const ownerId = people[0]!.id as never
      const guildId = await createGuild(tx, emit, {
        name: `${lines}`,
        topic: '',
        ownerId,
        level: 0,
        boosts: 0,
      })
      for (const { id } of people.slice(1)) await join(tx, emit, guildId, id as never)
      return createChannel(tx, emit, { guildId, name: 'room', type: 1 })
    })
    const seats: Seat[] = []
    for (const { id } of people) {
      const token = ids.token()
      await sql`
        insert into session (id, token_hash, user_id, remember, created_at, seen_at)
        values (${ids.uuid()}, sha256(${token}::bytea), ${id}, true, ${Date.now()}, ${Date.now()})`.execute(
        db,
      )
      const answer = await app.inject({
        method: 'GET',
        url: '/api/v3/gateway/index?compress=0',
        headers: { authorization: token },
      })
      const { data } = JSON.parse(answer.text) as { data: { url: string } }
      const url = new URL(data.url)
      seats.push({ token, gateway: url.pathname + url.search })
    }
    return { port, channelId, seats }
  }
  answer(async (it) => {
    if (it.ask === 'seed') return seed(it.lines)
    if (it.ask === 'cpu') return cpu()
    throw new Error(`the house cannot ${it.ask}`)
  }, port)
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** A `ws` server that does nothing else than broadcast one constant frame of the protocol's full size. */
async function serveBare(): Promise<void> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  await new Promise<void>((done) => server.listen({ port: 0, host: HOST, backlog: 4096 }, done))
  const author = {
    id: '619360001',
    username: 'ann',
    identify_num: '6620',
    online: true,
    avatar: '',
    nickname: '小满',
    roles: [],
  }
  const d = eventOf(
    {
      ...{ id: ids.uuid(), channel_id: '20', guild_id: '10', type: 9, content: WORDS, create_at: Date.now() },
      ...{ updated_at: 0, author, nonce: ids.uuid(), mention: [], mention_all: false, mention_here: false },
      ...{
        mention_roles: [],
        kmarkdown: { raw_content: WORDS, mention_part: [], mention_role_part: [], channel_part: [] },
      },
      ...{ quote: null, attachments: null, reactions: [], embeds: [], seq: 1 },
    } as never,
    { name: 'room', type: 1 },
    'specification',
  )
  const frame = JSON.stringify({ s: 0, sn: 1, d })
  answer(
    async (it) => {
      if (it.ask === 'cpu') return cpu()
      if (it.ask !== 'say') throw new Error(`a bare server cannot ${it.ask}`)
      for (let n = 0; n < it.times; n += 1) {
        for (const ws of sockets.clients) ws.send(frame)
        await sleep(it.gapMs)
      }
      return it.times
    },
    (server.address() as AddressInfo).port,
  )
}

/** A client's ping, as every client says it now and then; without, its line is closed as idle. Masked with zeros. */
const PING_TEXT = Buffer.from('{"s":2}')
const PING = Buffer.concat([Buffer.from([0x81, 0x80 | PING_TEXT.length, 0, 0, 0, 0]), PING_TEXT])
const PING_EVERY_MS = 30_000

const STAMP = Buffer.from('"nonce":"at-')
const STAMP_LENGTH = 14
const HELLO = Buffer.from('{"s":1,')

const stampAt = (heard: Buffer, start: number): number => {
  let stamp = 0
  for (let at = start; at < start + STAMP_LENGTH; at += 1) stamp = stamp * 10 + heard[at]! - 48
  return stamp
}

/** How long the WebSocket frame at `at` is, head and all; 0 when that is not there yet. RFC 6455 §5.2. */
const frameLength = (heard: Buffer, at: number): number => {
  if (at + 2 > heard.length) return 0
  const length = heard[at + 1]!
  if (length < 126) return 2 + length
  if (length === 127) throw new Error('no frame of this bench is so long')
  return at + 4 > heard.length ? 0 : 4 + heard[at + 2]! * 256 + heard[at + 3]!
}

/** Where in frames of a length the stamp was last: looked for once, not in each of a million. */
const placeOf = new Map<number, number>()

/** Where the stamp of a frame starts; -1 when it has none. */
const findStamp = (heard: Buffer, from: number, end: number): number => {
  const place = placeOf.get(end - from)
  if (place !== undefined) {
    const at = from + place
    // `at-` before it; the text holds it nowhere else.
    if (heard[at - 1] === 45 && heard[at - 2] === 116 && heard[at - 3] === 97 && heard[at - 4] === 34)
      return at
  }
  const found = heard.subarray(from, end).indexOf(STAMP)
  if (found === -1) return -1
  placeOf.set(end - from, found + STAMP.length)
  return from + found + STAMP.length
}

/** The clients: raw sockets that look for the time a message was sent at, and keep-alive connections that send. */
function drive(): void {
  /** How many deliveries took so many tenths of a millisecond. */
  const latencies = new Uint32Array(LATENCY_MAX_MS * 10 + 1)
  let heardCount = 0
  let measuredFrom = 0
  const buffer = Buffer.allocUnsafe(256 * 1024)
  const now = () => performance.timeOrigin + performance.now()

  /** `greets`: the server says hello once a line is heard of; what comes before that it never owed. */
  const openLine = (port: number, at: string, greets: boolean) =>
    new Promise<void>((done, refuse) => {
      // A read may end in the middle of a frame, and the first one has the handshake before it.
      let rest: Buffer | null = null
      let isUpgraded = false
      const callback = (bytes: number) => {
        const read = buffer.subarray(0, bytes)
        const heard = rest ? Buffer.concat([rest, read]) : read
        let from = 0
        if (!isUpgraded) {
          const head = heard.indexOf('\r\n\r\n')
          isUpgraded = head !== -1
          from = isUpgraded ? head + 4 : 0
          if (isUpgraded && !greets) done()
        }
        const at = now()
        for (let length = 0; isUpgraded; from += length) {
          length = frameLength(heard, from)
          if (length === 0 || from + length > heard.length) break
          const stamp = findStamp(heard, from, from + length)
          if (stamp !== -1) {
            const sentAt = stampAt(heard, stamp) / 10
            heardCount += 1
            if (sentAt >= measuredFrom)
              latencies[Math.min(Math.floor((at - sentAt) * 10), latencies.length - 1)]! += 1
          } else if (greets && heard.subarray(from, from + length).includes(HELLO)) done()
        }
        rest = from === heard.length ? null : Buffer.from(heard.subarray(from))
        return true
      }
      const socket = connect({ port, host: HOST, onread: { buffer, callback } })
      socket.on('error', refuse)
      setInterval(() => socket.write(PING), PING_EVERY_MS).unref()
      socket.write(
        `GET ${at} HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      )
    })

  async function send(it: Extract<Ask, { ask: 'send' }>): Promise<Sent> {
    const sockets = await Promise.all(
      it.tokens.map(async (token) => {
        const socket = connect({ port: it.port, host: HOST, noDelay: true })
        await once(socket, 'connect')
        socket.setEncoding('latin1')
        return { socket, token }
      }),
    )
    if (it.startAt !== undefined) await sleep(it.startAt - now())
    const began = performance.now()
    const due = Math.round((it.ratePerS * it.forMs) / 1000)
    let taken = 0
    let sent = 0
    /** When the next message is due, ms from the start; null when there is none. As fast as it goes without a rate. */
    const next = () => {
      const elapsed = performance.now() - began
      if (it.ratePerS === 0) return elapsed < it.forMs ? elapsed : null
      taken += 1
      return taken <= due ? ((taken - 1) * 1000) / it.ratePerS : null
    }
    await Promise.all(
      sockets.map(async ({ socket, token }) => {
        for (let at = next(); at !== null; at = next()) {
          const wait = at - (performance.now() - began)
          if (wait > 0) await sleep(wait)
          // The clock runs from when it was due: a sender that comes late is late for the receiver too.
          const stamp = (it.ratePerS === 0 ? now() : performance.timeOrigin + began + at) * 10
          const content = JSON.stringify({ type: 9, content: WORDS })
          const body = JSON.stringify({
            content,
            objectName: 'RC:TxtMsg',
            nonce: `at-${Math.round(stamp)}-${sent}-${token.slice(0, 6)}`,
          })
          const answered = once(socket, 'data')
          // In one piece, as browsers send what is so small.
          socket.write(
            `POST /api/v2/channels/${it.channelId}/message HTTP/1.1\r\nhost: ${HOST}\r\nauthorization: ${token}\r\n` +
              `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
          )
          const [said] = (await answered) as [string]
          if (!said.startsWith('HTTP/1.1 200')) throw new Error(said.slice(0, 400))
          sent += 1
        }
        socket.end()
      }),
    )
    return { sent, tookMs: performance.now() - began }
  }

  answer(async (it) => {
    if (it.ask === 'open') {
      for (let from = 0; from < it.seats.length; from += 25)
        await Promise.all(it.seats.slice(from, from + 25).map((seat) => openLine(it.port, seat, it.greets)))
      return it.seats.length
    }
    if (it.ask === 'send') return send(it)
    if (it.ask === 'count') return heardCount
    if (it.ask === 'measure') {
      measuredFrom = it.from
      return it.from
    }
    if (it.ask !== 'heard') throw new Error(`clients cannot ${it.ask}`)
    const count = latencies.reduce((sum, many) => sum + many, 0)
    /** What that part of all deliveries took less than, ms. */
    const at = (part: number) => {
      let sum = 0
      const tenths = latencies.findIndex((many) => {
        sum += many
        return sum >= count * part
      })
      return (tenths + 1) / 10
    }
    const heard = { count, p50: at(0.5), p99: at(0.99), max: at(1) } satisfies Heard
    heardCount = 0
    latencies.fill(0)
    return heard
  }, 0)
}

function answer(act: (it: Ask) => Promise<unknown>, started: number): void {
  process.on('message', (it: Ask) => {
    act(it).then(
      (value) => process.send?.(value),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => setTimeout(() => process.exit(0), 10_000).unref())
  process.send?.(started)
}

class Child {
  readonly #process: ChildProcess
  port = 0
  constructor(role: string) {
    this.#process = fork(import.meta.filename, [role], { execArgv: [] })
  }
  async started(): Promise<this> {
    this.port = await this.#next()
    return this
  }
  ask<T>(it: Ask): Promise<T> {
    this.#process.send(it)
    return this.#next()
  }
  async end(): Promise<void> {
    if (!this.#process.connected) return
    const ended = once(this.#process, 'exit')
    this.#process.disconnect()
    await ended
  }
  async #next<T>(): Promise<T> {
    const over = new AbortController()
    const late = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), over.signal])
    const gone = once(this.#process, 'exit', { signal: late }).then(() => {
      throw new Error('a process of the bench ended')
    })
    const [value] = await Promise.race([once(this.#process, 'message', { signal: late }), gone])
    gone.catch(() => undefined)
    over.abort()
    return value as T
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Waits until every line has heard every message, and answers how late they were. */
async function heardAll(clients: Child, expected: number): Promise<Heard> {
  for (let tries = 0; ; tries += 1) {
    const count = await clients.ask<number>({ ask: 'count' })
    if (count >= expected) return clients.ask<Heard>({ ask: 'heard' })
    if (tries > 400) throw new Error(`${count} of ${expected} deliveries arrived`)
    await sleep(50)
  }
}

export async function run(): Promise<void> {
  const house = await new Child('house').started()
  const bare = await new Child('bare').started()
  const clients = await new Child('clients').started()
  const listeners = await new Child('clients').started()
  // Who sends is somebody else's phone: it does not wait for a thousand others to have read.
  const senders = await new Child('clients').started()
  try {
    const few = await house.ask<{ port: number; channelId: string; seats: Seat[] }>({
      ask: 'seed',
      lines: FEW,
    })
    const seats = few.seats.map(({ gateway }) => gateway)
    await clients.ask({ ask: 'open', seats, port: few.port, greets: true })
    await listeners.ask({ ask: 'open', seats: few.seats.map(() => '/'), port: bare.port, greets: false })
    const tokens = few.seats.slice(0, SENDERS).map(({ token }) => token)
    console.log(`${FEW} members, HTTP, permissions and commit included: server CPU per delivered message`)
    const warming = {
      ...{ ask: 'send' as const, port: few.port, tokens, channelId: few.channelId },
      ...{ ratePerS: WARM_RATE_PER_S, forMs: WARM_MS },
    }
    const { sent: warmed } = await clients.ask<Sent>(warming)
    await heardAll(clients, warmed * FEW)
    await bare.ask({ ask: 'say', times: warmed, gapMs: 0 })
    for (const ratePerS of RATES_PER_S) {
      const ratios: number[] = []
      const costs = { house: [] as number[], bare: [] as number[] }
      for (let round = 0; round <= ROUNDS; round += 1) {
        const before = await house.ask<number>({ ask: 'cpu' })
        const { sent } = await clients.ask<Sent>({
          ...{ ask: 'send', port: few.port, tokens, channelId: few.channelId },
          ...{ ratePerS, forMs: ROUND_MS },
        })
        await heardAll(clients, sent * FEW)
        const ours = ((await house.ask<number>({ ask: 'cpu' })) - before) / (sent * FEW)
        const start = await bare.ask<number>({ ask: 'cpu' })
        const times = (ROUND_MS * ratePerS) / 1000
        await bare.ask({ ask: 'say', times, gapMs: 1000 / ratePerS })
        const theirs = ((await bare.ask<number>({ ask: 'cpu' })) - start) / (times * FEW)
        // The first round only settles.
        if (round === 0) continue
        costs.house.push(ours)
        costs.bare.push(theirs)
        ratios.push(ours / theirs)
      }
      console.log(
        `  ${String(ratePerS).padStart(5)} messages a second: guildhall ${median(costs.house).toFixed(2)} µs, ws with one string ${median(costs.bare).toFixed(2)} µs   × ${median(ratios).toFixed(2)}  (wanted: at most 2)`,
      )
    }

    const many = await house.ask<{ port: number; channelId: string; seats: Seat[] }>({
      ask: 'seed',
      lines: LINES,
    })
    await clients.ask({
      ask: 'open',
      seats: many.seats.map(({ gateway }) => gateway),
      port: many.port,
      greets: true,
    })
    const order = {
      ...{ ask: 'send' as const, port: many.port, channelId: many.channelId },
      tokens: many.seats.slice(0, SENDERS).map(({ token }) => token),
    }
    const warm = await senders.ask<Sent>({ ...order, ratePerS: 50, forMs: 2_000 })
    await heardAll(clients, warm.sent * LINES)
    // Until the last of them is heard: an answer says only that a message is stored.
    const began = performance.now()
    const full = await senders.ask<Sent>({ ...order, ratePerS: 0, forMs: SATURATION_MS })
    await heardAll(clients, full.sent * LINES)
    const saturation = (full.sent / (performance.now() - began)) * 1000
    const half = Math.max(1, Math.floor(saturation / 2))
    const startAt = Date.now() + 100
    await clients.ask({ ask: 'measure', from: startAt + SETTLING_MS })
    const steady = await senders.ask<Sent>({
      ...{ ...order, ratePerS: half },
      ...{ forMs: SETTLING_MS + STEADY_MS, startAt },
    })
    const heard = await heardAll(clients, steady.sent * LINES)
    console.log(
      `${LINES} lines, ${SENDERS} senders: ${saturation.toFixed(0)} messages a second are too many for it; at ${half}:`,
    )
    console.log(
      `  ${heard.count} of ${steady.sent * LINES} deliveries: p50 ${heard.p50.toFixed(1)} ms, p99 ${heard.p99.toFixed(1)} ms, worst ${heard.max.toFixed(1)} ms  (wanted: 99 % within 50 ms)`,
    )
  } finally {
    for (const child of [clients, senders, listeners, bare, house]) await child.end()
  }
}

const [role] = process.argv.slice(2)
if (import.meta.main) {
  if (role === 'house') await serveHouse()
  else if (role === 'bare') await serveBare()
  else if (role === 'clients') drive()
  else await run()
}
