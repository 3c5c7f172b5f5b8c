/** Smaller copies of pictures, kept beside the original. Decision 44. */
import { COPY_SIDES, EMOJI_COPY_SIDE } from '@guildhall/wire/asset/name.ts'

/** Copies are WebP: every browser that runs the page reads it. */
export const COPY_MIME = 'image/webp'

/** `side`: the most that its long side has, px. */
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

/** The key of a copy in the storage. No address leads to it: addresses name rows of `asset`, and it has none. */
export const copyKey = (key: string, side: number): string => `${key.replace(/\.\w+$/, '')}_${side}.webp`

/** The keys at which copies of a file may be: an upload that was not completed has no row that lists them. */
export const copyKeys = (key: string): string[] =>
  key.startsWith('attachments/') ? [] : possibleSides.map((side) => copyKey(key, side))

const possibleSides = [...COPY_SIDES, EMOJI_COPY_SIDE]

/** The smallest copy that is as large as a request asks, ascending `copies` given; null: the original. */
export function copyAskedFor(copies: readonly Copy[], asked: string | undefined): Copy | null {
  if (asked === undefined || !/^\d{1,5}$/.test(asked)) return null
  return copies.find(({ side }) => side >= Number(asked)) ?? null
}
