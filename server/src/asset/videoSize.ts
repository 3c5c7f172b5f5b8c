/**
 * The width and height of a video, and whether it is one, read from the file's header. chat.md §3 "width,
 * height".
 */
import { open } from 'node:fs/promises'
import { type Dimensions, SIDE_MAX } from '@guildhall/wire/asset/pictureSize.ts'
import { boxIn, type Read, readOf } from './duration.ts'

/** Tracks of a file that are read. */
const TRACKS_MAX = 16
/** Sides are stored as 16.16 fixed-point numbers. */
const ONE = 65_536

const ISO_MEDIA: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/3gpp'])

/**
 * The sides of a video, px, upright; null when the file does not state them or they are not plausible. Reads
 * a few small pieces. Never throws because of the file's content.
 */
export async function sidesOf(path: string, mime: string): Promise<Dimensions | null> {
  if (!ISO_MEDIA.has(mime)) return null
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return await isoMedia(readOf(file), size)
  } finally {
    await file.close()
  }
}

/**
 * Whether an MP4 file has sound and no pictures. Chromium's recorder writes sounds under the brand of videos,
 * `isom`. Never throws because of the file's content.
 */
export async function isSoundAlone(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = readOf(file)
    const kinds = new Set<string>()
    for await (const trak of tracksOf(read, size)) {
      const mdia = await boxIn(read, 'mdia', trak.from, trak.to)
      const hdlr = mdia && (await boxIn(read, 'hdlr', mdia.from, mdia.to))
      if (hdlr) kinds.add((await read(hdlr.from + 8, 4)).toString('latin1'))
    }
    return kinds.has('soun') && !kinds.has('vide')
  } finally {
    await file.close()
  }
}

/** The first tracks inside of `moov`. */
async function* tracksOf(read: Read, size: number) {
  const moov = await boxIn(read, 'moov', 0, size)
  let from = moov?.from ?? 0
  for (let tracks = 0; moov && tracks < TRACKS_MAX; tracks += 1) {
    const trak = await boxIn(read, 'trak', from, moov.to)
    if (!trak) return
    yield trak
    from = trak.to
  }
}

/**
 * ISO base media (ISO 14496-12): the first `trak` inside of `moov` whose `tkhd` has sides; sounds have none.
 */
async function isoMedia(read: Read, size: number): Promise<Dimensions | null> {
  for await (const trak of tracksOf(read, size)) {
    const tkhd = await boxIn(read, 'tkhd', trak.from, trak.to)
    const found = tkhd && (await trackSides(read, tkhd.from))
    if (found) return found
  }
  return null
}

async function trackSides(read: Read, at: number): Promise<Dimensions | null> {
  const body = await read(at, 96)
  const matrix = body[0] === 1 ? 52 : 40
  if (body.length < matrix + 44) return null
  // A phone held upright stores its frames in landscape, with a rotation matrix.
  const isTurned = body.readInt32BE(matrix) === 0 && body.readInt32BE(matrix + 4) !== 0
  const [across, down] = [body.readUInt32BE(matrix + 36), body.readUInt32BE(matrix + 40)]
  const [width, height] = [across, down].map((side) => Math.round(side / ONE)) as [number, number]
  if (Math.min(width, height) < 1 || Math.max(width, height) > SIDE_MAX) return null
  return isTurned ? { width: height, height: width } : { width, height }
}
