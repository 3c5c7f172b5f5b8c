/**
 * A gateway session: what outlives one connection of a client. It answers the client's frames and replays
 * what a connection missed. It knows neither sockets nor the clock. protocol.md §2.5 and §2.6.
 */
import { clientFrame, gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { closeCode } from './closeCode.ts'
import { FRAMES_MAX, FRAMES_WINDOW_MS, REPLAYED_BYTES_MAX, REPLAYED_WINDOW_MS } from './limit.ts'
import type { EncodedEvent } from './transport/encodedEvent.ts'
import type { Connection, EventStream, Transport } from './transport/transport.ts'

/** A ping can cross events on their way: only events older than this count as lost. protocol.md §2.6. */
export const CROSSING_MS = 3 * SECOND_MS

const pong = JSON.stringify({ s: signal.pong })

export class GatewaySession {
  readonly id: string
  readonly userId: UserId
  /** The login this session belongs to: the session ends with it. */
  readonly loginId: string
  readonly compress: boolean
  /** Its events, numbered and kept for replay. */
  readonly stream: EventStream
  /** The system of its newest connection; empty: not known. */
  os = ''
  readonly #transport: Pick<Transport, 'flushPending'>
  #connection: Connection | null = null
  #lastSeenAt: number
  #journaledSn = -1
  /** During a takeover: the last event of each guild that passed before the session was subscribed to it. */
  #subscribedAfter: Map<GuildId, number> | null = null
  #frames = 0
  #replayedSince = 0
  #replayedBytes = 0
  #windowAt = 0

  constructor(input: {
    id: string
    userId: UserId
    loginId: string
    compress: boolean
    /** The specification's by default; the public protocol's for bots. */
    dialect?: NumberDialect
    now: number
    transport: Pick<Transport, 'openStream' | 'flushPending'>
  }) {
    this.id = input.id
    this.userId = input.userId
    this.loginId = input.loginId
    this.compress = input.compress
    this.#lastSeenAt = input.now
    this.#transport = input.transport
    this.stream = input.transport.openStream({
      dialect: input.dialect ?? 'specification',
      compress: input.compress,
    })
  }

  /** The connection it is attached to; null while the client is away. */
  get connection(): Connection | null {
    return this.#connection
  }

  get isConnected(): boolean {
    return this.#connection !== null
  }

  /** When the client last sent anything, or disconnected, ms. */
  get lastSeenAt(): number {
    return this.#lastSeenAt
  }

  /** The last serial number given out. See `EventStream.sn` about pending events. */
  get sn(): number {
    return this.stream.sn
  }

  /** True when events were numbered since the journal last recorded `sn`. */
  get isJournalBehind(): boolean {
    return this.stream.sn !== this.#journaledSn
  }

  /** The journal has recorded the present `sn`. */
  markJournaled(): void {
    this.#journaledSn = this.stream.sn
  }

  /** True between `startTakeover` and `finishTakeover`: nothing is numbered yet. */
  get isTakingOver(): boolean {
    return this.stream.isPaused
  }

  /** The session comes from another node: events are collected until it is known what its client missed. */
  startTakeover(): void {
    this.stream.pause()
    this.#subscribedAfter = new Map()
  }

  /** It was subscribed to a guild after event `seq`. During a takeover the first call for a guild counts. */
  markSubscribed(guildId: GuildId, seq: number): void {
    const known = this.#subscribedAfter
    if (known && !known.has(guildId)) known.set(guildId, seq)
  }

  /** During a takeover: the last event of a guild before the session was subscribed to it. */
  subscribedAfter(guildId: GuildId): number | undefined {
    return this.#subscribedAfter?.get(guildId)
  }

  /** Continues after `sn` with what its client missed and what was collected. */
  finishTakeover(sn: number, missed: readonly EncodedEvent[], now: number): void {
    this.#subscribedAfter = null
    this.stream.continueAfter(sn, missed, now)
  }

  /** Sends an event to this session alone. */
  send(event: EncodedEvent, now: number, guildId?: string): void {
    this.stream.send(event, now, guildId)
  }

  /** Ends the session for good. The connection, if any, is the caller's to close. */
  end(): void {
    this.stream.end()
  }

  /** Attaches the connection of a new session: hello, then events that came before it. */
  open(connection: Connection, now: number): void {
    this.#transport.flushPending()
    this.#attach(connection, now)
    this.#sendFrame({ s: signal.hello, d: this.#identity(gatewayCode.ok) })
    this.stream.replay(0, Number.POSITIVE_INFINITY)
  }

  /**
   * Attaches a new connection of a known session: hello, what follows `sn`, then the acknowledgement. Returns
   * `gatewayCode.ok`, or the code to refuse with, which leaves the session unchanged.
   */
  resume(connection: Connection, sn: number, now: number): number {
    this.#transport.flushPending()
    if (!this.stream.canReplay(sn)) return gatewayCode.badSn
    if (!this.#mayReplay(now)) return gatewayCode.sessionExpired
    this.#attach(connection, now)
    this.#sendFrame({ s: signal.hello, d: this.#identity(gatewayCode.ok) })
    this.#replay(sn, Number.POSITIVE_INFINITY)
    this.#sendFrame({ s: signal.resumeAck, d: this.#identity() })
    return gatewayCode.ok
  }

  /** The connection is gone: events are kept until the client resumes or the session expires. */
  detach(connection: Connection, now: number): void {
    if (this.#connection !== connection) return
    this.#connection = null
    this.stream.detach()
    this.#lastSeenAt = now
  }

  /** Handles a client's frame. Unknown signals and invalid JSON are ignored. protocol.md §2.3. */
  receive(raw: string, now: number): void {
    const connection = this.#connection
    if (!connection) return
    this.#transport.flushPending()
    this.#lastSeenAt = now
    if (this.#isFlooding(now)) return connection.close(closeCode.flooded)
    const frame = clientFrame.safeParse(parseJson(raw))
    if (!frame.success) return
    const { s, sn, d } = frame.data
    if (s === signal.ping) this.#onPing(connection, sn, now)
    else if (s === signal.focus) {
      this.stream.focus(d?.guild_id ?? null)
      connection.flush()
    } else if (s === signal.resume) this.#onResume(sn, now)
  }

  #onPing(connection: Connection, sn: number | undefined, now: number): void {
    connection.send(pong)
    if (sn === undefined) return
    if (!this.stream.canReplay(sn)) return this.#demandReconnect(gatewayCode.badSn)
    this.stream.acknowledge(sn)
    // What is still missing then is asked for by a later ping.
    if (this.#mayReplay(now)) this.#replay(sn, now - CROSSING_MS)
  }

  #onResume(sn: number | undefined, now: number): void {
    if (sn === undefined) return this.#demandReconnect(gatewayCode.missingResumeArgument)
    if (!this.stream.canReplay(sn)) return this.#demandReconnect(gatewayCode.badSn)
    if (!this.#mayReplay(now)) return this.#demandReconnect(gatewayCode.sessionExpired)
    this.#replay(sn, Number.POSITIVE_INFINITY)
    this.#sendFrame({ s: signal.resumeAck, d: this.#identity() })
  }

  /** A client could ask for the same events again and again, with a few bytes each time. */
  #mayReplay(now: number): boolean {
    if (now - this.#replayedSince >= REPLAYED_WINDOW_MS) {
      this.#replayedSince = now
      this.#replayedBytes = 0
    }
    return this.#replayedBytes < REPLAYED_BYTES_MAX
  }

  #replay(sn: number, sentUntil: number): void {
    this.#replayedBytes += this.stream.replay(sn, sentUntil)
  }

  #demandReconnect(code: number): void {
    this.#sendFrame(reconnect(code))
    this.#connection?.close(closeCode.refused)
  }

  #attach(connection: Connection, now: number): void {
    const before = this.#connection
    this.#connection = connection
    this.#lastSeenAt = now
    this.stream.attach(connection)
    if (before && before !== connection) before.close(closeCode.replaced)
  }

  #isFlooding(now: number): boolean {
    if (now - this.#windowAt >= FRAMES_WINDOW_MS) {
      this.#windowAt = now
      this.#frames = 0
    }
    this.#frames += 1
    return this.#frames > FRAMES_MAX
  }

  /** Both spellings of the session id for people. protocol.md §9.4. */
  #identity(code?: number) {
    return {
      ...(code === undefined ? {} : { code }),
      session_id: this.id,
      ...(this.stream.dialect === 'specification' && { sessionId: this.id }),
    }
  }

  #sendFrame(frame: object): void {
    this.#connection?.send(JSON.stringify(frame))
  }
}

/** The frame that asks a client to start a new session. protocol.md §2.3. */
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
