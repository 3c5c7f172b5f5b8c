/** Proving who one is: codes by phone, passwords, sessions, and the short-lived tokens of the line. chat.md §5 and §7. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  CODE_DIGITS,
  CODE_LIVES_MS,
  CODE_RESEND_MS,
  CODE_TRIES,
  loginEnded,
  type Session,
} from '@guildhall/wire/auth/auth.ts'
import { CHINA, type Mobile, mobileProblem } from '@guildhall/wire/auth/mobile.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import parsePhoneNumber from 'libphonenumber-js/max'
import { type Allowance, forgetOldAttempts, restore, spend } from '../kit/attempt.ts'
import { openBatches } from '../kit/batch.ts'
import { clock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/db.ts'
import type { Emit } from '../kit/events.ts'
import type { Caller } from '../kit/http/binding.ts'
import { ids } from '../kit/ids.ts'
import type { Presence } from '../kit/presence.ts'
import { readSecret } from '../kit/secrets.ts'
import type { Sms } from '../outside/sms.ts'
import { BANNED, findByMobile, findUser, markVerified, register, selfOf, type UserRow } from '../user/user.ts'
import { checkPassword, hashPassword } from './password.ts'
import * as rows from './sql.ts'
import { newcomer } from './text.ts'

const CODES_PER_NUMBER: Allowance = { name: 'code by number', most: 5, windowMs: HOUR_MS }
const CODES_PER_PLACE: Allowance = { name: 'code by place', most: 30, windowMs: HOUR_MS }
const PASSWORDS_PER_NUMBER: Allowance = { name: 'password by number', most: 10, windowMs: 15 * MINUTE_MS }
const PASSWORDS_PER_PLACE: Allowance = { name: 'password by place', most: 100, windowMs: 15 * MINUTE_MS }

/** How long a session lives without being used: remembered ones half a year, others a day. */
const REMEMBERED_MS = 180 * DAY_MS
const FORGOTTEN_MS = DAY_MS
/** A session's last use is written at most this often. */
const SEEN_EVERY_MS = HOUR_MS
const SESSIONS_MOST = 128
const SESSION_LANES = 2
/**
 * A session that was just looked up counts for this long without asking again, ms: what a revocation that nobody told
 * this process of, made by hand in the database, may take to arrive. Logging out is told to every node.
 */
export const SESSION_KNOWN_MS = SECOND_MS
const SESSIONS_KNOWN_MAX = 20_000
/** How long the address of the line can be used to open it. */
export const GATEWAY_TOKEN_MS = 10 * MINUTE_MS

export interface AuthDeps {
  readonly db: Db
  readonly sms: Sms
  readonly presence: Presence
  /** A session ended: its sockets must close. */
  readonly onRevoked: (sessionId: string) => void
  /** Someone is new here; `inviteCode` is what brought them. Runs in the transaction that makes the account. */
  readonly onRegistered: (tx: Tx, userId: UserId, inviteCode: string | null) => Promise<void>
}

/** Whose line it will be: a login of a person or a bot. */
export interface ConnectionOwner {
  readonly sessionId: string
  readonly userId: UserId
  readonly isBot: boolean
}

/** What a token of the line ends with that is a bot's. */
const BOT_MARK = '.bot'

/** Where a request came from: one place on the network, and the address people use. */
export interface RequestOrigin {
  readonly place: string
  readonly origin: string
}

/** The noun's front door. Keys are read once, so that tokens can be made and read without waiting. */
export async function openAuth(deps: AuthDeps) {
  const { db, sms } = deps
  const codeKey = await readSecret(db, 'phone code')
  const gatewayKey = await readSecret(db, 'gateway token')

  const hashCode = ({ prefix, mobile }: Mobile, code: string): Buffer =>
    createHmac('sha256', codeKey).update(`${prefix} ${mobile} ${code}`).digest()

  /**
   * Sends a code to a number. Behaves the same whether the number has an account or not.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.code_too_soon (detail.n: seconds),
   *   auth.code_too_many, auth.sms_failed
   */
  async function requestCode(raw: Mobile, type: string, place: string): Promise<void> {
    const number = readNumber(raw)
    const code = ids.digits(CODE_DIGITS)
    const hash = hashCode(number, code)
    const now = clock.now()
    // One transaction: what is refused by one limit spends nothing of the others.
    await transaction(db, async (tx) => {
      const sentAt = await rows.keepCode(tx, {
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
      if (!(await spend(tx, CODES_PER_NUMBER, keyOf(number)))) throw fail('auth.code_too_many')
      if (!(await spend(tx, CODES_PER_PLACE, place))) throw fail('auth.code_too_many')
    })
    try {
      await sms.send({ ...number, code, type })
    } catch (error) {
      await rows.dropCode(db, number.prefix, number.mobile, hash)
      throw Object.assign(fail('auth.sms_failed'), { cause: error })
    }
  }

  /**
   * Logs in by a code; a number seen for the first time becomes an account. The code is used up only if all of it
   * succeeds.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.code_required, auth.code_wrong, auth.code_expired,
   *   auth.banned
   */
  async function loginByCode(
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
    const outcome = await transaction(db, async (tx) => {
      const verdict = await rows.tryCode(tx, {
        ...number,
        hash: hashCode(number, code),
        now,
        most: CODE_TRIES,
      })
      if (verdict !== 'right') return verdict
      const { user, isNew } = await register(tx, {
        ...number,
        verified: true,
        makeName: () => newcomer(ids.digits(4)),
      })
      if (user.status === BANNED) return 'banned'
      if (!user.mobile_verified) await markVerified(tx, user.id)
      if (isNew) await deps.onRegistered(tx, user.id, it.inviteCode ?? null)
      return openSession(tx, { ...user, mobile_verified: true }, it.remember, from)
    })
    if (outcome === 'wrong') throw fail('auth.code_wrong')
    if (outcome === 'none') throw fail('auth.code_expired')
    if (outcome === 'banned') throw fail('auth.banned')
    return outcome
  }

  /**
   * Logs in by a password. An unknown number takes as long and says the same as a wrong password.
   * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.password_required, auth.password_wrong,
   *   auth.too_many_tries, auth.banned
   */
  async function loginByPassword(
    it: Mobile & { readonly password: string; readonly remember: boolean },
    from: RequestOrigin,
  ): Promise<Session> {
    const number = readNumber(it)
    if (it.password === '') throw fail('auth.password_required')
    // Spent before the password is looked at, so that many guesses at once cannot share one try.
    const mayTry =
      (await spend(db, PASSWORDS_PER_PLACE, from.place)) &&
      (await spend(db, PASSWORDS_PER_NUMBER, keyOf(number)))
    if (!mayTry) throw fail('auth.too_many_tries')
    const user = await findByMobile(db, number.prefix, number.mobile)
    const hash = user ? await rows.passwordHash(db, user.id) : null
    if (!(await checkPassword(it.password, hash)) || !user) throw fail('auth.password_wrong')
    if (user.status === BANNED) throw fail('auth.banned')
    await restore(db, PASSWORDS_PER_NUMBER, keyOf(number))
    return openSession(db, user, it.remember, from)
  }

  async function openSession(
    tx: Db,
    user: UserRow,
    remember: boolean,
    from: RequestOrigin,
  ): Promise<Session> {
    const token = ids.token()
    const id = ids.uuid()
    await rows.addSession(tx, { id, hash: hashToken(token), userId: user.id, remember, now: clock.now() })
    return describe(user, id, token, from)
  }

  const describe = (user: UserRow, sessionId: string, token: string, from: RequestOrigin): Session => ({
    token,
    authorization: token,
    user: selfOf(user, deps),
    gateway_url: gatewayUrl(from.origin, { sessionId, userId: user.id, isBot: user.bot }),
  })

  // Concurrent callers share a query; one token's calls are answered in the order they came.
  const sessions = openBatches<string, rows.SessionRow | null>({
    run: (tokens) => rows.sessionsByToken(db, tokens.map(hashToken)),
    keyOf: (token) => token,
    most: SESSIONS_MOST,
    lanes: SESSION_LANES,
  })

  const known = new Map<string, { readonly session: rows.SessionRow; readonly until: number }>()
  /** Counts the sessions that ended, so that a look-up that raced one is not remembered. */
  let endings = 0

  async function lookUp(token: string): Promise<rows.SessionRow | null> {
    const at = performance.now()
    const remembered = known.get(token)
    if (remembered && at < remembered.until) return remembered.session
    const before = endings
    const session = await sessions.ask(token)
    if (!session) known.delete(token)
    else if (before === endings) {
      if (known.size >= SESSIONS_KNOWN_MAX) known.clear()
      known.set(token, { session, until: at + SESSION_KNOWN_MS })
    }
    return session
  }

  /** A session ended, here or elsewhere: it is looked up again. */
  function forget(sessionId: string): void {
    endings += 1
    for (const [token, { session }] of known) if (session.id === sessionId) known.delete(token)
  }

  const isFresh = (session: rows.SessionRow, now: number): boolean =>
    session.status !== BANNED &&
    (session.bot || now - session.seen_at < (session.remember ? REMEMBERED_MS : FORGOTTEN_MS))

  /** Who a token speaks for; null when it never existed, was revoked or has lapsed, or its person is banned. */
  async function sessionOf(token: string): Promise<Caller | null> {
    const now = clock.now()
    const session = await lookUp(token)
    if (!session || !isFresh(session, now)) return null
    if (now - session.seen_at >= SEEN_EVERY_MS) {
      known.delete(token)
      await rows.sawSession(db, session.id, now)
    }
    return { userId: session.user_id, isBot: session.bot, sessionId: session.id, token }
  }

  /** Does this session still count? False once it was revoked or lapsed, or its person was banned. */
  async function isSessionLive(sessionId: string): Promise<boolean> {
    const session = await rows.sessionById(db, sessionId)
    return session !== null && isFresh(session, clock.now())
  }

  /** Those of some sessions that no longer count. */
  async function endedAmong(sessionIds: readonly string[]): Promise<string[]> {
    if (sessionIds.length === 0) return []
    const now = clock.now()
    const found = await rows.sessionsById(db, sessionIds)
    const living = new Set(found.filter((session) => isFresh(session, now)).map(({ id }) => id))
    return sessionIds.filter((id) => !living.has(id))
  }

  /** Oneself and a new address of the line, for a session that has its token already. chat.md §4 "Refresh". */
  async function state(caller: Caller, from: RequestOrigin): Promise<Session> {
    const user = await findUser(db, caller.userId)
    if (!user) throw fail('not_logged_in')
    return describe(user, caller.sessionId, caller.token, from)
  }

  /** Ends a session: its token counts no longer and its sockets close. */
  async function logOut(sessionId: string): Promise<void> {
    await rows.revokeSession(db, sessionId, clock.now())
    forget(sessionId)
    deps.onRevoked(sessionId)
  }

  const sign = (text: string): string => createHmac('sha256', gatewayKey).update(text).digest('base64url')

  /** A token that opens the line for ten minutes, as a query value. */
  function gatewayToken({ sessionId, userId, isBot }: ConnectionOwner): string {
    const content = `${clock.now() + GATEWAY_TOKEN_MS}.${userId}.${sessionId}${isBot ? BOT_MARK : ''}`
    return `${content}.${sign(content)}`
  }

  /** Who a token of `gatewayToken` speaks for. Ask `isSessionLive` as well before trusting it. */
  function readGatewayToken(token: string): ConnectionOwner | 'bad' | 'expired' {
    const end = token.lastIndexOf('.')
    const content = token.slice(0, end)
    const wanted = Buffer.from(sign(content))
    const given = Buffer.from(token.slice(end + 1))
    if (end < 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'bad'
    const [expires, userId, sessionId] = content.split('.')
    if (!expires || !userId || !sessionId) return 'bad'
    if (Number(expires) <= clock.now()) return 'expired'
    return { sessionId, userId: userId as UserId, isBot: content.endsWith(BOT_MARK) }
  }

  /** The address of the line, `ws://…/gateway?compress=1&token=…`: it holds a `?`, so parameters can be appended. */
  function gatewayUrl(origin: string, owner: ConnectionOwner, compress: 0 | 1 = 1): string {
    const token = gatewayToken(owner)
    return `${origin.replace(/^http/, 'ws')}/gateway?compress=${compress}&token=${token}`
  }

  /** Removes codes, attempts and sessions that nothing looks at any more. */
  async function forgetOld(): Promise<void> {
    await rows.forgetOld(db, clock.now() - DAY_MS)
    await forgetOldAttempts(db, DAY_MS)
  }

  return {
    requestCode,
    loginByCode,
    loginByPassword,
    sessionOf,
    isSessionLive,
    endedAmong,
    forget,
    state,
    logOut,
    gatewayToken,
    readGatewayToken,
    gatewayUrl,
    forgetOld,
  }
}

export type Auth = Awaited<ReturnType<typeof openAuth>>

/** Gives an account a password, replacing an earlier one. */
export async function setPassword(db: Db, userId: string, password: string): Promise<void> {
  await rows.setPasswordHash(db, userId, await hashPassword(password), clock.now())
}

/**
 * A token for a bot, the only one that counts from now on: lines opened with an earlier one close. It is not kept
 * anywhere in the clear, and it does not lapse.
 */
export async function giveBotToken(tx: Tx, emit: Emit, botId: UserId): Promise<string> {
  await stopBot(tx, emit, botId)
  const token = ids.botToken()
  const it = { id: ids.uuid(), hash: hashToken(token), userId: botId, remember: true, now: clock.now() }
  await rows.addSession(tx, it)
  return token
}

/** A bot's token counts no longer, and its lines close. */
export async function stopBot(tx: Tx, emit: Emit, botId: UserId): Promise<void> {
  for (const login_id of await rows.revokeSessionsOf(tx, botId, clock.now()))
    emit.person(botId, loginEnded, { login_id })
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const keyOf = ({ prefix, mobile }: Mobile): string => `${prefix} ${mobile}`

/**
 * A number as it is stored: digits only, no `+`. Numbers outside China must be possible ones of their country.
 * @throws Failure auth.mobile_required, auth.mobile_wrong
 */
export function readNumber(raw: Mobile): Mobile {
  const prefix = raw.prefix.trim().replace(/^(?:\+|00)/, '') || CHINA
  const mobile = raw.mobile.replace(/[\s-]/g, '')
  const problem = mobileProblem({ prefix, mobile })
  if (problem) throw fail(problem)
  if (prefix === CHINA) return { prefix, mobile }
  const parsed = /^[1-9]\d{0,3}$/.test(prefix) ? parsePhoneNumber(`+${prefix}${mobile}`) : undefined
  if (!parsed?.isValid() || parsed.countryCallingCode !== prefix) throw fail('auth.mobile_wrong')
  // `07700 900123` and `7700 900123` are one British number: one account.
  return { prefix, mobile: parsed.nationalNumber }
}
