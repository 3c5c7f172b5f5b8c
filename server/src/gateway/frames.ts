/**
 * Events as bytes. What all receivers share is encoded once, and deflated once; only a frame's `sn` is a session's
 * own. protocol.md §2.3 and §2.4.
 */
import { deflateRawSync } from 'node:zlib'
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

/** The part of an event's frame that every receiver of one dialect shares. Deflated when first asked for. */
export class SharedEvent {
  /** `…,"d":{…}}` without what comes before `d`. */
  readonly tail: string
  #bytes: Buffer | null = null
  #deflated: { body: Buffer; adler: number } | null = null

  constructor(d: EventData) {
    this.tail = `${JSON.stringify(d)}}`
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.tail)
    return this.#bytes
  }

  /** About what a replay buffer holds on to for this event, bytes; the same at every call. */
  get size(): number {
    return this.tail.length
  }

  /** The frame as text, for lines that asked for `compress=0`. */
  plain(sn: number): string {
    return `{"s":0,"sn":${sn},"d":${this.tail}`
  }

  /**
   * The frame as one complete zlib stream: the session's own beginning as a stored block, then the shared deflated
   * rest, then the checksum of both.
   */
  deflated(sn: number): Buffer {
    this.#deflated ??= { body: deflateRawSync(this.bytes), adler: adler32(this.bytes) }
    const { body, adler } = this.#deflated
    const prefix = `{"s":0,"sn":${sn},"d":`
    const length = prefix.length
    const frame = Buffer.allocUnsafe(2 + 5 + length + body.length + 4)
    frame[0] = ZLIB_HEADER[0]
    frame[1] = ZLIB_HEADER[1]
    frame[2] = 0
    frame.writeUInt16LE(length, 3)
    frame.writeUInt16LE(length ^ 0xffff, 5)
    frame.write(prefix, 7, 'latin1')
    body.copy(frame, 7 + length)
    const own = adler32(frame.subarray(7, 7 + length))
    frame.writeUInt32BE(adler32Combine(own, adler, this.bytes.length), 7 + length + body.length)
    return frame
  }
}
