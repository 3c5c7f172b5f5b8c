/**
 * The socket writer: the sending side of one connection. Pending frames leave as ready WebSocket frames in
 * one write, bypassing the WebSocket library, which keeps the handshake, reading and closing. For a socket
 * that does not read it holds a bounded number of references instead of bytes.
 */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { SharedFrame } from './sharedFrame.ts'
import {
  BLOCKED_BYTES_MAX,
  type Connection,
  PENDING_BYTES_MAX,
  PENDING_FRAMES_MAX,
  REPLAY_BYTES_MAX,
} from './transport.ts'
import type { PendingFrames } from './writeBuffer.ts'
import type { ScheduledConnection, WriteScheduler } from './writeScheduler.ts'
import { storedZlib } from './zlib.ts'

/** More than this does not wait for the end of a gap: it could exceed the replay buffer. */
const GAP_BYTES_MAX = REPLAY_BYTES_MAX / 8

export class SocketWriter implements Connection, ScheduledConnection {
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #compress: boolean
  readonly #scheduler: WriteScheduler
  readonly #now: () => number
  readonly #slot: number
  writtenAt = Number.NEGATIVE_INFINITY
  /**
   * Whether it is scheduled for a round, and for its slot: at most once each, or it would write too often.
   */
  #isScheduled = false
  #isDelayed = false
  /** The usual case, a single event, needs no array. */
  #event: SharedFrame | null = null
  #sn = 0
  #pending: PendingFrames | null = null
  #pendingBytes = 0
  /** How much of that was added while the socket was blocked. */
  #blockedBytes = 0
  /** Since when the socket accepts nothing, ms; null while it does. */
  #blockedAt: number | null = null

  constructor(input: {
    ws: WebSocket
    socket: Duplex
    compress: boolean
    scheduler: WriteScheduler
    now: () => number
  }) {
    this.#ws = input.ws
    this.#socket = input.socket
    this.#compress = input.compress
    this.#scheduler = input.scheduler
    this.#now = input.now
    this.#slot = input.scheduler.assignSlot()
  }

  send(frame: string): void {
    const payload = this.#compress ? storedZlib(frame) : frame
    this.#append(payload, 0, payload.length)
    this.#schedule(false)
  }

  /** Events come from a stream of the same transport, which encodes them as shared frames. */
  sendEvent(event: SharedFrame, sn: number, canWait: boolean): void {
    if (this.#event || this.#pending) this.#append(event, sn, event.size)
    else {
      this.#event = event
      this.#sn = sn
    }
    this.#schedule(canWait)
  }

  close(code: number): void {
    this.flush()
    this.#ws.close(code)
  }

  isBlockedFor(ms: number): boolean {
    return this.#blockedAt !== null && this.#now() - this.#blockedAt > ms
  }

  terminate(): void {
    this.#clear()
    this.#scheduler.countSlowConsumer()
    this.#ws.terminate()
  }

  onRound(): void {
    this.#isScheduled = false
    this.flush()
  }

  /** While a round is scheduled, delayed events leave with it. */
  onDelayed(): void {
    this.#isDelayed = false
    if (!this.#isScheduled) this.flush()
  }

  /** Writes what waits, as far as the socket accepts it. */
  flush(): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return this.#clear()
    if (this.#blockedAt !== null) return
    const event = this.#event
    if (event && !this.#pending) {
      this.#event = null
      this.#scheduler.count(1, 0)
      this.#write(event.webSocketFrame(this.#sn, this.#compress))
      if (this.#socket.writableLength > 0) event.replaceBuffer(this.#compress)
    } else if (this.#pending) this.#flushPending(this.#pending)
  }

  #schedule(canWait: boolean): void {
    if (this.#blockedAt !== null || this.#isScheduled) return
    if (!canWait) {
      // Delayed events leave in the same round, in order; the slot then finds nothing to write.
      this.#isScheduled = true
      this.#scheduler.schedule(this)
    } else if (!this.#isDelayed) {
      this.#isDelayed = true
      this.#scheduler.scheduleDelayed(this, this.#slot)
    }
  }

  #append(what: string | Buffer | SharedFrame, sn: number, bytes: number): void {
    if (!this.#pending) {
      this.#pending = []
      if (this.#event) {
        this.#pending.push(this.#event, this.#sn)
        this.#pendingBytes = this.#event.size
        this.#event = null
      }
    }
    this.#pending.push(what, sn)
    const before = this.#pendingBytes
    this.#pendingBytes += bytes
    if (this.#isScheduled && before <= GAP_BYTES_MAX && this.#pendingBytes > GAP_BYTES_MAX)
      this.#scheduler.endGaps()
    if (this.#blockedAt !== null) this.#blockedBytes += bytes
    const isTooMuch = this.#pending.length > 2 * PENDING_FRAMES_MAX || this.#pendingBytes > PENDING_BYTES_MAX
    if (isTooMuch || this.#blockedBytes > BLOCKED_BYTES_MAX) this.terminate()
  }

  #flushPending(pending: PendingFrames): void {
    const { buffer } = this.#scheduler
    let done = 0
    while (done < pending.length && this.#blockedAt === null) {
      const bytes = buffer.assemble(pending, done, this.#compress)
      done += buffer.itemCount
      this.#scheduler.count(buffer.eventCount, 0)
      this.#write(bytes)
      if (this.#socket.writableLength > 0) buffer.replaceBuffer()
    }
    if (done === pending.length) return this.#clear()
    for (const what of pending.splice(0, done))
      if (typeof what !== 'number') this.#pendingBytes -= sizeOf(what)
  }

  #write(bytes: Buffer): void {
    this.#scheduler.count(0, bytes.length)
    this.writtenAt = this.#scheduler.clock
    if (this.#socket.write(bytes)) return
    this.#blockedAt = this.#now()
    this.#socket.once('drain', () => {
      this.#blockedAt = null
      this.flush()
    })
  }

  #clear(): void {
    this.#event = null
    this.#pending = null
    this.#pendingBytes = 0
    this.#blockedBytes = 0
  }
}

/** Bytes, also of text. */
const sizeOf = (what: string | Buffer | SharedFrame): number =>
  typeof what === 'string' || Buffer.isBuffer(what) ? Buffer.byteLength(what) : what.size
