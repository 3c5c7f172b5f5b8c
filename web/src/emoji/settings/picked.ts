/** A picture that becomes an emoji: what of it is sent, and under which name. */
import { EMOJI_MAX_BYTES, EMOJI_NAME_MAX, EMOJI_SIDE_MAX } from '@guildhall/wire/emoji/manage.ts'
import { hasRight } from '@guildhall/wire/guild/levelRights.ts'
import { readName } from '@guildhall/wire/words.ts'
import type { Area } from 'react-easy-crop'
import { cutPart, type Prepared, prepare } from '../../kit/picture/picturePrepared.ts'

/** What becomes of a picture: it is cut; it is a GIF that stays; or a GIF that cannot. */
export type Fate = 'cut' | 'moves' | 'still' | 'large'

export interface PickedEmoji {
  readonly key: number
  readonly prepared: Prepared
  readonly fate: Fate
  /** What is sent. */
  readonly file: File
  /** It, for `img` elements. */
  readonly url: string
  readonly name: string
  /** The part that is sent, 0 to 1; null: it is not being sent. */
  readonly sent: number | null
  /** Why it was refused; empty: it was not. */
  readonly problem: string
}

let last = 0

/** Opens a file for a guild of a level; null: it is no picture that can be opened. */
export async function pick(file: File, level: number): Promise<PickedEmoji | null> {
  const prepared = await prepare(file)
  if (typeof prepared === 'string') return null
  const fate = fateOf(file, level)
  const sent = fate === 'moves' ? file : await cutEmoji(prepared, middleOf(prepared))
  if (!sent) return null
  last += 1
  return {
    key: last,
    prepared,
    fate,
    file: sent,
    url: URL.createObjectURL(sent),
    name: nameOfFile(file.name),
    sent: null,
    problem: '',
  }
}

/** Frees the memory of a picture. */
export function drop({ prepared, url }: PickedEmoji): void {
  prepared.close()
  URL.revokeObjectURL(url)
}

function fateOf({ type, size }: File, level: number): Fate {
  if (type !== 'image/gif') return 'cut'
  if (!hasRight('emoji_gif', level)) return 'still'
  return size > EMOJI_MAX_BYTES ? 'large' : 'moves'
}

/** A part of a picture as it is stored: the server keeps PNG and GIF. */
export const cutEmoji = (prepared: Prepared, part: Area): Promise<File | null> =>
  cutPart(prepared, part, EMOJI_SIDE_MAX, 'image/png')

/** The square in the middle of a picture, px. */
function middleOf({ canvas: { width, height } }: Prepared): Area {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side }
}

/** The name of a file as that of an emoji: without its kind, and with dashes for what a name cannot have. */
export const nameOfFile = (file: string): string =>
  [
    ...readName(file.replace(/\.\w+$/, ''))
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-/, ''),
  ]
    .slice(0, EMOJI_NAME_MAX)
    .join('')
    .replace(/-$/, '')
