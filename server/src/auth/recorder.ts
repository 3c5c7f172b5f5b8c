/**
 * Writes logins, codes, confirmations and their refusals to the security log. A number is not recorded, its
 * person is.
 */
import type { Session } from '@guildhall/wire/auth/auth.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Db } from '../kit/database/db.ts'
import type { SecurityEvent, SecurityLog } from '../kit/securityLog.ts'
import { findByMobile } from '../user/user.ts'
import { readNumber } from './number.ts'

export class LoginRecorder {
  readonly #db: Db
  readonly #security: Pick<SecurityLog, 'record'> | undefined
  readonly #sessionIds = new WeakMap<Session, string>()

  constructor(db: Db, security: Pick<SecurityLog, 'record'> | undefined) {
    this.#db = db
    this.#security = security
  }

  /** A session has this id, which its person is not told. */
  nameSession(session: Session, id: string): Session {
    this.#sessionIds.set(session, id)
    return session
  }

  /** Records that a code was sent to a number, or refused. */
  async code(raw: Mobile, network: string, send: () => Promise<void>): Promise<void> {
    await this.#orRefused({ kind: 'code', network }, raw, send)
    this.#security?.record({ kind: 'code', network, userId: await this.#personOf(raw) })
  }

  /** Records a login by a number, or its refusal. */
  async login(raw: Mobile, network: string, enter: () => Promise<Session>): Promise<Session> {
    const session = await this.#orRefused({ kind: 'login', network }, raw, enter)
    const sessionId = this.#sessionIds.get(session)
    this.#security?.record({
      kind: 'login',
      network,
      userId: session.user.id,
      ...(sessionId && { sessionId }),
    })
    return session
  }

  /** Records the refusal of something that a guest does for a number. */
  async orRefusedFor<T>(raw: Mobile, event: SecurityEvent, work: () => Promise<T>): Promise<T> {
    return this.#orRefused(event, raw, work)
  }

  /** Records a login by a third party, or its refusal. `target`: the provider. */
  async thirdParty(target: string, network: string, enter: () => Promise<Session>): Promise<Session> {
    const event = { kind: 'login', network, target }
    const session = await this.#orRefused(event, null, enter)
    const sessionId = this.#sessionIds.get(session)
    this.#security?.record({ ...event, userId: session.user.id, ...(sessionId && { sessionId }) })
    return session
  }

  /** Records the refusal of something that somebody who is logged in does. */
  async orRefused<T>(event: SecurityEvent, work: () => Promise<T>): Promise<T> {
    return this.#orRefused(event, null, work)
  }

  record(event: SecurityEvent): void {
    this.#security?.record(event)
  }

  async #orRefused<T>(event: SecurityEvent, raw: Mobile | null, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Failure) {
        const userId = raw ? await this.#personOf(raw) : (event.userId ?? null)
        this.#security?.record({ ...event, userId, failure: error.failure })
      }
      throw error
    }
  }

  /** Whose number it is; null when it is nobody's, no number, or cannot be looked up. */
  async #personOf(raw: Mobile): Promise<UserId | null> {
    try {
      const { prefix, mobile } = readNumber(raw)
      return (await findByMobile(this.#db, prefix, mobile))?.id ?? null
    } catch {
      return null
    }
  }
}
