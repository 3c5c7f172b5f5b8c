/**
 * Text as the word rules read it: what a reader cannot tell apart, or would read past, becomes the same.
 * Every code point is looked at once and by itself, so that the work grows with the length of the text alone.
 */

/**
 * `han`: of a script that writes words without spaces between them. `letter` and `digit`: of one that has
 * them. `space` and `mark` (punctuation, symbols, emoji) are between.
 */
export type UnitKind = 'han' | 'letter' | 'digit' | 'space' | 'mark'

/** One character after folding. */
export interface Unit {
  readonly kind: UnitKind
  /** Its code point: lower case, half width, simplified, without accents. */
  readonly code: number
  /** Where it comes from in the text, UTF-16 units. */
  readonly from: number
  readonly to: number
}

/** Simplified characters by the traditional ones, as code points. */
export type Simplified = ReadonlyMap<number, number>

type Folded = Pick<Unit, 'kind' | 'code'>

/** Zero-width and other invisible characters, accents and marks above a letter, control characters. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]$/u
const ACCENT = /^(?=\p{Mn})\p{Script=Inherited}$/u
const SPACE = /^[\s\u2800]$/u
const HAN =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u
const LETTER = /^[\p{L}\p{M}]$/u
const DIGIT = /^\p{Nd}$/u

/** Whether a character is left out, because nothing of it is seen or it is an accent. */
export const isLeftOut = (character: string): boolean =>
  !SPACE.test(character) && (INVISIBLE.test(character) || ACCENT.test(character))

/** Letters of other alphabets that look like Latin ones, lower case. */
const LOOK_ALIKES: ReadonlyMap<number, number> = new Map(
  [
    'аa',
    'вb',
    'еe',
    'ѕs',
    'іi',
    'јj',
    'кk',
    'мm',
    'нh',
    'оo',
    'рp',
    'сc',
    'тt',
    'уy',
    'хx',
    'ԁd',
    'һh',
    'ԛq',
    'ԝw',
    'ьb',
    'ӏl',
    'ցg',
    'օo',
    'ոn',
    'սu',
    'αa',
    'βb',
    'εe',
    'ηn',
    'ιi',
    'κk',
    'νv',
    'οo',
    'ρp',
    'τt',
    'υu',
    'χx',
    'ωw',
    'ßb',
    'ıi',
    'øo',
    'đd',
    'łl',
    'æa',
    'ɑa',
    'ɡg',
    'ɩi',
    'ʀr',
    'ᴀa',
    'ʙb',
    'ᴄc',
    'ᴅd',
    'ᴇe',
    'ꜰf',
    'ɢg',
    'ʜh',
    'ɪi',
    'ᴊj',
    'ᴋk',
    'ʟl',
    'ᴍm',
    'ɴn',
    'ᴏo',
    'ᴘp',
    'ꜱs',
    'ᴛt',
    'ᴜu',
    'ᴠv',
    'ᴡw',
    'ʏy',
    'ᴢz',
  ].map((pair) => [pair.codePointAt(0)!, pair.codePointAt(1)!]),
)

/** White letters in black circles and squares, which have no decomposition: from, and 26 from there. */
const LETTER_SYMBOLS = [0x1f150, 0x1f170]
const A = 0x61

/** Folded characters are kept for the next text; texts of a language use some thousands. */
const KEPT = 20_000

/**
 * Reads texts in one way. With `isExact`, for search, letters of other alphabets and digits of other scripts
 * stay what they are, and so do the syllables of Japanese and Korean: nobody evades a search.
 */
export class Folder {
  readonly #simplified: Simplified
  readonly #isExact: boolean
  readonly #known = new Map<number, readonly Folded[]>()

  constructor(simplified: Simplified, { isExact = false }: { readonly isExact?: boolean } = {}) {
    this.#simplified = simplified
    this.#isExact = isExact
  }

  units(text: string): Unit[] {
    const units: Unit[] = []
    for (let from = 0; from < text.length; ) {
      const point = text.codePointAt(from)!
      const to = from + (point > 0xffff ? 2 : 1)
      for (const { kind, code } of this.#fold(point)) units.push({ kind, code, from, to })
      from = to
    }
    return units
  }

  #fold(point: number): readonly Folded[] {
    const known = this.#known.get(point)
    if (known) return known
    const plain = this.#isExact ? composed(point) : decomposed(point)
    const folded = [...plain].flatMap((each) => this.#one(each))
    if (this.#known.size >= KEPT) this.#known.clear()
    this.#known.set(point, folded)
    return folded
  }

  #one(character: string): readonly Folded[] {
    if (SPACE.test(character)) return [{ kind: 'space', code: 0x20 }]
    if (isLeftOut(character)) return []
    const point = character.codePointAt(0)!
    if (HAN.test(character)) return [{ kind: 'han', code: this.#simplified.get(point) ?? point }]
    if (DIGIT.test(character)) return [{ kind: 'digit', code: this.#isExact ? point : digitOf(point) }]
    if (LETTER.test(character))
      return [{ kind: 'letter', code: this.#isExact ? point : (LOOK_ALIKES.get(point) ?? point) }]
    return [{ kind: 'mark', code: point }]
  }
}

/** A code point in its plainest form, as at most 18 characters. */
function decomposed(point: number): string {
  for (const first of LETTER_SYMBOLS)
    if (point >= first && point < first + 26) return String.fromCharCode(A + point - first)
  return String.fromCodePoint(point).normalize('NFKD').toLowerCase()
}

const SYLLABLE = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u

/** The same without taking syllables and circled letters apart. */
function composed(point: number): string {
  const character = String.fromCodePoint(point)
  return SYLLABLE.test(character) ? character.normalize('NFKC') : character.normalize('NFKD').toLowerCase()
}

const ZERO = 0x30

/** Digits of every script in blocks of ten that begin at a zero. */
function digitOf(point: number): number {
  let zero = point
  while (point - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
  return ZERO + ((point - zero) % 10)
}
