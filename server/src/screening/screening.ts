/**
 * Judges what people write and upload, by the word rules and by the review service: it passes, is refused, or
 * waits for staff. Off when there are neither rules nor a service. Decision 82.
 */
import { readFile } from 'node:fs/promises'
import { fail } from '@guildhall/wire/failure.ts'
import type { HeldWhy } from '@guildhall/wire/staff/held.ts'
import type { WordTarget } from '@guildhall/wire/staff/words.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { areDoubtful } from '../asset/asset.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import type { Log } from '../kit/log.ts'
import type { ScreeningMetrics } from '../kit/metrics/staff.ts'
import type {
  PictureFile,
  Screened,
  ScreenedMessage,
  ScreenedTarget,
  Screening,
  Verdict,
} from '../kit/screening.ts'
import {
  type ContentReview,
  REVIEWED_PICTURE_MAX,
  REVIEWED_TEXT_MAX,
  type Reviewed,
} from '../outside/contentReview/contentReview.ts'
import { hold, refuseHeldBefore } from './held.ts'
import { ReservedNames } from './reservedNames.ts'
import { readSimplified } from './simplified.ts'
import { WordRules } from './words.ts'

export { Folder, isLeftOut, type Simplified, type Unit } from './fold.ts'
export {
  type DecideDeps,
  decide,
  decidedHeld,
  forgetHeld,
  guildHeld,
  heldById,
  oldestHeld,
  ownHeld,
  statesOf,
  trimHeld,
  waitingHeld,
  withdraw,
} from './held.ts'
export { heldReviewsOf, heldWords } from './heldContent.ts'
export { readSimplified } from './simplified.ts'
export { isWord, WordFilter } from './wordFilter.ts'
export {
  addRule,
  changeRule,
  importRules,
  type NewRule,
  pageOfRules,
  type RuleRow,
  removeRule,
  removeRuleOf,
  type WordRules,
} from './words.ts'

export interface ScreeningDeps {
  readonly db: Db
  readonly log: Log
  /** Null: the operator has none. */
  readonly service: ContentReview | null
  /** What becomes of what the service does not judge in time. */
  readonly whenDown: 'hold' | 'pass'
  readonly metrics: Pick<ScreeningMetrics, 'judged' | 'unanswered'>
  /** The names of this site and of its official account. */
  readonly operatorNames: readonly string[]
}

export interface OpenScreening extends Screening {
  readonly words: WordRules
  close(): void
}

/** The page gives a call up after five seconds. */
const TEXT_WITHIN_MS = 2 * SECOND_MS
/** An upload may take longer than a call. */
const PICTURE_WITHIN_MS = 5 * SECOND_MS

const WORD_TARGET_OF: Readonly<Record<Exclude<ScreenedTarget, 'picture'>, WordTarget>> = {
  channel: 'message',
  private: 'message',
  username: 'name',
  nickname: 'name',
  guild: 'guild',
  guild_address: 'guild',
  guild_channel: 'guild',
  role: 'guild',
  emoji: 'guild',
  preview: 'message',
}

interface Judged {
  readonly verdict: Verdict
  /** For staff: why it is held. */
  readonly why: readonly HeldWhy[]
}

const REFUSED: Judged = { verdict: 'refuse', why: [] }

/** Reads the word rules; they are followed until `close`. */
export async function openScreening(deps: ScreeningDeps): Promise<OpenScreening> {
  const words = new WordRules(deps.db, deps.log)
  await words.start()
  return new Screener(deps, words)
}

class Screener implements OpenScreening {
  readonly words: WordRules
  readonly #deps: ScreeningDeps
  #reserved: Promise<ReservedNames> | null = null

  constructor(deps: ScreeningDeps, words: WordRules) {
    this.#deps = deps
    this.words = words
  }

  get isOn(): boolean {
    return this.#deps.service !== null || !this.words.isEmpty
  }

  get looksAtPictures(): boolean {
    return this.#deps.service !== null
  }

  close(): void {
    this.words.close()
  }

  async isReserved({ target, texts }: Pick<Screened, 'target' | 'texts'>): Promise<boolean> {
    this.#reserved ??= readSimplified().then(
      (simplified) => new ReservedNames(this.#deps.operatorNames, simplified),
    )
    return (await this.#reserved).has(target, texts)
  }

  async ask(input: Screened): Promise<Verdict> {
    return (await this.#judge(input)).verdict
  }

  async message(input: ScreenedMessage): Promise<(() => Promise<void>) | null> {
    const { target } = input.to
    const { verdict, why } = await this.#judge({ ...input, target, userId: input.authorId })
    if (verdict === 'pass') return null
    await refuseHeldBefore(this.#deps.db, input)
    if (verdict === 'refuse') throw fail('content.refused')
    return () => transaction(this.#deps.db, (tx) => hold(tx, input, why))
  }

  refuseHeldBefore(input: ScreenedMessage): Promise<void> {
    return refuseHeldBefore(this.#deps.db, input)
  }

  holdForGuild(tx: Tx, input: ScreenedMessage, ruleId: string): Promise<void> {
    return hold(tx, input, [], ruleId)
  }

  async picture(files: readonly PictureFile[]): Promise<Verdict> {
    const { service } = this.#deps
    if (!service) return 'pass'
    const file = files.find(({ bytes }) => bytes < REVIEWED_PICTURE_MAX)
    const judged = await this.#askService('picture', async (signal) => {
      if (!file) throw new Error('no copy of a picture is small enough for the review service')
      return [await service.picture(await readFile(file.path), signal)]
    })
    this.#deps.metrics.judged('picture', judged.verdict)
    return judged.verdict
  }

  async #judge(input: Screened): Promise<Judged> {
    const judged = await this.#judgeParts(input)
    this.#deps.metrics.judged(input.target, judged.verdict)
    return judged
  }

  async #judgeParts({ target, texts: given, files = [] }: Screened): Promise<Judged> {
    const texts = given.filter((text) => text.trim() !== '')
    const found = this.words.verdictOf(texts, WORD_TARGET_OF[target as keyof typeof WORD_TARGET_OF])
    if (found.verdict === 'refuse') return REFUSED
    const why: HeldWhy[] = found.words.map((text) => ({ kind: 'word', text }))
    const { service, db } = this.#deps
    // A doubt of a service that is off would never end.
    if (service && files.length > 0 && (await areDoubtful(db, files))) why.push({ kind: 'picture', text: '' })
    if (service && texts.length > 0) {
      const asked = await this.#askService('text', async (signal) => {
        const answers: Reviewed[] = []
        for (const part of partsOf(texts.join('\n'))) answers.push(await service.text(part, signal))
        return answers
      })
      if (asked.verdict === 'refuse') return REFUSED
      why.push(...asked.why)
    }
    return { verdict: why.length > 0 ? 'hold' : 'pass', why }
  }

  async #askService(
    what: 'text' | 'picture',
    ask: (signal: AbortSignal) => Promise<readonly Reviewed[]>,
  ): Promise<Judged> {
    const { log, whenDown, metrics } = this.#deps
    try {
      const answers = await ask(AbortSignal.timeout(what === 'text' ? TEXT_WITHIN_MS : PICTURE_WITHIN_MS))
      if (answers.some(({ suggestion }) => suggestion === 'block')) return REFUSED
      const mismatches = answers.filter(({ suggestion }) => suggestion === 'review')
      const why = mismatches.map(({ label }): HeldWhy => ({ kind: 'service', text: label }))
      return { verdict: why.length > 0 ? 'hold' : 'pass', why }
    } catch (error) {
      metrics.unanswered(what)
      log.warn(
        `the review service gives no verdict: ${error instanceof Error ? error.message : String(error)}`,
      )
      return whenDown === 'hold'
        ? { verdict: 'hold', why: [{ kind: 'unanswered', text: '' }] }
        : { verdict: 'pass', why: [] }
    }
  }
}

/** A long text in parts that the service takes. */
function partsOf(text: string): string[] {
  const points = [...text]
  if (points.length <= REVIEWED_TEXT_MAX) return [text]
  const parts: string[] = []
  for (let from = 0; from < points.length; from += REVIEWED_TEXT_MAX)
    parts.push(points.slice(from, from + REVIEWED_TEXT_MAX).join(''))
  return parts
}
