// The clients of the room bench: connections that receive, and people who send.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, answer, HOST, LATENCY_MAX_MS, type Received, type Sent, TEXT } from './ask.ts'

/** A client's ping, as every client says it now and then; without, its line is closed as idle. Masked with zeros. */
const PING_TEXT = Buffer.from('{"s":2}')
const PING = Buffer.concat([Buffer.from([0x81, 0x80 | PING_TEXT.length, 0, 0, 0, 0]), PING_TEXT])
const PING_EVERY_MS = 30_000

/** Every so-manyth line's messages are timed: whoever listens is on this machine too, where phones are not. */
const TIMED_EVERY = 10

const STAMP = Buffer.from('"nonce":"at-')
const STAMP_LENGTH = 14
const HELLO = Buffer.from('{"s":1,')

const stampAt = (received: Buffer, start: number): number => {
  let stamp = 0
  for (let at = start; at < start + STAMP_LENGTH; at += 1) stamp = stamp * 10 + received[at]! - 48
  return stamp
}

/** How long the WebSocket frame at `at` is, head and all; 0 when that is not there yet. RFC 6455 §5.2. */
const frameLength = (received: Buffer, at: number): number => {
  if (at + 2 > received.length) return 0
  const length = received[at + 1]!
  if (length < 126) return 2 + length
  if (length === 127) throw new Error('no frame of this bench is so long')
  return at + 4 > received.length ? 0 : 4 + received[at + 2]! * 256 + received[at + 3]!
}

/** Where in frames of a length the stamp was last: looked for once, not in each of a million. */
const networkOf = new Map<number, number>()

/** Where the stamp of a frame starts; -1 when it has none. */
const findStamp = (received: Buffer, from: number, end: number): number => {
  const place = networkOf.get(end - from)
  if (place !== undefined) {
    const at = from + place
    // `at-` before it; the text holds it nowhere else.
    if (
      received[at - 1] === 45 &&
      received[at - 2] === 116 &&
      received[at - 3] === 97 &&
      received[at - 4] === 34
    )
      return at
  }
  const found = received.subarray(from, end).indexOf(STAMP)
  if (found === -1) return -1
  networkOf.set(end - from, found + STAMP.length)
  return from + found + STAMP.length
}

/** The clients: raw sockets that look for the time a message was sent at, and keep-alive connections that send. */
function drive(): void {
  /** How many deliveries took so many tenths of a millisecond. */
  const latencies = new Uint32Array(LATENCY_MAX_MS * 10 + 1)
  let receivedCount = 0
  let measuredFrom = 0
  const buffer = Buffer.allocUnsafe(256 * 1024)
  const now = () => performance.timeOrigin + performance.now()

  /**
   * `greets`: the server says hello once a line is received of; what comes before that it never owed. `isTimed`: it is
   * looked at how long each message took.
   */
  const openLine = (port: number, at: string, greets: boolean, isTimed: boolean) =>
    new Promise<void>((done, refuse) => {
      // A read may end in the middle of a frame, and the first one has the handshake before it.
      let rest: Buffer | null = null
      let isUpgraded = false
      const callback = (bytes: number) => {
        const read = buffer.subarray(0, bytes)
        const received = rest ? Buffer.concat([rest, read]) : read
        let from = 0
        if (!isUpgraded) {
          const head = received.indexOf('\r\n\r\n')
          isUpgraded = head !== -1
          from = isUpgraded ? head + 4 : 0
          if (isUpgraded && !greets) done()
        }
        const at = now()
        for (let length = 0; isUpgraded; from += length) {
          length = frameLength(received, from)
          if (length === 0 || from + length > received.length) break
          const stamp = findStamp(received, from, from + length)
          if (stamp !== -1) {
            receivedCount += 1
            const sentAt = isTimed ? stampAt(received, stamp) / 10 : 0
            if (isTimed && sentAt >= measuredFrom)
              latencies[Math.min(Math.floor((at - sentAt) * 10), latencies.length - 1)]! += 1
          } else if (greets && received.subarray(from, from + length).includes(HELLO)) done()
        }
        rest = from === received.length ? null : Buffer.from(received.subarray(from))
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
          const content = JSON.stringify({ type: 9, content: TEXT })
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
        await Promise.all(
          it.seats
            .slice(from, from + 25)
            .map((seat, at) => openLine(it.port, seat, it.greets, (from + at) % TIMED_EVERY === 0)),
        )
      return it.seats.length
    }
    if (it.ask === 'send') return send(it)
    if (it.ask === 'count') return receivedCount
    if (it.ask === 'measure') {
      measuredFrom = it.from
      return it.from
    }
    if (it.ask !== 'received') throw new Error(`clients cannot ${it.ask}`)
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
    const received = { count, p50: at(0.5), p99: at(0.99), max: at(1) } satisfies Received
    receivedCount = 0
    latencies.fill(0)
    return received
  }, 0)
}

drive()
