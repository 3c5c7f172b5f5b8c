/** The letters of a missing picture: one when the first character is Chinese, else two. chat.md §5. */
export function letters(name: string): string {
  const characters = [...name.trim()]
  const first = characters[0]
  if (first === undefined) return '?'
  if (/\p{Script=Han}/u.test(first)) return first
  return characters.slice(0, 2).join('').toUpperCase()
}

/** How many colours `letterColor` chooses from; `.letter-0` … are their classes in ui/parts.css. */
export const LETTER_COLORS = 8

/** The number of the colour of a name: the same name has the same colour on every screen and on the server. */
export function letterColor(name: string): number {
  let hash = 0
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return hash % LETTER_COLORS
}
