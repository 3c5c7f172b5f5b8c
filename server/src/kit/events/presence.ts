/**
 * Presence: who is connected, on any node. Each node publishes who is connected to it and keeps what others
 * published.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { shownSystem } from '../clientSystem.ts'
import type { Nodes } from './nodes.ts'

/** Who is connected now. */
export interface Presence {
  isOnline(userId: UserId): boolean
  /**
   * The system of somebody's connection, `iOS`, `Websocket`, …; empty when they are offline or it is not
   * known.
   */
  osOf(userId: UserId): string
  /** Members of a guild who are connected. */
  onlineCount(guildId: GuildId): number
  /** Everybody who is shown with this system. */
  peopleOn(os: string): UserId[]
  /** True on one of the nodes: the one that does what is done once for all. */
  isFirstNode(): boolean
  /**
   * Calls with those who may have come or gone, or changed their system, on any node. Returns the unsubscribe
   * function.
   */
  onChange(listener: PresenceListener): () => void
}

/** `isNews` is false when a node only learns what was so before. */
export type PresenceListener = (userIds: Iterable<UserId>, isNews: boolean) => void

/** Nobody is connected: before the gateway is open, and for work without one. */
export const emptyPresence: Presence = {
  isOnline: () => false,
  osOf: () => '',
  onlineCount: () => 0,
  peopleOn: () => [],
  isFirstNode: () => true,
  onChange: () => () => undefined,
}

/** Who is connected to this node. */
export interface LocalPresence {
  isOnline(userId: UserId): boolean
  osOf(userId: UserId): string
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
  /** New systems of people who are connected; nodes of the version before do not send them. */
  readonly os?: readonly (readonly [UserId, string])[]
}

/** What another node published. */
interface RemotePresence {
  n: number
  readonly people: Set<UserId>
  readonly os: Map<UserId, string>
  readonly counts: Map<GuildId, number>
}

interface Snapshot {
  readonly people: Set<UserId>
  readonly os: Map<UserId, string>
  readonly counts: Map<GuildId, number>
}

/**
 * Presence over all nodes, correct within a few seconds. A person connected to several nodes is counted by
 * the one with the lowest id. What a node published is dropped when the node is gone; while Redis is
 * disconnected each node answers with what it has. `local` is null until the gateway is open.
 */
export const sharePresence = (
  nodes: Nodes,
  local: () => LocalPresence | null,
  onLocalChange: Presence['onChange'] = () => () => undefined,
): SharedPresence => new NodesPresence(nodes, local, onLocalChange)

const emptySnapshot = (): Snapshot => ({ people: new Set(), os: new Map(), counts: new Map() })

class NodesPresence implements SharedPresence {
  readonly #nodes: Nodes
  readonly #local: () => LocalPresence | null
  readonly #remotes = new Map<string, RemotePresence>()
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: (() => void)[]
  #n = 0
  #isAllDue = true
  #published: Snapshot = emptySnapshot()
  readonly #listeners = new Set<PresenceListener>()

  constructor(nodes: Nodes, local: () => LocalPresence | null, onLocalChange: Presence['onChange']) {
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
        else this.#forget(id)
      }),
      onLocalChange((userIds, isNews) => this.#notify(userIds, isNews)),
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

  osOf(userId: UserId): string {
    const here = this.#local()?.osOf(userId) ?? ''
    if (this.#remotes.size === 0) return here
    return shownSystem([here, ...[...this.#remotes.values()].map(({ os }) => os.get(userId) ?? '')])
  }

  peopleOn(os: string): UserId[] {
    const local = this.#local()
    const people = new Set([...(local?.onlinePeople() ?? [])].filter((userId) => local?.osOf(userId) === os))
    for (const remote of this.#remotes.values())
      for (const [userId, system] of remote.os) if (system === os) people.add(userId)
    // Of several systems one is shown.
    return [...people].filter((userId) => this.osOf(userId) === os)
  }

  isFirstNode(): boolean {
    return this.#nodes.others().every((id) => this.#nodes.id < id)
  }

  onChange(listener: PresenceListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#listeners.clear()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  /** True when no node with a lower id counts this person. */
  readonly #countsHere = (userId: UserId): boolean => {
    for (const [id, { people }] of this.#remotes) if (id < this.#nodes.id && people.has(userId)) return false
    return true
  }

  #notify(userIds: Iterable<UserId>, isNews: boolean): void {
    for (const listener of this.#listeners) listener(userIds, isNews)
  }

  #forget(id: string): void {
    const gone = this.#remotes.get(id)
    this.#remotes.delete(id)
    if (gone) this.#notify(gone.people, true)
  }

  #publish(): void {
    const local = this.#local()
    if (!local || !this.#nodes.isConnected()) return
    const people = local.onlinePeople()
    const now: Snapshot = {
      people,
      os: new Map([...people].map((userId) => [userId, local.osOf(userId)])),
      counts: local.onlineCounts(this.#countsHere),
    }
    const before: Snapshot = this.#isAllDue ? emptySnapshot() : this.#published
    const on = [...now.people].filter((userId) => !before.people.has(userId))
    const off = [...before.people].filter((userId) => !now.people.has(userId))
    const counts = [...now.counts].filter(([guildId, count]) => (before.counts.get(guildId) ?? 0) !== count)
    for (const guildId of before.counts.keys()) if (!now.counts.has(guildId)) counts.push([guildId, 0])
    const os = [...now.os].filter(([userId, system]) => (before.os.get(userId) ?? '') !== system)
    this.#published = now
    const isAll = this.#isAllDue
    if (!isAll && on.length + off.length + counts.length + os.length === 0) return
    this.#n += 1
    this.#isAllDue = false
    this.#nodes.broadcast(PRESENCE, { n: this.#n, isAll, on, off, counts, os } satisfies PresenceUpdate)
  }

  #receive(update: PresenceUpdate, from: string): void {
    let remote = this.#remotes.get(from)
    const known = remote
    if (update.isAll) {
      remote = { n: update.n, ...emptySnapshot() }
      this.#remotes.set(from, remote)
    } else if (!remote || update.n !== remote.n + 1) {
      this.#nodes.broadcast(RESEND, from)
      return
    }
    remote.n = update.n
    for (const userId of update.on) remote.people.add(userId)
    for (const userId of update.off) {
      remote.people.delete(userId)
      remote.os.delete(userId)
    }
    for (const [userId, system] of update.os ?? []) remote.os.set(userId, system)
    for (const [guildId, count] of update.counts) {
      if (count > 0) remote.counts.set(guildId, count)
      else remote.counts.delete(guildId)
    }
    const changed = new Set([...update.on, ...update.off, ...(update.os ?? []).map(([userId]) => userId)])
    if (update.isAll) for (const userId of known?.people ?? []) changed.add(userId)
    if (changed.size > 0) this.#notify(changed, known !== undefined)
  }
}
