/**
 * Parts of a zlib stream: its headers, its Adler-32 checksum, and a stream that stores a short text
 * uncompressed. RFC 1950.
 */

const ADLER_BASE = 65521
/** deflate, 32 KiB window, default level: the first two bytes of every compressed frame. RFC 1950. */
const STREAM_HEADER = [0x78, 0x9c] as const

/** The length of the stream's header together with the header of a stored block, bytes. */
export const ZLIB_HEADER_BYTES = 7

/** The Adler-32 checksum of some bytes, continued from `start`. RFC 1950. */
export function adler32(bytes: Uint8Array, start = 1): number {
  let a = start & 0xffff
  let b = start >>> 16
  for (let at = 0; at < bytes.length; ) {
    // 3800 additions stay below 2^31 without taking a remainder.
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

/** The same, started from `start` and limited to `from`…`to` of `bytes`: for at most 3800 bytes. */
export function adler32OfRange(bytes: Uint8Array, from: number, to: number, start: number): number {
  let a = start & 0xffff
  let b = start >>> 16
  for (let at = from; at < to; at += 1) {
    a += bytes[at]!
    b += a
  }
  return (((b % ADLER_BASE) << 16) | (a % ADLER_BASE)) >>> 0
}

/** The checksum of two texts in sequence, from the checksum of each and the second one's length in bytes. */
export function adler32Combine(first: number, second: number, secondLength: number): number {
  const rest = secondLength % ADLER_BASE
  const a1 = first & 0xffff
  const a = (a1 + (second & 0xffff) + ADLER_BASE - 1) % ADLER_BASE
  const b = (rest * a1 + (first >>> 16) + (second >>> 16) + ADLER_BASE - rest) % ADLER_BASE
  return ((b << 16) | a) >>> 0
}

/**
 * One complete zlib stream that stores a short text uncompressed, so that no compressor runs. protocol.md
 * §2.4.
 */
export function storedZlib(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const stream = Buffer.allocUnsafe(ZLIB_HEADER_BYTES + length + 4)
  writeZlibHeader(stream, 0, length, true)
  stream.write(text, ZLIB_HEADER_BYTES)
  const checksum = adler32(stream.subarray(ZLIB_HEADER_BYTES, ZLIB_HEADER_BYTES + length))
  stream.writeUInt32BE(checksum, ZLIB_HEADER_BYTES + length)
  return stream
}

/** Writes the stream's header and the header of a stored block of `storedLength` bytes. */
export function writeZlibHeader(bytes: Buffer, at: number, storedLength: number, isLast: boolean): void {
  bytes[at] = STREAM_HEADER[0]
  bytes[at + 1] = STREAM_HEADER[1]
  bytes[at + 2] = isLast ? 1 : 0
  bytes.writeUInt16LE(storedLength, at + 3)
  bytes.writeUInt16LE(storedLength ^ 0xffff, at + 5)
}
