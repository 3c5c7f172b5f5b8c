/** Random choices that a seed repeats. */

/** Numbers from 0 to below 1, always the same from one seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let it = Math.imul(state ^ (state >>> 15), 1 | state)
    it = (it + Math.imul(it ^ (it >>> 7), 61 | it)) ^ it
    return ((it ^ (it >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The same in a random order. */
export function shuffled<T>(those: readonly T[], random: () => number): T[] {
  const keyed = those.map((each) => ({ each, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ each }) => each)
}
