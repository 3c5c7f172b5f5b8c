/**
 * Re-encodes pictures before they are stored, which removes metadata (location, camera) and hidden payloads.
 * Runs in a process of its own, `reencodeProcess.ts`: a hostile picture must not take the serving process's
 * memory or time.
 */
import { open, rm, stat } from 'node:fs/promises'
import { copySidesOf, SIDE_MAX, STILL_SIDE } from '@guildhall/wire/asset/pictureSize.ts'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { copyPath } from './copy.ts'
import { PIXELS_MAX } from './limit.ts'

/** The longest side of a WebP, px; used for the other formats too. */
const LONGEST_SIDE = Math.min(16_383, SIDE_MAX)
const ENCODE_SECONDS = 20
/** A copy that takes longer is left out: it must not cost the picture. */
const COPY_SECONDS = 2

export interface Painted {
  readonly mime: string
  readonly ending: string
  /** px, as seen: turned upright. */
  readonly width: number
  readonly height: number
  /** True when it has more than one frame. */
  readonly isMoving: boolean
  /** Long sides of the copies that were made, ascending, px. Each is at `copyPath` of the picture's path. */
  readonly copies: readonly number[]
  /** A ThumbHash, base64; null when there is none. */
  readonly thumbhash: string | null
}

type Format = 'jpeg' | 'png' | 'gif' | 'webp'

/** What the header of a picture says. `pixels`: of all frames together. */
export interface Head {
  readonly format: Format
  readonly isMoving: boolean
  readonly pixels: number
  readonly isTooLarge: boolean
}

const outcomes: Readonly<Record<Format, Pick<Painted, 'mime' | 'ending'>>> = {
  jpeg: { mime: 'image/jpeg', ending: 'jpg' },
  png: { mime: 'image/png', ending: 'png' },
  gif: { mime: 'image/gif', ending: 'gif' },
  webp: { mime: 'image/webp', ending: 'webp' },
}

const encoded: Readonly<Record<Format, (input: Sharp) => Sharp>> = {
  jpeg: (it) => it.jpeg({ quality: 88 }),
  png: (it) => it.png(),
  gif: (it) => it.gif({ effort: 3 }),
  webp: (it) => it.webp({ quality: 88, effort: 3 }),
}

sharp.cache(false)
sharp.concurrency(1)

/**
 * Reads the header; null when it is no picture of a known format. Nothing is decompressed. A WebP that is
 * broken off is padded in its file first: its decoder wants the length that the header states.
 */
export const headOf = async (from: string): Promise<Head | null> =>
  (await readHead(from)) ?? ((await padWebp(from)) ? readHead(from) : null)

const RIFF_HEAD = 12
const CHUNK_HEAD = 8
/** A picture that moves has one for each frame; a hostile one has very many that are empty. */
const CHUNKS_MAX = 4096
/** Zeros hold more pixels than what is missing did, and the decoder refuses to read on at the end. */
const PADDED_MORE = 1024

/**
 * False: it is no WebP, or lacks nothing, or more than it has, so that forty bytes do not become gigabytes.
 */
async function padWebp(from: string): Promise<boolean> {
  const file = await open(from, 'r+')
  const read = async (length: number, at: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
    return bytesRead === length ? buffer : null
  }
  const writeSize = (size: number, at: number) => {
    const written = Buffer.alloc(4)
    written.writeUInt32LE(size)
    return file.write(written, 0, 4, at)
  }
  try {
    const head = await read(RIFF_HEAD, 0)
    const isWebp = head !== null && /^RIFF....WEBP$/s.test(head.toString('latin1'))
    const { size } = await file.stat()
    const stated = isWebp ? head.readUInt32LE(4) + 8 : 0
    if (stated <= size || stated > 2 * size) return false
    let at = RIFF_HEAD
    for (let chunks = 0; chunks < CHUNKS_MAX; chunks += 1) {
      const chunk = await read(CHUNK_HEAD, at)
      if (!chunk) return false
      const length = chunk.readUInt32LE(4)
      const next = at + CHUNK_HEAD + length + (length % 2)
      if (next >= stated) {
        await writeSize(stated + PADDED_MORE - at - CHUNK_HEAD, at + 4)
        await writeSize(stated + PADDED_MORE - CHUNK_HEAD, 4)
        await file.truncate(stated + PADDED_MORE)
        return true
      }
      at = next
    }
    return false
  } finally {
    await file.close()
  }
}

async function readHead(from: string): Promise<Head | null> {
  const head = await sharp(from, { limitInputPixels: false, pages: -1, failOn: 'none' })
    .metadata()
    .catch(() => null)
  const format = formatOf(head?.format)
  if (!head || !format || !head.width || !head.height) return null
  const frames = head.pages ?? 1
  const height = head.pageHeight ?? head.height
  const pixels = head.width * height * frames
  const isTooLarge = Math.max(head.width, height) > LONGEST_SIDE || pixels > PIXELS_MAX
  return { format, isMoving: frames > 1, pixels, isTooLarge }
}

/**
 * Re-encodes the picture at `from` to `to`: upright, in sRGB, without metadata, with all frames. Returns null
 * when it is broken. `side`: it is scaled down until neither side is longer, px. `copySides`: which smaller
 * copies are wanted of a picture of a size.
 */
export async function reencode(
  from: string,
  to: string,
  { format, isMoving }: Head,
  { side, copySides = [] }: Sides = {},
): Promise<Painted | null> {
  const encode = (failOn: FailOn, frames?: number) => {
    const picture = opened(from, isMoving, { failOn, frames })
    const fitted = side ? picture.resize({ ...within(side), withoutEnlargement: true }) : picture
    return encoded[format](fitted.timeout({ seconds: ENCODE_SECONDS }))
      .toFile(to)
      .catch(() => null)
  }
  // What is missing at the end, as of pictures that were received in part, is left grey; of one that moves
  // the last frame is left out.
  const done =
    (await encode('truncated')) ??
    (await encode('none')) ??
    (isMoving ? await encode('none', (await framesOf(from)) - 1) : null)
  if (!done) return null
  const size = { width: done.width, height: done.pageHeight ?? done.height }
  // The picture is good without them.
  const small = await copiesOf(to, { format, isMoving }, copySidesOf(size, copySides)).catch(() => NO_COPIES)
  return { ...outcomes[format], ...size, isMoving, ...small }
}

/** `side`: of the picture; `copySides`: of its copies, ascending. px */
export interface Sides {
  readonly side?: number | undefined
  readonly copySides?: readonly number[] | undefined
}

const NO_COPIES: Pick<Painted, 'copies' | 'thumbhash'> = { copies: [], thumbhash: null }
/** The longest side of the first frame of a moving picture, px. */
const STILL_PX = 400
/** The longest side that a ThumbHash is made from, px. */
const HASHED_SIDE = 100

const within = (side: number) => ({ width: side, height: side, fit: 'inside' as const })

type FailOn = 'truncated' | 'none'

/** How many frames a picture that moves says that it has. */
const framesOf = async (from: string): Promise<number> =>
  (await sharp(from, { limitInputPixels: false, failOn: 'none' }).metadata()).pages ?? 1

/** `frames`: the first ones alone; all of them without it. */
function opened(
  from: string,
  isMoving: boolean,
  {
    failOn = 'truncated',
    frames = -1,
  }: { readonly failOn?: FailOn; readonly frames?: number | undefined } = {},
): Sharp {
  const options = { limitInputPixels: PIXELS_MAX, sequentialRead: true, failOn }
  return isMoving ? sharp(from, { ...options, pages: frames }) : sharp(from, options).autoOrient()
}

/** Makes the copies that have fewer bytes than the picture itself, and its placeholder. */
async function copiesOf(
  picture: string,
  { format, isMoving }: Pick<Head, 'format' | 'isMoving'>,
  sides: readonly number[],
): Promise<typeof NO_COPIES> {
  const largest = sides.at(-1)
  if (largest === undefined) return NO_COPIES
  // One frame is decoded once, at the largest size: the others and the placeholder are made from that.
  const { data, info } = await opened(picture, false)
    .resize({ ...within(largest), withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: COPY_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const frame = () => sharp(data, { raw: { width, height, channels } })
  const bytesMax = (await stat(picture)).size
  // Coloured text of screenshots stays sharp. A JPEG has lost that already, and it takes half as long again.
  const smartSubsample = !isMoving && format !== 'jpeg'
  const copies: number[] = []
  for (const side of sides) {
    const isStill = side === STILL_SIDE
    if (isStill && !isMoving) continue
    const to = copyPath(picture, side)
    const made = await (isMoving && !isStill ? opened(picture, true) : frame())
      .resize({ ...within(isStill ? STILL_PX : side), withoutEnlargement: true })
      .timeout({ seconds: COPY_SECONDS })
      .webp({ quality: 80, effort: 2, smartSubsample })
      .toFile(to)
      .catch(() => null)
    if (made && (isStill || made.size < bytesMax)) copies.push(side)
    else await rm(to, { force: true })
  }
  const tiny = await frame()
    .resize({ ...within(HASHED_SIDE), withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const hash = rgbaToThumbHash(tiny.info.width, tiny.info.height, tiny.data)
  return { copies, thumbhash: Buffer.from(hash).toString('base64') }
}

/** The format it is encoded in. AVIF takes too long to write, and old browsers cannot read it. */
function formatOf(format: string | undefined): Format | null {
  if (format === 'jpeg' || format === 'png' || format === 'gif' || format === 'webp') return format
  return format === 'heif' || format === 'avif' ? 'webp' : null
}
