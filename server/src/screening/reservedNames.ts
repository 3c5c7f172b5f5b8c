/**
 * Names that nobody may take, because who reads them would take their bearer for the official account or for
 * somebody who looks after this site. They are found as the words of rules are: whatever stands between
 * their characters, in look-alike letters, traditional or simplified.
 */
import type { ScreenedTarget } from '../kit/screening.ts'
import { Folder, type Simplified } from './fold.ts'
import { type Word, WordFilter } from './wordFilter.ts'

/** Within a name of anything. */
const OFFICIAL = ['官方', 'official']
/** Within a name of a person or a guild. Roles may have them: most guilds have a role 管理员. */
const STAFF = ['客服', '管理员', '管理員', '系统消息', '系统通知', '系统管理', 'admin', 'administrator']
/** As the whole name of a person or a guild: within a name they are everyday words. */
const WHOLE = ['系统', 'system']

/** Where the first text is a name; others have none. */
const NAMED: Readonly<Partial<Record<ScreenedTarget, 'roles' | 'all'>>> = {
  username: 'all',
  nickname: 'all',
  guild: 'all',
  role: 'roles',
}

const wordsOf = (words: readonly string[]): Word[] => words.map((word) => ({ id: word, word }))

export class ReservedNames {
  readonly #all: WordFilter<Word>
  readonly #roles: WordFilter<Word>
  readonly #folder: Folder
  readonly #whole: ReadonlySet<string>

  /** `operators`: the names of this site and of its official account, in every language. */
  constructor(operators: readonly string[], simplified: Simplified) {
    const forAll = [...operators, ...OFFICIAL]
    this.#roles = new WordFilter(wordsOf(forAll), simplified)
    this.#all = new WordFilter(wordsOf([...forAll, ...STAFF]), simplified)
    this.#folder = new Folder(simplified)
    this.#whole = new Set(WHOLE.map((word) => this.#plain(word)))
  }

  /** Whether the name among these texts, the first, is reserved where it would be shown. */
  has(target: ScreenedTarget, [name = '']: readonly string[]): boolean {
    const rule = NAMED[target]
    if (!rule) return false
    if (rule === 'roles') return this.#roles.find(name, 1).length > 0
    return this.#whole.has(this.#plain(name)) || this.#all.find(name, 1).length > 0
  }

  /** A name's characters, letters and digits alone, folded. */
  #plain(name: string): string {
    const written = this.#folder.units(name).filter(({ kind }) => kind !== 'space' && kind !== 'mark')
    return String.fromCodePoint(...written.map(({ code }) => code))
  }
}
