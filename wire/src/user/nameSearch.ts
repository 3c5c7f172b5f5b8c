/**
 * Search in names: by characters anywhere in them, or by pinyin, whole or by first letters. The server makes
 * the spellings, so the page needs no dictionary.
 */

/** Combining marks, invisible characters, white space, and the apostrophe of `xi'an`. */
const UNHEARD = /[\p{Mn}\p{Cc}\p{Cf}\p{Cs}\p{White_Space}'’]/gu

/**
 * A name or a search in the form in which they are compared: without case, width, accents, tones and spaces.
 */
export const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().normalize('NFD').replace(UNHEARD, '').normalize('NFC')

/**
 * The pinyin of a folded name: a unit per character, separated by spaces. A unit is the character's readings,
 * separated by commas (`zhong,chong qing`), or the character itself when it has none. Empty: no character has
 * a reading.
 */
export type Spelling = string

/** The readings of each character of a name, likeliest first; empty when it has no spelling. */
export const unitsOf = (spelling: Spelling): string[][] =>
  spelling === ''
    ? []
    : spelling.split(' ').map((unit) => ([...unit].length === 1 ? [unit] : unit.split(',')))

/**
 * How well a folded search fits a name: 0 it is the whole name, 1 the name begins with it, 2 it is inside;
 * null when it does not fit. A search by spelling may give each character whole (`xiaoman`), by its first
 * letter (`xm`) or either (`xman`), and its last one in part (`xiaom`).
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

/** Whether the search matches the spelling from the character at `start` on, or a beginning of it. */
function isSpelled(search: string, units: readonly (readonly string[])[], start: number): boolean {
  // The characters that can follow after each number of letters: each pair is visited once, whatever the
  // readings.
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
