/**
 * The way out of one socket. What waits for a socket leaves in one write at the end of the turn of the event loop, or,
 * when nobody looks at it there, within a second, as ready WebSocket frames and past the library, which keeps the
 * handshake, the reading and the closing. A socket that does not read keeps references waiting, not bytes, and not
 * without end.
 */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { LineMetrics } from '../../kit/metrics.ts'
import { REPLAY_BYTES_MAX, REPLAY_EVENTS_MAX, type Wire } from '../session.ts'
import type { SharedEvent } from './frames.ts'
import { Desk, type Waiting } from './writeBuffer.ts'

/** A socket for which more than this waits is let go; a whole replay and what comes meanwhile must fit. */
const WAITING_MAX = 2 * REPLAY_EVENTS_MAX
const WAITING_MAX_BYTES = 2 * REPLAY_BYTES_MAX
/** One that reads too slowly is let go while what it lacks is still in its replay buffer, so that it can resume. */
const LATE_MAX_BYTES = REPLAY_BYTES_MAX / 2
/** So much does not wait for a gap to be over: more than the replay buffer holds could come together. */
const HURRY_BYTES = REPLAY_BYTES_MAX / 8

/** Events of a guild that a line does not look at leave together, at most so late, ms. */
export const LATER_MS = 1_000
const LATER_STEPS = 10

/** Who counts what goes out: told once a turn, not once a frame. */
export type Tally = Pick<LineMetrics, 'out' | 'letGo'>

/** A round of writing goes on after others had their turn of the loop. */
const SOCKETS_AT_A_TIME = 100
/** A round that took this long, ms, is followed by a rest as long, in which more comes together. */
const LONG_ROUND_MS = 2
const REST_MAX_MS = 3
/** A socket is written to about once in so long, ms: sooner than anybody sees, and long enough for a crowd's round. */
export const GAP_MS = 25
/** When the first one's gap is over those go along that were written to so long ago, ms: one long round costs less. */
export const GAP_LEAST_MS = GAP_MS / 2

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
  #gap: NodeJS.Timeout | null = null
  #clock = 0
  /** Sockets that can wait, by the tenth of a second they leave in; a socket's place is always the same. */
  readonly #later: SocketWire[][] = Array.from({ length: LATER_STEPS }, () => [])
  #step = 0
  #places = 0
  #ticks: NodeJS.Timeout | null = null
  #quietTicks = 0
  readonly desk = new Desk()

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
   * `socket.leave` is called before the loop goes on waiting; when the socket was written to just now or after a long
   * round, a little later.
   */
  ask(socket: SocketWire): void {
    const wait = socket.writtenAt + GAP_MS - this.#now()
    if (wait > 0) {
      if (this.#soon.length === 0) this.#gap = setTimeout(this.#catchUp, wait)
      this.#soon.push(socket)
      return
    }
    this.#sockets.push(socket)
    if (!this.#isAsked) this.#start()
  }

  /** Nobody waits for a gap to be over. */
  hurry(): void {
    if (this.#soon.length > 0) this.#goAfter(0)
  }

  readonly #catchUp = (): void => this.#goAfter(GAP_LEAST_MS)

  /** Those of the waiting who were written to so long ago, ms, go now. */
  #goAfter(leastMs: number): void {
    if (this.#gap) clearTimeout(this.#gap)
    this.#gap = null
    const waiting = this.#soon
    this.#soon = []
    const now = this.#now()
    let first = Number.POSITIVE_INFINITY
    for (const socket of waiting) {
      if (now - socket.writtenAt >= leastMs) {
        this.#sockets.push(socket)
        continue
      }
      this.#soon.push(socket)
      first = Math.min(first, socket.writtenAt)
    }
    if (this.#soon.length > 0) this.#gap = setTimeout(this.#catchUp, first + GAP_MS - now)
    if (this.#sockets.length > 0 && !this.#isAsked) this.#start()
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

  /** Within a second `socket.leaveLater` is called. */
  later(socket: SocketWire, place: number): void {
    this.#later[place]!.push(socket)
    this.#ticks ??= setInterval(this.#tick, LATER_MS / LATER_STEPS).unref()
  }

  readonly #run = (): void => {
    const began = this.#now()
    this.#clock = began
    // Also between two parts: whoever is written to now need not hear it a whole round later.
    if (this.#isWoken) {
      this.#isWoken = false
      this.#settle()
    }
    if (this.#round.length === 0) {
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
    for (const socket of sockets) socket.leaveLater()
    this.#count()
    this.#quietTicks = sockets.length > 0 ? 0 : this.#quietTicks + 1
    if (this.#quietTicks <= LATER_STEPS || !this.#ticks) return
    clearInterval(this.#ticks)
    this.#ticks = null
    this.#quietTicks = 0
  }

  #flush(sockets: readonly SocketWire[], from: number, to: number): void {
    for (let index = from; index < to; index += 1) sockets[index]!.leave()
    this.#count()
  }

  #count(): void {
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
  /** When something last left, ms of the turn's clock. */
  writtenAt = Number.NEGATIVE_INFINITY
  /** It is among the sockets of a turn, and among those at its place: in each once, or it would leave too often. */
  #isInTurn = false
  #isAtPlace = false
  /** The usual case of a turn, one event, without an array. */
  #event: SharedEvent | null = null
  #sn = 0
  #more: Waiting | null = null
  #bytes = 0
  /** How much of that came while the socket took nothing. */
  #lateBytes = 0
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

  /** The turn that was asked for has come. */
  leave(): void {
    this.#isInTurn = false
    this.flush()
  }

  /** It is the turn of its place. Whoever waits for a gap to be over tells what could wait longer with the rest. */
  leaveLater(): void {
    this.#isAtPlace = false
    if (!this.#isInTurn) this.flush()
  }

  /** Writes what waits, as far as the socket takes it. */
  flush(): void {
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
    if (this.#blockedAt !== null || this.#isInTurn) return
    if (when === 'turn') {
      // What waited for its place leaves then too, in order; its place finds nothing.
      this.#isInTurn = true
      this.#turn.ask(this)
    } else if (!this.#isAtPlace) {
      this.#isAtPlace = true
      this.#turn.later(this, this.#place)
    }
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
    const before = this.#bytes
    this.#bytes += bytes
    if (this.#isInTurn && before <= HURRY_BYTES && this.#bytes > HURRY_BYTES) this.#turn.hurry()
    if (this.#blockedAt !== null) this.#lateBytes += bytes
    const isTooMuch = this.#more.length > 2 * WAITING_MAX || this.#bytes > WAITING_MAX_BYTES
    if (isTooMuch || this.#lateBytes > LATE_MAX_BYTES) this.letGo()
  }

  #flushMany(waiting: Waiting): void {
    const { desk } = this.#turn
    let done = 0
    while (done < waiting.length && this.#blockedAt === null) {
      const bytes = desk.lay(waiting, done, this.#compress)
      done += desk.taken
      this.#turn.count(desk.events, 0)
      this.#write(bytes)
      if (this.#socket.writableLength > 0) desk.keep()
    }
    if (done === waiting.length) return this.#forget()
    for (const what of waiting.splice(0, done)) if (typeof what !== 'number') this.#bytes -= sizeOf(what)
  }

  #write(bytes: Buffer): void {
    this.#turn.count(0, bytes.length)
    this.writtenAt = this.#turn.clock
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
