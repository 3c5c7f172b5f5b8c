/**
 * Captchas. A challenge is sealed and given to the client, so that nothing is kept of those that nobody
 * answers. A right answer gives a pass for one call of one number from one network. Decision 51.
 */
import { createHmac } from 'node:crypto'
import { MAIL, NAME } from '@guildhall/wire/auth/address.ts'
import {
  type CaptchaKind,
  CHALLENGE_LIVES_MS,
  type Challenge,
  PASS_LIVES_MS,
  signOf,
} from '@guildhall/wire/captcha/captcha.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { clock } from '../kit/clock.ts'
import { seal, unseal } from '../kit/crypto/seal.ts'
import { readSecret } from '../kit/crypto/secrets.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import { ids } from '../kit/ids.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import {
  type Attempt,
  attemptsSpent,
  consumeAttempt,
  consumeAttempts,
  refundAttempt,
  resetAttempts,
  usedUpAmong,
  windowLeftMs,
} from '../kit/limits/rateLimitDatabase.ts'
import type { CaptchaMetrics } from '../kit/metrics/people.ts'
import type { SecurityLog } from '../kit/securityLog.ts'
import { drawChallenge, isRight, type Solution } from './challenges.ts'
import * as limits from './limit.ts'
import * as rows from './sql.ts'

export interface CaptchaDeps {
  readonly db: Db
  readonly mode: limits.CaptchaMode
  /** Multiplies all limits: RATE_LIMIT_SCALE. */
  readonly scale?: number
  readonly limits?: Limits
  readonly security?: Pick<SecurityLog, 'record'>
  readonly metrics?: CaptchaMetrics
}

/** A phone number as a client wrote it. */
interface PhoneNumber {
  readonly prefix: string
  readonly mobile: string
}

/** Who acts: which number, from which network. */
export interface Actor {
  readonly number: PhoneNumber
  readonly network: string
}

/** What is sealed into a challenge. */
interface Sealed {
  readonly id: string
  readonly kind: CaptchaKind
  readonly network: string
  readonly solution: Solution
  /** ms */
  readonly until: number
}

/** What is sealed into a pass. */
interface Pass {
  readonly id: string
  readonly who: string
  /** ms */
  readonly until: number
}

const CHALLENGE = 'captcha challenge'
const PASS = 'captcha pass'
/** What a page solves a captcha for that names no number. */
const NO_NUMBER: PhoneNumber = { prefix: '86', mobile: '' }
const NO_BOUND = 2 ** 31 - 1

export async function openCaptcha(deps: CaptchaDeps): Promise<Captcha> {
  return new Captcha(deps, await readSecret(deps.db, 'captcha'))
}

/** What a call brings for the captcha that it needs. */
export interface Solved {
  readonly pass?: string | undefined
  readonly solvedFor?: Actor | undefined
  readonly isAlways?: boolean
}

export class Captcha {
  readonly #deps: CaptchaDeps
  readonly #key: Buffer
  readonly #scale: number

  constructor(deps: CaptchaDeps, key: Buffer) {
    this.#deps = deps
    this.#key = key
    this.#scale = deps.scale ?? 1
  }

  /** Whether anything is ever asked for. */
  get isOn(): boolean {
    return this.#deps.mode !== 'never'
  }

  /** Makes a challenge. @throws Failure captcha.too_many */
  async make(kind: CaptchaKind, network: string): Promise<Challenge> {
    await this.#deps.limits?.use(limits.MADE_PER_NETWORK, network).catch(() => {
      throw fail('captcha.too_many')
    })
    const factor = kind === 'image' ? 1 : await this.#workFactor(network)
    const { shown, solution } = await drawChallenge(kind, factor)
    const until = clock.now() + CHALLENGE_LIVES_MS
    const sealed: Sealed = { id: ids.uuid(), kind, network: this.#hash(network), solution, until }
    return { ...shown, kind, id: seal(this.#key, CHALLENGE, sealed) }
  }

  /**
   * Judges the only answer that a challenge has, and returns a pass. `counter`: of the proof of work beside a
   * picture, which counts for nothing without it once a password or code was wrong.
   * @throws Failure captcha.wrong, captcha.expired, captcha.too_many
   */
  async check(id: string, answer: string, actor: Actor, counter = ''): Promise<string> {
    const { network } = actor
    const { metrics, security } = this.#deps
    const sealed = unseal(this.#key, CHALLENGE, id) as Sealed | null
    try {
      if (!sealed || sealed.until <= clock.now() || sealed.network !== this.#hash(network))
        throw fail('captcha.expired')
      await this.#judge(sealed, { answer, counter }, actor)
    } catch (error) {
      if (error instanceof Failure) {
        metrics?.counted(sealed?.kind ?? 'unknown', 'wrong')
        security?.record({ kind: 'captcha', network, failure: error.failure, target: sealed?.kind ?? '' })
      }
      throw error
    }
    metrics?.counted(sealed.kind, 'solved')
    security?.record({ kind: 'captcha', network, target: sealed.kind })
    const until = clock.now() + PASS_LIVES_MS
    return seal(this.#key, PASS, {
      id: ids.uuid(),
      who: this.#who(actor),
      until,
    } satisfies Pass)
  }

  /** @throws Failure captcha.wrong, captcha.expired, captcha.too_many */
  async #judge(
    { id, kind, solution, until }: Sealed,
    { answer, counter }: { answer: string; counter: string },
    actor: Actor,
  ): Promise<void> {
    const { db } = this.#deps
    const { network } = actor
    // Counted and used up before it is judged: many answers at once cannot share a try, and of one challenge
    // one is judged.
    await this.#spend(limits.answerAttempts(network))
    if (!(await rows.useOnce(db, id, until))) throw fail('captcha.expired')
    const isWorkDone = solution.counter === undefined || foldCode(counter) === solution.counter
    if (!isRight(kind, solution, answer) || (!isWorkDone && (await this.#isGuessed(actor))))
      throw fail('captcha.wrong')
    for (const attempt of limits.answerAttempts(network)) await refundAttempt(db, ...attempt)
    await this.#spend(limits.solvedAttempts(network))
  }

  /** Whether somebody guesses: this number was tried wrongly from this network, or many were. */
  async #isGuessed(actor: Actor): Promise<boolean> {
    const guesses = limits.guesses(originOf(actor), this.#scale)
    return (await usedUpAmong(this.#deps.db, guesses)).length > 0
  }

  /** Counts under all limits or none. @throws Failure captcha.too_many */
  async #spend(attempts: readonly Attempt[]): Promise<void> {
    const scaled = attempts.map(([limit, key]): Attempt => [this.#scaled(limit), key])
    await transaction(this.#deps.db, async (tx) => {
      if (await consumeAttempts(tx, scaled)) throw fail('captcha.too_many')
    })
  }

  /**
   * Lets an act go on, and counts it, or refuses it until a captcha is solved. `pass`: the `sign` of the
   * call. `solvedFor`: whom the page solved it for, where it does not know the number. `isAlways`: one is
   * asked for without a risk as well.
   * @throws Failure captcha.needed (detail.sign: which one)
   */
  async require(
    act: limits.Act,
    actor: Actor,
    { pass, solvedFor = actor, isAlways = false }: Solved = {},
  ): Promise<void> {
    const { mode, db, metrics } = this.#deps
    if (mode === 'never') return
    const origin = originOf(actor)
    const kind = await this.#askedKind(act, origin, isAlways)
    if (kind && !(await this.#usePass(pass, solvedFor))) {
      metrics?.counted(kind, 'asked')
      throw fail('captcha.needed', { sign: signOf(kind) })
    }
    // What is refused is not counted: it would only fill the table.
    await this.#countNumber(origin)
    if (act === 'code') await count(db, limits.countsOf(limits.CODES, origin, 1))
  }

  /**
   * Lets somebody who is logged in go on, or refuses it until a captcha is solved, whatever the risk. The
   * pass is one for no number.
   * @throws Failure captcha.needed (detail.sign: which one)
   */
  async requireOf(network: string, pass: string | undefined): Promise<void> {
    if (await this.#usePass(pass, { number: NO_NUMBER, network })) return
    this.#deps.metrics?.counted('slider', 'asked')
    throw fail('captcha.needed', { sign: signOf('slider') })
  }

  /** A password or code was wrong. */
  async noteWrong(actor: Actor): Promise<void> {
    if (this.#deps.mode === 'never') return
    await count(this.#deps.db, limits.countsOf(limits.FAILURES, originOf(actor), 1))
  }

  /** A password or code was right: the failures of this number at this network are forgotten. */
  async noteRight(actor: Actor): Promise<void> {
    if (this.#deps.mode === 'never') return
    const origin = originOf(actor)
    for (const [limit, key] of limits.countsOf(limits.FAILURES, origin, 1))
      if (key === limits.seenKey(origin)) await resetAttempts(this.#deps.db, limit, key)
  }

  /** What solves a challenge, for developers; null for one that is not valid. */
  solutionOf(id: string): Solution | null {
    const sealed = unseal(this.#key, CHALLENGE, id) as Sealed | null
    return sealed && sealed.until > clock.now() ? sealed.solution : null
  }

  forgetOld(): Promise<void> {
    return rows.deleteExpired(this.#deps.db, clock.now())
  }

  /** Which captcha is asked for; null: none. */
  async #askedKind(act: limits.Act, origin: limits.Origin, isAlways: boolean): Promise<CaptchaKind | null> {
    const risks = limits.risksOf(act)
    const reached = await usedUpAmong(this.#deps.db, limits.countsOf(risks, origin, this.#scale))
    const first = risks.find(({ limit }) => reached.some(({ name }) => name === limit.name))
    if (first) return first.kind
    if (this.#deps.mode !== 'always' && !isAlways) return null
    return act === 'code' ? 'image' : 'slider'
  }

  /** Counts a number once an hour for the network that uses it. */
  async #countNumber(origin: limits.Origin): Promise<void> {
    const { db } = this.#deps
    if (await consumeAttempt(db, limits.NUMBER_SEEN, limits.seenKey(origin)))
      await count(db, limits.countsOf(limits.NUMBERS, origin, 1))
  }

  /** Uses up a pass; false when it is none, too old, used, or for another number or network. */
  async #usePass(sealed: string | undefined, actor: Actor): Promise<boolean> {
    if (sealed === undefined || sealed === '') return false
    const pass = unseal(this.#key, PASS, sealed) as Pass | null
    if (!pass || pass.until <= clock.now() || pass.who !== this.#who(actor)) return false
    return rows.useOnce(this.#deps.db, pass.id, pass.until)
  }

  async #workFactor(network: string): Promise<number> {
    const limit = limits.SOLVED_PER_NETWORK
    const isOpen = (await windowLeftMs(this.#deps.db, limit, network)) > 0
    const solved = isOpen ? await attemptsSpent(this.#deps.db, limit, network) : 0
    return Math.min(
      limits.WORK_FACTOR_MAX,
      2 ** Math.floor(solved / (limits.WORK_DOUBLES_AFTER * this.#scale)),
    )
  }

  #scaled(limit: RateLimit): RateLimit {
    return { ...limit, most: Math.max(1, Math.round(limit.most * this.#scale)) }
  }

  #who(actor: Actor): string {
    const { number, network } = originOf(actor)
    return this.#hash(`${number} ${network}`)
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22)
  }
}

/**
 * One number has one spelling here, whether or not it was checked: `07700 900123` and `7700900123` are the
 * same.
 */
function originOf({ number: { prefix, mobile }, network }: Actor): limits.Origin {
  if (prefix === MAIL || prefix === NAME) return { number: `${prefix} ${mobile}`, network }
  const digits = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')
  return { number: `${digits(prefix)} ${digits(mobile)}`, network }
}

/** Counts under each limit, whether or not it is reached. */
async function count(db: Db, attempts: readonly (readonly [RateLimit, string])[]): Promise<void> {
  await transaction(db, async (tx) => {
    for (const [limit, key] of attempts) await consumeAttempt(tx, { ...limit, most: NO_BOUND }, key)
  })
}
