/** The feeds of the guilds that have sessions on this node. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { type FeedPorts, GuildFeed } from './guildFeed.ts'
import type { GatewaySession } from './session.ts'

export class GuildFeeds {
  readonly #ports: FeedPorts
  readonly #feeds = new Map<GuildId, GuildFeed>()

  constructor(ports: FeedPorts) {
    this.#ports = ports
  }

  get(guildId: GuildId): GuildFeed | undefined {
    return this.#feeds.get(guildId)
  }

  /** The feed of a guild, created when there is none. */
  open(guildId: GuildId): GuildFeed {
    let feed = this.#feeds.get(guildId)
    if (!feed) {
      feed = new GuildFeed(guildId, this.#ports)
      this.#feeds.set(guildId, feed)
    }
    return feed
  }

  /** Unsubscribes a session from a guild. */
  removeSession(guildId: GuildId, session: GatewaySession): void {
    const feed = this.#feeds.get(guildId)
    feed?.audience?.remove(session)
    if (feed?.isIdle) this.#close(feed)
  }

  closeIdle(): void {
    for (const feed of this.#feeds.values()) if (feed.isIdle) this.#close(feed)
  }

  /** Members with a connection now, those only that `counts`. */
  onlineCount(guildId: GuildId, counts?: (userId: UserId) => boolean): number {
    return this.#feeds.get(guildId)?.audience?.onlineCount(counts) ?? 0
  }

  /** The same for every guild with a feed. */
  onlineCounts(counts: (userId: UserId) => boolean): Map<GuildId, number> {
    const online = new Map<GuildId, number>()
    for (const [guildId, { audience }] of this.#feeds) {
      if (audience) online.set(guildId, audience.onlineCount(counts))
    }
    return online
  }

  #close(feed: GuildFeed): void {
    feed.close()
    this.#feeds.delete(feed.guildId)
  }
}
