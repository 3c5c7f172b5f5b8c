/**
 * Events as bytes. What all receivers share is encoded once, and deflated once; only a frame's `sn` is a session's
 * own. protocol.md §2.3 and §2.4.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { EventData } from '@guildhall/wire/gateway/frame.ts'

const ADLER_BASE = 65521
/** deflate, 32 KiB window, default level: the first two bytes of every compressed frame. RFC 1950. */
const ZLIB_HEADER = [0x78, 0x9c] as const

/** The checksum of RFC 1950 over some bytes, carried on from `start`. */
export function adler32(bytes: Uint8Array, start = 1): number {
  let a = start & 0xffff
  let b = start >>> 16
  for (let at = 0; at < bytes.length; ) {
    // 3800 additions stay below 2^31 without a remainder in between.
    const end = Math.min(at + 3800, bytes.length)
    for (; at < end; at += 1) {
      a += bytes[at]!
      b += a
    }
    a %= ADLER_BASE
    b %= ADLER_BASE
  }
  return ((b << 16) | a) >>> 0
}

/** The checksum of two texts one after the other, from their checksums and the second one's length in bytes. */
export function adler32Combine(first: number, second: number, secondLength: number): number {
  const rest = secondLength % ADLER_BASE
  const a1 = first & 0xffff
  const a = (a1 + (second & 0xffff) + ADLER_BASE - 1) % ADLER_BASE
  const b = (rest * a1 + (first >>> 16) + (second >>> 16) + ADLER_BASE - rest) % ADLER_BASE
  return ((b << 16) | a) >>> 0
}

/** One complete zlib stream around a short text, stored as it is: costs no compressor. protocol.md §2.4. */
export function stored(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const stream = Buffer.allocUnsafe(ZLIB_HEAD + length + 4)
  writeZlibHead(stream, 0, length, true)
  stream.write(text, ZLIB_HEAD)
  stream.writeUInt32BE(adler32(stream.subarray(ZLIB_HEAD, ZLIB_HEAD + length)), ZLIB_HEAD + length)
  return stream
}

/** A whole WebSocket frame, as a server sends it: text for a string, binary for bytes. RFC 6455 §5.2. */
export function webSocketFrame(payload: string | Buffer): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  const head = webSocketHead(bytes.length)
  const frame = Buffer.allocUnsafe(head + bytes.length)
  writeWebSocketHead(frame, 0, bytes.length, typeof payload === 'string' ? TEXT : BINARY)
  bytes.copy(frame, head)
  return frame
}

/** The last part of a message, and its only one. RFC 6455 §5.2. */
const TEXT = 0x81
const BINARY = 0x82

const webSocketHead = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

function writeWebSocketHead(bytes: Buffer, at: number, length: number, opcode: number): void {
  bytes[at] = opcode
  if (length < 126) bytes[at + 1] = length
  else if (length < 65_536) {
    bytes[at + 1] = 126
    bytes.writeUInt16BE(length, at + 2)
  } else {
    bytes[at + 1] = 127
    bytes.writeUInt32BE(0, at + 2)
    bytes.writeUInt32BE(length, at + 6)
  }
}

/** The stream's header and the header of a stored block. */
const ZLIB_HEAD = 7

function writeZlibHead(bytes: Buffer, at: number, storedLength: number, isLast: boolean): void {
  bytes[at] = ZLIB_HEADER[0]
  bytes[at + 1] = ZLIB_HEADER[1]
  bytes[at + 2] = isLast ? 1 : 0
  bytes.writeUInt16LE(storedLength, at + 3)
  bytes.writeUInt16LE(storedLength ^ 0xffff, at + 5)
}

const BEFORE_SN = '{"s":0,"sn":'
const AFTER_SN = ',"d":'
const BEFORE_SN_ADLER = adler32(Buffer.from(BEFORE_SN))
const SN_DIGITS_MAX = 16
/** Where a template's `sn` ends, so that everything that can stand before it fits. */
const SN_END = 10 + ZLIB_HEAD + BEFORE_SN.length + SN_DIGITS_MAX

/** How long a number from 0 on is when it is written out. */
export function digitsOf(sn: number): number {
  let digits = 1
  for (let more = 10; sn >= more; more *= 10) digits += 1
  return digits
}

/**
 * An event's WebSocket frame with room for any `sn`: the shared part stays where it is, and what stands before it is
 * written up against it. A session's frame is a view of it, so a delivery copies nothing.
 */
class Template {
  #bytes: Buffer
  /** The last frame, and how many digits its `sn` has. */
  #view: Buffer | null = null
  #digits = 0
  readonly #shared: { readonly adler: number; readonly length: number } | null

  /** `shared` is given when the rest is deflated: checksum and length of what it inflates to. */
  constructor(rest: Buffer, shared: { readonly adler: number; readonly length: number } | null) {
    this.#shared = shared
    this.#bytes = Buffer.allocUnsafeSlow(SN_END + AFTER_SN.length + rest.length + (shared ? 4 : 0))
    this.#bytes.write(AFTER_SN, SN_END, 'latin1')
    rest.copy(this.#bytes, SN_END + AFTER_SN.length)
  }

  frame(sn: number): Buffer {
    const bytes = this.#bytes
    const digits = digitsOf(sn)
    if (!this.#view || digits !== this.#digits) {
      this.#view = bytes.subarray(this.#writeHead(digits))
      this.#digits = digits
    }
    this.#stamp(bytes, SN_END, bytes.length, sn, digits)
    return this.#view
  }

  /** Gives a copy of a frame that ends at `end` of `bytes` another `sn`, of as many digits as it has. */
  renumber(bytes: Buffer, end: number, sn: number, digits: number): void {
    this.#stamp(bytes, end - (this.#bytes.length - SN_END), end, sn, digits)
  }

  /** The shared part, as the constructor was given it. */
  get rest(): Buffer {
    return this.#bytes.subarray(SN_END + AFTER_SN.length, this.#bytes.length - (this.#shared ? 4 : 0))
  }

  /** Somebody still reads the last frame: the next one is made elsewhere. */
  leave(): void {
    this.#bytes = Buffer.from(this.#bytes)
    this.#view = null
  }

  /** Writes an `sn` up against `snEnd`, and the checksum that follows from it before `end`. */
  #stamp(bytes: Buffer, snEnd: number, end: number, sn: number, digits: number): void {
    let rest = sn
    for (let at = snEnd - 1; at >= snEnd - digits; at -= 1) {
      const tenth = Math.floor(rest / 10)
      bytes[at] = 48 + (rest - tenth * 10)
      rest = tenth
    }
    if (this.#shared) this.#writeChecksum(bytes, snEnd - digits, end, this.#shared)
  }

  /** What stands before the digits. Answers where the frame starts. */
  #writeHead(digits: number): number {
    const bytes = this.#bytes
    let start = SN_END - digits - BEFORE_SN.length
    bytes.write(BEFORE_SN, start, 'latin1')
    if (this.#shared) {
      start -= ZLIB_HEAD
      writeZlibHead(bytes, start, BEFORE_SN.length + digits + AFTER_SN.length, false)
    }
    const length = bytes.length - start
    start -= webSocketHead(length)
    writeWebSocketHead(bytes, start, length, this.#shared ? BINARY : TEXT)
    return start
  }

  #writeChecksum(
    bytes: Buffer,
    snAt: number,
    end: number,
    shared: { readonly adler: number; readonly length: number },
  ): void {
    let a = BEFORE_SN_ADLER & 0xffff
    let b = BEFORE_SN_ADLER >>> 16
    const snEnd = end - (this.#bytes.length - SN_END)
    // Too few additions to reach the modulus twice; the remainder is taken when both parts meet.
    for (let at = snAt; at < snEnd + AFTER_SN.length; at += 1) {
      a += bytes[at]!
      b += a
    }
    const own = (((b % ADLER_BASE) << 16) | (a % ADLER_BASE)) >>> 0
    const adler = adler32Combine(own, shared.adler, shared.length)
    bytes[end - 4] = adler >>> 24
    bytes[end - 3] = adler >>> 16
    bytes[end - 2] = adler >>> 8
    bytes[end - 1] = adler
  }
}

/**
 * The part of an event's frame that every receiver of one dialect shares. Deflated when first asked for. It is held for
 * as long as some line may have to hear it again, so what is held are its bytes, outside of what the garbage collector
 * moves and visits.
 */
export class SharedEvent {
  /** `…,"d":{…}}` without what comes before `d`; null once there are bytes of it. */
  #text: string | null
  /** About what a replay buffer holds on to for this event, bytes; the same at every call. */
  readonly size: number
  #plain: Template | null = null
  #deflated: Template | null = null

  /** `beside`: what the frame says beside its number and `d`, for the dialects that say more. */
  constructor(d: EventData, beside: object = {}) {
    const more = JSON.stringify(beside).slice(1)
    this.#text = `${JSON.stringify(d)}${more === '}' ? '' : ','}${more}`
    this.size = this.#text.length
  }

  /** The frame as text, for lines that asked for `compress=0`. */
  plain(sn: number): string {
    return `${BEFORE_SN}${sn}${AFTER_SN}${this.#tail()}`
  }

  /**
   * The frame as one complete zlib stream: the session's own beginning as a stored block, then the shared deflated
   * rest, then the checksum of both.
   */
  deflated(sn: number): Buffer {
    const frame = this.webSocketFrame(sn, true)
    const size = frame[1]!
    return Buffer.from(frame.subarray(size < 126 ? 2 : size === 126 ? 4 : 10))
  }

  /**
   * The whole WebSocket frame of either. The bytes are good until the next call; whoever still needs them then calls
   * `leave` first.
   */
  webSocketFrame(sn: number, compress: boolean): Buffer {
    return (compress ? this.#deflate() : this.#encode()).frame(sn)
  }

  /**
   * A copy of a frame made with that `compress` ends at `end` of `bytes`: gives it another `sn`, which has as many
   * `digits` as the one it has.
   */
  renumber(bytes: Buffer, end: number, sn: number, digits: number, compress: boolean): void {
    const template = compress ? this.#deflate() : this.#encode()
    template.renumber(bytes, end, sn, digits)
  }

  /** The last frame made is still being read: it stays as it is. */
  leave(compress: boolean): void {
    if (compress) this.#deflated?.leave()
    else this.#plain?.leave()
  }

  #tail(): Buffer {
    if (this.#text !== null) return Buffer.from(this.#text)
    return this.#plain ? this.#plain.rest : inflateRawSync(this.#deflated!.rest)
  }

  #encode(): Template {
    if (this.#plain) return this.#plain
    this.#plain = new Template(this.#tail(), null)
    this.#text = null
    return this.#plain
  }

  #deflate(): Template {
    if (this.#deflated) return this.#deflated
    const bytes = this.#tail()
    const shared = { adler: adler32(bytes), length: bytes.length }
    this.#deflated = new Template(deflateRawSync(bytes), shared)
    this.#text = null
    return this.#deflated
  }
}
