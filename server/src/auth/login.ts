/** Logging in: by a code sent to a phone, or by a password. chat.md §5. */

import { createHmac } from 'node:crypto'
import { CODE_DIGITS, CODE_LIVES_MS, type Session, STRANGE_CODE_TRIES } from '@guildhall/wire/auth/auth.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { type Failure, type FailureName, fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { ids } from '../kit/ids.ts'
import {
  type Attempt,
  consumeAttempt,
  consumeAttempts,
  isUsedUp,
  refundAttempt,
  resetAttempts,
  windowLeftMs,
} from '../kit/limits/rateLimitDatabase.ts'
import { type Sms, SmsRefused } from '../outside/sms/sms.ts'
import {
  findByMobile,
  isSuspended,
  markVerified,
  register,
  suspendedFailure,
  type UserRow,
} from '../user/user.ts'
import type { CodeRules, Origin } from './limit.ts'
import * as limits from './limit.ts'
import { isPhone, readNumber, requireMobilePhone, saidOf } from './number.ts'
import { checkPassword } from './password.ts'
import { type Purpose, TYPES_FOR } from './purpose.ts'
import { type SecondFactors, secondFailure } from './secondFactor/secondFactor.ts'
import * as rows from './sql.ts'
import { authText } from './text.ts'

/** The client's network and the public address of the server. */
export interface RequestOrigin {
  readonly network: string
  readonly origin: string
  /** The User-Agent header; devices are named by it. */
  readonly agent?: string
  /** What the client says of where its user comes from. */
  readonly clientSource?: number | null
}

export interface LoginDeps {
  readonly db: Db
  readonly sms: Sms
  readonly smsRules: CodeRules
  /** Signs codes and networks, of which only the hash is stored. */
  readonly codeKey: Buffer
  /**
   * An account was created, after the invite of `inviteCode`, by somebody who comes from `clientSource`. Runs
   * in the transaction that makes the account.
   */
  readonly onRegistered: (
    tx: Tx,
    userId: UserId,
    inviteCode: string | null,
    clientSource: number | null,
  ) => Promise<void>
  /** Asked after the first factor. */
  readonly secondFactors: Pick<SecondFactors, 'check'>
  /** Begins a session and returns it as its person sees it. */
  readonly openSession: (tx: Db, user: UserRow, remember: boolean, from: RequestOrigin) => Promise<Session>
}

/** Why a code did not do. `none`: there is no valid one to try. */
export type CodeRefusal = 'wrong' | 'none' | 'too many'

const CODE_FAILURES = {
  wrong: 'auth.code_wrong',
  none: 'auth.code_expired',
  'too many': 'auth.too_many_tries',
} as const

export const codeFailure = (refusal: CodeRefusal): Failure => fail(CODE_FAILURES[refusal])

export const isRefused = (outcome: unknown): outcome is CodeRefusal =>
  typeof outcome === 'string' && Object.hasOwn(CODE_FAILURES, outcome)
/** What else a login by code does. */
export interface AlsoEnter {
  /** The name of a new account. */
  readonly makeName: () => string
  /** Runs in the transaction before the session begins; what it throws leaves the code valid. */
  readonly onEnter: (tx: Tx, user: UserRow, isNew: boolean) => Promise<void>
}

/** Why a message was not sent, to its person. */
const unsentFailure = (number: Mobile, error: unknown): FailureName =>
  !isPhone(number) && error instanceof SmsRefused && error.reason === 'number'
    ? 'auth.address_refused'
    : saidOf(number).unsent

/** No user has this id. */
const NOBODY = '0' as UserId

/** The name of an account until its owner chooses one. */
export const newName = (): string => authText[defaultLocale].newUserName(ids.digits(4))

/** The keyed hash of a network, as codes and sessions store it. */
export const hashNetwork = (key: Buffer, network: string): Buffer =>
  createHmac('sha256', key).update(`place ${network}`).digest()

export class Login {
  readonly #deps: LoginDeps

  constructor(deps: LoginDeps) {
    this.#deps = deps
  }

  /**
   * Sends a code to a number. Behaves the same whether the number has an account or not, until its network
   * has used up what it may ask for: then those with an account go on. A code that was asked for from
   * elsewhere stays valid.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.prefix_refused, auth.code_too_soon
   *   (detail.n: seconds), auth.code_too_many, auth.sms_failed; of an address auth.address_required,
   *   auth.address_wrong, auth.address_refused, auth.mail_failed
   */
  async requestCode(raw: Mobile, type: string, network: string): Promise<void> {
    const { db, sms, smsRules } = this.#deps
    const number = readNumber(raw)
    if (isPhone(number)) {
      if (!smsRules.prefixes.includes(number.prefix)) throw fail('auth.prefix_refused')
      requireMobilePhone(number)
    }
    const from = await this.#originOf(number, network)
    const code = ids.digits(CODE_DIGITS)
    const now = clock.now()
    const asker = this.#hashNetwork(network)
    const stored = { ...number, asker, type, now, hash: this.#hashCode(number, code) }
    const spacing: Attempt = [limits.CODE_SPACING, limits.spacingKey(from)]
    const today = this.#smsToday(from)
    // One transaction: a refusal by one limit does not count against the others.
    await transaction(db, async (tx) => {
      if (!(await consumeAttempt(tx, ...spacing))) {
        const waitMs = Math.max(SECOND_MS, await windowLeftMs(tx, ...spacing))
        throw fail('auth.code_too_soon', { n: Math.ceil(waitMs / SECOND_MS) })
      }
      const refused = await consumeAttempts(tx, limits.codeAttempts(from, smsRules))
      if (refused) throw fail('auth.code_too_many')
      if (await consumeAttempts(tx, today)) throw fail('auth.sms_failed')
      // Before the code, as a try locks them, so that the two cannot wait for each other.
      await resetAttempts(tx, limits.WRONG_CODES_HERE, limits.hereKey(from))
      await rows.storeCode(tx, { ...stored, expires: now + CODE_LIVES_MS })
    })
    try {
      await sms.send({ ...number, code, type })
    } catch (error) {
      await this.#forgetUnsent(error, from, stored)
      throw Object.assign(fail(unsentFailure(number, error)), { cause: error })
    }
  }

  /**
   * True when half of the day's messages are gone and the number is not logged in at this network: whether it
   * has an account does not matter, so that nothing is told of that.
   */
  async isScarceFor(number: Mobile, network: string): Promise<boolean> {
    const { db, smsRules } = this.#deps
    if (smsRules.dailyMax === null || !isPhone(number)) return false
    const [limit, day] = limits.smsToday(Math.ceil(smsRules.dailyMax / 2))
    if (!(await isUsedUp(db, limit, day))) return false
    return !(await this.#originOf(number, network)).isKnown
  }

  #smsToday(from: Origin): Attempt[] {
    const { smsRules } = this.#deps
    if (!isPhone(from.number)) return []
    return [limits.smsToday(smsRules.dailyMax), limits.smsOfStrangersToday(smsRules, from)]
  }

  /**
   * Nobody has to wait for a message that was not sent. After an error that is no refusal it may have been
   * sent: the code stays valid, and the day's bound counts it.
   */
  async #forgetUnsent(
    error: unknown,
    from: Origin,
    code: Parameters<typeof rows.deleteCode>[1],
  ): Promise<void> {
    const { db, smsRules } = this.#deps
    await resetAttempts(db, limits.CODE_SPACING, limits.spacingKey(from))
    const isRefused = error instanceof SmsRefused
    if (isRefused) {
      await rows.deleteCode(db, code)
      for (const attempt of this.#smsToday(from)) await refundAttempt(db, ...attempt)
    }
    if (isRefused && error.reason === 'number') return
    for (const attempt of limits.codeAttempts(from, smsRules)) await refundAttempt(db, ...attempt)
  }

  /**
   * Logs in by a code; a number seen for the first time becomes an account. The code is used up only if all
   * of it succeeds.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.code_required, auth.code_wrong,
   *   auth.code_expired, auth.too_many_tries, auth.banned, auth.second_factor_needed,
   *   auth.second_factor_wrong, auth.second_factor_used
   */
  async loginByCode(
    input: Mobile & {
      readonly code: string
      readonly remember: boolean
      readonly inviteCode?: string | undefined
      readonly secondFactor?: string | undefined
    },
    from: RequestOrigin,
    also?: AlsoEnter,
  ): Promise<Session> {
    const number = readNumber(input)
    const code = input.code
    if (code === '') throw fail('auth.code_required')
    const startedAt = clock.now()
    // A wrong try must be counted, so it is not thrown before the commit.
    const { secondFactors } = this.#deps
    const outcome = await transaction(this.#deps.db, async (tx) => {
      const verdict = await this.tryCode(tx, number, code, { network: from.network, purpose: 'login' })
      if (verdict !== 'right') return verdict
      const { user, isNew } = await register(tx, {
        ...number,
        verified: true,
        makeName: also?.makeName ?? newName,
      })
      if (isSuspended(user)) return { suspended: user }
      const second = isNew ? 'right' : await secondFactors.check(tx, user, input.secondFactor, from.network)
      if (second !== 'right') {
        await this.#giveBackCode(tx, number, code, startedAt)
        return { second }
      }
      if (!user.mobile_verified) await markVerified(tx, user.id)
      if (isNew)
        await this.#deps.onRegistered(tx, user.id, input.inviteCode ?? null, from.clientSource ?? null)
      await also?.onEnter(tx, user, isNew)
      return this.#deps.openSession(tx, { ...user, mobile_verified: true }, input.remember, from)
    })
    if (isRefused(outcome)) throw codeFailure(outcome)
    if ('suspended' in outcome) throw suspendedFailure(outcome.suspended)
    if ('second' in outcome) throw secondFailure(outcome.second)
    return outcome
  }

  /**
   * Logs in by a password. An unknown number takes as long and answers the same as a wrong password.
   * `requires`: asked once the password is right, before the second factor is used up; what it throws begins
   * no session.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.password_required, auth.password_wrong,
   *   auth.too_many_tries, auth.banned, auth.second_factor_needed, auth.second_factor_wrong,
   *   auth.second_factor_used
   */
  async loginByPassword(
    input: Mobile & {
      readonly password: string
      readonly remember: boolean
      readonly secondFactor?: string | undefined
    },
    from: RequestOrigin,
    requires: (user: UserRow) => Promise<void> = async () => undefined,
  ): Promise<Session> {
    const number = readNumber(input)
    if (input.password === '') throw fail('auth.password_required')
    const { db } = this.#deps
    const origin = await this.#originOf(number, from.network)
    // Counted before the password is checked, so that concurrent guesses cannot share one attempt.
    await transaction(db, async (tx) => {
      if (await consumeAttempts(tx, limits.passwordAttempts(origin))) throw fail('auth.too_many_tries')
    })
    const user = await findByMobile(db, number.prefix, number.mobile)
    const hash = await rows.passwordHash(db, user?.id ?? NOBODY)
    if (!(await checkPassword(input.password, hash, from.network)) || !user)
      throw fail(saidOf(number).passwordWrong)
    if (isSuspended(user)) throw suspendedFailure(user)
    await this.#forgive(origin)
    await requires(user)
    return this.enter(user, input, from)
  }

  /**
   * Begins a session of somebody whose first factor is right, once the second one is.
   * @throws Failure auth.second_factor_needed (detail: what `proof` makes), auth.second_factor_wrong,
   *   auth.second_factor_used, auth.too_many_tries
   */
  async enter(
    user: UserRow,
    input: { readonly remember: boolean; readonly secondFactor?: string | undefined },
    from: RequestOrigin,
    also: { readonly proof?: () => string; readonly onEnter?: (tx: Tx) => Promise<void> } = {},
  ): Promise<Session> {
    const { db, secondFactors, openSession } = this.#deps
    // A wrong try must be counted, so it is not thrown before the commit.
    const outcome = await transaction(db, async (tx) => {
      const second = await secondFactors.check(tx, user, input.secondFactor, from.network)
      if (second !== 'right') return { second }
      await also.onEnter?.(tx)
      return openSession(tx, user, input.remember, from)
    })
    if (!('second' in outcome)) return outcome
    const isNeeded = outcome.second === 'auth.second_factor_needed'
    throw secondFailure(outcome.second, isNeeded && also.proof ? { proof: also.proof() } : undefined)
  }

  /**
   * A right password gives the tries back: those of its network wholly, those of its number as far as it used
   * them.
   */
  async forgive(number: Mobile, network: string): Promise<void> {
    await this.#forgive(await this.#originOf(number, network))
  }

  async #forgive(origin: Origin): Promise<void> {
    const { db } = this.#deps
    for (const [limit, key] of limits.passwordAttempts(origin)) {
      if (limit === limits.PASSWORDS_HERE) await resetAttempts(db, limit, key)
      else if (limit === limits.PASSWORDS_HERE_WIDE || limit === limits.PASSWORDS_PER_NUMBER)
        await refundAttempt(db, limit, key)
    }
  }

  /**
   * One counted try at the codes of a number that are good for a purpose, of which the right one is used up.
   * A wrong try must be counted, so the caller commits before it throws. `too many`: this network tried too
   * often, whatever the numbers.
   */
  async tryCode(
    tx: Tx,
    number: Mobile,
    code: string,
    { network, purpose }: { readonly network: string; readonly purpose: Purpose },
  ): Promise<'right' | CodeRefusal> {
    const here: Attempt = [limits.WRONG_CODES_HERE, limits.hereKey({ number, network })]
    const ofNetwork = limits.wrongCodeAttempts(network)
    // Not rolled back: a refused try of a network may count.
    if (await consumeAttempts(tx, ofNetwork)) return 'too many'
    if (!(await consumeAttempt(tx, ...here))) return 'none'
    const verdict = await rows.tryCode(tx, {
      ...number,
      asker: this.#hashNetwork(network),
      hash: this.#hashCode(number, code),
      types: TYPES_FOR[purpose],
      now: clock.now(),
      strangeMost: STRANGE_CODE_TRIES,
    })
    if (verdict !== 'right') return verdict
    for (const attempt of ofNetwork) await refundAttempt(tx, ...attempt)
    await resetAttempts(tx, ...here)
    return verdict
  }

  /** Makes a right code valid again, because what it was for did not happen. `usedSince` in ms. */
  giveBackCode(number: Mobile, code: string, usedSince: number): Promise<void> {
    return this.#giveBackCode(this.#deps.db, number, code, usedSince)
  }

  #giveBackCode(db: Db, number: Mobile, code: string, usedSince: number): Promise<void> {
    return rows.giveBackCode(db, { ...number, hash: this.#hashCode(number, code), usedSince })
  }

  async #originOf(number: Mobile, network: string): Promise<Origin> {
    const { db } = this.#deps
    const user = await findByMobile(db, number.prefix, number.mobile)
    // Asked for nobody too, so that the time of an answer does not tell.
    const isKnown = await rows.isKnownNetwork(db, user?.id ?? NOBODY, this.#hashNetwork(network))
    return { number, network, isKnown, hasAccount: user !== null }
  }

  #hashNetwork(network: string): Buffer {
    return hashNetwork(this.#deps.codeKey, network)
  }

  #hashCode({ prefix, mobile }: Mobile, code: string): Buffer {
    return createHmac('sha256', this.#deps.codeKey).update(`${prefix} ${mobile} ${code}`).digest()
  }
}
