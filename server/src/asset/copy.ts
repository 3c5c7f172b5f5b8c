/** Smaller copies of pictures, kept beside the original. Decision 44. */
import { COPY_SIDES, EMOJI_COPY_SIDE, STILL_SIDE } from '@guildhall/wire/asset/pictureSize.ts'

/** Copies are WebP: every browser that runs the page reads it. */
export const COPY_MIME = 'image/webp'

/** `side`: the most that its long side has, px; `STILL_SIDE`: the first frame of a moving picture. */
export interface Copy {
  readonly side: number
  readonly bytes: number
  /** hex */
  readonly sha256: string
}

/** Where a copy is written on the local disk, beside its picture. */
export const copyPath = (picture: string, side: number): string => `${picture}_${side}`

/** All paths at which copies of a picture may be. */
export const copyPaths = (picture: string): string[] => possibleSides.map((side) => copyPath(picture, side))

/**
 * The key of a copy in the storage. No address leads to it: addresses name rows of `asset`, and it has none.
 */
export const copyKey = (key: string, side: number): string => `${key.replace(/\.\w+$/, '')}_${side}.webp`

/** The keys at which copies of a file may be: an upload that was not completed has no row that lists them. */
export const copyKeys = (key: string): string[] =>
  key.startsWith('attachments/') ? [] : possibleSides.map((side) => copyKey(key, side))

const possibleSides = [STILL_SIDE, ...COPY_SIDES, EMOJI_COPY_SIDE]

/**
 * The smallest copy that is as large as a request asks, ascending `copies` given, or with `still` the first
 * frame of a moving picture; null: the original.
 */
export function copyAskedFor(
  copies: readonly Copy[],
  { side, still }: Readonly<Record<string, string>>,
): Copy | null {
  const first = still === undefined ? undefined : copies.find((it) => it.side === STILL_SIDE)
  if (first) return first
  if (side === undefined || !/^\d{1,5}$/.test(side)) return null
  return copies.find((it) => it.side !== STILL_SIDE && it.side >= Number(side)) ?? null
}

/** Whether a stored picture moves. */
export const isMoving = (copies: readonly Copy[]): boolean => copies.some(({ side }) => side === STILL_SIDE)
