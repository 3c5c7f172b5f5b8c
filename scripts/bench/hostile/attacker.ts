// The hostile member's process: twenty connections, each of which does one thing as fast as the server lets
// it.
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, answer, HOST, type Outcome } from '../room/ask.ts'
import {
  GATEWAY_ATTACKS,
  type GatewayAttack,
  HOSTILE_ADDRESS,
  type HttpAttack,
  httpAttacks,
  NONCE,
} from './attacks.ts'

/** Below all others: a real attacker has processors of their own. */
const NICE = 10
/** A refused or closed connection is opened again after this time, ms. */
const AGAIN_MS = 1
const OLD_MS = 4_000
const STATUS = /HTTP\/1\.1 (\d{3}) /g

interface Tally {
  readonly name: string
  readonly connections: number
  sent: number
  answers: Record<string, number>
  closed: number
}

class Attacker {
  readonly #port: number
  #isOver = false
  #count = 0
  readonly #sockets = new Set<Socket>()
  readonly #tallies: Tally[] = []

  constructor(port: number) {
    this.#port = port
  }

  start(http: readonly HttpAttack[], gateway: readonly GatewayAttack[], address: string): void {
    for (const attack of http) {
      const tally = this.#tally(attack)
      for (let n = 0; n < attack.connections; n += 1) void this.#again(tally, () => this.#http(attack, tally))
    }
    for (const attack of gateway) {
      const tally = this.#tally(attack)
      for (let n = 0; n < attack.connections; n += 1)
        void this.#again(tally, () => this.#gateway(attack, tally, address))
    }
  }

  stop(): Outcome[] {
    this.#isOver = true
    for (const socket of this.#sockets) socket.destroy()
    return this.#tallies
  }

  #tally({ name, connections }: { readonly name: string; readonly connections: number }): Tally {
    const tally = { name, connections, sent: 0, answers: {}, closed: 0 }
    this.#tallies.push(tally)
    return tally
  }

  async #again(tally: Tally, run: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await run()
      if (this.#isOver) return
      tally.closed += 1
      await sleep(AGAIN_MS)
    }
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: HOST, localAddress: HOSTILE_ADDRESS, noDelay: true })
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }

  /** Resolves when the connection is closed. */
  #http({ requests, depth, manner }: HttpAttack, tally: Tally): Promise<void> {
    const socket = this.#open()
    let unanswered = 0
    let next = 0
    const send = () => {
      // One write for many requests: the attacker's own work must not be what bounds it.
      const batch: Buffer[] = []
      for (; unanswered < depth; unanswered += 1) {
        batch.push(this.#numbered(requests[next % requests.length]!))
        next += 1
        tally.sent += 1
      }
      if (batch.length > 0) socket.write(batch.length === 1 ? batch[0]! : Buffer.concat(batch))
    }
    let rest = ''
    socket.setEncoding('latin1')
    if (manner !== 'deaf')
      socket.on('data', (chunk: string) => {
        const text = rest + chunk
        let end = 0
        for (const found of text.matchAll(STATUS)) {
          tally.answers[found[1]!] = (tally.answers[found[1]!] ?? 0) + 1
          unanswered -= 1
          end = found.index + found[0].length
        }
        rest = text.slice(Math.max(end, text.length - 13))
        if (unanswered <= depth / 2) send()
      })
    socket.once('connect', () => {
      if (manner !== 'slow') return send()
      tally.sent += 1
      const bytes = requests[0]!
      let at = 0
      const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 1_000)
      socket.on('close', () => clearInterval(timer))
    })
    return new Promise((done) => socket.once('close', () => done()))
  }

  #gateway({ frame, everyMs, isDeaf, leaves }: GatewayAttack, tally: Tally, address: string): Promise<void> {
    const socket = this.#open()
    const head = Buffer.from([0x81, 0x80 | frame.length, 0, 0, 0, 0])
    const bytes = Buffer.concat([head, Buffer.from(frame)])
    const ping = () => {
      for (let n = everyMs === 0 ? 100 : 1; n > 0; n -= 1) {
        socket.write(bytes)
        tally.sent += 1
      }
    }
    socket.once('connect', () => {
      tally.sent += 1
      socket.write(
        `GET ${address} HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      )
      let timer: NodeJS.Timeout | undefined
      // Only events that are some seconds old are replayed.
      const start = setTimeout(() => {
        timer = setInterval(ping, Math.max(everyMs, 1))
      }, OLD_MS)
      socket.on('close', () => {
        clearTimeout(start)
        clearInterval(timer)
      })
    })
    if (!isDeaf)
      socket.on('data', (chunk) => {
        tally.answers.kB = (tally.answers.kB ?? 0) + chunk.length / 1024
        if (leaves && chunk.includes('session_id')) socket.destroy()
      })
    return new Promise((done) => socket.once('close', () => done()))
  }

  /** A copy of a request with a number of its own. */
  #numbered(request: Buffer): Buffer {
    const at = request.indexOf(NONCE)
    if (at === -1) return request
    const copy = Buffer.from(request)
    this.#count += 1
    copy.write(this.#count.toString(36).padStart(NONCE.length, '0'), at)
    return copy
  }
}

let attacker: Attacker | null = null

setPriority(NICE)
answer(async (input: Ask) => {
  if (input.ask === 'attack') {
    const wanted = ({ name }: { readonly name: string }) =>
      input.only.length === 0 || input.only.includes(name)
    attacker = new Attacker(input.port)
    const http = (await httpAttacks(input))
      .filter(wanted)
      .map((attack) => ({ ...attack, depth: Math.min(attack.depth, input.depth) }))
    attacker.start(http, GATEWAY_ATTACKS.filter(wanted), input.seat.gateway)
    return true
  }
  if (input.ask === 'stop') return attacker?.stop() ?? []
  throw new Error(`an attacker cannot ${input.ask}`)
}, 0)
