/** How queries and texts are read for a search. Opened once: the tables of characters and emoji are large. */
import type { Words } from '@guildhall/wire/search/query.ts'
import { emojiNamed } from '../emoji/emoji.ts'
import { Folder, readSimplified, type Simplified, type Unit } from '../screening/screening.ts'
import { anyOf, Lexemes } from './lexemes.ts'
import { type Pinyin, readPinyin } from './pinyin.ts'
import { marksOf, type Sought, type Term, termOf, withSingleSpaces } from './terms.ts'

export class Reader {
  readonly #folder: Folder
  readonly #lexemes: Lexemes
  readonly #emoji: ReadonlyMap<string, string>
  #pinyin: Pinyin | null = null

  /** `emoji`: by their Chinese names. */
  constructor(simplified: Simplified, emoji: ReadonlyMap<string, string>) {
    this.#folder = new Folder(simplified, { isExact: true })
    this.#lexemes = new Lexemes(simplified, this.#folder)
    this.#emoji = emoji
  }

  units(text: string): Unit[] {
    return withSingleSpaces(this.#folder.units(text))
  }

  /** What a message must have of a query. A mark that stands alone in it is passed over. */
  sought(words: readonly Words[]): Sought[] {
    return words.flatMap(({ text, isPhrase }) => {
      const terms = [text, ...(isPhrase ? [] : this.#emojiCalled(text))].flatMap(
        (each) => termOf(this.units(each.normalize('NFC')), isPhrase) ?? [],
      )
      return terms.length === 0 ? [] : [this.#anyOf(terms)]
    })
  }

  /** The same by pinyin, whole or by first letters; null for words that are no pinyin. */
  spelled(words: readonly Words[]): Sought[] | null {
    this.#pinyin ??= readPinyin()
    const pinyin = this.#pinyin
    const all = words.map(({ text, isPhrase }) => (isPhrase ? null : pinyin.sought(text.toLowerCase())))
    return all.every((each) => each !== null) && all.length > 0 ? all : null
  }

  #emojiCalled(text: string): string[] {
    const name = text.toLowerCase().replace(/^:(.+):$/, '$1')
    return [emojiNamed(name), this.#emoji.get(name)].filter((it) => typeof it === 'string')
  }

  #anyOf(terms: readonly Term[]): Sought {
    const conditions = terms.map((term) => this.#lexemes.conditionOf(term))
    const isKnown = conditions.every((it) => it !== null)
    return {
      condition: isKnown ? anyOf(conditions.map((it) => (terms.length > 1 ? `(${it})` : it))) : null,
      marksOf: (units) => terms.flatMap((term) => marksOf(units, term)),
    }
  }
}

let reader: Promise<Reader> | null = null

export function openReader(): Promise<Reader> {
  reader ??= open()
  return reader
}

async function open(): Promise<Reader> {
  const { default: catalogue } = await import('emojibase-data/zh/compact.json', { with: { type: 'json' } })
  return new Reader(await readSimplified(), new Map(catalogue.map(({ label, unicode }) => [label, unicode])))
}
