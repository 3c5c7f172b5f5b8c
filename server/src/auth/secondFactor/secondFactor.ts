/**
 * The second factor: codes of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds) or
 * recovery codes, after the first factor of every way to log in. Decision 57.
 */
import { randomBytes } from 'node:crypto'
import {
  RECOVERY_CODES,
  SETUP_LIVES_MS,
  TOTP_DIGITS,
  TOTP_STEP_MS,
} from '@guildhall/wire/auth/secondFactor.ts'
import { type Failure, type FailureName, fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { Secret, TOTP } from 'otpauth'
import { clock } from '../../kit/clock.ts'
import { type Keys, markedKeys, Seals } from '../../kit/crypto/keys.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import type { Caller } from '../../kit/http/binding.ts'
import { ids } from '../../kit/ids.ts'
import { consumeAttempts, refundAttempt, resetAttempts } from '../../kit/limits/rateLimitDatabase.ts'
import { recordSecurity, type SecurityLog } from '../../kit/securityLog.ts'
import type { UserRow } from '../../user/user.ts'
import { recoveryAttempts, SECOND_FACTORS_HERE, secondFactorAttempts } from '../limit.ts'
import { type FactorSeals, factorSealsIn } from './secondFactorSeals.ts'
import * as rows from './secondFactorSql.ts'

export interface SecondFactorDeps {
  readonly db: Db
  /** Seal secrets, recovery codes and setups. */
  readonly keys: Keys
  /** Whether somebody has logged in at a network. */
  readonly isKnownNetwork: (tx: Tx, user: UserRow, network: string) => Promise<boolean>
  readonly security?: Pick<SecurityLog, 'record'> | undefined
}

/** Whoever is logged in. */
type Owner = Pick<Caller, 'userId' | 'sessionId'>

/** What `check` found: `right` also for people without a second factor. */
export type SecondVerdict = 'right' | SecondRefusal
export type SecondRefusal = Extract<
  FailureName,
  'auth.second_factor_needed' | 'auth.second_factor_wrong' | 'auth.second_factor_used' | 'auth.too_many_tries'
>

/** What is sealed between the beginning of a setup and its first code. */
interface Setup {
  readonly userId: UserId
  readonly sessionId: string
  readonly secret: string
  /** ms */
  readonly until: number
}

const SETUP = 'second factor setup'
const SECRET_BYTES = 20
/** Steps before and after the current one whose codes are right: clocks of phones differ. */
const DRIFT_STEPS = 1
/** Used steps that are kept. A clock that was set back meets them again. */
const USED_STEPS_KEPT = 16
const RECOVERY = /^[2-9A-HJ-NP-Z]{10}$/

const newSecret = (): string =>
  new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: siteName[defaultLocale],
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: TOTP_DIGITS,
    period: TOTP_STEP_MS / SECOND_MS,
  })

/** The step whose code this is; null when it is that of none near now. */
function stepOf(secret: string, token: string): number | null {
  const timestamp = clock.now()
  const drift = totpOf(secret).validate({ token, timestamp, window: DRIFT_STEPS })
  return drift === null ? null : Math.floor(timestamp / TOTP_STEP_MS) + drift
}

const newRecovery = (): string[] => Array.from({ length: RECOVERY_CODES }, () => ids.recoveryCode())
const shownRecovery = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`
const sealedRecovery = (seals: FactorSeals, userId: UserId, codes: readonly string[]): Buffer[] =>
  codes.map((code) => seals.sealRecovery(userId, code))

export const secondFailure = (refusal: SecondRefusal, detail?: { readonly proof: string }): Failure =>
  fail(refusal, detail)

export class SecondFactors {
  readonly #deps: SecondFactorDeps

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps
  }

  /**
   * Judges the second factor of a person whose first one is right, and uses it up. The one place that decides
   * who is asked: what obliges staff to have one goes here. A wrong try must be counted, so the caller
   * commits before it throws; what it rolls back leaves the code valid.
   */
  async check(tx: Tx, user: UserRow, given: string | undefined, network: string): Promise<SecondVerdict> {
    if (!(await rows.find(tx, user.id))) return 'right'
    const code = (given ?? '').toUpperCase()
    if (code === '') return 'auth.second_factor_needed'
    const verdict = await this.#judge(tx, user, code, network)
    if (verdict !== 'right')
      this.#deps.security?.record({ kind: 'second factor', userId: user.id, network, failure: verdict })
    return verdict
  }

  async #judge(tx: Tx, user: UserRow, code: string, network: string): Promise<SecondVerdict> {
    const isRecovery = RECOVERY.test(code)
    const isKnown = await this.#deps.isKnownNetwork(tx, user, network)
    const attempts = isRecovery
      ? recoveryAttempts(user.id, network)
      : secondFactorAttempts(user.id, network, isKnown)
    // Counted before it is judged, so that concurrent guesses cannot share one attempt.
    if (await consumeAttempts(tx, attempts)) return 'auth.too_many_tries'
    const seals = await factorSealsIn(tx, this.#deps.keys)
    // Read once the keys are held: a rotation seals it again meanwhile.
    const row = await rows.lockSealed(tx, user.id)
    if (!row) return 'right'
    if (isRecovery) {
      const sealed = seals.findRecovery(row, code)
      if (!sealed || !(await rows.useRecovery(tx, user.id, sealed))) return 'auth.second_factor_wrong'
      await recordSecurity(tx, { kind: 'recovery code', userId: user.id, network })
    } else {
      const step = stepOf(seals.openSecret(row), code)
      if (step === null) return 'auth.second_factor_wrong'
      if (!(await rows.useStep(tx, user.id, step, USED_STEPS_KEPT))) return 'auth.second_factor_used'
    }
    for (const [limit, key] of attempts)
      if (limit === SECOND_FACTORS_HERE) await resetAttempts(tx, limit, key)
      else await refundAttempt(tx, limit, key)
    return 'right'
  }

  state(userId: UserId): Promise<SecondFactorState> {
    return secondFactorFacts(this.#deps.db, userId)
  }

  /** @throws Failure auth.second_factor_on */
  async requireOff(userId: UserId): Promise<void> {
    if (await rows.find(this.#deps.db, userId)) throw fail('auth.second_factor_on')
  }

  /** @throws Failure auth.second_factor_off */
  async requireOn(userId: UserId): Promise<void> {
    if (!(await rows.find(this.#deps.db, userId))) throw fail('auth.second_factor_off')
  }

  /** A new secret. Nothing is stored of it: `setup` brings it back. */
  async start(
    { userId, sessionId }: Owner,
    label: string,
  ): Promise<{ address: string; secret: string; setup: string }> {
    const secret = newSecret()
    const setup: Setup = { userId, sessionId, secret, until: clock.now() + SETUP_LIVES_MS }
    const address = totpOf(secret, label).toString()
    return { address, secret, setup: (await this.#setups()).seal(SETUP, setup) }
  }

  /**
   * Turns it on by the first code, and returns the recovery codes. Guesses are not counted: who has the setup
   * has the secret.
   * @throws Failure auth.second_factor_expired, auth.second_factor_wrong, auth.second_factor_on
   */
  async confirm(
    { userId, sessionId }: Owner,
    sealed: string,
    code: string,
    network: string,
  ): Promise<string[]> {
    const setup = (await this.#setups()).unseal(SETUP, sealed) as Setup | null
    if (setup?.userId !== userId || setup.sessionId !== sessionId || setup.until <= clock.now())
      throw fail('auth.second_factor_expired')
    const step = stepOf(setup.secret, code)
    if (step === null) throw fail('auth.second_factor_wrong')
    const codes = newRecovery()
    await transaction(this.#deps.db, async (tx) => {
      const seals = await factorSealsIn(tx, this.#deps.keys)
      const secret = seals.sealSecret(userId, setup.secret)
      const recovery = sealedRecovery(seals, userId, codes)
      const isAdded = await rows.add(tx, { userId, secret, now: clock.now(), step, recovery })
      if (!isAdded) throw fail('auth.second_factor_on')
      await recordSecurity(tx, { kind: 'second factor on', userId, sessionId, network })
    })
    return codes.map(shownRecovery)
  }

  /** Turns it off by a code. @throws Failure as `check` answers */
  async end(user: UserRow, owner: Owner, given: string | undefined, network: string): Promise<void> {
    await this.#change(user, owner, { kind: 'second factor off', given, network }, (tx) =>
      rows.remove(tx, user.id),
    )
  }

  /** New recovery codes, by a code. @throws Failure as `check` answers */
  async renew(user: UserRow, owner: Owner, given: string | undefined, network: string): Promise<string[]> {
    const codes = newRecovery()
    await this.#change(user, owner, { kind: 'recovery codes', given, network }, async (tx) => {
      const seals = await factorSealsIn(tx, this.#deps.keys)
      await rows.setRecovery(tx, user.id, sealedRecovery(seals, user.id, codes))
    })
    return codes.map(shownRecovery)
  }

  async #change(
    user: UserRow,
    { sessionId }: Owner,
    input: { readonly kind: string; readonly given: string | undefined; readonly network: string },
    act: (tx: Tx) => Promise<unknown>,
  ): Promise<void> {
    const { kind, given, network } = input
    const verdict = await transaction(this.#deps.db, async (tx) => {
      const found = await this.check(tx, user, given, network)
      if (found !== 'right') return found
      await act(tx)
      await recordSecurity(tx, { kind, userId: user.id, sessionId, network })
      return found
    })
    if (verdict !== 'right') throw secondFailure(verdict)
  }

  async #setups(): Promise<Seals> {
    return new Seals(await markedKeys(this.#deps.db, this.#deps.keys), SETUP)
  }
}

/** Whether a person has a second factor, since when, ms, and how many recovery codes are left. */
export interface SecondFactorState {
  readonly on: boolean
  readonly since: number
  readonly recovery_codes: number
}

export async function secondFactorFacts(db: Db, userId: UserId): Promise<SecondFactorState> {
  const row = await rows.find(db, userId)
  return { on: row !== null, since: row?.created_at ?? 0, recovery_codes: row?.recovery_left ?? 0 }
}

export const hasSecondFactor = async (db: Db, userId: UserId): Promise<boolean> =>
  (await rows.find(db, userId)) !== null

/** Gives an account of the demo world a second factor. Returns the secret of its authenticator. */
export async function enrolSecondFactor(tx: Tx, userId: UserId, keys: Keys): Promise<string> {
  const secret = newSecret()
  const sealed = (await factorSealsIn(tx, keys)).sealSecret(userId, secret)
  await rows.add(tx, { userId, secret: sealed, now: clock.now(), step: 0, recovery: [] })
  return secret
}

/** The code that an authenticator with this secret shows now. */
export const codeNow = (secret: string): string => totpOf(secret).generate({ timestamp: clock.now() })

/** Turns a person's second factor off without a code. Whether it was on. */
export const dropSecondFactor = rows.remove
