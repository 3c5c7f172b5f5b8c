/**
 * Takes up a session that another node held, also one that is gone: from what its journal says and from the event
 * log. Answers the events its client is owed, or the code to start over with when that is not certain. protocol.md
 * §2.6.
 */
import { gatewayCode } from '@guildhall/wire/gateway/frame.ts'
import { RESUMABLE_MS } from '@guildhall/wire/gateway/timing.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { MEMBER_EVENTS, PERMISSION_EVENTS } from '../channel/channel.ts'
import type { LiveEvent, Topic } from '../kit/bus.ts'
import type { GuildAudience } from './audience.ts'
import { isForChannel } from './feed.ts'
import { owedAfter, type Passed } from './owed.ts'
import { REPLAY_EVENTS_MAX, REPLAY_MS } from './session.ts'
import type { Heard, JournalReading, KeptSession } from './sql.ts'

/** The journals of all nodes, and the log. */
export interface RebuildStore {
  kept(id: string): Promise<KeptSession | null>
  claim(it: {
    readonly id: string
    readonly from: string
    readonly by: string
    readonly now: number
  }): Promise<boolean>
  /** What a node's journal says of some topics after page `no`, as of one moment. */
  passed(nodeId: string, no: number, since: number, topics: readonly Topic[]): Promise<JournalReading>
  heard(guildId: GuildId, from: number, to: number, limit: number): Promise<readonly Heard[]>
  /** At most `limit` events of a topic after number `seq`, in order. */
  events(topic: Topic, seq: number, limit: number): Promise<readonly LiveEvent[]>
}

/** Events of one guild looked at for one session; a line that needs more starts over. */
const LOOKED_AT_MAX = 4 * REPLAY_EVENTS_MAX

/** A session that this node has taken over, not yet brought up to date. */
export interface Claimed {
  readonly id: string
  /** As its former node wrote it. */
  readonly row: KeptSession
}

/** Takes a session over; null when there is none to be taken: it never was, it lapsed, or it is somebody else's. */
export async function claim(
  store: RebuildStore,
  it: {
    readonly id: string
    readonly by: string
    readonly userId: UserId
    readonly loginId: string
    readonly compress: boolean
    now(): number
    /** Asks the node that has it to write everything down and let it go. Returns when it has, or does not answer. */
    letGo(id: string): Promise<void>
  },
): Promise<Claimed | null> {
  const isTheirs = (row: KeptSession | null): row is KeptSession =>
    row !== null &&
    row.user_id === it.userId &&
    row.login_id === it.loginId &&
    row.compress === it.compress &&
    row.node_id !== it.by
  const known = await store.kept(it.id)
  if (known && !isTheirs(known)) return null
  // Also when nobody wrote it down yet: its node may be about to.
  await it.letGo(it.id)
  const row = await store.kept(it.id)
  if (!isTheirs(row)) return null
  if (it.now() - (row.lost_at ?? row.seen_at) > RESUMABLE_MS) return null
  const isMine = await store.claim({ id: it.id, from: row.node_id, by: it.by, now: it.now() })
  return isMine ? { id: it.id, row } : null
}

/** What this node hears for the session from now on. */
export interface Standing {
  readonly userId: UserId
  /** Guilds it hears here: with the audience, and the last number that went out before it was put in. */
  readonly guilds: ReadonlyMap<GuildId, { readonly audience: GuildAudience; readonly seq: number }>
  /** The last own event that went out before it was put in. */
  readonly ownSeq: number
}

/** What the client of a claimed session is owed after `sn`. Whoever calls hears everything later by itself. */
export async function owed(
  store: RebuildStore,
  { row }: Claimed,
  sn: number,
  standing: Standing,
  now: number,
): Promise<{ readonly events: readonly LiveEvent[] } | { readonly code: number }> {
  const startOver = { code: gatewayCode.badSn }
  const own: Topic = `person:${standing.userId}`
  const guildIds = [...new Set([...row.guilds, ...standing.guilds.keys()])]
  const topics: Topic[] = [own, ...guildIds.map((id): Topic => `guild:${id}`)]
  const isBehind = sn < row.sn
  const { ranges, places } = await store.passed(
    row.journal_id,
    isBehind ? row.first_no : row.no,
    now - REPLAY_MS,
    topics,
  )

  // What of each topic the session heard, or would have.
  const hears = new Map<Topic, ReadonlySet<number>>()
  const tails: Passed[][] = []
  for (const guildId of guildIds) {
    const topic: Topic = `guild:${guildId}`
    const place = places.get(topic)
    const there = standing.guilds.get(guildId)
    if (place === undefined) {
      if (there) return startOver
      continue
    }
    const mine = ranges.filter((range) => range.topic === topic)
    const from = Math.min(place + 1, ...mine.map((range) => range.from))
    const to = there?.seq ?? Number.MAX_SAFE_INTEGER
    if (from > to) continue
    const heard = await store.heard(guildId, from, to, LOOKED_AT_MAX + 1)
    // Rules that changed on the way leave it open what was heard before.
    const isOpen = heard.some(
      ({ kind, userId }) =>
        PERMISSION_EVENTS.has(kind) || (MEMBER_EVENTS.has(kind) && userId === standing.userId),
    )
    if (isOpen || heard.length > LOOKED_AT_MAX) return startOver
    const visible = there
      ? heard.filter(
          ({ kind, channelId }) =>
            !isForChannel(kind) || (channelId !== null && there.audience.sees(standing.userId, channelId)),
        )
      : []
    hears.set(topic, new Set(visible.map(({ seq }) => seq)))
    tails.push(visible.filter(({ seq }) => seq > place).map(({ seq }) => ({ topic, seq })))
  }

  const ownPlace = places.get(own)
  if (ownPlace === undefined) return startOver
  const ownRanges = ranges.filter((range) => range.topic === own)
  const ownFrom = Math.min(ownPlace + 1, ...ownRanges.map((range) => range.from))
  const found = await store.events(own, ownFrom - 1, LOOKED_AT_MAX + 1)
  if (found.length > LOOKED_AT_MAX) return startOver
  const ownEvents = found.filter(({ seq }) => seq <= standing.ownSeq)
  hears.set(own, new Set(ownEvents.map(({ seq }) => seq)))
  tails.push(ownEvents.filter(({ seq }) => seq > ownPlace).map(({ seq }) => ({ topic: own, seq })))

  const before: Passed[] = []
  const after: Passed[] = []
  for (const { topic, from, to, no } of ranges) {
    const side = no > row.no ? after : before
    const heard = hears.get(topic)
    if (heard) for (let seq = from; seq <= to; seq += 1) if (heard.has(seq)) side.push({ topic, seq })
  }
  const passed = owedAfter(sn, { anchorSn: row.sn, before, after, tails })
  if (!passed || passed.length > REPLAY_EVENTS_MAX) return startOver

  const bodies = new Map<Topic, Map<number, LiveEvent>>()
  for (const topic of new Set(passed.map((each) => each.topic))) {
    const numbers = passed.filter((each) => each.topic === topic).map(({ seq }) => seq)
    const first = Math.min(...numbers)
    const events = await store.events(topic, first - 1, Math.max(...numbers) - first + 1)
    bodies.set(topic, new Map(events.map((event) => [event.seq, event])))
  }
  const events = passed.flatMap(({ topic, seq }) => bodies.get(topic)?.get(seq) ?? [])
  if (events.length !== passed.length) return startOver
  return { events }
}
