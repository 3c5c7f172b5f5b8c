/**
 * Finding names by what people type: characters anywhere in them, or how Chinese characters are spelled in Latin letters
 * (pinyin), whole or by first letters. The server makes spellings; the page only compares, so it needs no dictionary.
 */

/** Marks that are not letters of their own, what cannot be seen, white space, and the apostrophe of `xi'an`. */
const UNHEARD = /[\p{Mn}\p{Cc}\p{Cf}\p{Cs}\p{White_Space}'’]/gu

/** A name or a search as it is compared: case, width, accents, tones and spaces make no difference. */
export const folded = (words: string): string =>
  words.normalize('NFKC').toLowerCase().normalize('NFD').replace(UNHEARD, '').normalize('NFC')

/**
 * How a folded name is spelled: a unit per character, with a space between them, being its readings with commas between
 * (`zhong,chong qing`), or the character itself where it has none. Empty: nothing in the name has a reading.
 */
export type Spelling = string

/** The readings of each character of a name, the likeliest first; empty when it has no spelling. */
export const unitsOf = (spelling: Spelling): string[][] =>
  spelling === ''
    ? []
    : spelling.split(' ').map((unit) => ([...unit].length === 1 ? [unit] : unit.split(',')))

/**
 * How well a folded search fits a name: 0 it is the whole name, 1 the name begins with it, 2 it is inside; null when it
 * does not fit. A search by spelling may give each character whole (`xiaoman`), by its first letter (`xm`) or either
 * (`xman`), and its last one in part (`xiaom`).
 */
export function fits(search: string, name: string, spelling: Spelling): 0 | 1 | 2 | null {
  const within = folded(name)
  if (within === search) return 0
  const at = within.indexOf(search)
  if (at === 0) return 1
  const units = unitsOf(spelling)
  const start = units.findIndex((_, index) => isSpelled(search, units, index))
  if (start === 0) return 1
  return at > 0 || start > 0 ? 2 : null
}

/** Is this how the characters from `start` on are spelled, or the beginning of it? */
function isSpelled(search: string, units: readonly (readonly string[])[], start: number): boolean {
  // Which characters may come next after so many letters: each pair is looked at once, whatever the readings.
  let open = new Set([0])
  for (let unit = start; unit < units.length && open.size > 0; unit += 1) {
    const next = new Set<number>()
    for (const at of open) {
      for (const reading of units[unit] ?? []) {
        if (reading.startsWith(search.slice(at))) return true
        if (search.startsWith(reading, at)) next.add(at + reading.length)
        const [initial = ''] = reading
        if (search.startsWith(initial, at)) next.add(at + initial.length)
      }
    }
    if (next.has(search.length)) return true
    open = next
  }
  return false
}
