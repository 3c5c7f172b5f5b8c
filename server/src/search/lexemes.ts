/** The lexemes by which the index finds terms: what `search_lexemes` of migration 0114 makes of a text. */
import { type Folder, isLeftOut, type Simplified } from '../screening/screening.ts'
import { isEmoji, type Term } from './terms.ts'

/** Longer words are found by their beginning. */
const WORD_MAX = 32

const isAscii = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)

/** Characters that have no lexeme: ASCII, spaces, and the common punctuation of Latin and Chinese. */
const isPassedOver = (code: number): boolean =>
  code < 0xc0 ||
  (code >= 0x2000 && code <= 0x206f) ||
  (code >= 0x3000 && code <= 0x3004) ||
  (code >= 0x3008 && code <= 0x3020)

/** The lexemes of one character outside of words. */
function lexemesOf(code: number): readonly string[] {
  const plain = [...String.fromCodePoint(code).normalize('NFKD')]
  return plain.filter((each) => !isLeftOut(each) && !isPassedOver(each.codePointAt(0)!))
}

/**
 * Finds lexemes for terms. A character has several writings which a search takes for the same, such as its
 * traditional form; the index has them as they were written.
 */
export class Lexemes {
  readonly #writings: ReadonlyMap<number, readonly number[]>

  constructor(simplified: Simplified, folder: Folder) {
    this.#writings = writingsOf(simplified, folder)
  }

  /** A condition of PostgreSQL's `tsquery`; null: the index does not know anything of this term. */
  conditionOf({ units, isWhole }: Term): string | null {
    const conditions: string[] = []
    for (let at = 0; at < units.length; at += 1) {
      const { kind, code } = units[at]!
      if (isAscii(code)) {
        const from = at
        while (at + 1 < units.length && isAscii(units[at + 1]!.code)) at += 1
        const word = String.fromCodePoint(...units.slice(from, at + 1).map((unit) => unit.code))
        conditions.push(wordCondition(word, isWhole || at + 1 < units.length))
      } else if (kind !== 'space' && (kind !== 'mark' || isEmoji(code))) {
        const condition = this.#character(code)
        if (condition) conditions.push(condition)
      }
    }
    return conditions.length === 0 ? null : [...new Set(conditions)].join(' & ')
  }

  /** Any writing of a character. */
  #character(code: number): string | null {
    const writings = [code, ...(this.#writings.get(code) ?? [])].map(lexemesOf)
    if (writings.some((lexemes) => lexemes.length === 0)) return null
    const alternatives = writings.map((lexemes) => lexemes.map(quoted).join(' & '))
    return anyOf([...new Set(alternatives)])
  }
}

/** The beginnings of one and two characters are lexemes, and all of them would be very many words. */
function wordCondition(word: string, isWhole: boolean): string {
  if (isWhole || word.length <= 2 || word.length > WORD_MAX) return quoted(word.slice(0, WORD_MAX))
  return `${quoted(word)}:*`
}

export const quoted = (lexeme: string): string => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`

export const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : `(${conditions.join(' | ')})`

/** Letters have capitals up to here. */
const LETTERS_END = 0x1ffff

/** Other ways to write a character: its traditional forms, its capitals. */
function writingsOf(simplified: Simplified, folder: Folder): Map<number, number[]> {
  const writings = new Map<number, number[]>()
  const learn = (code: number) => {
    const units = folder.units(String.fromCodePoint(code))
    const only = units[0]?.code
    if (units.length !== 1 || only === undefined || only === code) return
    const known = writings.get(only)
    if (known) known.push(code)
    else writings.set(only, [code])
  }
  for (const code of simplified.keys()) learn(code)
  for (let code = 0xc0; code <= LETTERS_END; code += 1)
    if (/^\p{Changes_When_Lowercased}$/u.test(String.fromCodePoint(code))) learn(code)
  return writings
}
