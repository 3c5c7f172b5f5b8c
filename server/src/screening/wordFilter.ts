/**
 * Finds refused and held words in texts. One pass over the text for each of its few readings, however many
 * words there are; hostile texts take no longer than others. Decision 82.
 */
import { Automaton } from './automaton.ts'
import { Folder, type Simplified, type Unit } from './fold.ts'
import {
  continues,
  hanReading,
  LETTER_FOLDS,
  type LetterFold,
  letterReadings,
  letterWord,
  mixedReading,
  type Reading,
} from './readings.ts'

export interface Word {
  readonly id: string
  readonly word: string
}

/** Where a text has a word, UTF-16 units of the text as it was given. */
export interface WordMatch<W extends Word> {
  readonly word: W
  readonly from: number
  readonly to: number
}

/** `plain`: numbers and very short words, which are looked for as they stand. */
type Kind = 'han' | 'mixed' | 'letters' | 'plain'

/** Shorter words are not looked for in digits that look like letters: `4K` is not `ak`. */
const LOOK_ALIKES_FROM = 3

/** Of what a word is made; null: of nothing that could be looked for. */
function kindOf(units: readonly Unit[]): Kind | null {
  const amount = (kind: Unit['kind']) => units.filter((unit) => unit.kind === kind).length
  const letters = amount('letter')
  const written = letters + amount('digit')
  if (amount('han') > 0) return written > 0 ? 'mixed' : 'han'
  if (written === 0) return null
  return letters > 0 && written >= LOOK_ALIKES_FROM ? 'letters' : 'plain'
}

/** Words of one kind, and how texts are read for them. */
interface Part<W extends Word> {
  /** By their number in the automaton: those that are the same once folded share one. */
  readonly words: readonly (readonly W[])[]
  readonly automaton: Automaton
  readonly readings: (units: readonly Unit[]) => readonly Reading[]
  /** Letters at the ends of mixed words end there in the text too. */
  readonly isBounded: boolean
}

export class WordFilter<W extends Word> {
  readonly #folder: Folder
  readonly #parts: readonly Part<W>[]

  constructor(words: readonly W[], simplified: Simplified) {
    this.#folder = new Folder(simplified)
    const folded = words.map((word) => {
      const units = this.#folder.units(word.word)
      return { word, units, kind: kindOf(units) }
    })
    const part = (
      kind: Kind,
      readings: Part<W>['readings'],
      codesOf: (units: readonly Unit[]) => readonly number[],
    ): Part<W> => {
      const byCodes = new Map<string, { readonly codes: readonly number[]; readonly words: W[] }>()
      for (const { word, units } of folded.filter((it) => it.kind === kind)) {
        const codes = codesOf(units)
        const known = byCodes.get(codes.join())
        if (known) known.words.push(word)
        else byCodes.set(codes.join(), { codes, words: [word] })
      }
      const all = [...byCodes.values()]
      return {
        words: all.map((it) => it.words),
        readings,
        isBounded: kind === 'mixed',
        automaton: new Automaton(all.map(({ codes }) => codes)),
      }
    }
    const one = (read: (units: readonly Unit[]) => Reading) => (units: readonly Unit[]) => [read(units)]
    const inFold = (kind: Kind, fold: LetterFold) =>
      part(
        kind,
        (units) => letterReadings(units, fold),
        (units) => letterWord(units, fold),
      )
    this.#parts = [
      part('han', one(hanReading), (units) => hanReading(units).codes.filter((code) => code >= 0)),
      part('mixed', one(mixedReading), (units) => mixedReading(units).codes.filter((code) => code >= 0)),
      inFold('plain', 'digits'),
      ...LETTER_FOLDS.filter((fold) => fold !== 'digits').map((fold) => inFold('letters', fold)),
    ].filter(({ automaton }) => !automaton.isEmpty)
  }

  /** Calls `found` with each match until it answers false; the same one may come more than once. */
  scan(text: string, found: (match: WordMatch<W>) => boolean): void {
    const units = this.#folder.units(text)
    if (units.length === 0) return
    let isOver = false
    for (const { automaton, readings, words, isBounded } of this.#parts)
      for (const reading of readings(units)) {
        automaton.run(reading.codes, (word, first, last) => {
          const [start, end] = ends(reading.units, first, last)
          if (isBounded && (continues(units, start) || continues(units, end + 1))) return true
          const [from, to] = [units[start]!.from, units[end]!.to]
          isOver = words[word]!.some((each) => !found({ word: each, from, to }))
          return !isOver
        })
        if (isOver) return
      }
  }

  /** At most `most` matches, the first in the text first, each word at each index once. */
  find(text: string, most: number): WordMatch<W>[] {
    const matches = new Map<string, WordMatch<W>>()
    this.scan(text, (match) => {
      matches.set(`${match.word.id} ${match.from}`, match)
      return matches.size < most
    })
    return [...matches.values()].sort((a, b) => a.from - b.from || a.to - b.to)
  }
}

/** Whether a word has anything that could be looked for. */
export const isWord = (word: string): boolean => kindOf(new Folder(new Map()).units(word)) !== null

/** The first and last unit of a match, without the boundaries around it. */
function ends(units: readonly number[], first: number, last: number): readonly [number, number] {
  return [
    units[first] === -1 ? units[first + 1]! : units[first]!,
    units[last] === -1 ? units[last - 1]! : units[last]!,
  ]
}
