/**
 * The frame of an event that many connections share: the event is encoded once and deflated once, and only
 * `sn` is written for each connection. protocol.md §2.3 and §2.4.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { EventData } from '@guildhall/wire/gateway/frame.ts'
import { BINARY_FRAME, headerLength, TEXT_FRAME, writeHeader } from './webSocketFrame.ts'
import { adler32, adler32Combine, adler32OfRange, writeZlibHeader, ZLIB_HEADER_BYTES } from './zlib.ts'

const BEFORE_SN = '{"s":0,"sn":'
const AFTER_SN = ',"d":'
const BEFORE_SN_ADLER = adler32(Buffer.from(BEFORE_SN))
const SN_DIGITS_MAX = 16
/** Where a template's `sn` ends: the longest possible headers fit in front of it. */
const SN_END = 10 + ZLIB_HEADER_BYTES + BEFORE_SN.length + SN_DIGITS_MAX

/** The number of decimal digits of `sn`, which is 0 or more. */
export function digitsOf(sn: number): number {
  let digits = 1
  for (let limit = 10; sn >= limit; limit *= 10) digits += 1
  return digits
}

/** Checksum and length of what the deflated part inflates to. */
interface InflatedPart {
  readonly adler: number
  readonly length: number
}

/**
 * A WebSocket frame with space for any `sn`. The shared part keeps its position, and headers and `sn` are
 * written directly in front of it. A connection's frame is a view of these bytes, so making one copies
 * nothing.
 */
class FrameTemplate {
  #bytes: Buffer
  /** The last frame, and the number of digits of its `sn`. */
  #view: Buffer | null = null
  #digits = 0
  readonly #inflated: InflatedPart | null

  /** `inflated` is given when `rest` is deflated. */
  constructor(rest: Buffer, inflated: InflatedPart | null) {
    this.#inflated = inflated
    this.#bytes = Buffer.allocUnsafeSlow(SN_END + AFTER_SN.length + rest.length + (inflated ? 4 : 0))
    this.#bytes.write(AFTER_SN, SN_END, 'latin1')
    rest.copy(this.#bytes, SN_END + AFTER_SN.length)
  }

  frame(sn: number): Buffer {
    const bytes = this.#bytes
    const digits = digitsOf(sn)
    if (!this.#view || digits !== this.#digits) {
      this.#view = bytes.subarray(this.#writeHeaders(digits))
      this.#digits = digits
    }
    this.#writeSn(bytes, SN_END, bytes.length, sn, digits)
    return this.#view
  }

  /**
   * Overwrites the `sn` of a copy of a frame. The copy ends at `end` of `bytes`; its `sn` has `digits`
   * digits.
   */
  renumber(bytes: Buffer, end: number, sn: number, digits: number): void {
    this.#writeSn(bytes, end - (this.#bytes.length - SN_END), end, sn, digits)
  }

  /** The shared part, as given to the constructor. */
  get rest(): Buffer {
    return this.#bytes.subarray(SN_END + AFTER_SN.length, this.#bytes.length - (this.#inflated ? 4 : 0))
  }

  /** Continues in a new buffer, because the last frame is still being read. */
  replaceBuffer(): void {
    this.#bytes = Buffer.from(this.#bytes)
    this.#view = null
  }

  /** Writes `sn` so that it ends at `snEnd`, and the checksum that follows from it before `end`. */
  #writeSn(bytes: Buffer, snEnd: number, end: number, sn: number, digits: number): void {
    let rest = sn
    for (let at = snEnd - 1; at >= snEnd - digits; at -= 1) {
      const tenth = Math.floor(rest / 10)
      bytes[at] = 48 + (rest - tenth * 10)
      rest = tenth
    }
    if (this.#inflated) this.#writeChecksum(bytes, snEnd - digits, end, this.#inflated)
  }

  /** Writes what precedes the digits. Returns where the frame starts. */
  #writeHeaders(digits: number): number {
    const bytes = this.#bytes
    let start = SN_END - digits - BEFORE_SN.length
    bytes.write(BEFORE_SN, start, 'latin1')
    if (this.#inflated) {
      start -= ZLIB_HEADER_BYTES
      writeZlibHeader(bytes, start, BEFORE_SN.length + digits + AFTER_SN.length, false)
    }
    const length = bytes.length - start
    start -= headerLength(length)
    writeHeader(bytes, start, length, this.#inflated ? BINARY_FRAME : TEXT_FRAME)
    return start
  }

  #writeChecksum(bytes: Buffer, snAt: number, end: number, inflated: InflatedPart): void {
    const storedEnd = end - (this.#bytes.length - SN_END) + AFTER_SN.length
    const own = adler32OfRange(bytes, snAt, storedEnd, BEFORE_SN_ADLER)
    const adler = adler32Combine(own, inflated.adler, inflated.length)
    bytes[end - 4] = adler >>> 24
    bytes[end - 3] = adler >>> 16
    bytes[end - 2] = adler >>> 8
    bytes[end - 1] = adler
  }
}

/**
 * The frame of an event in one number dialect, deflated on first use. A replay buffer may hold it for
 * minutes, so the text is dropped once its bytes exist: they lie outside the garbage-collected heap.
 */
export class SharedFrame {
  /** The frame from the value of `d` on; null once it exists as bytes. */
  #text: string | null
  /** About the bytes that a replay buffer holds for this event; never changes. */
  readonly size: number
  #plain: FrameTemplate | null = null
  #deflated: FrameTemplate | null = null

  /** `moreFields`: fields of the frame after `d`, for the dialects that have them. */
  constructor(d: EventData, moreFields: object = {}) {
    const more = JSON.stringify(moreFields).slice(1)
    this.#text = `${JSON.stringify(d)}${more === '}' ? '' : ','}${more}`
    this.size = Buffer.byteLength(this.#text)
  }

  /** The frame as JSON text, for `compress=0`. */
  plain(sn: number): string {
    return `${BEFORE_SN}${sn}${AFTER_SN}${this.#rest()}`
  }

  /**
   * The frame as one complete zlib stream: a stored block up to `"d":`, the shared deflated part, and the
   * checksum.
   */
  deflated(sn: number): Buffer {
    const frame = this.webSocketFrame(sn, true)
    const size = frame[1]!
    return Buffer.from(frame.subarray(size < 126 ? 2 : size === 126 ? 4 : 10))
  }

  /**
   * The WebSocket frame. Its bytes are valid until the next call; a caller that needs them longer calls
   * `replaceBuffer` first.
   */
  webSocketFrame(sn: number, compress: boolean): Buffer {
    return (compress ? this.#deflate() : this.#encode()).frame(sn)
  }

  /**
   * Overwrites the `sn` of a copy of a frame made with that `compress`. The copy ends at `end` of `bytes`;
   * both numbers have `digits` digits.
   */
  renumber(bytes: Buffer, end: number, sn: number, digits: number, compress: boolean): void {
    const template = compress ? this.#deflate() : this.#encode()
    template.renumber(bytes, end, sn, digits)
  }

  /** Keeps the bytes of the last frame valid. */
  replaceBuffer(compress: boolean): void {
    if (compress) this.#deflated?.replaceBuffer()
    else this.#plain?.replaceBuffer()
  }

  #rest(): Buffer {
    if (this.#text !== null) return Buffer.from(this.#text)
    return this.#plain ? this.#plain.rest : inflateRawSync(this.#deflated!.rest)
  }

  #encode(): FrameTemplate {
    if (this.#plain) return this.#plain
    this.#plain = new FrameTemplate(this.#rest(), null)
    this.#text = null
    return this.#plain
  }

  #deflate(): FrameTemplate {
    if (this.#deflated) return this.#deflated
    const bytes = this.#rest()
    const inflated = { adler: adler32(bytes), length: bytes.length }
    this.#deflated = new FrameTemplate(deflateRawSync(bytes), inflated)
    this.#text = null
    return this.#deflated
  }
}
