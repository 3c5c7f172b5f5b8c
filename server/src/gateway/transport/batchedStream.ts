/**
 * The event stream of the batched transport: numbers of pooled events in a ring, and shared frames to the
 * connection.
 */
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { EncodedEvent } from './encodedEvent.ts'
import type { EventPool } from './eventPool.ts'
import { ReplayBuffer } from './replayBuffer.ts'
import type { SharedFrame } from './sharedFrame.ts'
import {
  type Connection,
  type EventStream,
  REPLAY_BYTES_MAX,
  REPLAY_EVENTS_MAX,
  REPLAY_MS,
} from './transport.ts'

/** Events that are too old are looked for this often. */
const TRIM_EVERY_MS = SECOND_MS

export class BatchedStream implements EventStream {
  readonly dialect: NumberDialect
  sn = 0
  #connection: Connection | null = null
  #focus: string | null | undefined = undefined
  #isOver = false
  /** Events without a number; null while the stream is not paused. */
  #collected: SharedFrame[] | null = null
  readonly #replayBuffer: ReplayBuffer
  /** `sn` of the oldest event in the replay buffer. */
  #firstSn = 1
  /** When events that are too old are looked for again, ms. */
  #trimAt = 0
  readonly #pool: EventPool
  readonly #flushPending: () => void

  constructor(dialect: NumberDialect, pool: EventPool, flushPending: () => void) {
    this.dialect = dialect
    this.#pool = pool
    this.#replayBuffer = new ReplayBuffer(pool)
    this.#flushPending = flushPending
  }

  get isPaused(): boolean {
    return this.#collected !== null
  }

  pause(): void {
    this.#collected = []
  }

  continueAfter(sn: number, missed: readonly EncodedEvent[], now: number): void {
    this.#flushPending()
    const collected = this.#collected ?? []
    this.#collected = null
    this.sn = sn
    this.#firstSn = sn + 1
    for (const event of missed) this.#sendFrame(event.frame(this.dialect), now)
    for (const event of collected) this.#sendFrame(event, now)
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
    this.#flushPending()
    this.#sendFrame(event.frame(this.dialect), now, guildId)
  }

  #sendFrame(event: SharedFrame, now: number, guildId?: string): void {
    const number = this.#pool.add(event, now)
    this.receive([number], guildId)
    this.#pool.release(number)
  }

  /**
   * Gives pooled events the next serial numbers, keeps them for replay, and sends them: at once, or a little
   * later when they come from a guild that the client does not show. Called for every stream and event: the
   * hot path.
   */
  receive(numbers: readonly number[], guildId?: string): void {
    if (this.#isOver) return
    const connection = this.#connection
    const canWait = guildId !== undefined && this.#focus !== undefined && this.#focus !== guildId
    for (const number of numbers) {
      if (this.#collected !== null) {
        this.#collected.push(this.#pool.event(number))
        continue
      }
      this.sn += 1
      this.#replayBuffer.push(number)
      if (connection) connection.sendEvent(this.#pool.event(number), this.sn, canWait)
    }
    if (numbers.length > 0) this.#trim(this.#pool.sentAt(numbers.at(-1)!))
  }

  canReplay(sn: number): boolean {
    return sn <= this.sn && sn >= this.#firstSn - 1
  }

  replay(sn: number, sentUntil: number): number {
    const buffer = this.#replayBuffer
    let bytes = 0
    for (let index = sn + 1 - this.#firstSn; index < buffer.length; index += 1) {
      if (buffer.sentAt(index) > sentUntil) break
      const event = buffer.event(index)
      bytes += event.size
      this.#connection?.sendEvent(event, this.#firstSn + index, false)
    }
    return bytes
  }

  acknowledge(sn: number): void {
    this.#drop(sn + 1 - this.#firstSn)
  }

  end(): void {
    this.#isOver = true
    this.#drop(this.#replayBuffer.length)
  }

  /**
   * Drops what exceeds a bound. Age is checked now and then only, because it reads the far end of the ring.
   */
  #trim(now: number): void {
    const buffer = this.#replayBuffer
    while (buffer.length > REPLAY_EVENTS_MAX || buffer.bytes > REPLAY_BYTES_MAX) this.#drop(1)
    if (now < this.#trimAt) return
    this.#trimAt = now + TRIM_EVERY_MS
    while (buffer.length > 0 && now - buffer.sentAt(0) > REPLAY_MS) this.#drop(1)
  }

  #drop(count: number): void {
    if (count <= 0) return
    const before = this.#replayBuffer.length
    this.#replayBuffer.drop(count)
    this.#firstSn += before - this.#replayBuffer.length
  }
}
