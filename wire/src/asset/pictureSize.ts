/**
 * Sizes of pictures: the one in a picture's name, the largest of a preview, and the smaller copies that are
 * kept. chat.md §3, protocol.md §4.11.
 */

export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** The largest side that fits into three base-36 digits, px. */
export const SIDE_MAX = 36 ** 3 - 1

const digits = (side: number) => side.toString(36).padStart(3, '0')

/**
 * Six characters that end a picture's name: width and height, three base-36 digits each. px, whole, at most
 * `SIDE_MAX`.
 */
export const sizeCode = ({ width, height }: Dimensions): string => `${digits(width)}${digits(height)}`

/** The size inside a picture's name or address, or null when there is none to be read. */
export function sizeIn(name: string): Dimensions | null {
  const code = /([0-9a-z]{3})([0-9a-z]{3})(?:\.\w+)?(?:[?#].*)?$/.exec(name)
  if (!code) return null
  const [width, height] = [Number.parseInt(code[1]!, 36), Number.parseInt(code[2]!, 36)]
  return width > 0 && height > 0 ? { width, height } : null
}

/**
 * The largest box of the picture's shape that fits into `most`, never larger than the picture. px, whole, at
 * least 1.
 */
export function fitted(input: Dimensions, most: Dimensions): Dimensions {
  const scale = Math.min(1, most.width / input.width, most.height / input.height)
  return {
    width: Math.max(1, Math.round(input.width * scale)),
    height: Math.max(1, Math.round(input.height * scale)),
  }
}

/** A preview in the room is never larger. chat.md §9. */
export const PREVIEW_MAX: Dimensions = { width: 400, height: 300 }

/** Long sides of the smaller copies that the server keeps of a picture, px. Decision 44. */
export const COPY_SIDES: readonly number[] = [160, 400, 800, 1600]

/** Of the one copy of an emoji, px. */
export const EMOJI_COPY_SIDE = 96

/** In place of a side: the copy of a moving picture that is its first frame. */
export const STILL_SIDE = 0

/**
 * The address of the first frame of a moving picture; of other pictures the server answers with the picture.
 */
export const stillAddress = (address: string): string => `${address}?still=1`

/**
 * The long sides of the copies of a picture of this size, px: those smaller than it, and one that has its own
 * size, as long as it is at most the largest.
 */
export function copySidesOf({ width, height }: Dimensions, sides = COPY_SIDES): readonly number[] {
  const long = Math.max(width, height)
  return sides.filter((_side, at) => at === 0 || sides[at - 1]! < long)
}

/**
 * The address of the smallest copy with a long side of at least `side` px; the server answers with the
 * original where there is none.
 */
export const copyAddress = (address: string, side: number): string =>
  `${address}${address.includes('?') ? '&' : '?'}side=${side}`
