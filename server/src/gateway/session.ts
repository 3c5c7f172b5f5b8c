/**
 * One line's memory: its serial numbers, what was sent and not yet acknowledged, and the answers to what a client
 * says. Knows no sockets and no clock: a test drives it with two queues. protocol.md §2.5 and §2.6.
 */

import { clientFrame, gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { HeldEvents } from './transport/eventPool.ts'
import type { SharedEvent } from './transport/frames.ts'
import { Replay } from './transport/replayBuffer.ts'

/** Past either bound the oldest events are let go, and a line that still needs them starts afresh. */
export const REPLAY_EVENTS_MAX = 4_096
export const REPLAY_BYTES_MAX = 2 * 1024 * 1024
export const REPLAY_MS = 5 * MINUTE_MS
/** What is too old is looked for so often. */
const TRIM_EVERY_MS = SECOND_MS
/** A ping can cross events on their way: only what is older than this counts as lost. protocol.md §2.6. */
export const CROSSING_MS = 3 * SECOND_MS
/** Frames a client may send in ten seconds; a well-behaved one sends one every thirty. */
const FRAMES_MAX = 60
const FRAMES_WINDOW_MS = 10 * SECOND_MS

/** Where a session's frames go while a socket is attached. */
export interface Wire {
  send(frame: string | Buffer): void
  /** Takes an event as it is, to make its frame when it leaves. Without it events come by `send`. */
  event?(event: SharedEvent, sn: number, canWait?: boolean): void
  /** Sends what can wait. */
  flush?(): void
  close(code: number): void
}

/** WebSocket close codes of the line. protocol.md §2.3. */
export const closeCode = {
  replaced: 4000,
  revoked: 4001,
  refused: 4002,
  flooded: 4008,
  idle: 4009,
  late: 4010,
} as const

const pong = JSON.stringify({ s: signal.pong })

export class Session {
  readonly id: string
  readonly userId: UserId
  /** The login this line belongs to: ending that ends this. */
  readonly loginId: string
  readonly compress: boolean
  /** What its events are written in: the specification's for people, the public protocol's for bots. */
  readonly dialect: NumberDialect
  wire: Wire | null = null
  /** When the client last said anything, or left. */
  heardAt: number
  /** What the node's journal last said of `sn`; -1 before it said anything. */
  markedSn = -1
  /** It hears the own events of its person after this number. */
  ownFrom = 0

  /** The guild its page shows; null: none. Undefined, for a line that never says: everything is of interest. */
  #looksAt: string | null | undefined = undefined
  /** While it gathers: after which number of each guild, see `GuildAudience.add`. */
  gathersFrom: Map<GuildId, number> | null = null

  #sn = 0
  /** Events that wait until it is known where the session stands; null when it is. */
  #gathered: SharedEvent[] | null = null
  readonly #sent: Replay
  readonly #held: HeldEvents
  readonly #settle: () => void
  #isOver = false
  /** When the oldest are looked at again, ms. */
  #trimAt = 0
  /** `sn` of the first one in `#sent`. */
  #firstSn = 1
  #frames = 0
  #windowAt = 0
  readonly #deflate: (text: string) => Buffer

  constructor(it: {
    id: string
    userId: UserId
    loginId: string
    compress: boolean
    dialect?: NumberDialect
    now: number
    deflate: (text: string) => Buffer
    /** Where events are held that lines of this gateway share. */
    held?: HeldEvents
    /** Hands over what is on its way to this line; called before it is asked anything. */
    settle?: () => void
  }) {
    this.id = it.id
    this.userId = it.userId
    this.loginId = it.loginId
    this.compress = it.compress
    this.dialect = it.dialect ?? 'specification'
    this.heardAt = it.now
    this.#deflate = it.deflate
    this.#held = it.held ?? new HeldEvents()
    this.#sent = new Replay(this.#held)
    this.#settle = it.settle ?? (() => undefined)
  }

  /** True while events wait for `takeUp`: nothing is numbered yet. */
  get isGathering(): boolean {
    return this.#gathered !== null
  }

  /** A session of another node is being taken over: what comes now waits for `takeUp`. */
  gather(): void {
    this.#gathered = []
    this.gathersFrom = new Map()
  }

  /** Goes on after `sn` with what its client is owed and what came meanwhile. */
  takeUp(sn: number, owed: readonly SharedEvent[], now: number): void {
    this.#settle()
    const gathered = this.#gathered ?? []
    this.#gathered = null
    this.gathersFrom = null
    this.#sn = sn
    this.#firstSn = sn + 1
    for (const event of owed) this.deliver(event, now)
    for (const event of gathered) this.deliver(event, now)
  }

  /** The last serial number given out; 0 before the first event. */
  get sn(): number {
    this.#settle()
    return this.#sn
  }

  /**
   * Gives events that are held each this session's next `sn`, keeps them for replay, and sends them when a socket is
   * there: at once, or a little later when they come from a guild that the page does not show.
   */
  take(numbers: readonly number[], from?: string): void {
    if (this.#isOver) return
    const { wire } = this
    const canWait = from !== undefined && this.#looksAt !== undefined && this.#looksAt !== from
    for (const number of numbers) {
      if (this.#gathered !== null) {
        this.#gathered.push(this.#held.event(number))
        continue
      }
      this.#sn += 1
      this.#sent.push(number)
      if (wire) this.#give(wire, this.#held.event(number), this.#sn, canWait)
    }
    if (numbers.length > 0) this.#trim(this.#held.sentAt(numbers.at(-1)!))
  }

  /** As `take`, one event that nobody holds yet. */
  deliver(event: SharedEvent, now: number, from?: string): void {
    this.#settle()
    const number = this.#held.keep(event, now)
    this.take([number], from)
    this.#held.release(number)
  }

  /** It ends for good: what it held goes, and it hears nothing more. */
  end(): void {
    this.#isOver = true
    this.#drop(this.#sent.length)
  }

  /** A new socket for a new session: says hello, and what came since the first of its guilds was heard. */
  open(wire: Wire, now: number): void {
    this.#settle()
    this.#attach(wire, now)
    this.#say({ s: signal.hello, d: this.#identity(gatewayCode.ok) })
    this.#replay(0, Number.POSITIVE_INFINITY)
  }

  /**
   * A new socket for a known session: hello, what came after `sn`, then the acknowledgement. Answers the code to
   * refuse with when that cannot be replayed, and leaves the session as it was.
   */
  resume(wire: Wire, sn: number, now: number): number {
    this.#settle()
    if (!this.#holds(sn)) return gatewayCode.badSn
    this.#attach(wire, now)
    this.#say({ s: signal.hello, d: this.#identity(gatewayCode.ok) })
    this.#replay(sn, Number.POSITIVE_INFINITY)
    this.#say({ s: signal.resumeAck, d: this.#identity() })
    return gatewayCode.ok
  }

  /** The socket is gone; events gather until it comes back or the session lapses. */
  detach(wire: Wire, now: number): void {
    if (this.wire !== wire) return
    this.wire = null
    this.heardAt = now
  }

  /** What a client said. Unknown signals are ignored, as are frames that are no JSON. protocol.md §2.3. */
  hear(raw: string, now: number): void {
    if (!this.wire) return
    this.#settle()
    this.heardAt = now
    if (this.#floods(now)) return this.wire.close(closeCode.flooded)
    const frame = clientFrame.safeParse(parseJson(raw))
    if (!frame.success) return
    const { s, sn, d } = frame.data
    if (s === signal.ping) {
      this.wire.send(this.compress ? this.#deflate(pong) : pong)
      if (sn === undefined) return
      if (!this.#holds(sn)) return this.demandReconnect(gatewayCode.badSn)
      this.#acknowledge(sn)
      this.#replay(sn, now - CROSSING_MS)
    } else if (s === signal.look) {
      this.#looksAt = d?.guild_id ?? null
      this.wire.flush?.()
    } else if (s === signal.resume) {
      if (sn === undefined) return this.demandReconnect(gatewayCode.missingResumeArgument)
      if (!this.#holds(sn)) return this.demandReconnect(gatewayCode.badSn)
      this.#replay(sn, Number.POSITIVE_INFINITY)
      this.#say({ s: signal.resumeAck, d: this.#identity() })
    }
  }

  /** Tells the client to start afresh. protocol.md §2.3. */
  demandReconnect(code: number): void {
    this.#say(reconnect(code))
    this.wire?.close(closeCode.refused)
  }

  /** True when everything after `sn` is still here. */
  #holds(sn: number): boolean {
    return sn <= this.#sn && sn >= this.#firstSn - 1
  }

  #attach(wire: Wire, now: number): void {
    const before = this.wire
    this.wire = wire
    this.heardAt = now
    this.#looksAt = undefined
    if (before && before !== wire) before.close(closeCode.replaced)
  }

  /** Sends again what came after `sn` and was first sent at or before `until`, ms. */
  #replay(sn: number, until: number): void {
    for (let index = sn + 1 - this.#firstSn; index < this.#sent.length; index += 1) {
      if (this.#sent.sentAt(index) > until) return
      if (this.wire) this.#give(this.wire, this.#sent.event(index), this.#firstSn + index)
    }
  }

  #give(wire: Wire, event: SharedEvent, sn: number, canWait = false): void {
    if (wire.event) wire.event(event, sn, canWait)
    else wire.send(this.compress ? event.deflated(sn) : event.plain(sn))
  }

  /** The client has everything up to `sn`: it can go. */
  #acknowledge(sn: number): void {
    this.#drop(sn + 1 - this.#firstSn)
  }

  /** Lets go what is too much and, now and then, what is too old: that looks at the far end of the ring. */
  #trim(now: number): void {
    const sent = this.#sent
    while (sent.length > REPLAY_EVENTS_MAX || sent.bytes > REPLAY_BYTES_MAX) this.#drop(1)
    if (now < this.#trimAt) return
    this.#trimAt = now + TRIM_EVERY_MS
    while (sent.length > 0 && now - sent.sentAt(0) > REPLAY_MS) this.#drop(1)
  }

  #drop(count: number): void {
    if (count <= 0) return
    const before = this.#sent.length
    this.#sent.drop(count)
    this.#firstSn += before - this.#sent.length
  }

  #floods(now: number): boolean {
    if (now - this.#windowAt >= FRAMES_WINDOW_MS) {
      this.#windowAt = now
      this.#frames = 0
    }
    this.#frames += 1
    return this.#frames > FRAMES_MAX
  }

  /** Both spellings, for people's lines. protocol.md §9.4. */
  #identity(code?: number) {
    return {
      ...(code === undefined ? {} : { code }),
      session_id: this.id,
      ...(this.dialect === 'specification' && { sessionId: this.id }),
    }
  }

  #say(frame: object): void {
    const text = JSON.stringify(frame)
    this.wire?.send(this.compress ? this.#deflate(text) : text)
  }
}

/** A demand to start afresh, with why. protocol.md §2.3. */
export const reconnect = (code: number) => ({
  s: signal.reconnect,
  d: { code, err: reasons[code] ?? 'Reconnect' },
})

const reasons: Readonly<Record<number, string>> = {
  [gatewayCode.missingResumeArgument]: 'Missing params',
  [gatewayCode.sessionExpired]: 'Session expired',
  [gatewayCode.badSn]: 'Invalid sn',
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return null
  }
}
