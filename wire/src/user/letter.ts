/** The letters shown for a person or guild without a picture: one when the name starts Chinese, else two. chat.md §5. */
export function letters(name: string): string {
  const characters = [...name.trim()]
  const count = /^\p{Script=Han}/u.test(name.trim()) ? 1 : 2
  return characters.slice(0, count).join('').toUpperCase()
}

/** A stable number from 0 to `colours` - 1 for an id, so that its letters keep their colour. */
export function letterColour(id: string, colours: number): number {
  let hash = 0
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return hash % colours
}
