/** Sessions: who a token belongs to, how long it is valid, and what ends it. chat.md §7. */

import { createHash } from 'node:crypto'
import { beijingDay, dayNumber } from '@guildhall/wire/beijing.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { type Batcher, openBatcher } from '../kit/batch.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import type { Caller } from '../kit/http/binding.ts'
import { ids } from '../kit/ids.ts'
import { isSuspended } from '../user/user.ts'
import { recordActive } from './activeSql.ts'
import * as rows from './sql.ts'

/**
 * How long a session lives without being used: half a year when the person asked to be remembered, else a
 * day.
 */
const REMEMBERED_MS = 180 * DAY_MS
const FORGOTTEN_MS = DAY_MS
/** A session's last use is written at most this often, and at the first use on a day. */
const SEEN_EVERY_MS = HOUR_MS
/** Look-ups in one query, and queries in flight. */
const LOOK_UPS_MAX = 128
const LOOK_UP_LANES = 2
/**
 * How long a session is cached, ms. Logging out clears the cache of every node; a revocation made by hand in
 * the database takes this long to arrive.
 */
export const SESSION_KNOWN_MS = SECOND_MS
const CACHE_MAX = 20_000

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** When a session must have been used to be valid at `now`, ms. */
export const usedAfter = (now: number): rows.UsedAfter => ({
  remembered: now - REMEMBERED_MS,
  forgotten: now - FORGOTTEN_MS,
})

export class Sessions {
  readonly #db: Db
  /** Concurrent callers share a query; one token's calls are answered in their order. */
  readonly #lookUps: Batcher<string, rows.SessionRow | null>
  readonly #cache = new Map<string, { readonly session: rows.SessionRow; readonly until: number }>()
  /** Counts the sessions that ended, so that a concurrent look-up is not cached. */
  #endings = 0

  constructor(db: Db) {
    this.#db = db
    this.#lookUps = openBatcher<string, rows.SessionRow | null>({
      run: (tokens) => rows.sessionsByToken(db, tokens.map(hashToken)),
      keyOf: (token) => token,
      most: LOOK_UPS_MAX,
      lanes: LOOK_UP_LANES,
    })
  }

  /** Begins a session; only its hash is stored of the token. */
  async open(
    tx: Db,
    userId: UserId,
    remember: boolean,
    networkHash: Buffer,
    device: rows.DeviceNames,
  ): Promise<{ readonly id: string; readonly token: string }> {
    const token = ids.token()
    const id = ids.uuid()
    const now = clock.now()
    await rows.addSession(tx, { id, hash: hashToken(token), userId, remember, networkHash, device, now })
    await recordActive(tx, beijingDay(now), [userId])
    return { id, token }
  }

  /**
   * Who a token belongs to; null when it never existed, was revoked or has lapsed, or its person is
   * suspended.
   */
  async callerOf(token: string): Promise<Caller | null> {
    const now = clock.now()
    const session = await this.#lookUp(token)
    if (!session || !isValid(session, now)) return null
    if (now - session.seen_at >= SEEN_EVERY_MS || dayNumber(session.seen_at) < dayNumber(now)) {
      this.#cache.delete(token)
      await rows.markSeen(this.#db, session.id, now)
      if (!session.bot) await recordActive(this.#db, beijingDay(now), [session.user_id])
    }
    const { user_id: userId, bot: isBot, id: sessionId, is_console: isConsole } = session
    return { userId, isBot, sessionId, token, isConsole }
  }

  /** Whether a session is still valid: not revoked or lapsed, and its person not suspended. */
  async isLive(sessionId: string): Promise<boolean> {
    const session = await rows.sessionById(this.#db, sessionId)
    return session !== null && isValid(session, clock.now())
  }

  /** Those of some sessions that are no longer valid. */
  async endedAmong(sessionIds: readonly string[]): Promise<string[]> {
    if (sessionIds.length === 0) return []
    const now = clock.now()
    const found = await rows.sessionsById(this.#db, sessionIds)
    const living = new Set(found.filter((session) => isValid(session, now)).map(({ id }) => id))
    return sessionIds.filter((id) => !living.has(id))
  }

  /** Makes a session one of the staff console alone. */
  async narrowToConsole(sessionId: string): Promise<void> {
    await rows.setConsole(this.#db, sessionId)
    this.forget(sessionId)
  }

  /** Ends a session. */
  async revoke(sessionId: string): Promise<void> {
    await rows.revokeSession(this.#db, sessionId, clock.now())
    this.forget(sessionId)
  }

  /** A session ended, on this node or on another: removes it from the cache. */
  forget(sessionId: string): void {
    this.#endings += 1
    for (const [token, { session }] of this.#cache) if (session.id === sessionId) this.#cache.delete(token)
  }

  async #lookUp(token: string): Promise<rows.SessionRow | null> {
    const at = performance.now()
    const cached = this.#cache.get(token)
    if (cached && at < cached.until) return cached.session
    const endings = this.#endings
    const session = await this.#lookUps.submit(token)
    if (!session) this.#cache.delete(token)
    else if (endings === this.#endings) {
      if (this.#cache.size >= CACHE_MAX) this.#cache.clear()
      this.#cache.set(token, { session, until: at + SESSION_KNOWN_MS })
    }
    return session
  }
}

const isValid = (session: rows.SessionRow, now: number): boolean =>
  !isSuspended(session) &&
  (session.bot || now - session.seen_at < (session.remember ? REMEMBERED_MS : FORGOTTEN_MS))
