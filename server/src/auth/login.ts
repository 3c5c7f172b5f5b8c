/** Logging in: by a code sent to a phone, or by a password. chat.md §5. */

import { createHmac } from 'node:crypto'
import {
  CODE_DIGITS,
  CODE_LIVES_MS,
  CODE_RESEND_MS,
  CODE_TRIES,
  type Session,
} from '@guildhall/wire/auth/auth.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/db.ts'
import { ids } from '../kit/ids.ts'
import { consumeAttempt, type RateLimit, resetAttempts } from '../kit/rateLimitDatabase.ts'
import type { Sms } from '../outside/sms.ts'
import { BANNED, findByMobile, markVerified, register, type UserRow } from '../user/user.ts'
import { keyOf, readNumber } from './number.ts'
import { checkPassword } from './password.ts'
import * as rows from './sql.ts'
import { authText } from './text.ts'

const CODES_PER_NUMBER: RateLimit = { name: 'code by number', most: 5, windowMs: HOUR_MS }
const CODES_PER_PLACE: RateLimit = { name: 'code by place', most: 30, windowMs: HOUR_MS }
const PASSWORDS_PER_NUMBER: RateLimit = { name: 'password by number', most: 10, windowMs: 15 * MINUTE_MS }
const PASSWORDS_PER_PLACE: RateLimit = { name: 'password by place', most: 100, windowMs: 15 * MINUTE_MS }

/** The client's network and the public address of the server. */
export interface RequestOrigin {
  readonly place: string
  readonly origin: string
}

export interface LoginDeps {
  readonly db: Db
  readonly sms: Sms
  /** Signs codes, of which only the hash is stored. */
  readonly codeKey: Buffer
  /** An account was created, after the invite of `inviteCode`. Runs in the transaction that makes the account. */
  readonly onRegistered: (tx: Tx, userId: UserId, inviteCode: string | null) => Promise<void>
  /** Begins a session and returns it as its person sees it. */
  readonly openSession: (tx: Db, user: UserRow, remember: boolean, from: RequestOrigin) => Promise<Session>
}

export class Login {
  readonly #deps: LoginDeps

  constructor(deps: LoginDeps) {
    this.#deps = deps
  }

  /**
   * Sends a code to a number. Behaves the same whether the number has an account or not.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.code_too_soon (detail.n: seconds),
   *   auth.code_too_many, auth.sms_failed
   */
  async requestCode(raw: Mobile, type: string, place: string): Promise<void> {
    const number = readNumber(raw)
    const code = ids.digits(CODE_DIGITS)
    const hash = this.#hashCode(number, code)
    const now = clock.now()
    // One transaction: a refusal by one limit does not count against the others.
    await transaction(this.#deps.db, async (tx) => {
      const sentAt = await rows.storeCode(tx, {
        ...number,
        hash,
        type,
        now,
        expires: now + CODE_LIVES_MS,
        notAfter: now - CODE_RESEND_MS,
      })
      if (sentAt !== null) {
        const waitMs = Math.min(CODE_RESEND_MS, Math.max(SECOND_MS, sentAt + CODE_RESEND_MS - now))
        throw fail('auth.code_too_soon', { n: Math.ceil(waitMs / SECOND_MS) })
      }
      if (!(await consumeAttempt(tx, CODES_PER_NUMBER, keyOf(number)))) throw fail('auth.code_too_many')
      if (!(await consumeAttempt(tx, CODES_PER_PLACE, place))) throw fail('auth.code_too_many')
    })
    try {
      await this.#deps.sms.send({ ...number, code, type })
    } catch (error) {
      await rows.deleteCode(this.#deps.db, number.prefix, number.mobile, hash)
      throw Object.assign(fail('auth.sms_failed'), { cause: error })
    }
  }

  /**
   * Logs in by a code; a number seen for the first time becomes an account. The code is used up only if all of it
   * succeeds.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.code_required, auth.code_wrong, auth.code_expired,
   *   auth.banned
   */
  async loginByCode(
    it: Mobile & {
      readonly code: string
      readonly remember: boolean
      readonly inviteCode?: string | undefined
    },
    from: RequestOrigin,
  ): Promise<Session> {
    const number = readNumber(it)
    const code = it.code.trim()
    if (code === '') throw fail('auth.code_required')
    const now = clock.now()
    // A wrong try must be counted, so it is not thrown before the commit.
    const outcome = await transaction(this.#deps.db, async (tx) => {
      const verdict = await rows.tryCode(tx, {
        ...number,
        hash: this.#hashCode(number, code),
        now,
        most: CODE_TRIES,
      })
      if (verdict !== 'right') return verdict
      const { user, isNew } = await register(tx, {
        ...number,
        verified: true,
        makeName: () => authText[defaultLocale].newUserName(ids.digits(4)),
      })
      if (user.status === BANNED) return 'banned'
      if (!user.mobile_verified) await markVerified(tx, user.id)
      if (isNew) await this.#deps.onRegistered(tx, user.id, it.inviteCode ?? null)
      return this.#deps.openSession(tx, { ...user, mobile_verified: true }, it.remember, from)
    })
    if (outcome === 'wrong') throw fail('auth.code_wrong')
    if (outcome === 'none') throw fail('auth.code_expired')
    if (outcome === 'banned') throw fail('auth.banned')
    return outcome
  }

  /**
   * Logs in by a password. An unknown number takes as long and answers the same as a wrong password.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.password_required, auth.password_wrong,
   *   auth.too_many_tries, auth.banned
   */
  async loginByPassword(
    it: Mobile & { readonly password: string; readonly remember: boolean },
    from: RequestOrigin,
  ): Promise<Session> {
    const number = readNumber(it)
    if (it.password === '') throw fail('auth.password_required')
    // Counted before the password is checked, so that concurrent guesses cannot share one attempt.
    const mayTry =
      (await consumeAttempt(this.#deps.db, PASSWORDS_PER_PLACE, from.place)) &&
      (await consumeAttempt(this.#deps.db, PASSWORDS_PER_NUMBER, keyOf(number)))
    if (!mayTry) throw fail('auth.too_many_tries')
    const user = await findByMobile(this.#deps.db, number.prefix, number.mobile)
    const hash = user ? await rows.passwordHash(this.#deps.db, user.id) : null
    if (!(await checkPassword(it.password, hash)) || !user) throw fail('auth.password_wrong')
    if (user.status === BANNED) throw fail('auth.banned')
    await resetAttempts(this.#deps.db, PASSWORDS_PER_NUMBER, keyOf(number))
    return this.#deps.openSession(this.#deps.db, user, it.remember, from)
  }

  /** One counted try at the valid code of a number, which is used up when it is right. */
  tryCode(number: Mobile, code: string): Promise<'right' | 'wrong' | 'none'> {
    const it = { hash: this.#hashCode(number, code), now: clock.now(), most: CODE_TRIES }
    return rows.tryCode(this.#deps.db, { ...number, ...it })
  }

  #hashCode({ prefix, mobile }: Mobile, code: string): Buffer {
    return createHmac('sha256', this.#deps.codeKey).update(`${prefix} ${mobile} ${code}`).digest()
  }
}
