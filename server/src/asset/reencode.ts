/**
 * Re-encodes pictures before they are stored, which removes metadata (location, camera) and hidden payloads. Runs in a process
 * of its own, `reencodeProcess.ts`: a hostile picture must not take the serving process's memory or time.
 */
import { SIDE_MAX } from '@guildhall/wire/asset/name.ts'
import sharp, { type Sharp } from 'sharp'
import { PIXELS_MAX } from './limit.ts'

/** The longest side of a WebP, px; used for the other formats too. */
const LONGEST_SIDE = Math.min(16_383, SIDE_MAX)
const ENCODE_SECONDS = 20

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

const encoded: Readonly<Record<Format, (it: Sharp) => Sharp>> = {
  jpeg: (it) => it.jpeg({ quality: 88 }),
  png: (it) => it.png(),
  gif: (it) => it.gif({ effort: 3 }),
  webp: (it) => it.webp({ quality: 88, effort: 3 }),
}

sharp.cache(false)
sharp.concurrency(1)

/** Reads the header; null when it is no picture of a known format. Nothing is decompressed. */
export async function headOf(from: string): Promise<Head | null> {
  const head = await sharp(from, { limitInputPixels: false, pages: -1 })
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
 * Re-encodes the picture at `from` to `to`: upright, in sRGB, without metadata, with all frames. Returns null when it
 * is broken. `side`: it is scaled down until neither side is longer, px.
 */
export async function reencode(
  from: string,
  to: string,
  { format, isMoving }: Head,
  side?: number,
): Promise<Painted | null> {
  const options = { limitInputPixels: PIXELS_MAX, sequentialRead: true, failOn: 'truncated' as const }
  const picture = sharp(from, isMoving ? { ...options, pages: -1 } : options)
  const upright = isMoving ? picture : picture.autoOrient()
  const fitted = side
    ? upright.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    : upright
  const done = await encoded[format](fitted.timeout({ seconds: ENCODE_SECONDS }))
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
