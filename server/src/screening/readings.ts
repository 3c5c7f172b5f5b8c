/**
 * The ways in which one text is read for words. Chinese ones are looked for in what is left without
 * everything between the characters; words with letters only from one boundary to another.
 */
import type { Unit, UnitKind } from './fold.ts'

/** Codes to look for words in, and the unit that each comes from; -1 for what stands between. */
export interface Reading {
  readonly codes: readonly number[]
  readonly units: readonly number[]
}

/**
 * Between the characters of a Chinese word at most so many other characters, and of those so many letters and
 * digits.
 */
export const GAP_MAX = 6
export const GAP_LETTERS_MAX = 2
/** Between two letters at most so many marks, as in `f.u.c.k`. */
export const GAP_MARKS_MAX = 3

/** No word has it. */
const BREAK = -1
const BOUNDARY = 0x20

const isAlnum = (kind: UnitKind): boolean => kind === 'letter' || kind === 'digit'

class Builder implements Reading {
  readonly codes: number[] = []
  readonly units: number[] = []

  add(code: number, unit = -1): void {
    this.codes.push(code)
    this.units.push(unit)
  }

  addBoundary(): void {
    if (this.codes.at(-1) !== BOUNDARY) this.add(BOUNDARY)
  }
}

/** Chinese characters alone. What stands between them is passed over as far as the gap allows. */
export function hanReading(units: readonly Unit[]): Reading {
  const built = new Builder()
  let gap = 0
  let letters = 0
  units.forEach(({ kind, code }, index) => {
    if (kind !== 'han') {
      gap += 1
      if (isAlnum(kind)) letters += 1
      return
    }
    if (gap > GAP_MAX || letters > GAP_LETTERS_MAX) built.add(BREAK)
    built.add(code, index)
    gap = 0
    letters = 0
  })
  return built
}

/** Chinese characters, letters and digits, for words that have both. */
export function mixedReading(units: readonly Unit[]): Reading {
  const built = new Builder()
  let gap = 0
  units.forEach(({ kind, code }, index) => {
    if (kind !== 'han' && !isAlnum(kind)) {
      gap += 1
      return
    }
    if (gap > GAP_MAX) built.add(BREAK)
    built.add(code, index)
    gap = 0
  })
  return built
}

/**
 * How letters are read. `digits`: as they stand. `i` and `l`: digits and symbols as the letters they look
 * like, `1` as `i` or as `l`.
 */
export type LetterFold = 'digits' | 'i' | 'l'
export const LETTER_FOLDS: readonly LetterFold[] = ['digits', 'i', 'l']

const codesOf = (pairs: Readonly<Record<string, string>>): ReadonlyMap<number, number> =>
  new Map(Object.entries(pairs).map(([from, to]) => [from.codePointAt(0)!, to.codePointAt(0)!]))

const DIGITS_AS_I = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 6: 'b', 7: 't', 8: 'b', 9: 'g' }
const SYMBOLS = {
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '+': 't',
  '€': 'e',
  '£': 'l',
  '¥': 'y',
  '¢': 'c',
  '§': 's',
}
const DIGITS: Readonly<Record<'i' | 'l', ReadonlyMap<number, number>>> = {
  i: codesOf(DIGITS_AS_I),
  l: codesOf({ ...DIGITS_AS_I, 1: 'l' }),
}
const SYMBOL_LETTERS: Readonly<Record<'i' | 'l', ReadonlyMap<number, number>>> = {
  i: codesOf(SYMBOLS),
  l: codesOf({ ...SYMBOLS, '|': 'l' }),
}
const ONES = codesOf({ 1: 'i', '|': 'i' })

/** A run of letters and digits: the units from `first` to before `end`. */
interface Token {
  readonly first: number
  readonly end: number
  readonly hasLetter: boolean
}

/** Symbols count as letters where a letter or digit stands beside them. */
function tokensOf(units: readonly Unit[], withSymbols: boolean): Token[] {
  const isIn = (index: number): boolean => {
    const unit = units[index]
    if (!unit) return false
    return isAlnum(unit.kind) || (withSymbols && SYMBOL_LETTERS.i.has(unit.code))
  }
  const tokens: Token[] = []
  for (let first = 0; first < units.length; first += 1) {
    if (!isIn(first)) continue
    let end = first
    let hasLetter = false
    for (; isIn(end); end += 1) hasLetter ||= units[end]!.kind === 'letter'
    tokens.push({ first, end, hasLetter })
    first = end
  }
  return tokens
}

const APOSTROPHES = new Set([..."'’‘ʼ`´′"].map((it) => it.codePointAt(0)))

/** Whether two tokens may be one word that somebody took apart: by marks, or letter by letter. */
function isTakenApart(units: readonly Unit[], before: Token, after: Token): boolean {
  const gap = after.first - before.end
  if (gap > GAP_MARKS_MAX) return false
  const isSingle = before.end - before.first === 1 && after.end - after.first === 1
  for (let index = before.end; index < after.first; index += 1) {
    const { kind, code } = units[index]!
    // "he'll" has an apostrophe of its own.
    if (kind === 'han' || APOSTROPHES.has(code)) return false
    if (kind === 'space' && !isSingle) return false
  }
  return true
}

function wordReading(
  units: readonly Unit[],
  tokens: readonly Token[],
  fold: LetterFold,
  isJoined: boolean,
): Reading {
  const built = new Builder()
  built.addBoundary()
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]
    if (!(isJoined && before && isTakenApart(units, before, token))) built.addBoundary()
    for (let index = token.first; index < token.end; index += 1)
      built.add(letterOf(units[index]!.code, fold, token), index)
  })
  built.addBoundary()
  return built
}

/** A number is no word: `455` is not a swear word. */
const letterOf = (code: number, fold: LetterFold, { hasLetter }: Pick<Token, 'hasLetter'>): number =>
  fold === 'digits' || !hasLetter ? code : (DIGITS[fold].get(code) ?? SYMBOL_LETTERS[fold].get(code) ?? code)

/** Every reading of a text's letters in one fold; those that could find nothing new are left out. */
export function letterReadings(units: readonly Unit[], fold: LetterFold): Reading[] {
  // The two folds differ in these alone.
  if (fold === 'l' && !units.some(({ code }) => ONES.has(code))) return []
  const hasSymbols = fold !== 'digits' && units.some(({ code }) => SYMBOL_LETTERS.i.has(code))
  return [false, ...(hasSymbols ? [true] : [])].flatMap((withSymbols) => {
    const tokens = tokensOf(units, withSymbols)
    if (tokens.length === 0) return []
    return [false, true].map((isJoined) => wordReading(units, tokens, fold, isJoined))
  })
}

/** A word's codes in one fold, from boundary to boundary. */
export function letterWord(units: readonly Unit[], fold: LetterFold): readonly number[] {
  return wordReading(units, tokensOf(units, fold !== 'digits'), fold, false).codes
}

/** Whether a letter or digit continues the one before it, as in `veg` and `12`, but not in `v1`. */
export const continues = (units: readonly Unit[], index: number): boolean => {
  const [before, at] = [units[index - 1], units[index]]
  return before !== undefined && at !== undefined && isAlnum(at.kind) && at.kind === before.kind
}
