/**
 * The reference transport: every stream numbers and JSON-encodes every event for itself and writes it at
 * once. It states what the batched transport has to do, and the same tests run against both. Not for
 * production.
 */
import { deflateSync } from 'node:zlib'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { EncodedEvent } from '../gateway/transport/encodedEvent.ts'
import {
  BLOCKED_BYTES_MAX,
  type Connection,
  type ConnectionOptions,
  type EventStream,
  type NumberedEvent,
  PENDING_BYTES_MAX,
  PENDING_FRAMES_MAX,
  REPLAY_BYTES_MAX,
  REPLAY_EVENTS_MAX,
  REPLAY_MS,
  type StreamOptions,
  type Transport,
  type TransportMetrics,
  type TransportOptions,
} from '../gateway/transport/transport.ts'

export class PlainTransport implements Transport {
  readonly #options: TransportOptions
  readonly #streams = new Set<PlainStream>()

  constructor(options: TransportOptions) {
    this.#options = options
  }

  get storedEvents(): number {
    return new Set([...this.#streams].flatMap((stream) => stream.storedEvents)).size
  }

  openStream({ dialect }: StreamOptions): EventStream {
    const stream = new PlainStream(dialect, () => this.#streams.delete(stream))
    this.#streams.add(stream)
    return stream
  }

  openConnection(options: ConnectionOptions): Connection {
    return new PlainConnection(options, this.#options.metrics ?? null)
  }

  broadcast(streams: readonly EventStream[], event: EncodedEvent, now: number, guildId: GuildId): void {
    const failed = new Set<NumberDialect>()
    for (const stream of streams) {
      if (failed.has(stream.dialect)) continue
      try {
        stream.send(event, now, guildId)
      } catch (error) {
        failed.add(stream.dialect)
        this.#options.onError(error)
      }
    }
  }

  /** Nothing is ever pending. */
  flushPending(): void {}
}

/** An event with the number it has in this stream. */
interface StoredEvent {
  readonly event: EncodedEvent
  readonly json: JsonEvent
  readonly sn: number
  readonly sentAt: number
}

class PlainStream implements EventStream {
  readonly dialect: NumberDialect
  sn = 0
  #connection: Connection | null = null
  #focus: string | null | undefined = undefined
  #stored: StoredEvent[] = []
  #collected: EncodedEvent[] | null = null
  #isOver = false
  readonly #onEnd: () => void

  constructor(dialect: NumberDialect, onEnd: () => void) {
    this.dialect = dialect
    this.#onEnd = onEnd
  }

  get isPaused(): boolean {
    return this.#collected !== null
  }

  get storedEvents(): EncodedEvent[] {
    return this.#stored.map(({ event }) => event)
  }

  pause(): void {
    this.#collected = []
  }

  continueAfter(sn: number, missed: readonly EncodedEvent[], now: number): void {
    const collected = this.#collected ?? []
    this.#collected = null
    this.#stored = []
    this.sn = sn
    for (const event of [...missed, ...collected]) this.send(event, now)
  }

  attach(connection: Connection): void {
    this.#connection = connection
    this.#focus = undefined
  }

  detach(): void {
    this.#connection = null
  }

  focus(guildId: string | null | undefined): void {
    this.#focus = guildId
  }

  send(event: EncodedEvent, now: number, guildId?: string): void {
    if (this.#isOver) return
    if (this.#collected) return void this.#collected.push(event)
    const json = new JsonEvent(event, this.dialect)
    this.sn += 1
    this.#stored.push({ event, json, sn: this.sn, sentAt: now })
    const canWait = guildId !== undefined && this.#focus !== undefined && this.#focus !== guildId
    this.#connection?.sendEvent(json, this.sn, canWait)
    this.#trim(now)
  }

  canReplay(sn: number): boolean {
    return sn <= this.sn && sn >= this.sn - this.#stored.length
  }

  replay(sn: number, sentUntil: number): number {
    let bytes = 0
    for (const { json, sn: number, sentAt } of this.#stored.filter((it) => it.sn > sn)) {
      if (sentAt > sentUntil) break
      bytes += json.size
      this.#connection?.sendEvent(json, number, false)
    }
    return bytes
  }

  acknowledge(sn: number): void {
    this.#stored = this.#stored.filter((it) => it.sn > sn)
  }

  end(): void {
    this.#isOver = true
    this.#stored = []
    this.#onEnd()
  }

  #trim(now: number): void {
    this.#stored = this.#stored.filter((it) => now - it.sentAt <= REPLAY_MS).slice(-REPLAY_EVENTS_MAX)
    let bytes = this.#stored.reduce((sum, { json }) => sum + json.size, 0)
    while (bytes > REPLAY_BYTES_MAX) bytes -= this.#stored.shift()!.json.size
  }
}

/** An event that is encoded anew for every number. */
class JsonEvent implements NumberedEvent {
  readonly #body: object
  readonly size: number

  constructor(event: EncodedEvent, dialect: NumberDialect) {
    const { d, moreFields } = event.body(dialect)
    this.#body = { d, ...moreFields }
    this.size = Buffer.byteLength(JSON.stringify(this.#body))
  }

  plain(sn: number): string {
    return JSON.stringify({ s: 0, sn, ...this.#body })
  }

  deflated(sn: number): Buffer {
    return deflateSync(this.plain(sn))
  }
}

/**
 * Writes each frame by the WebSocket library, as long as the socket accepts it; what it does not accept
 * waits.
 */
class PlainConnection implements Connection {
  readonly #options: ConnectionOptions
  readonly #metrics: TransportMetrics | null
  #pending: { readonly payload: string | Buffer; readonly events: number }[] = []
  #blockedAt: number | null = null
  #blockedBytes = 0

  constructor(options: ConnectionOptions, metrics: TransportMetrics | null) {
    this.#options = options
    this.#metrics = metrics
  }

  send(frame: string): void {
    this.#enqueue(this.#options.compress ? deflateSync(frame) : frame, 0)
  }

  sendEvent(event: NumberedEvent, sn: number): void {
    this.#enqueue(this.#options.compress ? event.deflated(sn) : event.plain(sn), 1)
  }

  close(code: number): void {
    this.flush()
    this.#options.ws.close(code)
  }

  isBlockedFor(ms: number): boolean {
    return this.#blockedAt !== null && this.#options.now() - this.#blockedAt > ms
  }

  terminate(): void {
    this.#pending = []
    this.#metrics?.slowConsumer()
    this.#options.ws.terminate()
  }

  flush(): void {
    const { ws, socket, now } = this.#options
    if (ws.readyState !== ws.OPEN) this.#pending = []
    while (this.#blockedAt === null && this.#pending.length > 0) {
      const { payload, events } = this.#pending.shift()!
      ws.send(payload)
      this.#metrics?.framesOut(events, Buffer.byteLength(payload))
      if (!socket.writableNeedDrain) continue
      this.#blockedAt = now()
      socket.once('drain', () => {
        this.#blockedAt = null
        this.#blockedBytes = 0
        this.flush()
      })
    }
  }

  #enqueue(payload: string | Buffer, events: number): void {
    this.#pending.push({ payload, events })
    if (this.#blockedAt !== null) this.#blockedBytes += Buffer.byteLength(payload)
    this.flush()
    const bytes = this.#pending.reduce((sum, it) => sum + Buffer.byteLength(it.payload), 0)
    const isTooMuch = this.#pending.length > PENDING_FRAMES_MAX || bytes > PENDING_BYTES_MAX
    if (isTooMuch || this.#blockedBytes > BLOCKED_BYTES_MAX) this.terminate()
  }
}
