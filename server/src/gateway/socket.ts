/**
 * The way out of one socket. What waits for a socket leaves in one write at the end of the turn of the event loop, or,
 * when nobody looks at it there, within a second, as ready WebSocket frames and past the library, which keeps the
 * handshake, the reading and the closing. A socket that does not read keeps references waiting, not bytes, and not
 * without end.
 */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { LineMetrics } from '../kit/metrics.ts'
import { type SharedEvent, webSocketFrame } from './frames.ts'
import { REPLAY_BYTES_MAX, REPLAY_EVENTS_MAX, type Wire } from './session.ts'

/** A socket for which more than this waits is let go; a whole replay and what comes meanwhile must fit. */
const WAITING_MAX = 2 * REPLAY_EVENTS_MAX
const WAITING_MAX_BYTES = 2 * REPLAY_BYTES_MAX
/** One that reads too slowly is let go while what it lacks is still in its replay buffer, so that it can resume. */
const LATE_MAX_BYTES = REPLAY_BYTES_MAX / 2
/** Frames are put together into writes of about this size. */
const WRITE_BYTES = 64 * 1024

/** Events of a guild that a line does not look at leave together, at most so late, ms. */
export const LATER_MS = 1_000
const LATER_STEPS = 10

/** Frames ready to go, and events, each followed by the number it has on this line; a frame's is 0. */
type Waiting = (string | Buffer | SharedEvent | number)[]

/** Who counts what goes out: told once a turn, not once a frame. */
export type Tally = Pick<LineMetrics, 'out' | 'letGo'>

/** A round of writing goes on after others had their turn of the loop. */
const SOCKETS_AT_A_TIME = 100
/** A round that took this long, ms, is followed by a rest as long, in which more comes together. */
const LONG_ROUND_MS = 2
const REST_MAX_MS = 3
/** A socket is written to at most once in so long, ms: sooner than anybody sees, and long enough for a crowd's round. */
export const GAP_MS = 25

/**
 * The sockets something waits for, written to when the turn of the event loop ends; one that was written to just now,
 * when its gap is over, and in a crowd that does not stop talking, after at most half of the time was spent on
 * writing. One for a whole gateway.
 */
export class Turn {
  readonly #tally: Tally | null
  readonly #now: () => number
  /** Hands sockets what is on its way to them. */
  readonly #settle: () => void
  #isWoken = false
  #restsUntil = 0
  /** The round under way, how many of it are done, and how long they took, ms. */
  #round: SocketWire[] = []
  #done = 0
  #took = 0
  #events = 0
  #bytes = 0
  #sockets: SocketWire[] = []
  #isAsked = false
  /** Sockets that were written to just now. */
  #soon: SocketWire[] = []
  #clock = 0
  /** Sockets that can wait, by the tenth of a second they leave in; a socket's place is always the same. */
  readonly #later: SocketWire[][] = Array.from({ length: LATER_STEPS }, () => [])
  #step = 0
  #places = 0
  #ticks: NodeJS.Timeout | null = null
  #quietTicks = 0
  /** Where frames are put together. Given away when a socket could not take them at once. */
  #desk = Buffer.allocUnsafeSlow(WRITE_BYTES)

  constructor(
    tally: Tally | null = null,
    settle: () => void = () => undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#tally = tally
    this.#settle = settle
    this.#now = now
  }

  /** So many event frames and bytes were handed to a socket. */
  count(events: number, bytes: number): void {
    this.#events += events
    this.#bytes += bytes
  }

  /** A socket that did not read was let go. */
  lost(): void {
    this.#tally?.letGo()
  }

  /** When the round under way, or the last one, came to its present part, ms. */
  get clock(): number {
    return this.#clock
  }

  /** Something is on its way to sockets: before they are next written to, `settle` is called. */
  wake(): void {
    this.#isWoken = true
    if (!this.#isAsked) this.#start()
  }

  /**
   * `socket.flush` is called before the loop goes on waiting; when the socket was written to just now, at `writtenAt`,
   * or after a long round, a little later.
   */
  ask(socket: SocketWire, writtenAt: number): void {
    const wait = writtenAt + GAP_MS - this.#now()
    if (wait > 0) {
      // Those that wait were written to together, so one look serves them all.
      if (this.#soon.length === 0) setTimeout(this.#catchUp, wait)
      this.#soon.push(socket)
      return
    }
    this.#sockets.push(socket)
    if (!this.#isAsked) this.#start()
  }

  readonly #catchUp = (): void => {
    const sockets = this.#soon
    this.#soon = []
    if (this.#sockets.length === 0) this.#sockets = sockets
    else for (const socket of sockets) this.#sockets.push(socket)
    if (!this.#isAsked) this.#start()
  }

  #start(): void {
    this.#isAsked = true
    const rest = this.#restsUntil === 0 ? 0 : this.#restsUntil - this.#now()
    if (rest > 0) setTimeout(this.#run, rest)
    else setImmediate(this.#run)
  }

  /** A new socket's place among those that can wait. */
  place(): number {
    this.#places = (this.#places + 1) % LATER_STEPS
    return this.#places
  }

  /** Within a second `socket.flush` is called. */
  later(socket: SocketWire, place: number): void {
    this.#later[place]!.push(socket)
    this.#ticks ??= setInterval(this.#tick, LATER_MS / LATER_STEPS).unref()
  }

  get desk(): Buffer {
    return this.#desk
  }

  /** What lies on the desk is still being read. */
  keepDesk(): void {
    this.#desk = Buffer.allocUnsafeSlow(WRITE_BYTES)
  }

  readonly #run = (): void => {
    const began = this.#now()
    this.#clock = began
    if (this.#round.length === 0) {
      if (this.#isWoken) {
        this.#isWoken = false
        this.#settle()
      }
      this.#round = this.#sockets
      this.#sockets = []
    }
    const end = Math.min(this.#done + SOCKETS_AT_A_TIME, this.#round.length)
    this.#flush(this.#round, this.#done, end)
    this.#done = end
    this.#took += this.#now() - began
    // Whoever sends meanwhile is heard between two parts of a long round.
    if (end < this.#round.length) return void setImmediate(this.#run)
    this.#restsUntil = this.#took < LONG_ROUND_MS ? 0 : this.#now() + Math.min(this.#took, REST_MAX_MS)
    this.#round = []
    this.#done = 0
    this.#took = 0
    this.#isAsked = false
    if (this.#sockets.length > 0 || this.#isWoken) this.#start()
  }

  readonly #tick = (): void => {
    this.#step = (this.#step + 1) % LATER_STEPS
    this.#clock = this.#now()
    const sockets = this.#later[this.#step]!
    this.#later[this.#step] = []
    this.#flush(sockets, 0, sockets.length)
    this.#quietTicks = sockets.length > 0 ? 0 : this.#quietTicks + 1
    if (this.#quietTicks <= LATER_STEPS || !this.#ticks) return
    clearInterval(this.#ticks)
    this.#ticks = null
    this.#quietTicks = 0
  }

  #flush(sockets: readonly SocketWire[], from: number, to: number): void {
    for (let index = from; index < to; index += 1) sockets[index]!.flush()
    if (this.#bytes > 0) this.#tally?.out(this.#events, this.#bytes)
    this.#events = 0
    this.#bytes = 0
  }
}

export class SocketWire implements Wire {
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #compress: boolean
  readonly #turn: Turn
  readonly #now: () => number
  readonly #place: number
  /** Whether it will be flushed at the end of this turn, or at its place. */
  #asked: 'no' | 'now' | 'turn' | 'later' = 'no'
  /** The usual case of a turn, one event, without an array. */
  #event: SharedEvent | null = null
  #sn = 0
  #more: Waiting | null = null
  #bytes = 0
  /** How much of that came while the socket took nothing. */
  #lateBytes = 0
  /** When something last left, ms of the turn's clock. */
  #writtenAt = Number.NEGATIVE_INFINITY
  /** Since when the socket takes nothing more, ms; null while it does. */
  #blockedAt: number | null = null

  constructor(it: { ws: WebSocket; socket: Duplex; compress: boolean; turn: Turn; now: () => number }) {
    this.#ws = it.ws
    this.#socket = it.socket
    this.#compress = it.compress
    this.#turn = it.turn
    this.#now = it.now
    this.#place = it.turn.place()
  }

  send(frame: string | Buffer): void {
    this.#wait(frame, 0, frame.length)
    this.#ask('turn')
  }

  event(event: SharedEvent, sn: number, canWait = false): void {
    if (this.#event || this.#more) this.#wait(event, sn, event.size)
    else {
      this.#event = event
      this.#sn = sn
    }
    this.#ask(canWait ? 'later' : 'turn')
  }

  close(code: number): void {
    this.flush()
    this.#ws.close(code)
  }

  /** True when the socket has taken nothing for longer than that. */
  isBlockedFor(ms: number): boolean {
    return this.#blockedAt !== null && this.#now() - this.#blockedAt > ms
  }

  /** Ends the socket without a word: it would not read one. */
  letGo(): void {
    this.#forget()
    this.#turn.lost()
    this.#ws.terminate()
  }

  /** Writes what waits, as far as the socket takes it. */
  flush(): void {
    this.#asked = 'no'
    if (this.#ws.readyState !== this.#ws.OPEN) return this.#forget()
    if (this.#blockedAt !== null) return
    const event = this.#event
    if (event && !this.#more) {
      this.#event = null
      this.#turn.count(1, 0)
      this.#write(event.webSocketFrame(this.#sn, this.#compress))
      if (this.#socket.writableLength > 0) event.leave(this.#compress)
    } else if (this.#more) this.#flushMany(this.#more)
  }

  #ask(when: 'turn' | 'later'): void {
    if (this.#blockedAt !== null || this.#asked === 'now') return
    // A whole write's worth does not wait: more than the replay buffer holds could come together.
    if (when === 'turn' && this.#bytes > WRITE_BYTES) {
      this.#asked = 'now'
      return this.#turn.ask(this, Number.NEGATIVE_INFINITY)
    }
    if (this.#asked === 'turn' || this.#asked === when) return
    // What waited for its place leaves now, in order; its place finds nothing then.
    this.#asked = when
    if (when === 'turn') this.#turn.ask(this, this.#writtenAt)
    else this.#turn.later(this, this.#place)
  }

  #wait(what: string | Buffer | SharedEvent, sn: number, bytes: number): void {
    if (!this.#more) {
      this.#more = []
      if (this.#event) {
        this.#more.push(this.#event, this.#sn)
        this.#bytes = this.#event.size
        this.#event = null
      }
    }
    this.#more.push(what, sn)
    this.#bytes += bytes
    if (this.#blockedAt !== null) this.#lateBytes += bytes
    const isTooMuch = this.#more.length > 2 * WAITING_MAX || this.#bytes > WAITING_MAX_BYTES
    if (isTooMuch || this.#lateBytes > LATE_MAX_BYTES) this.letGo()
  }

  #flushMany(waiting: Waiting): void {
    let done = 0
    while (done < waiting.length && this.#blockedAt === null) {
      const { desk } = this.#turn
      let used = 0
      for (; done < waiting.length; done += 2) {
        const frame = this.#frameOf(waiting, done)
        if (used + frame.length > desk.length) {
          if (used > 0) break
          // Too big for the desk: goes by itself, in bytes of its own.
          done += 2
          this.#write(Buffer.from(frame))
          break
        }
        frame.copy(desk, used)
        used += frame.length
      }
      if (used === 0) continue
      this.#write(desk.subarray(0, used))
      if (this.#socket.writableLength > 0) this.#turn.keepDesk()
    }
    if (done === waiting.length) return this.#forget()
    for (const what of waiting.splice(0, done)) if (typeof what !== 'number') this.#bytes -= sizeOf(what)
  }

  #frameOf(waiting: Waiting, at: number): Buffer {
    const what = waiting[at] as string | Buffer | SharedEvent
    if (typeof what === 'string' || Buffer.isBuffer(what)) return webSocketFrame(what)
    this.#turn.count(1, 0)
    return what.webSocketFrame(waiting[at + 1] as number, this.#compress)
  }

  #write(bytes: Buffer): void {
    this.#turn.count(0, bytes.length)
    this.#writtenAt = this.#turn.clock
    if (this.#socket.write(bytes)) return
    this.#blockedAt = this.#now()
    this.#socket.once('drain', () => {
      this.#blockedAt = null
      this.flush()
    })
  }

  #forget(): void {
    this.#event = null
    this.#more = null
    this.#bytes = 0
    this.#lateBytes = 0
  }
}

const sizeOf = (what: string | Buffer | SharedEvent): number =>
  typeof what === 'string' || Buffer.isBuffer(what) ? what.length : what.size
