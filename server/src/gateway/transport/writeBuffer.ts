/**
 * Where frames are put together into one write. In a crowd one line after the other hears the same: what lies here from
 * the line before is not put together again, its events get this line's numbers.
 */
import { digitsOf, SharedEvent, webSocketFrame } from './frames.ts'

/** Frames ready to go, and events, each followed by the number it has on this line; a frame's is 0. */
export type Waiting = (string | Buffer | SharedEvent | number)[]

/** A write is of about this size, bytes. */
export const WRITE_BYTES = 64 * 1024

export class Desk {
  /** How many of what waits are in the last write: items, and events among them. */
  taken = 0
  events = 0
  #bytes = Buffer.allocUnsafeSlow(WRITE_BYTES)
  /** What lies here, when it is events and nothing else, and where the frame of each ends. */
  readonly #laid: SharedEvent[] = []
  readonly #ends: number[] = []
  #write: Buffer | null = null
  #compress = false
  /** How long the first and the last of their numbers are. */
  #firstDigits = 0
  #lastDigits = 0

  /** The bytes of what waits from `from` on, or of as much of it as fits; good until the next call. */
  lay(waiting: Waiting, from: number, compress: boolean): Buffer {
    if (from === 0 && this.#write && this.#isLaid(waiting, compress))
      return this.#renumber(waiting, this.#write)
    this.#laid.length = 0
    this.#ends.length = 0
    this.#write = null
    this.taken = 0
    this.events = 0
    let used = 0
    for (let at = from; at < waiting.length; at += 2) {
      const what = waiting[at] as string | Buffer | SharedEvent
      const frame =
        what instanceof SharedEvent
          ? what.webSocketFrame(waiting[at + 1] as number, compress)
          : webSocketFrame(what)
      if (used + frame.length > WRITE_BYTES && used > 0) break
      this.taken += 2
      if (what instanceof SharedEvent) this.events += 1
      // Too big for here: goes by itself, in bytes of its own.
      if (frame.length > WRITE_BYTES) return Buffer.from(frame)
      frame.copy(this.#bytes, used)
      used += frame.length
      if (!(what instanceof SharedEvent)) continue
      this.#laid.push(what)
      this.#ends.push(used)
    }
    const write = this.#bytes.subarray(0, used)
    const isAll = from === 0 && this.taken === waiting.length && this.events * 2 === this.taken
    if (isAll) {
      this.#write = write
      this.#compress = compress
      this.#firstDigits = digitsOf(waiting[1] as number)
      this.#lastDigits = digitsOf(waiting[waiting.length - 1] as number)
    }
    return write
  }

  /** What was handed out last is still being read. */
  keep(): void {
    this.#bytes = Buffer.allocUnsafeSlow(WRITE_BYTES)
    this.#write = null
  }

  /** Whether exactly that lies here, with numbers as long. They only grow from the first to the last. */
  #isLaid(waiting: Waiting, compress: boolean): boolean {
    const laid = this.#laid
    if (compress !== this.#compress || waiting.length !== laid.length * 2) return false
    for (let index = 0; index < laid.length; index += 1) {
      if (waiting[index * 2] !== laid[index]) return false
    }
    const first = digitsOf(waiting[1] as number)
    const last = digitsOf(waiting[waiting.length - 1] as number)
    return first === this.#firstDigits && last === this.#lastDigits && first === last
  }

  #renumber(waiting: Waiting, write: Buffer): Buffer {
    const laid = this.#laid
    for (let index = 0; index < laid.length; index += 1) {
      const sn = waiting[index * 2 + 1] as number
      laid[index]!.renumber(this.#bytes, this.#ends[index]!, sn, this.#firstDigits, this.#compress)
    }
    this.taken = waiting.length
    this.events = laid.length
    return write
  }
}
