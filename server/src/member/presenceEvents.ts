/**
 * `guild_member_online` and `guild_member_offline`: who came and went, for the bots of their guilds.
 * protocol.md §3.4, decision 60.
 */
import type { UserId } from '@guildhall/wire/id.ts'
import { memberOffline, memberOnline } from '@guildhall/wire/member/event.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { BOT_SYSTEM } from '../kit/clientSystem.ts'
import { clock } from '../kit/clock.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import type { Log } from '../kit/log.ts'
import { sharedGuilds } from './moderationSql.ts'

/** Who goes and comes back within this has not gone: a phone that changes its network. */
export const TELL_AFTER_MS = 5 * SECOND_MS
/**
 * Bots are not told about guilds with more members than this: a large guild that wakes up would flood them.
 */
export const TOLD_MEMBERS_MAX = 2_000
/** People that are told about in one transaction. */
const AT_ONCE = 100

/** Watches presence and tells the bots that are connected. One node does it for all. */
export class PresenceEvents {
  readonly #appContext: AppContext
  readonly #log: Pick<Log, 'warn'>
  /** Who may have come or gone, and whether they were online when that began. */
  readonly #pending = new Map<UserId, boolean>()
  /** Who is online, as it was told last. */
  readonly #known = new Set<UserId>()
  #timer: NodeJS.Timeout | null = null
  #telling: Promise<void> = Promise.resolve()
  readonly #unsubscribe: () => void

  constructor(appContext: AppContext, log: Pick<Log, 'warn'>) {
    this.#appContext = appContext
    this.#log = log
    this.#unsubscribe = appContext.presence.onChange((userIds, isNews) => {
      for (const userId of userIds) {
        if (isNews) this.#wait(userId)
        else if (appContext.presence.isOnline(userId)) this.#known.add(userId)
      }
    })
  }

  /** Tells what has changed until now, without waiting; for tests and for closing. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#telling = this.#telling.then(() => this.#notify())
    await this.#telling
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    if (this.#timer) clearTimeout(this.#timer)
    await this.#telling
  }

  #wait(userId: UserId): void {
    if (!this.#pending.has(userId)) this.#pending.set(userId, this.#known.has(userId))
    this.#timer ??= setTimeout(() => void this.flush(), TELL_AFTER_MS).unref()
  }

  async #notify(): Promise<void> {
    const { presence } = this.#appContext
    const changed: { readonly userId: UserId; readonly isOnline: boolean }[] = []
    for (const [userId, was] of this.#pending) {
      const isOnline = presence.isOnline(userId)
      if (isOnline) this.#known.add(userId)
      else this.#known.delete(userId)
      if (isOnline !== was) changed.push({ userId, isOnline })
    }
    this.#pending.clear()
    if (!presence.isFirstNode()) return
    const bots = presence.peopleOn(BOT_SYSTEM)
    if (bots.length === 0) return
    for (let from = 0; from < changed.length; from += AT_ONCE) {
      try {
        await this.#emit(bots, changed.slice(from, from + AT_ONCE))
      } catch (error) {
        this.#log.warn({ err: error }, 'bots were not told who came and went')
      }
    }
  }

  async #emit(
    bots: readonly UserId[],
    changed: readonly { readonly userId: UserId; readonly isOnline: boolean }[],
  ): Promise<void> {
    const { db } = this.#appContext
    const now = new Map(changed.map(({ userId, isOnline }) => [userId, isOnline]))
    const shared = await sharedGuilds(db, bots, [...now.keys()], TOLD_MEMBERS_MAX)
    if (shared.length === 0) return
    const event_time = clock.now()
    await commit(this.#appContext, async (_tx, emit) => {
      for (const { bot_id, user_id, guilds } of shared)
        emit.person(bot_id, now.get(user_id) ? memberOnline : memberOffline, { user_id, event_time, guilds })
    })
  }
}
