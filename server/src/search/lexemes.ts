/** The lexemes by which the index finds terms: what `search_lexemes` of migration 0115 makes of a text. */
import { type Folder, isLeftOut, type Simplified } from '../screening/screening.ts'
import { isEmoji, type Term } from './terms.ts'

/** Of a word these beginnings are lexemes, by their lengths. All of them would be very many. */
const BEGINNINGS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]

/**
 * The most frequent characters of Chinese, in all their writings. Two that stand together are a lexeme, too:
 * most messages that have both have them apart.
 */
const FREQUENT = new Set(
  '的我了你是不一在有他這们們这個个人來来么麼麽那說説说好就要到嗎吗什没她會会得去上想看都很可以知道為爲为能過过還还對对把也下大吧時时給给和自己樣样子出事現现啊後后生裏裡里家真眞多天起' +
    '經经做小然中怎心今年走找開开地點点迴回用但快誰谁讓让別彆别再謝谢話话聽听兒儿當噹当明老學学隻只面麪麫麵些發髮发所法成最打先愛爱太西意呢哈因前行思定被從从方問问題题間间晚朋友傢齣',
)

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
  conditionOf({ units }: Term): string | null {
    const conditions: string[] = []
    let isInPair = false
    for (let at = 0; at < units.length; at += 1) {
      const { kind, code } = units[at]!
      const pair = this.#pair(code, units[at + 1]?.code)
      if (pair) conditions.push(pair)
      else if (isAscii(code)) {
        const from = at
        while (at + 1 < units.length && isAscii(units[at + 1]!.code)) at += 1
        const word = String.fromCodePoint(...units.slice(from, at + 1).map((unit) => unit.code))
        conditions.push(quoted(beginningOf(word)))
      } else if (!isInPair && kind !== 'space' && (kind !== 'mark' || isEmoji(code))) {
        const condition = this.#character(code)
        if (condition) conditions.push(condition)
      }
      isInPair = pair !== null
    }
    return conditions.length === 0 ? null : [...new Set(conditions)].join(' & ')
  }

  /** Any writing of a character. */
  #character(code: number): string | null {
    const writings = this.#writingsOf(code)
    if (writings.some((lexemes) => lexemes.length === 0)) return null
    const alternatives = writings.map((lexemes) => lexemes.map(quoted).join(' & '))
    return anyOf([...new Set(alternatives)])
  }

  /** Any writing of two characters that stand together; null unless both are frequent. */
  #pair(code: number, next: number | undefined): string | null {
    if (next === undefined) return null
    const first = this.#writingsOf(code).map((it) => it.join(''))
    const second = this.#writingsOf(next).map((it) => it.join(''))
    if (![...first, ...second].every((it) => FREQUENT.has(it))) return null
    return anyOf([...new Set(first.flatMap((one) => second.map((other) => quoted(one + other))))])
  }

  #writingsOf(code: number): (readonly string[])[] {
    return [code, ...(this.#writings.get(code) ?? [])].map(lexemesOf)
  }
}

/** The longest beginning of a word that is a lexeme. */
const beginningOf = (word: string): string =>
  word.slice(
    0,
    BEGINNINGS.findLast((length) => length <= word.length),
  )

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
