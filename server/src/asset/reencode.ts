/** Re-encodes pictures before they are stored, which removes metadata (location, camera) and hidden payloads. */
import { SIDE_MAX } from '@guildhall/wire/asset/name.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { Sharp } from 'sharp'

/** The most pixels of a still picture, and of all frames of a moving one together: what they cost in memory. */
export const STILL_PIXELS_MAX = 100_000_000
export const MOVING_PIXELS_MAX = 60_000_000
/** The longest side of a WebP, px; used for the other formats too. */
const LONGEST_SIDE = Math.min(16_383, SIDE_MAX)
const PAINT_SECONDS = 30
/** Pictures encoded concurrently. Each takes memory for its pixels, and one core. */
const AT_ONCE = 2

export interface Painted {
  readonly mime: string
  readonly ending: string
  /** px, as seen: turned upright. */
  readonly width: number
  readonly height: number
  /** True when it has more than one frame. */
  readonly isMoving: boolean
}

type Format = 'jpeg' | 'png' | 'gif' | 'webp'

const outcomes: Readonly<Record<Format, Pick<Painted, 'mime' | 'ending'>>> = {
  jpeg: { mime: 'image/jpeg', ending: 'jpg' },
  png: { mime: 'image/png', ending: 'png' },
  gif: { mime: 'image/gif', ending: 'gif' },
  webp: { mime: 'image/webp', ending: 'webp' },
}

const encoded: Readonly<Record<Format, (it: Sharp) => Sharp>> = {
  jpeg: (it) => it.jpeg({ quality: 88 }),
  png: (it) => it.png(),
  gif: (it) => it.gif({ effort: 3 }),
  webp: (it) => it.webp({ quality: 88, effort: 3 }),
}

let painting = 0
const waiting: (() => void)[] = []

/**
 * Re-encodes the picture at `from` to `to`: upright, in sRGB, without metadata, with all frames. Returns null when it
 * is broken. `side`: it is scaled down until neither side is longer, px.
 * @throws Failure asset.too_many_pixels
 */
export async function paint(from: string, to: string, side?: number): Promise<Painted | null> {
  if (painting >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else painting += 1
  try {
    return await paintNow(from, to, side)
  } finally {
    const next = waiting.shift()
    // Frees the slot for the next one.
    if (next) next()
    else painting -= 1
  }
}

async function paintNow(from: string, to: string, longest?: number): Promise<Painted | null> {
  // The native library is loaded with the first picture, not at every start of the server.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)

  // The sizes are in the header of the file: nothing is decompressed before a refusal.
  const head = await sharp(from, { limitInputPixels: false, pages: -1 })
    .metadata()
    .catch(() => null)
  const format = formatOf(head?.format)
  if (!head || !format || !head.width || !head.height) return null
  const frames = head.pages ?? 1
  const isMoving = frames > 1
  const side = { width: head.width, height: head.pageHeight ?? head.height }
  const most = isMoving ? MOVING_PIXELS_MAX : STILL_PIXELS_MAX
  const isTooLong = Math.max(side.width, side.height) > LONGEST_SIDE
  if (isTooLong || side.width * side.height * frames > most) throw fail('asset.too_many_pixels')

  const options = { limitInputPixels: most, sequentialRead: true, failOn: 'truncated' as const }
  const picture = sharp(from, isMoving ? { ...options, pages: -1 } : options)
  const upright = isMoving ? picture : picture.autoOrient()
  const fitted = longest
    ? upright.resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    : upright
  const done = await encoded[format](fitted.timeout({ seconds: PAINT_SECONDS }))
    .toFile(to)
    .catch(() => null)
  if (!done) return null
  return { ...outcomes[format], width: done.width, height: done.pageHeight ?? done.height, isMoving }
}

/** The format it is encoded in. AVIF takes too long to write, and old browsers cannot read it. */
function formatOf(format: string | undefined): Format | null {
  if (format === 'jpeg' || format === 'png' || format === 'gif' || format === 'webp') return format
  return format === 'heif' || format === 'avif' ? 'webp' : null
}
