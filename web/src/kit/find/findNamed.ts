import { fits, folded } from '@guildhall/wire/user/nameSearch.ts'

/**
 * Those whose names fit what was typed, by characters or by pinyin, the best first, else in their order.
 * `namesOf`: the names of one, each with its spelling, `''` without.
 */
export function findNamed<T>(
  all: readonly T[],
  typed: string,
  namesOf: (it: T) => readonly (readonly [name: string, spelling: string])[],
): T[] {
  const wanted = folded(typed)
  if (wanted === '') return [...all]
  const ranked = all.flatMap((it) => {
    const found = namesOf(it).flatMap(([name, spelling]) => fits(wanted, name, spelling) ?? [])
    return found.length === 0 ? [] : [{ it, at: Math.min(...found) }]
  })
  return ranked.toSorted((a, b) => a.at - b.at).map(({ it }) => it)
}
