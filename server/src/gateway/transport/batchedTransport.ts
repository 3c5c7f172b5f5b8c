/**
 * The transport in use. Broadcast events wait until sockets are next written to; then each stream receives
 * all of them at once. A session's memory is fetched once for many events, which is most of what a delivery
 * costs in a large guild.
 */
import type { GuildId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { BatchedStream } from './batchedStream.ts'
import type { EncodedEvent } from './encodedEvent.ts'
import { EventPool } from './eventPool.ts'
import { SocketWriter } from './socketWriter.ts'
import type {
  ConnectionOptions,
  EventStream,
  StreamOptions,
  Transport,
  TransportOptions,
} from './transport.ts'
import { WriteScheduler } from './writeScheduler.ts'

/** Consecutive events of one guild for the same streams. */
interface Batch {
  /** Only its first `count` receive the events: streams that were added later do not. */
  readonly streams: readonly BatchedStream[]
  readonly count: number
  readonly guildId: GuildId
  readonly events: EncodedEvent[]
  /** When each was sent, ms. */
  readonly times: number[]
}

/** Past either bound events do not wait: a slow consumer has to be noticed in time. */
const PENDING_EVENTS_MAX = 256
const PENDING_BYTES_MAX = 64 * 1024

export class BatchedTransport implements Transport {
  readonly #pool = new EventPool()
  readonly #scheduler: WriteScheduler
  readonly #scheduleFlush: () => void
  readonly #onError: (error: unknown) => void
  #batches: Batch[] = []
  #pendingEvents = 0
  #pendingBytes = 0

  /**
   * `scheduleFlush`: `flushPending` has to be called before sockets are next written to. By default the
   * scheduler does.
   */
  constructor(options: TransportOptions & { readonly scheduleFlush?: () => void }) {
    this.#scheduler = new WriteScheduler(options.metrics ?? null, this.flushPending)
    this.#scheduleFlush = options.scheduleFlush ?? (() => this.#scheduler.scheduleFlush())
    this.#onError = options.onError
  }

  get storedEvents(): number {
    return this.#pool.count
  }

  openStream({ dialect }: StreamOptions): EventStream {
    return new BatchedStream(dialect, this.#pool, this.flushPending)
  }

  openConnection(options: ConnectionOptions): SocketWriter {
    return new SocketWriter({ ...options, scheduler: this.#scheduler })
  }

  broadcast(streams: readonly EventStream[], event: EncodedEvent, now: number, guildId: GuildId): void {
    const [first] = streams
    if (!first) return
    this.#pendingBytes += sizeOf(event, first.dialect)
    const last = this.#batches.at(-1)
    if (last?.streams === streams && last.count === streams.length && last.guildId === guildId) {
      last.events.push(event)
      last.times.push(now)
    } else {
      // Every stream that this transport is given comes from its own `openStream`.
      const own = streams as readonly BatchedStream[]
      this.#batches.push({ streams: own, count: own.length, guildId, events: [event], times: [now] })
    }
    this.#pendingEvents += 1
    if (this.#pendingEvents === PENDING_EVENTS_MAX || this.#pendingBytes > PENDING_BYTES_MAX)
      this.flushPending()
    else if (this.#pendingEvents === 1) this.#scheduleFlush()
  }

  readonly flushPending = (): void => {
    if (this.#pendingEvents === 0) return
    const batches = this.#batches
    this.#batches = []
    this.#pendingEvents = 0
    this.#pendingBytes = 0
    for (const batch of batches) this.#deliver(batch)
  }

  #deliver(batch: Batch): void {
    const added = new Map<NumberDialect, readonly number[]>()
    for (let index = 0; index < batch.count; index += 1) {
      const stream = batch.streams[index]!
      let numbers = added.get(stream.dialect)
      if (!numbers) {
        numbers = this.#addToPool(batch, stream.dialect)
        added.set(stream.dialect, numbers)
      }
      stream.receive(numbers, batch.guildId)
    }
    for (const numbers of added.values()) for (const number of numbers) this.#pool.release(number)
  }

  /** An event that cannot be encoded in one dialect is still sent in the other. */
  #addToPool({ events, times }: Batch, dialect: NumberDialect): readonly number[] {
    const numbers: number[] = []
    events.forEach((event, index) => {
      try {
        numbers.push(this.#pool.add(event.frame(dialect), times[index]!))
      } catch (error) {
        this.#onError(error)
      }
    })
    return numbers
  }
}

/** 0 when the event cannot be encoded: that is reported when it is delivered. */
function sizeOf(event: EncodedEvent, dialect: NumberDialect): number {
  try {
    return event.frame(dialect).size
  } catch {
    return 0
  }
}
