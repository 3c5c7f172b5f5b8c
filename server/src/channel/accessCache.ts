/**
 * Access cache: batches look-ups of channel access, and caches who may send until an event changes it.
 * Decision 10.
 */
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { type Batcher, openBatcher } from '../kit/batch.ts'
import type { Db } from '../kit/database/db.ts'
import type { Bus, LiveEvent, Topic } from '../kit/events/bus.ts'
import { accessChangeOf } from '../kit/events/eventKind.ts'
import { accessOf, type ChannelAccess } from './access.ts'
import { accessRows } from './sql.ts'

/** How old a name or a picture in the cache may be, ms: no event of the guild announces a change of those. */
const CACHED_FOR_MS = 10 * SECOND_MS
const CACHE_MAX = 20_000
const BATCH_MAX = 128
/** A second query may start while one runs, so that a slow one does not delay the others. */
const LANES = 2

type LookUp = (userId: UserId, channelId: ChannelId) => Promise<ChannelAccess | null>

/**
 * `channelAccess` for many at once: concurrent look-ups share a query. Access that allows sending is cached
 * while the bus receives every event of the guild, until one changes it; other access is looked up each time.
 * Without a `bus` nothing is cached.
 */
export function openAccessCache(db: Db, bus?: Bus): LookUp {
  const lookUps = openBatcher<{ userId: UserId; channelId: ChannelId }, ChannelAccess | null>({
    run: async (asked) => (await accessRows(db, asked)).map((row) => row && accessOf(row)),
    keyOf: ({ userId }) => userId,
    most: BATCH_MAX,
    lanes: LANES,
  })
  if (!bus) return (userId, channelId) => lookUps.submit({ userId, channelId })
  const cache = new AccessCache(lookUps, bus)
  return (userId, channelId) => cache.lookUp(userId, channelId)
}

interface Entry {
  readonly access: ChannelAccess
  readonly until: number
  /** Since when the bus receives every event of the guild. */
  readonly since: number
}

class AccessCache {
  readonly #lookUps: Batcher<{ userId: UserId; channelId: ChannelId }, ChannelAccess | null>
  readonly #bus: Bus
  readonly #entries = new Map<string, Entry>()
  /** Counts changes, so that a concurrent look-up is not cached. */
  #changes = 0

  constructor(lookUps: Batcher<{ userId: UserId; channelId: ChannelId }, ChannelAccess | null>, bus: Bus) {
    this.#lookUps = lookUps
    this.#bus = bus
    bus.onUnordered((event) => this.#onEvent(event))
  }

  async lookUp(userId: UserId, channelId: ChannelId): Promise<ChannelAccess | null> {
    const key = `${userId} ${channelId}`
    const at = performance.now()
    const cached = this.#entries.get(key)
    if (cached && at < cached.until && this.#bus.subscribedSince(guildOf(cached.access)) === cached.since)
      return cached.access
    const [changes, subscriptionClock] = [this.#changes, this.#bus.subscriptionClock()]
    const access = await this.#lookUps.submit({ userId, channelId })
    const since = access && this.#bus.subscribedSince(guildOf(access))
    const isCurrent = since !== null && since <= subscriptionClock && changes === this.#changes
    if (isCurrent && access?.canView && access.whyCannotSend({}) === null) {
      if (this.#entries.size >= CACHE_MAX) this.#entries.clear()
      this.#entries.set(key, { access, until: at + CACHED_FOR_MS, since })
    } else this.#entries.delete(key)
    return access
  }

  #onEvent(event: LiveEvent): void {
    if (event.to !== 'guild' || accessChangeOf(event.kind) === 'none') return
    this.#changes += 1
    for (const [key, { access }] of this.#entries) {
      if (access.channel.guild_id === event.guildId) this.#entries.delete(key)
    }
  }
}

const guildOf = ({ channel }: ChannelAccess): Topic => `guild:${channel.guild_id}`
