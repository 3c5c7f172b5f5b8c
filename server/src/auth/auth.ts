/** Authentication: logging in, sessions, gateway tokens, bot tokens. chat.md §5 and §7. */

import { MAIL, NAME } from '@guildhall/wire/auth/address.ts'
import type { CodeType, Session } from '@guildhall/wire/auth/auth.ts'
import { CHINA, type Mobile } from '@guildhall/wire/auth/mobile.ts'
import type { Way } from '@guildhall/wire/auth/ways.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { InviteCode, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Keys } from '../kit/crypto/keys.ts'
import { readSecret } from '../kit/crypto/secrets.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import type { Presence } from '../kit/events/presence.ts'
import type { Caller } from '../kit/http/binding.ts'
import { ids } from '../kit/ids.ts'
import { attemptsSpent, trimAttempts } from '../kit/limits/rateLimitDatabase.ts'
import type { Log } from '../kit/log.ts'
import { ATTEMPTS_KEPT_MS } from '../kit/retention.ts'
import type { Screens } from '../kit/screening.ts'
import type { SecurityEvent, SecurityLog } from '../kit/securityLog.ts'
import type { ThirdParty } from '../outside/login/thirdParty.ts'
import type { WeixinTickets } from '../outside/login/weixin.ts'
import { findUser, requireName, selfOf, type UserRow } from '../user/user.ts'
import { endSessions } from './accountControl.ts'
import { deviceNames } from './devices.ts'
import { type ConnectionOwner, GatewayTokens } from './gatewayToken.ts'
import { type CaptchaGuard, LoginGuard } from './guard.ts'
import { type SmsRules, smsToday } from './limit.ts'
import { hashNetwork, Login, type LoginDeps, type RequestOrigin } from './login.ts'
import { confirmOwner, type Proof } from './owner/confirm.ts'
import { LoginRecorder } from './recorder.ts'
import { SecondFactors } from './secondFactor/secondFactor.ts'
import { hashToken, Sessions, usedAfter } from './sessions.ts'
import * as rows from './sql.ts'
import { type BrowserOrigin, type ThirdPartyDeps, ThirdPartyLogin } from './thirdParty/thirdParty.ts'
import { WxSigner } from './thirdParty/wxSign.ts'
import { type NameDeps, registerByName } from './ways/byName.ts'

export {
  endSessions,
  eraseLogin,
  hasPassword,
  resetPassword,
  restore,
  sessionFacts,
  sessionsOf,
  setPassword,
  signOut,
  suspend,
} from './accountControl.ts'
export { countActive, forgetActive, recordActive } from './activeSql.ts'
export { GATEWAY_TOKEN_MS } from './gatewayToken.ts'
export type { SmsRules } from './limit.ts'
export type { NewIdentity } from './newIdentity.ts'
export { readNumber } from './number.ts'
export {
  codeNow,
  dropSecondFactor,
  enrolSecondFactor,
  hasSecondFactor,
  secondFactorFacts,
} from './secondFactor/secondFactor.ts'
export {
  adoptSecondFactors,
  closedSecondFactors,
  hasKeyBeside,
  resealSecondFactors,
} from './secondFactor/secondFactorSeals.ts'
export { SESSION_KNOWN_MS } from './sessions.ts'
export { thirdPartiesOf } from './thirdParty/thirdPartySql.ts'
export { writeCodeMail } from './ways/codeMail.ts'

export interface AuthDeps extends Pick<LoginDeps, 'db' | 'sms' | 'onRegistered'> {
  readonly presence: Presence
  /** What seals second factors. */
  readonly keys: Keys
  /** The public origin of the server. */
  readonly publicUrl: string
  /** By what one registers and logs in; by default by phone. */
  readonly ways?: readonly Way[]
  /** Whether a code is that of an invite that can be used; without it none is. */
  readonly isInvite?: NameDeps['isInvite']
  /** By default numbers of China, as many as asked. */
  readonly smsRules?: SmsRules
  /** Asked before codes and logins; without it nothing is. */
  readonly captcha?: CaptchaGuard
  /** A session ended: its connections must close. */
  readonly onRevoked: (sessionId: string) => void
  /**
   * Somebody gave the invite code of who brought them here; its form is right. Runs in the transaction of the
   * change.
   */
  readonly creditReferral?: (tx: Tx, userId: UserId, inviteCode: InviteCode) => Promise<void>
  /** Runs what names an invite code, and counts codes that do not exist, by network. */
  readonly limitGuesses?: <T>(network: string, act: () => Promise<T>) => Promise<T>
  /** Where logins and refusals are recorded; without it they are not. */
  readonly security?: Pick<SecurityLog, 'record'>
  /** Who else logs people in; without them nobody does. */
  readonly thirdParties?: readonly ThirdParty[]
  /** Grants tickets for WeChat's JS-SDK; null: pages are not signed. */
  readonly weixinTickets?: WeixinTickets | null
  /** Fetches the picture that a new account has at its provider. */
  readonly onPicture?: ThirdPartyDeps['onPicture']
  readonly log?: Pick<Log, 'warn'>
  /** Judges the names that people have at their providers. */
  readonly screens?: Screens
}

type Signed<T> = T & { readonly sign?: string | undefined }

const CHINA_ALONE: SmsRules = { prefixes: [CHINA], dailyMax: null }

/** Secrets are read once, so that tokens are made and read without waiting. */
export async function openAuth(deps: AuthDeps): Promise<Auth> {
  const { db } = deps
  return new Auth(deps, {
    code: await readSecret(db, 'phone code'),
    gateway: await readSecret(db, 'gateway token'),
    thirdParty: await readSecret(db, 'third party'),
  })
}

/** The way of a number, of an address, or of a name. */
const wayTo = ({ prefix }: Mobile): Way => (prefix === MAIL ? 'email' : prefix === NAME ? 'invite' : 'sms')

type Secrets = Readonly<Record<'code' | 'gateway' | 'thirdParty', Buffer>>

export class Auth {
  readonly secondFactors: SecondFactors
  readonly thirdParties: ThirdPartyLogin
  readonly creditReferral: AuthDeps['creditReferral']
  readonly limitGuesses: AuthDeps['limitGuesses']
  /** By what one registers and logs in. */
  readonly ways: readonly Way[]
  readonly #deps: AuthDeps
  readonly #db: Db
  readonly #codeKey: Buffer
  readonly #tokens: GatewayTokens
  readonly #sessions: Sessions
  readonly #recorder: LoginRecorder
  readonly #guard: LoginGuard
  readonly #login: Login
  readonly #naming: NameDeps
  readonly #signer: WxSigner

  constructor(deps: AuthDeps, secrets: Secrets) {
    const { db } = deps
    this.#deps = deps
    this.#db = db
    this.creditReferral = deps.creditReferral
    this.limitGuesses = deps.limitGuesses
    this.ways = deps.ways ?? ['sms']
    this.#codeKey = secrets.code
    this.#tokens = new GatewayTokens(secrets.gateway)
    this.#sessions = new Sessions(db)
    this.#recorder = new LoginRecorder(db, deps.security)
    this.#guard = new LoginGuard(deps.captcha, (number, network) => this.#login.isScarceFor(number, network))
    this.secondFactors = new SecondFactors({
      db,
      security: deps.security,
      keys: deps.keys,
      isKnownNetwork: (tx, { id }, network) =>
        rows.isKnownNetwork(tx, id, hashNetwork(secrets.code, network)),
    })
    const entering = {
      ...deps,
      smsRules: { ...(deps.smsRules ?? CHINA_ALONE), hasCaptchas: deps.captcha?.isOn ?? false },
      ways: this.ways,
      openSession: (tx: Db, user: UserRow, remember: boolean, from: RequestOrigin) =>
        this.#openSession(tx, user, remember, from),
    }
    this.#login = new Login({ ...entering, codeKey: secrets.code, secondFactors: this.secondFactors })
    this.#naming = { ...entering, isInvite: deps.isInvite ?? (async () => false) }
    this.thirdParties = new ThirdPartyLogin({
      db,
      login: this.#login,
      key: secrets.thirdParty,
      log: deps.log,
      providers: deps.thirdParties ?? [],
      onPicture: deps.onPicture ?? (() => undefined),
      ...(deps.screens && { screens: deps.screens }),
    })
    this.#signer = new WxSigner(db, deps.weixinTickets ?? null, deps.log)
  }

  /** Messages of today, all nodes together. */
  sentToday(): Promise<number> {
    return attemptsSpent(this.#db, ...smsToday(null))
  }

  /**
   * `sign`: the value of the captcha that was solved for the call, here and below. @throws Failure
   * captcha.needed too
   */
  requestCode(raw: Mobile, type: CodeType, network: string, sign?: string): Promise<void> {
    return this.#recorder.code(raw, network, () =>
      this.#guard.code(raw, { network, sign }, () => this.#login.requestCode(raw, type, network)),
    )
  }

  /** @throws Failure auth.way_off */
  requireWay(way: Way): void {
    if (!this.ways.includes(way)) throw fail('auth.way_off')
  }

  /** Sends a code to a number or an address, or one to confirm to the caller's own: `asked` is empty then. */
  async sendCode(
    caller: Caller | null,
    { asked, type, ...from }: Signed<{ asked: Mobile; type: CodeType; network: string }>,
  ): Promise<void> {
    const isOwn = type === 'confirm' && asked.mobile === '' && caller && !caller.isBot
    if (isOwn) return this.requestOwnCode(caller, { ...from, asked: { prefix: CHINA, mobile: '' } })
    this.requireWay(wayTo(asked))
    await this.requestCode(asked, type, from.network, from.sign)
  }

  /**
   * A code to confirm, to the caller's own number or address. `asked`: the empty number that a captcha was
   * solved for.
   */
  async requestOwnCode(
    { userId }: Pick<Caller, 'userId'>,
    { asked, network, sign }: Signed<{ readonly asked: Mobile; readonly network: string }>,
  ): Promise<void> {
    const user = await findUser(this.#db, userId)
    if (!user) throw fail('not_logged_in')
    const own = { prefix: user.mobile_prefix, mobile: user.mobile }
    this.requireWay(wayTo(own))
    await this.#recorder.code(own, network, () =>
      this.#guard.code(own, { network, sign, asked }, () => this.#login.requestCode(own, 'confirm', network)),
    )
  }

  loginByCode(input: Signed<Parameters<Login['loginByCode']>[0]>, from: RequestOrigin): Promise<Session> {
    return this.#recorder.login(input, from.network, () =>
      this.#guard.login(input, { network: from.network, sign: input.sign }, () =>
        this.#login.loginByCode(input, from),
      ),
    )
  }

  loginByPassword(
    input: Signed<Parameters<Login['loginByPassword']>[0]>,
    from: RequestOrigin,
  ): Promise<Session> {
    return this.#recorder.login(input, from.network, () =>
      this.#guard.login(input, { network: from.network, sign: input.sign }, () =>
        this.#login.loginByPassword(input, from),
      ),
    )
  }

  /** Makes an account by an invite and a password. @throws Failure captcha.needed, and as `registerByName` */
  async registerByName(
    input: Signed<Parameters<typeof registerByName>[1]>,
    from: RequestOrigin,
  ): Promise<Session> {
    // Captchas and limits know people by a number: a name has one once it has digits.
    const named = { prefix: NAME, mobile: `${input.username}#0000` }
    requireName(input.username)
    const asked = { prefix: NAME, mobile: input.username }
    return this.#recorder.login(named, from.network, () =>
      this.#guard.code(named, { network: from.network, sign: input.sign, asked }, () =>
        registerByName(this.#naming, input, from),
      ),
    )
  }

  /**
   * Logs in to the staff console by a password, without a captcha. `requires`: see `Login.loginByPassword`.
   * Returns the token and whose session it is.
   */
  async loginStaff(
    input: Parameters<Login['loginByPassword']>[0],
    from: RequestOrigin,
    requires: (user: UserRow) => Promise<void>,
  ): Promise<{ readonly token: string; readonly caller: Caller }> {
    const way = wayTo(input)
    // A number and its password need no message.
    if (way !== 'sms') this.requireWay(way)
    const { token } = await this.#recorder.login(input, from.network, () =>
      this.#login.loginByPassword(input, from, requires),
    )
    const caller = await this.#sessions.callerOf(token)
    if (!caller) throw fail('not_logged_in')
    await this.#sessions.narrowToConsole(caller.sessionId)
    return { token, caller }
  }

  loginByThirdParty(input: Parameters<ThirdPartyLogin['login']>[0], from: BrowserOrigin): Promise<Session> {
    return this.#recorder.thirdParty(input.provider, from.network, () => this.thirdParties.login(input, from))
  }

  bindThirdParty(
    input: Signed<Parameters<ThirdPartyLogin['bind']>[0]>,
    from: BrowserOrigin,
  ): Promise<Session> {
    return this.#recorder.login(input, from.network, () =>
      this.#guard.login(input, { network: from.network, sign: input.sign }, () =>
        this.thirdParties.bind(input, from),
      ),
    )
  }

  signPage(address: string, origin: string): ReturnType<WxSigner['sign']> {
    return this.#signer.sign(address, origin)
  }

  /** Checks that the caller is the owner of the account. @throws Failure as `confirmOwner` does */
  confirm(
    { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
    proof: Proof,
    network: string,
  ): ReturnType<typeof confirmOwner> {
    return this.#recorder.orRefused({ kind: 'confirm', userId, sessionId, network }, () =>
      confirmOwner(this.#db, this.#login, userId, proof, network),
    )
  }

  /**
   * Something that a code of a number allows beside logging in: behind a captcha where there is a risk, with
   * refusals in the security log.
   * @throws Failure captcha.needed, and what `act` throws
   */
  withCode<T>(
    input: Signed<Mobile>,
    event: SecurityEvent & { network: string },
    act: () => Promise<T>,
  ): Promise<T> {
    const guarded = () => this.#guard.login(input, { network: event.network, sign: input.sign }, act)
    return event.userId
      ? this.#recorder.orRefused(event, guarded)
      : this.#recorder.orRefusedFor(input, event, guarded)
  }

  tryCode(...it: Parameters<Login['tryCode']>): ReturnType<Login['tryCode']> {
    return this.#login.tryCode(...it)
  }

  giveBackCode(...it: Parameters<Login['giveBackCode']>): ReturnType<Login['giveBackCode']> {
    return this.#login.giveBackCode(...it)
  }

  /** Gives back the tries of a number's password. */
  forgive(...it: Parameters<Login['forgive']>): ReturnType<Login['forgive']> {
    return this.#login.forgive(...it)
  }

  sessionOf(token: string): ReturnType<Sessions['callerOf']> {
    return this.#sessions.callerOf(token)
  }

  isSessionLive(sessionId: string): ReturnType<Sessions['isLive']> {
    return this.#sessions.isLive(sessionId)
  }

  /** The system that a login was made on; empty: not known. */
  systemOfLogin(sessionId: string): Promise<string> {
    return rows.systemOfSession(this.#db, sessionId)
  }

  endedAmong(sessionIds: readonly string[]): ReturnType<Sessions['endedAmong']> {
    return this.#sessions.endedAmong(sessionIds)
  }

  forget(sessionId: string): void {
    this.#sessions.forget(sessionId)
  }

  /** Oneself and a new gateway address, for a session whose token is known. chat.md §4 "Refresh". */
  async state(caller: Caller, from: RequestOrigin): Promise<Session> {
    const user = await findUser(this.#db, caller.userId)
    if (!user) throw fail('not_logged_in')
    return this.#describe(this.#db, user, { id: caller.sessionId, token: caller.token }, from)
  }

  /** Ends a session: its token is no longer valid and its connections close. */
  async logOut({ sessionId, userId }: Pick<Caller, 'sessionId' | 'userId'>, network: string): Promise<void> {
    await this.#sessions.revoke(sessionId)
    this.#deps.onRevoked(sessionId)
    this.#recorder.record({ kind: 'logout', userId, sessionId, network })
  }

  gatewayToken(owner: ConnectionOwner): string {
    return this.#tokens.write(owner)
  }

  readGatewayToken(token: string): ReturnType<GatewayTokens['read']> {
    return this.#tokens.read(token)
  }

  gatewayUrl(origin: string, owner: ConnectionOwner, compress: 0 | 1 = 1): string {
    return this.#tokens.url(origin, owner, compress)
  }

  /** Deletes codes and attempts that are no longer needed, and sessions that ended or lapsed. */
  async forgetOld(): Promise<void> {
    await rows.deleteOld(this.#db, clock.now() - ATTEMPTS_KEPT_MS)
    await rows.deleteLapsed(this.#db, usedAfter(clock.now()))
    await this.thirdParties.forgetOld()
    await trimAttempts(this.#db, ATTEMPTS_KEPT_MS)
  }

  async #openSession(tx: Db, user: UserRow, remember: boolean, from: RequestOrigin): Promise<Session> {
    const networkHash = hashNetwork(this.#codeKey, from.network)
    const session = await this.#sessions.open(tx, user.id, remember, networkHash, deviceNames(from))
    return this.#recorder.nameSession(await this.#describe(tx, user, session, from), session.id)
  }

  async #describe(
    tx: Db,
    user: UserRow,
    { id, token }: { readonly id: string; readonly token: string },
    from: RequestOrigin,
  ): Promise<Session> {
    return {
      token,
      authorization: token,
      user: selfOf(user, this.#deps),
      has_password: (await rows.passwordHash(tx, user.id)) !== null,
      gateway_url: this.#tokens.url(from.origin, { sessionId: id, userId: user.id, isBot: user.bot }),
    }
  }
}

/**
 * A new token for a bot: earlier ones are no longer valid and their connections close. Only its hash is
 * stored, and it does not lapse.
 */
export async function giveBotToken(tx: Tx, emit: Emit, botId: UserId): Promise<string> {
  await stopBot(tx, emit, botId)
  const token = ids.botToken()
  const it = { id: ids.uuid(), hash: hashToken(token), userId: botId, remember: true, now: clock.now() }
  await rows.addSession(tx, it)
  return token
}

/** Revokes a bot's token and closes its connections. */
export async function stopBot(tx: Tx, emit: Emit, botId: UserId): Promise<void> {
  await endSessions(tx, emit, botId)
}
