// The client process of the room benchmark: connections that receive messages, and connections that send
// them.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, answer, HOST, LATENCY_MAX_MS, type Received, type Sent, TEXT } from './ask.ts'

/** A client's ping frame, masked with zeros. The server closes connections without pings as idle. */
const PING_TEXT = Buffer.from('{"s":2}')
const PING = Buffer.concat([Buffer.from([0x81, 0x80 | PING_TEXT.length, 0, 0, 0, 0]), PING_TEXT])
const PING_EVERY_MS = 30_000

/** Only every tenth connection records latencies, because the clients share the CPU with the server. */
const TIMED_EVERY = 10

const STAMP = Buffer.from('"nonce":"at-')
const STAMP_LENGTH = 14
const HELLO = Buffer.from('{"s":1,')

const stampAt = (received: Buffer, start: number): number => {
  let stamp = 0
  for (let at = start; at < start + STAMP_LENGTH; at += 1) stamp = stamp * 10 + received[at]! - 48
  return stamp
}

/**
 * The length of the WebSocket frame at `at`, including its header; 0 when the header is incomplete. RFC 6455
 * §5.2.
 */
const frameLength = (received: Buffer, at: number): number => {
  if (at + 2 > received.length) return 0
  const length = received[at + 1]!
  if (length < 126) return 2 + length
  if (length === 127) throw new Error('no frame of this bench is so long')
  return at + 4 > received.length ? 0 : 4 + received[at + 2]! * 256 + received[at + 3]!
}

/** Frame length → offset of the timestamp in the last frame of that length, which saves most searches. */
const stampOffsets = new Map<number, number>()

/** The position of a frame's timestamp; -1 when it has none. */
const findStamp = (received: Buffer, from: number, end: number): number => {
  const offset = stampOffsets.get(end - from)
  if (offset !== undefined) {
    const at = from + offset
    // The nonce starts with `"at-`, which occurs nowhere else in the frame.
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
  stampOffsets.set(end - from, found + STAMP.length)
  return from + found + STAMP.length
}

/** Runs raw sockets that read the send time from each message, and keep-alive connections that send. */
function runClients(): void {
  /** The histogram of latencies: index in tenths of a millisecond → number of deliveries. */
  const latencies = new Uint32Array(LATENCY_MAX_MS * 10 + 1)
  let receivedCount = 0
  let measuredFrom = 0
  const buffer = Buffer.allocUnsafe(256 * 1024)
  const now = () => performance.timeOrigin + performance.now()

  /**
   * Opens a connection and waits until it receives events. `sendsHello`: the server sends a hello first.
   * `isTimed`: the latency of each message is recorded.
   */
  const openConnection = (port: number, at: string, sendsHello: boolean, isTimed: boolean) =>
    new Promise<void>((done, refuse) => {
      // A read may end in the middle of a frame, and the first one starts with the handshake.
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
          if (isUpgraded && !sendsHello) done()
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
          } else if (sendsHello && received.subarray(from, from + length).includes(HELLO)) done()
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

  async function send(input: Extract<Ask, { ask: 'send' }>): Promise<Sent> {
    const sockets = await Promise.all(
      input.tokens.map(async (token) => {
        const socket = connect({ port: input.port, host: HOST, noDelay: true })
        await once(socket, 'connect')
        socket.setEncoding('latin1')
        return { socket, token }
      }),
    )
    if (input.startAt !== undefined) await sleep(input.startAt - now())
    const began = performance.now()
    const due = Math.round((input.ratePerS * input.forMs) / 1000)
    const { burst = 1 } = input
    let taken = 0
    let sent = 0
    /** When the next message is due, ms from the start; null at the end. With rate 0 it is due at once. */
    const next = () => {
      const elapsed = performance.now() - began
      if (input.ratePerS === 0) return elapsed < input.forMs ? elapsed : null
      taken += 1
      return taken <= due ? (Math.floor((taken - 1) / burst) * burst * 1000) / input.ratePerS : null
    }
    await Promise.all(
      sockets.map(async ({ socket, token }) => {
        for (let at = next(); at !== null; at = next()) {
          const wait = at - (performance.now() - began)
          if (wait > 0) await sleep(wait)
          // The latency counts from when the message was due, so that a late sender adds to it.
          const stamp = (input.ratePerS === 0 ? now() : performance.timeOrigin + began + at) * 10
          const content = JSON.stringify({ type: 9, content: TEXT })
          const body = JSON.stringify({
            content,
            objectName: 'RC:TxtMsg',
            nonce: `at-${Math.round(stamp)}-${sent}-${token.slice(0, 6)}`,
          })
          const answered = once(socket, 'data')
          // One write, as browsers send small requests.
          socket.write(
            `POST /api/v2/channels/${input.channelId}/message HTTP/1.1\r\nhost: ${HOST}\r\nauthorization: ${token}\r\n` +
              `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
          )
          const [response] = (await answered) as [string]
          if (!response.startsWith('HTTP/1.1 200')) throw new Error(response.slice(0, 400))
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
            .map((seat, at) => openConnection(it.port, seat, it.sendsHello, (from + at) % TIMED_EVERY === 0)),
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
    /** The latency percentile, ms; `part` from 0 to 1. */
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

runClients()
