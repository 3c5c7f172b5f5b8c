/**
 * The letters shown for a person or guild without a picture: one when the name starts Chinese, else two.
 * chat.md §5.
 */
export function letters(name: string): string {
  const [first = '', second = ''] = name.trim()
  return (/\p{Script=Han}/u.test(first) ? first : first + second).toUpperCase()
}

/** Grounds of letters. `LETTER_INK` has a contrast of 4.5:1 on each. */
export const LETTER_COLOURS: readonly string[] =
  '#1a6b4f #2a5db0 #7a47a8 #a33a63 #9a4a1c #4a57a0 #0f6a76 #7a5a10'.split(' ')
export const LETTER_INK = '#f7f9fa'

/**
 * The index in `LETTER_COLOURS` for the id of a person or guild: it is the same wherever their letters are
 * drawn.
 */
export function letterColour(id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) >>> 0
  return hash % LETTER_COLOURS.length
}

/** The path of the picture that the server draws for a person without one: letters on a ground. */
export const drawnPicture = (id: string, name: string): string =>
  `/avatars/${letterColour(id)}/${encodeURIComponent((letters(name) || '?').toWellFormed())}.svg`

/** The ground of a picture that the server draws, by its address; undefined for every other address. */
export const drawnGround = (address: string): string | undefined =>
  LETTER_COLOURS[Number(/\/avatars\/(\d)\//.exec(address)?.[1])]

/**
 * The ground of the letters for a person or guild: that of the drawn picture, where `src` is the address of
 * one.
 */
export const letterGround = (id: string, src: string): string =>
  drawnGround(src) ?? LETTER_COLOURS[letterColour(id)]!
