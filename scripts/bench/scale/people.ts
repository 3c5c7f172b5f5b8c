/**
 * A process of people: their connections, which come back when they are lost, and their calls. One process
 * has as many as it may have files, so there are several.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { resumeUrl, signal } from '@guildhall/wire/gateway/frame.ts'
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import { RECONNECT_BASE_MS, RECONNECT_JITTER } from '@guildhall/wire/gateway/timing.ts'
import { answer, HOST } from '../room/ask.ts'
import { Callers } from '../room/caller.ts'
import type { Called, PeopleAsk, Seen, Visitor } from './ask.ts'

/** A client's text frame, masked with zeros. RFC 6455 §5.2. */
const PING_TEXT = Buffer.from(JSON.stringify({ s: signal.ping }))
const PING = Buffer.concat([Buffer.from([0x81, 0x80 | PING_TEXT.length, 0, 0, 0, 0]), PING_TEXT])
const PING_STEP_MS = 10
/** So many connect at a time. */
const CONNECTING_MAX = 25
/** Calls at a time to each node, when as many are made as go. */
const LANES = 4
/** After so many attempts somebody waits no longer for each next one. */
const DOUBLED_MAX = 5
/** The digit of `{"s":0,…`. */
const SIGNAL_AT = 5
const ZERO = '0'.charCodeAt(0)
const CLOSE_OPCODE = 8

const buffer = Buffer.allocUnsafe(256 * 1024)
const people = new Set<Person>()
let nodes: readonly number[] = []
let events = 0
let resumed = 0
const awayMs: number[] = []
const callers = new Map<number, Callers>()

function callersOf(port: number): Callers {
  const known = callers.get(port) ?? new Callers(port)
  callers.set(port, known)
  return known
}

/** Somebody who is connected, and connects again when the connection is lost. */
class Person {
  readonly #visitor: Visitor
  #socket: Socket | null = null
  /** The beginning of a frame whose end has not come yet. */
  #rest: Buffer | null = null
  #isUpgraded = false
  #session: string | null = null
  #sn = 0
  #attempts = 0
  #lostAt: number | null = null
  #isGone = false
  #onHello: (() => void) | null = null

  constructor(visitor: Visitor) {
    this.#visitor = visitor
  }

  /** Resolves when the hello has come. */
  come(): Promise<void> {
    return new Promise((done) => {
      this.#onHello = done
      void this.#open(this.#visitor.port)
    })
  }

  go(): void {
    this.#isGone = true
    people.delete(this)
    this.#socket?.destroy()
  }

  ping(): void {
    this.#socket?.write(PING)
  }

  /** As a page does: it asks for the address of the gateway, and connects to it. */
  async #open(port: number): Promise<void> {
    const { token } = this.#visitor
    const path = `${gatewayIndex.path}?compress=0`
    const body = await callersOf(port).call({ path, token })
    if (this.#isGone) return
    if (body === null) return this.#lost()
    const { url } = (JSON.parse(body) as { data: { url: string } }).data
    const address = this.#session === null ? url : resumeUrl(url, this.#sn, this.#session)
    this.#connect(port, address.slice(address.indexOf('/gateway')))
  }

  #connect(port: number, path: string): void {
    this.#rest = null
    this.#isUpgraded = false
    const callback = (bytes: number) => {
      this.#receive(buffer.subarray(0, bytes))
      return true
    }
    const socket = connect({ port, host: HOST, onread: { buffer, callback } })
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => this.#lost())
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
  }

  #lost(): void {
    people.delete(this)
    if (this.#isGone) return
    this.#lostAt ??= performance.now()
    const doubled = 2 ** Math.min(this.#attempts, DOUBLED_MAX)
    this.#attempts += 1
    const waitMs = RECONNECT_BASE_MS * doubled * (1 + Math.random() * RECONNECT_JITTER)
    const port = nodes[Math.floor(Math.random() * nodes.length)] ?? this.#visitor.port
    setTimeout(() => void this.#open(port), waitMs)
  }

  #receive(read: Buffer): void {
    const received = this.#rest ? Buffer.concat([this.#rest, read]) : read
    let from = 0
    if (!this.#isUpgraded) {
      const head = received.indexOf('\r\n\r\n')
      this.#isUpgraded = head !== -1
      from = this.#isUpgraded ? head + 4 : 0
    }
    while (this.#isUpgraded) {
      const frame = frameAt(received, from)
      if (!frame) break
      this.#read(received, frame)
      from = frame.end
    }
    this.#rest = from === received.length ? null : Buffer.from(received.subarray(from))
  }

  #read(received: Buffer, { opcode, start, end }: Frame): void {
    if (opcode === CLOSE_OPCODE) return
    const kind = received[start + SIGNAL_AT]! - ZERO
    if (kind === signal.event) {
      this.#sn += 1
      events += 1
    } else if (kind === signal.hello) {
      const hello = JSON.parse(received.toString('utf8', start, end)) as {
        d: { code: number; session_id?: string }
      }
      if (hello.d.code !== 0 || hello.d.session_id === undefined) return this.#beginAnew()
      if (hello.d.session_id === this.#session) resumed += 1
      else this.#sn = 0
      this.#session = hello.d.session_id
      this.#arrived()
    } else if (kind === signal.reconnect) this.#beginAnew()
  }

  #arrived(): void {
    if (this.#lostAt !== null) awayMs.push(performance.now() - this.#lostAt)
    this.#lostAt = null
    this.#attempts = 0
    people.add(this)
    this.#onHello?.()
    this.#onHello = null
  }

  /** The session cannot go on: the next connection has a new one. */
  #beginAnew(): void {
    this.#session = null
    this.#sn = 0
    this.#socket?.destroy()
  }
}

interface Frame {
  readonly opcode: number
  readonly start: number
  readonly end: number
}

/** The whole frame that begins there; null when its end has not come yet. RFC 6455 §5.2. */
function frameAt(received: Buffer, at: number): Frame | null {
  if (at + 4 > received.length) return null
  const length = received[at + 1]!
  if (length === 127) throw new Error('no frame of this bench is so long')
  const start = length === 126 ? at + 4 : at + 2
  const end = start + (length === 126 ? received.readUInt16BE(at + 2) : length)
  return end > received.length ? null : { opcode: received[at]! & 0x0f, start, end }
}

let pinging: NodeJS.Timeout | null = null
function sendHeartbeats(everyMs: number): void {
  if (pinging) clearInterval(pinging)
  let due: Iterator<Person> = people.values()
  let owed = 0
  pinging = setInterval(() => {
    owed += (people.size * PING_STEP_MS) / everyMs
    for (; owed >= 1; owed -= 1) {
      const next = due.next()
      if (next.done) due = people.values()
      else next.value.ping()
    }
  }, PING_STEP_MS).unref()
}

async function connectAll(visitors: readonly Visitor[]): Promise<number> {
  let next = 0
  const lane = async () => {
    while (next < visitors.length) await new Person(visitors[next++]!).come()
  }
  await Promise.all(Array.from({ length: CONNECTING_MAX }, lane))
  return visitors.length
}

/** Runs `act` so many times a second, whether the ones before have ended or not; resolves when all have. */
async function paced(ratePerS: number, forMs: number, act: (n: number) => Promise<void>): Promise<number> {
  const began = performance.now()
  const all: Promise<void>[] = []
  const count = Math.round((ratePerS * forMs) / 1_000)
  for (let n = 0; n < count; n += 1) {
    const wait = (n * 1_000) / ratePerS - (performance.now() - began)
    if (wait > 1) await sleep(wait)
    all.push(act(n))
  }
  await Promise.all(all)
  return count
}

const visit = (input: Extract<PeopleAsk, { ask: 'visit' }>): Promise<number> =>
  paced(input.ratePerS, input.forMs, async (n) => {
    const person = new Person(input.visitors[n % input.visitors.length]!)
    await person.come()
    await sleep(input.stayMs)
    person.go()
  })

async function callAll(input: Extract<PeopleAsk, { ask: 'call' }>): Promise<Called> {
  const { calls, ports, ratePerS, forMs } = input
  const succeeded = calls.map(() => 0)
  let refused = 0
  const one = async (n: number) => {
    const body = await callersOf(ports[n % ports.length]!).call(calls[n % calls.length]!)
    if (body === null) refused += 1
    else succeeded[n % calls.length]! += 1
  }
  if (ratePerS > 0) await paced(ratePerS, forMs, one)
  else {
    const until = performance.now() + forMs
    let n = 0
    const lane = async () => {
      while (performance.now() < until) await one(n++)
    }
    await Promise.all(Array.from({ length: ports.length * LANES }, lane))
  }
  return { succeeded, refused }
}

answer<PeopleAsk>(async (it) => {
  if (it.ask === 'connect') return connectAll(it.visitors)
  if (it.ask === 'visit') return visit(it)
  if (it.ask === 'call') return callAll(it)
  if (it.ask === 'nodes') {
    nodes = it.ports
    return nodes.length
  }
  if (it.ask === 'heartbeats') {
    sendHeartbeats(it.everyMs)
    return it.everyMs
  }
  return { connected: people.size, events, awayMs: awayMs.splice(0), resumed } satisfies Seen
}, 0)
