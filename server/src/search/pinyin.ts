/** Chinese words by their pinyin: `nihao`, `nh` and `nhao` find 你好. For searches that find nothing else. */
import { pinyin } from 'pinyin-pro'
import type { Unit } from '../screening/screening.ts'
import { anyOf, quoted } from './lexemes.ts'
import type { Mark, Sought } from './terms.ts'

const FIRST = 0x4e00
const LAST = 0x9fa5
/** Further readings of a character are rare. */
const READINGS_MAX = 3
/** Ways to take a word apart into syllables that are looked for. */
const WAYS_MAX = 4
const WORD = /^[a-z]{2,40}$/

export class Pinyin {
  readonly #readings: ReadonlyMap<number, readonly string[]>
  /** The characters of each syllable. */
  readonly #characters: ReadonlyMap<string, readonly string[]>

  constructor(readings: ReadonlyMap<number, readonly string[]>) {
    this.#readings = readings
    const characters = new Map<string, string[]>()
    for (const [code, all] of readings)
      for (const syllable of all)
        characters.set(syllable, [...(characters.get(syllable) ?? []), String.fromCodePoint(code)])
    this.#characters = characters
  }

  /** Null for what is no pinyin. */
  sought(word: string): Sought | null {
    if (!WORD.test(word)) return null
    const ways = this.#waysFrom(word)
    return {
      condition:
        ways.length === 0
          ? null
          : anyOf(ways.map((way) => `(${way.map((it) => this.#conditionOf(it)).join(' & ')})`)),
      marksOf: (units) => this.#marksOf(units, word),
    }
  }

  #conditionOf(syllable: string): string {
    return anyOf((this.#characters.get(syllable) ?? []).map(quoted))
  }

  /** The first ways to take a word apart into whole syllables, the longest syllables first. */
  #waysFrom(word: string): string[][] {
    if (word === '') return [[]]
    const ways: string[][] = []
    for (let length = Math.min(6, word.length); length > 0 && ways.length < WAYS_MAX; length -= 1) {
      const syllable = word.slice(0, length)
      if (!this.#characters.has(syllable)) continue
      ways.push(...this.#waysFrom(word.slice(length)).map((rest) => [syllable, ...rest]))
    }
    return ways.slice(0, WAYS_MAX)
  }

  #marksOf(units: readonly Unit[], word: string): Mark[] {
    const marks: Mark[] = []
    for (let at = 0; at < units.length; at += 1) {
      const end = this.#endOf(units, at, word)
      if (end === null) continue
      marks.push({ from: units[at]!.from, to: units[end - 1]!.to })
      at = end - 1
    }
    return marks
  }

  /**
   * Where the characters from `start` on have spelled the word, whole or by first letters; null: they do
   * not.
   */
  #endOf(units: readonly Unit[], start: number, word: string): number | null {
    // Each length of the word is reached once by a character, whatever its readings.
    let open = new Set([0])
    for (let at = start; at < units.length && open.size > 0; at += 1) {
      const next = new Set<number>()
      for (const reading of this.#readings.get(units[at]!.code) ?? [])
        for (const from of open) {
          if (word.startsWith(reading, from)) next.add(from + reading.length)
          if (word.startsWith(reading[0]!, from)) next.add(from + 1)
        }
      if (next.has(word.length)) return at + 1
      open = next
    }
    return null
  }
}

/** Reads the dictionary: some hundredths of a second. */
export function readPinyin(): Pinyin {
  const readings = new Map<number, readonly string[]>()
  for (let code = FIRST; code <= LAST; code += 1) {
    const all = pinyin(String.fromCodePoint(code), {
      toneType: 'none',
      type: 'array',
      v: true,
      multiple: true,
    })
    const known = all.filter((each) => /^[a-z]+$/.test(each)).slice(0, READINGS_MAX)
    if (known.length > 0) readings.set(code, known)
  }
  return new Pinyin(readings)
}
