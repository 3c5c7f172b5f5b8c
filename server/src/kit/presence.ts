/** Who has a line open right now, on any node: each tells the others who is with it, and keeps what they told. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Nodes } from './nodes.ts'

/** Who has a line open right now. The gateway answers; before it is attached nobody has. */
export interface Presence {
  isOnline(userId: UserId): boolean
  /** Members of a guild with a line open. */
  onlineCount(guildId: GuildId): number
}

export const emptyPresence: Presence = { isOnline: () => false, onlineCount: () => 0 }

/** The lines of this node alone. */
export interface LocalPresence {
  isOnline(userId: UserId): boolean
  /** Members with a line open here, those alone that `counts`. */
  onlineCount(guildId: GuildId, counts: (userId: UserId) => boolean): number
  onlinePeople(): Set<UserId>
  onlineCounts(counts: (userId: UserId) => boolean): Map<GuildId, number>
}

export interface SharedPresence extends Presence {
  close(): void
}

const TELL_EVERY_MS = 2 * SECOND_MS
const PRESENCE = 'presence'
/** The last word of a node was missed: it says all again. The body is its id. */
const AGAIN = 'presence again'

/** What a node says of its people: all, or what is new since the word before. */
interface Word {
  /** Counts up by one with each word. */
  readonly n: number
  readonly isAll: boolean
  readonly on: readonly UserId[]
  readonly off: readonly UserId[]
  /** Guilds whose count is new; 0 for one with nobody left. */
  readonly counts: readonly (readonly [GuildId, number])[]
}

interface Other {
  n: number
  readonly people: Set<UserId>
  readonly counts: Map<GuildId, number>
}

/**
 * Presence over all nodes, right within some seconds. Somebody with lines on several nodes is counted by the one with
 * the lowest id. What a node told is forgotten when it is gone; while Redis is away each answers with what it knows.
 */
export function sharePresence(nodes: Nodes, here: () => LocalPresence | null): SharedPresence {
  const others = new Map<string, Other>()
  let n = 0
  let isAllDue = true
  let told: { people: Set<UserId>; counts: Map<GuildId, number> } = { people: new Set(), counts: new Map() }

  /** Nobody before this node counts them. */
  const isOurs = (userId: UserId): boolean => {
    for (const [id, { people }] of others) if (id < nodes.id && people.has(userId)) return false
    return true
  }

  function tell(): void {
    const lines = here()
    if (!lines || !nodes.isConnected()) return
    const now = { people: lines.onlinePeople(), counts: lines.onlineCounts(isOurs) }
    const before = isAllDue ? { people: new Set<UserId>(), counts: new Map<GuildId, number>() } : told
    const on = [...now.people].filter((userId) => !before.people.has(userId))
    const off = [...before.people].filter((userId) => !now.people.has(userId))
    const counts = [...now.counts].filter(([guildId, count]) => (before.counts.get(guildId) ?? 0) !== count)
    for (const guildId of before.counts.keys()) if (!now.counts.has(guildId)) counts.push([guildId, 0])
    told = now
    if (!isAllDue && on.length + off.length + counts.length === 0) return
    n += 1
    const isAll = isAllDue
    isAllDue = false
    nodes.broadcast(PRESENCE, { n, isAll, on, off, counts } satisfies Word)
  }

  function hear(word: Word, from: string): void {
    let other = others.get(from)
    if (word.isAll) {
      other = { n: word.n, people: new Set(), counts: new Map() }
      others.set(from, other)
    } else if (!other || word.n !== other.n + 1) {
      nodes.broadcast(AGAIN, from)
      return
    }
    other.n = word.n
    for (const userId of word.on) other.people.add(userId)
    for (const userId of word.off) other.people.delete(userId)
    for (const [guildId, count] of word.counts) {
      if (count > 0) other.counts.set(guildId, count)
      else other.counts.delete(guildId)
    }
  }

  const timer = setInterval(tell, TELL_EVERY_MS)
  timer.unref()
  const unheard = [
    nodes.onMessage(PRESENCE, (body, from) => hear(body as Word, from)),
    nodes.onMessage(AGAIN, (id) => {
      if (id === nodes.id) isAllDue = true
    }),
    nodes.onChange((id, isHere) => {
      if (isHere) isAllDue = true
      else others.delete(id)
    }),
  ]

  return {
    isOnline(userId) {
      if (here()?.isOnline(userId)) return true
      for (const { people } of others.values()) if (people.has(userId)) return true
      return false
    },
    onlineCount(guildId) {
      let count = here()?.onlineCount(guildId, isOurs) ?? 0
      for (const { counts } of others.values()) count += counts.get(guildId) ?? 0
      return count
    },
    close() {
      clearInterval(timer)
      for (const stop of unheard) stop()
    },
  }
}
