/** The word rules: changed in the database, and kept in the memory of every node. Decision 82. */
import { fail } from '@guildhall/wire/failure.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import {
  type listWords,
  TRIED_MATCHES_MAX,
  WORD_MAX,
  WORDS_MAX,
  WORDS_PAGE,
  type WordTarget,
} from '@guildhall/wire/staff/words.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { clean } from '../kit/http/input.ts'
import type { Log } from '../kit/log.ts'
import { readSimplified } from './simplified.ts'
import * as rows from './sql.ts'
import { isWord, WordFilter } from './wordFilter.ts'

export type { NewRule, RuleRow } from './sql.ts'

/** How soon a node follows a change that another process made. */
const CHECKED_EVERY_MS = 2 * SECOND_MS

type Rule = Awaited<ReturnType<typeof rows.allRules>>[number]

/** What the rules say of texts, and by which words. */
export interface WordVerdict {
  readonly verdict: 'pass' | 'refuse' | 'hold'
  /** Those for which it is held, each once. */
  readonly words: readonly string[]
}

const PASSES: WordVerdict = { verdict: 'pass', words: [] }

/** The rules in memory. They are read again when the database has others. */
export class WordRules {
  readonly #db: Db
  readonly #log: Log
  #filter: WordFilter<Rule> | null = null
  #version = ''
  /** The last reading, done or not; it never rejects. */
  #loading: Promise<void> = Promise.resolve()
  /** A reading is asked for and has not begun. */
  #isNextAsked = false
  #timer: NodeJS.Timeout | null = null
  #hasFailed = false

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  get isEmpty(): boolean {
    return this.#filter === null
  }

  /** Reads the rules, and looks for changes from then on. */
  async start(): Promise<void> {
    await this.#load()
    this.#timer = setInterval(() => void this.refresh(), CHECKED_EVERY_MS).unref()
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  /**
   * Reads them again if there are others; never rejects. A reading that runs already may be older than the
   * change that this is called for, so another one follows it.
   */
  async refresh(): Promise<void> {
    if (!this.#isNextAsked) {
      this.#isNextAsked = true
      this.#loading = this.#loading.then(() => {
        this.#isNextAsked = false
        return this.#tryLoad()
      })
    }
    await this.#loading
  }

  async #tryLoad(): Promise<void> {
    try {
      await this.#load()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#log.warn({ err: error }, 'the word rules could not be read; trying again')
      this.#hasFailed = true
    }
  }

  verdictOf(texts: readonly string[], target: WordTarget): WordVerdict {
    const filter = this.#filter
    if (!filter) return PASSES
    const words = new Set<string>()
    let isRefused = false
    for (const text of texts) {
      filter.scan(text, ({ word }) => {
        if (!word.places.includes(target)) return true
        isRefused = word.action === 'refuse'
        words.add(word.word)
        return !isRefused
      })
      if (isRefused) return { verdict: 'refuse', words: [] }
    }
    return words.size > 0 ? { verdict: 'hold', words: [...words] } : PASSES
  }

  /** What would be found in a text, wherever it were written. */
  async try(text: string) {
    await this.refresh()
    return (this.#filter?.find(text, TRIED_MATCHES_MAX) ?? []).map(({ word, from, to }) => ({
      id: word.id,
      word: word.word,
      action: word.action,
      places: [...word.places],
      from,
      to,
    }))
  }

  async #load(): Promise<void> {
    // Before the rules: a change in between is read with the next version.
    const version = await rows.listVersion(this.#db)
    if (version === this.#version) return
    const rules = await rows.allRules(this.#db)
    this.#filter = rules.length === 0 ? null : new WordFilter(rules, await readSimplified())
    this.#version = version
  }
}

/** A page of the rules, the newest first. */
export async function pageOfRules(db: Db, input: InputOf<typeof listWords>) {
  const word = input.word === undefined ? undefined : wordOf(input.word)
  const { before, action } = input
  const found = await rows.someRules(db, { before, action, word, limit: WORDS_PAGE + 1 })
  return { items: found.slice(0, WORDS_PAGE), hasMore: found.length > WORDS_PAGE }
}

const wordOf = (typed: string): string => clean(typed).normalize('NFC').trim()

/** @throws Failure word.wrong */
function requireWord(typed: string): string {
  const word = wordOf(typed)
  if (word.length > WORD_MAX || !isWord(word)) throw fail('word.wrong')
  return word
}

/** Adds a rule, and returns its id. @throws Failure word.wrong, word.taken, word.full */
export async function addRule(tx: Tx, rule: rows.NewRule, by: string): Promise<string> {
  const word = requireWord(rule.word)
  await rows.raiseVersion(tx)
  if (await rows.ruleOfWord(tx, word)) throw fail('word.taken')
  await requireRoom(tx, 1)
  const [id] = await rows.addRules(tx, [{ ...rule, word }], { by, now: clock.now() })
  if (id === undefined) throw fail('word.taken')
  return id
}

/** Adds rules, but not for words that have one; returns how many. @throws Failure word.wrong, word.full */
export async function importRules(tx: Tx, rules: readonly rows.NewRule[], by: string): Promise<number> {
  const all = new Map(rules.map((rule) => [requireWord(rule.word), rule]))
  await rows.raiseVersion(tx)
  await requireRoom(tx, all.size)
  const added = [...all].map(([word, rule]) => ({ ...rule, word }))
  return (await rows.addRules(tx, added, { by, now: clock.now() })).length
}

/** @throws Failure word.full (detail.most) */
async function requireRoom(tx: Tx, more: number): Promise<void> {
  if ((await rows.countRules(tx)) + more > WORDS_MAX) throw fail('word.full', { most: WORDS_MAX })
}

/** Changes what a rule does, and returns what it was. @throws Failure word.unknown */
export async function changeRule(
  tx: Tx,
  id: string,
  to: Omit<rows.NewRule, 'word'>,
  by: string,
): Promise<rows.RuleRow> {
  await rows.raiseVersion(tx)
  const before = await rows.ruleById(tx, id)
  if (!before) throw fail('word.unknown')
  await rows.changeRule(tx, id, to, { by, now: clock.now() })
  return before
}

/** Removes a rule, and returns what it was. @throws Failure word.unknown */
export async function removeRule(tx: Tx, id: string): Promise<rows.RuleRow> {
  await rows.raiseVersion(tx)
  const before = await rows.ruleById(tx, id)
  if (!before) throw fail('word.unknown')
  await rows.removeRule(tx, id)
  return before
}

/** Removes the rule of a word. @throws Failure word.unknown */
export async function removeRuleOf(tx: Tx, typed: string): Promise<rows.RuleRow> {
  const rule = await rows.ruleOfWord(tx, wordOf(typed))
  if (!rule) throw fail('word.unknown')
  return removeRule(tx, rule.id)
}
