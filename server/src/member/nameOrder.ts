/** The order of members by name, and sorting that lets other work run in between. */

import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { readingOf } from '../guild/guild.ts'

/** Between the pinyin of two characters: smaller than every letter, so that 张三 stands before "zhanga". */
const GAP = ' '

/**
 * What members are sorted by: names without case and accents, Chinese characters by their pinyin. Ids break
 * ties.
 */
export function nameKey(name: string, id: string): string {
  let key = ''
  for (const character of folded(name)) {
    const reading = readingOf(character)
    key += reading === null ? character : `${reading}${GAP}`
  }
  return `${key}\0${name}\0${id.padStart(16, '0')}`
}

/**
 * The first letters of a name: of each Chinese character by pinyin, else of each word. protocol.md §5.1
 * `abbr`.
 */
export function abbreviationOf(name: string): string {
  let letters = ''
  let isStart = true
  for (const character of name) {
    const reading = readingOf(character)
    if (reading !== null) letters += reading[0]
    else if (isStart && /[\p{L}\p{N}]/u.test(character)) letters += character.toLowerCase()
    isStart = reading !== null || /[^\p{L}\p{N}]/u.test(character)
  }
  return letters
}

interface Keyed {
  readonly key: string
}

/** The position of a key in a sorted list: of the first entry that is not before it. */
export function positionOf(list: readonly Keyed[], key: string): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]!.key < key) low = middle + 1
    else high = middle
  }
  return low
}

export function insert<It extends Keyed>(list: It[], it: It): void {
  list.splice(positionOf(list, it.key), 0, it)
}

export const isIn = <It extends Keyed>(list: readonly It[], it: It): boolean =>
  list[positionOf(list, it.key)] === it

/** False when it is not in the list. */
export function remove<It extends Keyed>(list: It[], it: It): boolean {
  const at = positionOf(list, it.key)
  if (list[at] !== it) return false
  list.splice(at, 1)
  return true
}

/** How long work of a large guild may hold the process, ms. */
const SLICE_MS = 8

/** Waits for other work when this one has run for a while: call it between steps. */
export function turnTaker(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

/** Runs of this length are sorted at once; longer lists are merged from them. */
const RUN = 2_000
/** Entries merged between two looks at the clock. */
const STEP = 2_000

/** Sorts a long list, letting other work run in between. */
export async function sortGradually<It>(
  list: readonly It[],
  isBefore: (a: It, b: It) => boolean,
): Promise<It[]> {
  const takeTurn = turnTaker()
  let runs: It[][] = []
  for (let at = 0; at < list.length; at += RUN) {
    runs.push(list.slice(at, at + RUN).sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0)))
    await takeTurn()
  }
  while (runs.length > 1) {
    const merged: It[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at]!, runs[at + 1] ?? [], isBefore, takeTurn))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<It>(
  a: readonly It[],
  b: readonly It[],
  isBefore: (a: It, b: It) => boolean,
  takeTurn: () => Promise<void> | undefined,
): Promise<It[]> {
  const merged: It[] = []
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    if (j >= b.length || (i < a.length && !isBefore(b[j]!, a[i]!))) merged.push(a[i++]!)
    else merged.push(b[j++]!)
    if (merged.length % STEP === 0) await takeTurn()
  }
  return merged
}
