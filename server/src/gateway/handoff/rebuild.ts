/**
 * Rebuilds a session of another node, which may be gone: claims it, and finds in that node's journal and in
 * the event log what its client missed. protocol.md §2.6. docs/decisions/0019-session-handoff.md
 */
import { gatewayCode } from '@guildhall/wire/gateway/frame.ts'
import { RESUMABLE_MS } from '@guildhall/wire/gateway/timing.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { LiveEvent, Topic } from '../../kit/events/bus.ts'
import { accessChangeOf } from '../../kit/events/eventKind.ts'
import type { GuildAudience } from '../audience.ts'
import { isReceivedBy, isSpokenIn } from '../guildFeed.ts'
import { REPLAY_EVENTS_MAX, REPLAY_MS } from '../transport/transport.ts'
import { type EventRef, missedAfter } from './missedEvents.ts'
import type { EventFacts, JournalQuery, JournalReading, StoredSession } from './sql.ts'

/** The stored sessions and journals of all nodes, and the event log. */
export interface RebuildStore {
  /** Null when there is no such session. */
  session(id: string): Promise<StoredSession | null>
  /** Moves a session from one node to another; false when it is not at `from` any more. */
  claim(input: { readonly id: string; readonly from: string; readonly by: string }): Promise<boolean>
  /** The entries of a node's journal, as of one moment. */
  journal(query: JournalQuery): Promise<JournalReading>
  /** Events `from` to `to` of a guild without their content, at most `limit`. */
  facts(guildId: GuildId, from: number, to: number, limit: number): Promise<readonly EventFacts[]>
  /** At most `limit` events of a topic after number `seq`, in order. */
  events(topic: Topic, seq: number, limit: number): Promise<readonly LiveEvent[]>
}

/** Events of one topic that are read for one session; a client that needs more starts a new session. */
const EVENTS_READ_MAX = 4 * REPLAY_EVENTS_MAX

/** A session that this node has claimed and not brought up to date yet. */
export interface ClaimedSession {
  readonly id: string
  /** As its former node stored it. */
  readonly row: StoredSession
}

/** Claims a session; null when it does not exist, has expired, or belongs to another login. */
export async function claimSession(
  store: RebuildStore,
  input: {
    readonly id: string
    readonly by: string
    readonly userId: UserId
    readonly loginId: string
    readonly compress: boolean
    now(): number
    /** Asks the node that holds it to store and release it. Resolves when it has, or does not answer. */
    requestRelease(id: string, node: string): Promise<void>
  },
): Promise<ClaimedSession | null> {
  const isTheirs = (row: StoredSession | null): row is StoredSession =>
    row !== null &&
    row.user_id === input.userId &&
    row.login_id === input.loginId &&
    row.compress === input.compress &&
    row.node_id !== input.by
  const known = await store.session(input.id)
  if (!isTheirs(known)) return null
  await input.requestRelease(input.id, known.node_id)
  const row = await store.session(input.id)
  // Another node that claimed it meanwhile has not been asked: the client starts a new one.
  if (!isTheirs(row) || row.node_id !== known.node_id) return null
  if (input.now() - (row.lost_at ?? row.seen_at) > RESUMABLE_MS) return null
  const isMine = await store.claim({ id: input.id, from: row.node_id, by: input.by })
  return isMine ? { id: input.id, row } : null
}

/** What this node delivers to the session from now on. */
export interface Subscriptions {
  readonly userId: UserId
  readonly dialect: NumberDialect
  /** Guilds it is subscribed to here: the audience, and the last event before the subscription. */
  readonly guilds: ReadonlyMap<GuildId, { readonly audience: GuildAudience; readonly seq: number }>
  /** The last personal event before the subscription. */
  readonly ownSeq: number
}

/** What of a topic the session received or would have, and the part that the journal does not have. */
interface TopicEvents {
  readonly received: ReadonlySet<number>
  readonly tail: readonly EventRef[]
}

/** It is not certain what the session received: the client starts a new one. */
const UNCERTAIN = 'uncertain'

/**
 * What the client of a claimed session missed after `sn`, or the code to refuse with. Later events reach the
 * session by its subscriptions.
 */
export async function loadMissedEvents(
  store: RebuildStore,
  { row }: ClaimedSession,
  sn: number,
  subscriptions: Subscriptions,
): Promise<{ readonly events: readonly LiveEvent[] } | { readonly code: number }> {
  const startOver = { code: gatewayCode.badSn }
  const own: Topic = `person:${subscriptions.userId}`
  const guildIds = [...new Set([...row.guilds, ...subscriptions.guilds.keys()])]
  const topics: Topic[] = [own, ...guildIds.map((id): Topic => `guild:${id}`)]
  const firstPage = sn < row.sn ? row.first_no : row.no
  const query = { nodeId: row.journal_id, topics, after: firstPage, whole: row.no, withinMs: REPLAY_MS }
  const reading = await store.journal(query)
  if (!reading.isWhole) return startOver

  const byTopic = new Map<Topic, TopicEvents>()
  for (const guildId of guildIds) {
    const found = await guildEvents(store, guildId, reading, subscriptions)
    if (found === UNCERTAIN) return startOver
    if (found) byTopic.set(`guild:${guildId}`, found)
  }
  const personal = await personalEvents(store, own, reading, subscriptions)
  if (personal === UNCERTAIN) return startOver
  byTopic.set(own, personal)

  const missed = missedAfter(sn, {
    anchorSn: row.sn,
    ...recorded(reading, row.no, byTopic),
    tails: tailsOf(byTopic),
  })
  if (!missed || missed.length > REPLAY_EVENTS_MAX) return startOver
  const events = await readEvents(store, missed)
  if (events.length !== missed.length) return startOver
  return { events }
}

const tailsOf = (byTopic: ReadonlyMap<Topic, TopicEvents>) => [...byTopic.values()].map(({ tail }) => tail)

/** The smallest recorded number of a topic; `position + 1` when none is recorded. */
const firstOf = (reading: JournalReading, topic: Topic, position: number): number =>
  Math.min(
    position + 1,
    ...reading.ranges.filter((range) => range.topic === topic).map((range) => range.from),
  )

/** Null when there is nothing of the guild to consider. */
async function guildEvents(
  store: RebuildStore,
  guildId: GuildId,
  reading: JournalReading,
  { userId, guilds, dialect }: Subscriptions,
): Promise<TopicEvents | typeof UNCERTAIN | null> {
  const topic: Topic = `guild:${guildId}`
  const position = reading.positions.get(topic)
  const here = guilds.get(guildId)
  if (position === undefined) return here ? UNCERTAIN : null
  const from = firstOf(reading, topic, position)
  const to = here?.seq ?? Number.MAX_SAFE_INTEGER
  if (from > to) return null
  const facts = await store.facts(guildId, from, to, EVENTS_READ_MAX + 1)
  // When rules changed on the way, it is unknown what was visible before.
  const rulesChanged = facts.some(({ kind, userId: changed }) => {
    const access = accessChangeOf(kind)
    return access === 'guild' || (access === 'member' && changed === userId)
  })
  if (rulesChanged || facts.length > EVENTS_READ_MAX) return UNCERTAIN
  const visible = here
    ? facts.filter((fact) => isSpokenIn(dialect, fact.kind) && isReceivedBy(here.audience, userId, fact))
    : []
  return eventsOf(topic, visible, position)
}

async function personalEvents(
  store: RebuildStore,
  topic: Topic,
  reading: JournalReading,
  { ownSeq, dialect }: Subscriptions,
): Promise<TopicEvents | typeof UNCERTAIN> {
  const position = reading.positions.get(topic)
  if (position === undefined) return UNCERTAIN
  const found = await store.events(topic, firstOf(reading, topic, position) - 1, EVENTS_READ_MAX + 1)
  if (found.length > EVENTS_READ_MAX) return UNCERTAIN
  return eventsOf(
    topic,
    found.filter(({ seq, kind }) => seq <= ownSeq && isSpokenIn(dialect, kind)),
    position,
  )
}

const eventsOf = (
  topic: Topic,
  events: readonly { readonly seq: number }[],
  position: number,
): TopicEvents => ({
  received: new Set(events.map(({ seq }) => seq)),
  tail: events.filter(({ seq }) => seq > position).map(({ seq }) => ({ topic, seq })),
})

/** The recorded events that the session received, up to page `no` and after it. */
function recorded(reading: JournalReading, no: number, byTopic: ReadonlyMap<Topic, TopicEvents>) {
  const before: EventRef[] = []
  const after: EventRef[] = []
  for (const { topic, from, to, no: page } of reading.ranges) {
    const side = page > no ? after : before
    const received = byTopic.get(topic)?.received
    if (received) for (let seq = from; seq <= to; seq += 1) if (received.has(seq)) side.push({ topic, seq })
  }
  return { before, after }
}

/** The events with their content, in the given order, without those that the log does not have. */
async function readEvents(store: RebuildStore, refs: readonly EventRef[]): Promise<LiveEvent[]> {
  const byTopic = new Map<Topic, Map<number, LiveEvent>>()
  for (const topic of new Set(refs.map((ref) => ref.topic))) {
    const numbers = refs.filter((ref) => ref.topic === topic).map(({ seq }) => seq)
    const first = Math.min(...numbers)
    const events = await store.events(topic, first - 1, Math.max(...numbers) - first + 1)
    byTopic.set(topic, new Map(events.map((event) => [event.seq, event])))
  }
  return refs.flatMap(({ topic, seq }) => byTopic.get(topic)?.get(seq) ?? [])
}
