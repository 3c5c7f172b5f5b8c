/**
 * Logging in by an account at a third party. A login begins and ends in one browser, which keeps a sealed
 * cookie; the account is bound to a number before it has a session. Decision 53.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Session } from '@guildhall/wire/auth/auth.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import {
  BIND_LIVES_MS,
  type BindNeeded,
  readState,
  SECOND_FACTOR_PROOF_MS,
  stateOf,
  THIRD_PARTY_LOGIN_MS,
  type ThirdPartyName,
} from '@guildhall/wire/auth/thirdParty.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { isName } from '@guildhall/wire/user/name.ts'
import { readName } from '@guildhall/wire/words.ts'
import { clock } from '../../kit/clock.ts'
import { seal, unseal } from '../../kit/crypto/seal.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { ids } from '../../kit/ids.ts'
import { consumeAttempts } from '../../kit/limits/rateLimitDatabase.ts'
import type { Log } from '../../kit/log.ts'
import { isAllowed, type Screens } from '../../kit/screening.ts'
import {
  type Identity,
  PROVIDER_TIMEOUT_MS,
  type Profile,
  type Surface,
  type ThirdParty,
  ThirdPartyFailed,
  ThirdPartyRefused,
} from '../../outside/login/thirdParty.ts'
import { findUser, isSuspended, lockUser, suspendedFailure, type UserRow } from '../../user/user.ts'
import { thirdPartyAttempts } from '../limit.ts'
import { type Login, newName, type RequestOrigin } from '../login.ts'
import * as rows from './thirdPartySql.ts'

export interface ThirdPartyDeps {
  readonly db: Db
  readonly providers: readonly ThirdParty[]
  /** Seals what browsers keep. */
  readonly key: Buffer
  readonly login: Pick<Login, 'loginByCode' | 'enter'>
  /** A new account has a picture at the provider. Called after the commit; must not throw. */
  readonly onPicture: (userId: UserId, address: string) => void
  readonly log?: Pick<Log, 'warn'> | undefined
  /** Judges the name that somebody has at their provider. */
  readonly screens?: Screens
}

/** A request of the browser that logs in. */
export interface BrowserOrigin extends RequestOrigin {
  readonly cookie: (name: string) => string | null
}

/** What the browser keeps of a login that began in it. */
interface Begun {
  readonly id: string
  readonly provider: ThirdPartyName
  readonly nonce: string
  readonly surface: Surface
  readonly redirectUri: string
  /** ms */
  readonly until: number
}

/** What binds an account to a number. */
interface BindInfo extends Identity, Profile {
  readonly id: string
  /** The login that it came from, whose browser alone may use it. */
  readonly begun: string
  readonly provider: ThirdPartyName
  /** ms */
  readonly until: number
}

/**
 * That a provider has told who somebody is, until the second factor is typed: the provider's code counts
 * once. Good for the browser and the network of the login.
 */
interface Proof {
  readonly id: string
  readonly begun: string
  readonly provider: ThirdPartyName
  readonly network: string
  readonly identity: Identity
  /** ms */
  readonly until: number
}

const PROOF = 'third party proof'
const BEGUN = 'third party begun'
const BIND = 'third party bind'
const NICKNAME_MAX = 30
/** The browser keeps the cookie until bind info has ended, too. */
const COOKIE_S = (THIRD_PARTY_LOGIN_MS + BIND_LIVES_MS) / SECOND_MS

/**
 * With https the name keeps other hosts of the domain from setting it, so that nobody plants a login of
 * theirs in a browser.
 */
const cookieName = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-third-party' : 'third-party'

export class ThirdPartyLogin {
  readonly #deps: ThirdPartyDeps

  constructor(deps: ThirdPartyDeps) {
    this.#deps = deps
  }

  get names(): readonly ThirdPartyName[] {
    return this.#deps.providers.map(({ name }) => name)
  }

  /** The provider's page, and the cookie that its answer needs. @throws Failure auth.third_part_off */
  start(
    name: string,
    { origin, userAgent }: { readonly origin: string; readonly userAgent: string },
  ): { readonly address: string; readonly cookie: string } {
    const provider = this.#providerOf(name)
    const surface = provider.surfaceOf(userAgent)
    const begun: Begun = {
      id: ids.uuid(),
      provider: provider.name,
      nonce: ids.token(),
      surface,
      redirectUri: `${origin}/login`,
      until: clock.now() + THIRD_PARTY_LOGIN_MS,
    }
    const { redirectUri, nonce } = begun
    const secure = origin.startsWith('https:') ? '; Secure' : ''
    const value = seal(this.#deps.key, BEGUN, begun)
    return {
      address: provider.authorizeUrl({ surface, redirectUri, state: stateOf(provider.name, nonce) }),
      cookie: `${cookieName(origin)}=${value}; Path=/; Max-Age=${COOKIE_S}; HttpOnly; SameSite=Lax${secure}`,
    }
  }

  /**
   * Logs the user of an account in.
   * @throws Failure auth.third_part_off, auth.third_part_state, auth.third_part_refused,
   *   auth.third_part_failed, auth.too_many_tries, auth.banned, auth.bind_needed (detail: a `BindNeeded`),
   *   auth.second_factor_needed (detail.proof), auth.second_factor_wrong, auth.second_factor_used
   */
  async login(
    input: {
      readonly provider: ThirdPartyName
      readonly code: string
      readonly state: string
      readonly remember: boolean
      readonly secondFactor?: string | undefined
      readonly proof?: string | undefined
    },
    from: BrowserOrigin,
  ): Promise<Session> {
    const { db } = this.#deps
    const provider = this.#providerOf(input.provider)
    const begun = this.#begunIn(from)
    if (!begun || !isAnswerTo(begun, input)) throw fail('auth.third_part_state')
    if (input.proof !== undefined) return this.#loginByProof(begun, { ...input, sealed: input.proof }, from)
    const account = await this.#redeem(provider, begun, input.code, from.network)
    const userId = await rows.userOf(db, provider.name, account)
    const user = userId && (await findUser(db, userId))
    if (!user) throw fail('auth.bind_needed', await this.#bindNeeded(begun, account))
    if (isSuspended(user)) throw suspendedFailure(user)
    await rows.noteUnionid(db, provider.name, account)
    return this.#deps.login.enter(user, input, from, {
      proof: () => this.#prove(begun, account, from.network),
    })
  }

  /**
   * Links the account that a provider's answer is of to somebody who is logged in. `confirm` proves that they
   * own theirs, before the answer is used up; `record` notes in the transaction that it is linked now.
   * @throws Failure auth.third_part_off, auth.third_part_state, auth.third_part_refused,
   *   auth.third_part_failed, auth.third_part_taken, auth.bind_other, auth.too_many_tries, and as `confirm`
   */
  async link(
    input: { readonly provider: ThirdPartyName; readonly code: string; readonly state: string },
    to: {
      readonly userId: UserId
      readonly confirm: () => Promise<void>
      readonly record: (tx: Tx) => Promise<void>
    },
    from: BrowserOrigin,
  ): Promise<void> {
    const { userId } = to
    const provider = this.#providerOf(input.provider)
    const begun = this.#begunIn(from)
    if (!begun || !isAnswerTo(begun, input) || begun.until <= clock.now()) throw fail('auth.third_part_state')
    await to.confirm()
    const account = await this.#redeem(provider, begun, input.code, from.network)
    await transaction(this.#deps.db, async (tx) => {
      await lockUser(tx, userId)
      const holder = await rows.userOf(tx, provider.name, account)
      if (holder === userId) return
      if (holder !== null) throw fail('auth.third_part_taken')
      if (await rows.hasAccount(tx, provider.name, userId)) throw fail('auth.bind_other')
      const { openid, unionid } = account
      const isAdded = await rows.add(tx, {
        provider: provider.name,
        openid,
        unionid,
        userId,
        now: clock.now(),
      })
      // Somebody else has linked it at the same moment.
      if (!isAdded) throw fail('auth.third_part_taken')
      await to.record(tx)
    })
  }

  /** Asks a provider whose answer this is; the answer counts once. */
  async #redeem(provider: ThirdParty, begun: Begun, code: string, network: string) {
    const { db } = this.#deps
    if (begun.until <= clock.now()) throw fail('auth.third_part_state')
    await transaction(db, async (tx) => {
      if (await consumeAttempts(tx, thirdPartyAttempts(network))) throw fail('auth.too_many_tries')
    })
    // Before the provider is asked: of two returns with one state, one goes on.
    if (!(await rows.useOnce(db, begun.id, begun.until))) throw fail('auth.third_part_state')
    return this.#identify(provider, begun, code)
  }

  /**
   * Goes on where the second factor was missing. The proof is used up by the login. @throws Failure as
   * `login`
   */
  async #loginByProof(
    begun: Begun,
    input: {
      readonly sealed: string
      readonly remember: boolean
      readonly secondFactor?: string | undefined
    },
    from: BrowserOrigin,
  ): Promise<Session> {
    const { db, key, login } = this.#deps
    const proof = unseal(key, PROOF, input.sealed) as Proof | null
    if (proof?.begun !== begun.id || proof.network !== from.network || proof.until <= clock.now())
      throw fail('auth.third_part_state')
    const userId = await rows.userOf(db, proof.provider, proof.identity)
    const user = userId && (await findUser(db, userId))
    // It was bound to somebody else meanwhile, or its account was deleted.
    if (!user) throw fail('auth.third_part_state')
    if (isSuspended(user)) throw suspendedFailure(user)
    return login.enter(user, input, from, {
      onEnter: async (tx) => {
        if (!(await rows.useOnce(tx, proof.id, proof.until))) throw fail('auth.third_part_state')
      },
    })
  }

  #prove({ id, provider }: Begun, { openid, unionid }: Identity, network: string): string {
    const until = clock.now() + SECOND_FACTOR_PROOF_MS
    const proof: Proof = {
      id: ids.uuid(),
      begun: id,
      provider,
      network,
      until,
      identity: { openid, unionid },
    }
    return seal(this.#deps.key, PROOF, proof)
  }

  /**
   * Binds an account to the user of a number, or to a new one, and logs in. The code and the bind info are
   * used up only if all of it succeeds.
   * @throws Failure as `loginByCode`, auth.third_part_off, auth.bind_expired, auth.bind_other
   */
  async bind(
    input: Mobile & {
      readonly bindInfo: string
      readonly code: string
      readonly remember: boolean
      readonly replace: boolean
      readonly secondFactor?: string | undefined
    },
    from: BrowserOrigin,
  ): Promise<Session> {
    const info = this.#bindInfoOf(input.bindInfo, from)
    this.#providerOf(info.provider)
    let isMade = false
    const session = await this.#deps.login.loginByCode(input, from, {
      makeName: nameMaker(info.nickname),
      onEnter: async (tx, user, isNew) => {
        isMade = isNew
        await this.#bindTo(tx, user, info, input.replace)
      },
    })
    if (isMade && info.avatar !== '') this.#deps.onPicture(session.user.id, info.avatar)
    return session
  }

  /** Forgets what would be refused as too old. */
  forgetOld(): Promise<void> {
    return rows.deleteUsed(this.#deps.db, clock.now())
  }

  /** @throws Failure auth.bind_other, auth.bind_expired */
  async #bindTo(tx: Tx, { id }: UserRow, info: BindInfo, replace: boolean): Promise<void> {
    const { provider, openid, unionid } = info
    if (!(await rows.useOnce(tx, info.id, info.until))) throw fail('auth.bind_expired')
    if (replace) await rows.remove(tx, provider, id)
    else if (await rows.hasAccount(tx, provider, id)) throw fail('auth.bind_other')
    const isAdded = await rows.add(tx, { provider, openid, unionid, userId: id, now: clock.now() })
    // It was bound meanwhile: to log in again leads to its user.
    if (!isAdded) throw fail('auth.bind_expired')
  }

  /** @throws Failure auth.bind_expired */
  #bindInfoOf(sealed: string, from: BrowserOrigin): BindInfo {
    const info = unseal(this.#deps.key, BIND, sealed) as BindInfo | null
    if (!info || info.until <= clock.now() || this.#begunIn(from)?.id !== info.begun)
      throw fail('auth.bind_expired')
    return info
  }

  #begunIn({ origin, cookie }: BrowserOrigin): Begun | null {
    return unseal(this.#deps.key, BEGUN, cookie(cookieName(origin)) ?? '') as Begun | null
  }

  async #bindNeeded(
    { id, provider }: Begun,
    { openid, unionid, profile }: Identity & { readonly profile: () => Promise<Profile> },
  ): Promise<BindNeeded> {
    // Without a name and a picture the account is made all the same.
    const { nickname: given, avatar } = await profile().catch((error: unknown) => {
      this.#warn(error)
      return { nickname: '', avatar: '' }
    })
    // One that is not allowed here is no reason to be kept out: the account gets a name as one without a
    // provider does.
    const asked = { target: 'username' as const, userId: null, texts: [given] }
    const nickname = (await isAllowed(this.#deps.screens ?? {}, asked)) ? given : ''
    const until = clock.now() + BIND_LIVES_MS
    const info: BindInfo = { id: ids.uuid(), begun: id, provider, openid, unionid, nickname, avatar, until }
    const shown = nameFrom(nickname) ?? ''
    return { bind_info: seal(this.#deps.key, BIND, info), token_type: provider, nickname: shown }
  }

  /** @throws Failure auth.third_part_refused, auth.third_part_failed */
  async #identify(provider: ThirdParty, { surface, redirectUri }: Begun, code: string) {
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS)
    try {
      return await provider.identify({ code, surface, redirectUri }, signal)
    } catch (error) {
      this.#warn(error)
      if (error instanceof ThirdPartyRefused) throw fail('auth.third_part_refused')
      if (error instanceof ThirdPartyFailed)
        throw Object.assign(fail('auth.third_part_failed'), { cause: error })
      throw error
    }
  }

  #warn(error: unknown): void {
    if (error instanceof ThirdPartyFailed) this.#deps.log?.warn({ err: error }, 'a login provider fails')
  }

  /** @throws Failure auth.third_part_off */
  #providerOf(wanted: string): ThirdParty {
    const provider = this.#deps.providers.find(({ name }) => name === wanted)
    if (!provider) throw fail('auth.third_part_off')
    return provider
  }
}

/** Whether a return is that of this login. */
function isAnswerTo(
  begun: Begun,
  input: { readonly provider: ThirdPartyName; readonly state: string },
): boolean {
  const state = readState(input.state)
  if (state?.provider !== begun.provider || input.provider !== begun.provider) return false
  const [given, wanted] = [Buffer.from(state.nonce), Buffer.from(begun.nonce)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** A nickname as a name of ours; null when nothing is left of it. chat.md §5 "Name pattern". */
export function nameFrom(nickname: string): string | null {
  let name = ''
  let length = 0
  const fit = readName(nickname).replace(/[\s\ufffd]/g, '')
  for (const { segment } of new Intl.Segmenter('zh').segment(fit)) {
    length += [...segment].length
    if (length > NICKNAME_MAX) break
    name += segment
  }
  return isName(name) ? name : null
}

const nameMaker = (nickname: string): (() => string) => {
  const name = nameFrom(nickname)
  return name === null ? newName : () => name
}
