/**
 * The write buffer: assembles pending frames into one write. Consecutive connections often send the same
 * events, so what was assembled for the previous connection is reused and only its serial numbers are
 * overwritten.
 */
import { digitsOf, SharedFrame } from './sharedFrame.ts'
import { webSocketFrame } from './webSocketFrame.ts'

/** Pairs: a frame or an event, then the event's `sn` on this connection; 0 for a frame. */
export type PendingFrames = (string | Buffer | SharedFrame | number)[]

/** About the size of a write, bytes. */
export const WRITE_BYTES = 64 * 1024

export class WriteBuffer {
  /** The length of `pending` that the last write covers, and the number of events among it. */
  itemCount = 0
  eventCount = 0
  /** Allocated for the first write. */
  #bytes: Buffer | null = null
  /** The events of the last write, when it holds nothing else, and where the frame of each ends. */
  readonly #events: SharedFrame[] = []
  readonly #ends: number[] = []
  #write: Buffer | null = null
  #compress = false
  /** The number of digits of their first and last `sn`. */
  #firstDigits = 0
  #lastDigits = 0

  /** The bytes of `pending` from `from` on, or of as much as fits. They are valid until the next call. */
  assemble(pending: PendingFrames, from: number, compress: boolean): Buffer {
    if (from === 0 && this.#write && this.#isReusable(pending, compress))
      return this.#renumber(pending, this.#write)
    this.#bytes ??= Buffer.allocUnsafeSlow(WRITE_BYTES)
    this.#events.length = 0
    this.#ends.length = 0
    this.#write = null
    this.itemCount = 0
    this.eventCount = 0
    let used = 0
    for (let at = from; at < pending.length; at += 2) {
      const what = pending[at] as string | Buffer | SharedFrame
      const frame =
        what instanceof SharedFrame
          ? what.webSocketFrame(pending[at + 1] as number, compress)
          : webSocketFrame(what)
      if (used + frame.length > WRITE_BYTES && used > 0) break
      this.itemCount += 2
      if (what instanceof SharedFrame) this.eventCount += 1
      // A frame larger than the buffer is a write of its own.
      if (frame.length > WRITE_BYTES) return Buffer.from(frame)
      frame.copy(this.#bytes, used)
      used += frame.length
      if (!(what instanceof SharedFrame)) continue
      this.#events.push(what)
      this.#ends.push(used)
    }
    const write = this.#bytes.subarray(0, used)
    const isAllEvents =
      from === 0 && this.itemCount === pending.length && this.eventCount * 2 === this.itemCount
    if (isAllEvents) {
      this.#write = write
      this.#compress = compress
      this.#firstDigits = digitsOf(pending[1] as number)
      this.#lastDigits = digitsOf(pending[pending.length - 1] as number)
    }
    return write
  }

  /** Continues in a new buffer, because the last write is still being read. */
  replaceBuffer(): void {
    this.#bytes = Buffer.allocUnsafeSlow(WRITE_BYTES)
    this.#write = null
  }

  /**
   * Whether the last write has exactly these events, with numbers of equal length. Numbers increase from
   * first to last.
   */
  #isReusable(pending: PendingFrames, compress: boolean): boolean {
    const events = this.#events
    if (compress !== this.#compress || pending.length !== events.length * 2) return false
    for (let index = 0; index < events.length; index += 1) {
      if (pending[index * 2] !== events[index]) return false
    }
    const first = digitsOf(pending[1] as number)
    const last = digitsOf(pending[pending.length - 1] as number)
    return first === this.#firstDigits && last === this.#lastDigits && first === last
  }

  #renumber(pending: PendingFrames, write: Buffer): Buffer {
    const events = this.#events
    const bytes = this.#bytes!
    for (let index = 0; index < events.length; index += 1) {
      const sn = pending[index * 2 + 1] as number
      events[index]!.renumber(bytes, this.#ends[index]!, sn, this.#firstDigits, this.#compress)
    }
    this.itemCount = pending.length
    this.eventCount = events.length
    return write
  }
}
