/** Pictures of people without one: their letters on the ground that the page gives them too. */
import { LETTER_COLOURS, LETTER_INK } from '@guildhall/wire/user/letter.ts'
import { drawnFile, svgText } from '../kit/files/drawn.ts'
import type { Servable } from '../kit/files/file.ts'

const YEAR_S = 31_536_000
/** px */
const SIDE = 160
/** UTF-16 units of two letters: capitals of one letter are up to three. */
const LETTERS_MAX = 8

/**
 * The picture at a path of `drawnPicture`; null for a path that is none. Nothing is stored: the path says it
 * all.
 */
export function drawnPictureAt(path: string): Servable | null {
  const [, colour = '', encoded = ''] = /^\/avatars\/(\d)\/([^/]+)\.svg$/.exec(path) ?? []
  const ground = LETTER_COLOURS[colour === '' ? -1 : Number(colour)]
  const drawn = decoded(encoded)
  if (!ground || drawn === null || drawn.length > LETTERS_MAX) return null
  return drawnFile(svgOf(ground, drawn), { name: 'avatar.svg', cachedForS: YEAR_S })
}

const svgOf = (ground: string, drawn: string): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 100 100">`,
    `<rect width="100" height="100" fill="${ground}"/>`,
    `<text x="50" y="50" dy=".36em" fill="${LETTER_INK}" font-size="40" font-weight="600" text-anchor="middle"`,
    ` font-family="system-ui, sans-serif">${svgText(drawn)}</text></svg>`,
  ].join('')

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
