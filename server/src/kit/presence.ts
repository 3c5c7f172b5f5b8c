/** Presence: who is connected, on any node. Each node publishes who is connected to it and keeps what others published. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Nodes } from './nodes.ts'

/** Who is connected now. */
export interface Presence {
  isOnline(userId: UserId): boolean
  /** Members of a guild who are connected. */
  onlineCount(guildId: GuildId): number
}

/** Nobody is connected: before the gateway is open, and for work without one. */
export const emptyPresence: Presence = { isOnline: () => false, onlineCount: () => 0 }

/** Who is connected to this node. */
export interface LocalPresence {
  isOnline(userId: UserId): boolean
  /** Members who are connected here, those only that `counts`. */
  onlineCount(guildId: GuildId, counts: (userId: UserId) => boolean): number
  onlinePeople(): Set<UserId>
  onlineCounts(counts: (userId: UserId) => boolean): Map<GuildId, number>
}

export interface SharedPresence extends Presence {
  close(): void
}

const PUBLISH_EVERY_MS = 2 * SECOND_MS
const PRESENCE = 'presence'
/** Asks a node, by its id, for a full update: an update of it was missed. */
const RESEND = 'presence again'

/** What a node publishes: everything, or the changes since its previous update. */
interface PresenceUpdate {
  /** Grows by one with each update. */
  readonly n: number
  readonly isAll: boolean
  readonly on: readonly UserId[]
  readonly off: readonly UserId[]
  /** Guilds with a new count; 0 when nobody is left. */
  readonly counts: readonly (readonly [GuildId, number])[]
}

/** What another node published. */
interface RemotePresence {
  n: number
  readonly people: Set<UserId>
  readonly counts: Map<GuildId, number>
}

interface Snapshot {
  readonly people: Set<UserId>
  readonly counts: Map<GuildId, number>
}

/**
 * Presence over all nodes, correct within a few seconds. A person connected to several nodes is counted by the one
 * with the lowest id. What a node published is dropped when the node is gone; while Redis is disconnected each node
 * answers with what it has. `local` is null until the gateway is open.
 */
export const sharePresence = (nodes: Nodes, local: () => LocalPresence | null): SharedPresence =>
  new NodesPresence(nodes, local)

class NodesPresence implements SharedPresence {
  readonly #nodes: Nodes
  readonly #local: () => LocalPresence | null
  readonly #remotes = new Map<string, RemotePresence>()
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: (() => void)[]
  #n = 0
  #isAllDue = true
  #published: Snapshot = { people: new Set(), counts: new Map() }

  constructor(nodes: Nodes, local: () => LocalPresence | null) {
    this.#nodes = nodes
    this.#local = local
    this.#timer = setInterval(() => this.#publish(), PUBLISH_EVERY_MS)
    this.#timer.unref()
    this.#unsubscribe = [
      nodes.onMessage(PRESENCE, (body, from) => this.#receive(body as PresenceUpdate, from)),
      nodes.onMessage(RESEND, (id) => {
        if (id === nodes.id) this.#isAllDue = true
      }),
      nodes.onChange((id, isHere) => {
        if (isHere) this.#isAllDue = true
        else this.#remotes.delete(id)
      }),
    ]
  }

  isOnline(userId: UserId): boolean {
    if (this.#local()?.isOnline(userId)) return true
    for (const { people } of this.#remotes.values()) if (people.has(userId)) return true
    return false
  }

  onlineCount(guildId: GuildId): number {
    let count = this.#local()?.onlineCount(guildId, this.#countsHere) ?? 0
    for (const { counts } of this.#remotes.values()) count += counts.get(guildId) ?? 0
    return count
  }

  close(): void {
    clearInterval(this.#timer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  /** True when no node with a lower id counts this person. */
  readonly #countsHere = (userId: UserId): boolean => {
    for (const [id, { people }] of this.#remotes) if (id < this.#nodes.id && people.has(userId)) return false
    return true
  }

  #publish(): void {
    const local = this.#local()
    if (!local || !this.#nodes.isConnected()) return
    const now: Snapshot = { people: local.onlinePeople(), counts: local.onlineCounts(this.#countsHere) }
    const before: Snapshot = this.#isAllDue ? { people: new Set(), counts: new Map() } : this.#published
    const on = [...now.people].filter((userId) => !before.people.has(userId))
    const off = [...before.people].filter((userId) => !now.people.has(userId))
    const counts = [...now.counts].filter(([guildId, count]) => (before.counts.get(guildId) ?? 0) !== count)
    for (const guildId of before.counts.keys()) if (!now.counts.has(guildId)) counts.push([guildId, 0])
    this.#published = now
    const isAll = this.#isAllDue
    if (!isAll && on.length + off.length + counts.length === 0) return
    this.#n += 1
    this.#isAllDue = false
    this.#nodes.broadcast(PRESENCE, { n: this.#n, isAll, on, off, counts } satisfies PresenceUpdate)
  }

  #receive(update: PresenceUpdate, from: string): void {
    let remote = this.#remotes.get(from)
    if (update.isAll) {
      remote = { n: update.n, people: new Set(), counts: new Map() }
      this.#remotes.set(from, remote)
    } else if (!remote || update.n !== remote.n + 1) {
      this.#nodes.broadcast(RESEND, from)
      return
    }
    remote.n = update.n
    for (const userId of update.on) remote.people.add(userId)
    for (const userId of update.off) remote.people.delete(userId)
    for (const [guildId, count] of update.counts) {
      if (count > 0) remote.counts.set(guildId, count)
      else remote.counts.delete(guildId)
    }
  }
}
