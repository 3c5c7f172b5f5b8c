/** Pictures of people without one: their letters on the ground that the page gives them too. */

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { LETTER_COLOURS, LETTER_INK } from '@guildhall/wire/user/letter.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import type { Servable } from '../kit/file.ts'

const YEAR_S = 31_536_000
/** px */
const SIDE = 160
/** UTF-16 units of two letters: capitals of one letter are up to three. */
const LETTERS_MAX = 8
/** Characters that XML forbids. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu

/** The picture at a path of `drawnPicture`; null for a path that is none. Nothing is stored: the path says it all. */
export function drawnPictureAt(path: string): Servable | null {
  const [, colour = '', encoded = ''] = /^\/avatars\/(\d)\/([^/]+)\.svg$/.exec(path) ?? []
  const ground = LETTER_COLOURS[colour === '' ? -1 : Number(colour)]
  const drawn = decoded(encoded)
  if (!ground || drawn === null || drawn.length > LETTERS_MAX) return null
  const content = Buffer.from(svgOf(ground, withoutOverrides(drawn).replace(UNPRINTABLE, '')))
  return {
    mime: 'image/svg+xml',
    bytes: content.length,
    tag: createHash('sha256').update(content).digest('hex'),
    name: 'avatar.svg',
    isShown: true,
    cachedForS: YEAR_S,
    isPrivate: false,
    open: async (range) =>
      Readable.from([range ? content.subarray(range.first, range.last + 1) : content], { objectMode: false }),
  }
}

const svgOf = (ground: string, drawn: string): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 100 100">`,
    `<rect width="100" height="100" fill="${ground}"/>`,
    `<text x="50" y="50" dy=".36em" fill="${LETTER_INK}" font-size="40" font-weight="600" text-anchor="middle"`,
    ` font-family="system-ui, sans-serif">${escaped(drawn)}</text></svg>`,
  ].join('')

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
