/** The duration of a sound or a video, read from the file's header. chat.md §3 "duration". */
import { type FileHandle, open } from 'node:fs/promises'
import { DAY_MS, SECOND_MS } from '@guildhall/wire/unit.ts'

/** Boxes or pages of a file that are read; a duration that comes later is not found. */
const PARTS_MAX = 256
/** The last page of an Ogg file is within so many last bytes. */
const TAIL_BYTES = 65_536
/** A longer duration is not believed. */
const LONGEST_MS = DAY_MS

/** Reads `bytes` at `at`, fewer at the file's end. */
export type Read = (at: number, bytes: number) => Promise<Buffer>

/**
 * The duration, whole ms; null when the file does not state one or it is not plausible. Reads a few small
 * pieces, however large the file is. Never throws because of the file's content.
 */
export async function lengthOf(path: string, mime: string): Promise<number | null> {
  const reader = readers[mime]
  if (!reader) return null
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const seconds = await reader(readOf(file), size)
    const ms = seconds === null ? Number.NaN : Math.round(seconds * SECOND_MS)
    return ms > 0 && ms <= LONGEST_MS ? ms : null
  } finally {
    await file.close()
  }
}

export const readOf =
  (file: FileHandle): Read =>
  async (at, bytes) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at)
    return buffer.subarray(0, bytesRead)
  }

/** The seconds a file of `size` bytes plays; null when it does not state a duration. */
type Reader = (read: Read, size: number) => Promise<number | null>

/**
 * ISO base media (ISO 14496-12): `mvhd` inside of `moov` has the duration in ticks and the ticks per second.
 */
const isoMedia: Reader = async (read, size) => {
  const moov = await boxIn(read, 'moov', 0, size)
  const mvhd = moov && (await boxIn(read, 'mvhd', moov.from, moov.to))
  if (!mvhd) return null
  const body = await read(mvhd.from, 32)
  const isLong = body[0] === 1
  if (body.length < (isLong ? 32 : 20)) return null
  const perSecond = body.readUInt32BE(isLong ? 20 : 12)
  const ticks = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16)
  if (ticks === 0) return fragments(read, size)
  // All ones: unknown when the header was written.
  return perSecond === 0 || ticks === 0xffffffff ? null : ticks / perSecond
}

/**
 * A recorder's file, whose header was written first: its last `moof` says when it starts and how long its
 * samples play.
 */
const fragments: Reader = async (read, size) => {
  let last: Part | null = null
  for (let from = 0, parts = 0; parts < PARTS_MAX; parts += 1) {
    const moof = await boxIn(read, 'moof', from, size)
    if (!moof) break
    last = moof
    from = moof.to
  }
  const traf = last && (await boxIn(read, 'traf', last.from, last.to))
  const perSecond = await firstTrackTicks(read, size)
  if (!traf || perSecond === 0) return null
  const tfdt = await boxIn(read, 'tfdt', traf.from, traf.to)
  const trun = await boxIn(read, 'trun', traf.from, traf.to)
  const start = tfdt && (await read(tfdt.from, 12))
  if (!start || start.length < 8 || !trun) return null
  const startTicks =
    start[0] === 1 && start.length === 12 ? Number(start.readBigUInt64BE(4)) : start.readUInt32BE(4)
  return (startTicks + runTicks(await read(trun.from, Math.min(trun.to - trun.from, TAIL_BYTES)))) / perSecond
}

/** The ticks per second of the first track; 0: unknown. */
async function firstTrackTicks(read: Read, size: number): Promise<number> {
  let at: Part | null = { from: 0, to: size }
  for (const name of ['moov', 'trak', 'mdia', 'mdhd']) at = at && (await boxIn(read, name, at.from, at.to))
  const body = at && (await read(at.from, 24))
  return body?.length === 24 ? body.readUInt32BE(body[0] === 1 ? 20 : 12) : 0
}

/** The ticks that the samples of a `trun` play, as far as it states them. */
function runTicks(trun: Buffer): number {
  if (trun.length < 8) return 0
  const flags = trun.readUIntBE(1, 3)
  const has = (flag: number) => (flags & flag ? 4 : 0)
  if (!has(0x100)) return 0
  const stride = has(0x100) + has(0x200) + has(0x400) + has(0x800)
  const samples = trun.readUInt32BE(4)
  let ticks = 0
  for (let n = 0, at = 8 + has(0x1) + has(0x4); n < samples && at + 4 <= trun.length; n += 1, at += stride)
    ticks += trun.readUInt32BE(at)
  return ticks
}

/** The content of a box. */
interface Part {
  readonly from: number
  readonly to: number
}

/** The content of the first box with this name between two positions; null when there is none. */
export async function boxIn(read: Read, name: string, from: number, to: number): Promise<Part | null> {
  let at = from
  for (let parts = 0; parts < PARTS_MAX && at + 8 <= to; parts += 1) {
    const head = await read(at, 16)
    if (head.length < 8) return null
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const bytes = short === 0 ? to - at : isLong ? Number(head.readBigUInt64BE(8)) : short
    const inside = isLong ? 16 : 8
    if (bytes < inside) return null
    if (head.toString('latin1', 4, 8) === name) return { from: at + inside, to: Math.min(to, at + bytes) }
    at += bytes
  }
  return null
}

/** RIFF: `fmt ` has the bytes per second, `data` the number of bytes. */
const wav: Reader = async (read, size) => {
  let perSecond = 0
  let at = 12
  for (let parts = 0; parts < PARTS_MAX && at + 8 <= size; parts += 1) {
    const head = await read(at, 20)
    if (head.length < 8) return null
    const name = head.toString('latin1', 0, 4)
    const bytes = head.readUInt32LE(4)
    if (name === 'fmt ' && head.length === 20) perSecond = head.readUInt32LE(16)
    if (name === 'data')
      // Recorders that cannot seek back to fill it in leave all ones.
      return perSecond === 0 ? null : Math.min(bytes, size - at - 8) / perSecond
    at += 8 + bytes + (bytes % 2)
  }
  return null
}

/**
 * Ogg: the last page's position, in samples; Opus always has 48 000 per second (RFC 7845), Vorbis states the
 * rate.
 */
const ogg: Reader = async (read, size) => {
  const head = await read(0, 64)
  const opus = head.indexOf('OpusHead', 0, 'latin1')
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  if (opus >= 0 ? head.length < opus + 12 : vorbis < 0 || head.length < vorbis + 16) return null
  const perSecond = opus >= 0 ? 48_000 : head.readUInt32LE(vorbis + 12)
  const skipped = opus >= 0 ? head.readUInt16LE(opus + 10) : 0
  const tail = await read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES)
  const last = tail.lastIndexOf('OggS', undefined, 'latin1')
  if (last < 0 || tail.length < last + 14 || perSecond === 0) return null
  return (Number(tail.readBigUInt64LE(last + 6)) - skipped) / perSecond
}

/**
 * FLAC: the first block has the samples per second, 20 bits, and the number of samples, 36 bits; 0 is unknown
 * (RFC 9639).
 */
const flac: Reader = async (read) => {
  const head = await read(0, 26)
  if (head.length < 26) return null
  const perSecond = head.readUIntBE(18, 3) >> 4
  const samples = (head[21]! % 16) * 2 ** 32 + head.readUInt32BE(22)
  return perSecond === 0 ? null : samples / perSecond
}

/** kbit a second of layer III, by the frame's number: MPEG 1, then 2 and 2.5. */
const MP3_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const MP3_SAMPLES = [44_100, 48_000, 32_000]

/** MP3: from the frame count of a `Xing` or `Info` header, else estimated by the first frame's bit rate. */
const mp3: Reader = async (read, size) => {
  const tag = await read(0, 10)
  // The size of the ID3 tag in front, seven bits a byte.
  const after =
    tag.length === 10 && tag.toString('latin1', 0, 3) === 'ID3'
      ? 10 + tag.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
      : 0
  const head = await read(after, 64)
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return null
  const version = (head[1]! >> 3) & 3
  const isLayer3 = ((head[1]! >> 1) & 3) === 1
  const rate = MP3_RATES[version === 3 ? 0 : 1]![head[2]! >> 4]
  const samples = MP3_SAMPLES[(head[2]! >> 2) & 3]
  if (version === 1 || !isLayer3 || !rate || !samples) return null
  const perSecond = samples / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const isMono = head[3]! >> 6 === 3
  const xing = 4 + (version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const counts = /^(?:Xing|Info)$/.test(head.toString('latin1', xing, xing + 4))
  if (counts && head.length >= xing + 12 && (head[xing + 7]! & 1) === 1)
    return (head.readUInt32BE(xing + 8) * (version === 3 ? 1_152 : 576)) / perSecond
  return ((size - after) * 8) / (rate * 1_000)
}

const readers: Readonly<Record<string, Reader>> = {
  'video/mp4': isoMedia,
  'video/quicktime': isoMedia,
  'video/3gpp': isoMedia,
  'audio/mp4': isoMedia,
  'audio/wav': wav,
  'audio/ogg': ogg,
  'audio/flac': flac,
  'audio/mpeg': mp3,
}
