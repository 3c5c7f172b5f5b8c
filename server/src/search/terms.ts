/** What is looked for, and where a text has it. The definition of a match; the index only narrows down. */
import type { Unit } from '../screening/screening.ts'

/** Words to be found in one piece. */
export interface Term {
  readonly units: readonly Unit[]
  /** A word of letters at its end is whole, and not only begun. */
  readonly isWhole: boolean
}

/** What a message must have: a term in one of several writings, or a word by its pinyin. */
export interface Sought {
  /** A condition of PostgreSQL's `tsquery` that every message with it fulfils; null: there is none. */
  readonly condition: string | null
  /** All places where a text has it, in order. `units`: of the text, with single spaces. */
  marksOf(units: readonly Unit[]): Mark[]
}

/** Where a text has a term, UTF-16 units, half-open. */
export interface Mark {
  readonly from: number
  readonly to: number
}

const isLetter = (unit: Unit | undefined): boolean => unit?.kind === 'letter' || unit?.kind === 'digit'

/** The term of some units of a query; null for a mark that stands alone, and for nothing. */
export function termOf(units: readonly Unit[], isWhole: boolean): Term | null {
  const isMark = units.length === 1 && units[0]!.kind === 'mark' && !isEmoji(units[0]!.code)
  return units.length === 0 || isMark ? null : { units, isWhole }
}

/** The units of a text, where a run of spaces is one. */
export const withSingleSpaces = (units: readonly Unit[]): Unit[] =>
  units.filter((unit, index) => unit.kind !== 'space' || units[index - 1]?.kind !== 'space')

const EMOJI = /^[\p{Extended_Pictographic}\p{Regional_Indicator}]$/u

export const isEmoji = (code: number): boolean => EMOJI.test(String.fromCodePoint(code))

/** All places where a text has a term, in order. `units`: of the text, with single spaces. */
export function marksOf(units: readonly Unit[], { units: wanted, isWhole }: Term): Mark[] {
  const marks: Mark[] = []
  for (let at = 0; at + wanted.length <= units.length; at += 1) {
    if (!startsAt(units, at, wanted)) continue
    const end = at + wanted.length
    if (isLetter(units[at]) && isLetter(units[at - 1])) continue
    if (isWhole && isLetter(units[end - 1]) && isLetter(units[end])) continue
    marks.push({ from: units[at]!.from, to: units[end - 1]!.to })
    at = end - 1
  }
  return marks
}

const startsAt = (units: readonly Unit[], at: number, wanted: readonly Unit[]): boolean =>
  wanted.every(({ code }, index) => units[at + index]!.code === code)

/** Sorted, and those that meet or overlap as one. */
export function joined(marks: readonly Mark[]): Mark[] {
  const all: Mark[] = []
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && mark.from <= last.to)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, mark.to) }
    else all.push(mark)
  }
  return all
}
