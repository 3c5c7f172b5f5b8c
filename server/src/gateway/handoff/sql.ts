/** The only SQL that names the tables of sessions and journals (`line_*`). */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { type Db, preparedStatement } from '../../kit/database/db.ts'
import type { Topic } from '../../kit/events/bus.ts'
import type { EventRange, JournalPage } from './journal.ts'

// A commit does not wait for the disk: a crash of the database may lose a page, and keep the ones written
// after it. `readJournal` finds the hole, and the client loses its resumption and no event.
const asyncCommit = sql`set_config('synchronous_commit', 'off', true)`

// Nodes compare these times with each other's, so they are the database's: the clock of a node may be wrong.
const databaseNow = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Writes a page, an empty one too: a missing number means a lost page. Returns those of its marked sessions
 * that another node holds.
 */
export async function writePage(db: Db, page: JournalPage): Promise<string[]> {
  const positions = new Map(page.bases)
  for (const { topic, to } of page.ranges) positions.set(topic, Math.max(to, positions.get(topic) ?? 0))
  const { rows } = await sql<{ kept: string[] }>`${preparedStatement}
    with node as (
      insert into line_node (id, seen_at) values (${page.nodeId}, ${databaseNow})
      on conflict (id) do update set seen_at = greatest(line_node.seen_at, excluded.seen_at)
    ), page as (
      insert into line_journal (node_id, no, at, topics, froms, tos)
      select ${page.nodeId}::uuid, ${page.no}::bigint, ${databaseNow}, topics, froms, tos
      from (select ${page.ranges.map(({ topic }) => topic)}::text[] as topics,
                   ${page.ranges.map(({ from }) => from)}::bigint[] as froms,
                   ${page.ranges.map(({ to }) => to)}::bigint[] as tos) it
      on conflict do nothing
    ), place as (
      insert into line_place (node_id, topic, seq)
      select ${page.nodeId}::uuid, topic, seq
      from unnest(${[...positions.keys()]}::text[], ${[...positions.values()]}::bigint[]) as it(topic, seq)
      on conflict (node_id, topic) do update set seq = greatest(line_place.seq, excluded.seq)
    ), gone as (
      delete from line_session where id = any(${page.ended}::uuid[]) and node_id = ${page.nodeId}
    ), kept as (
      insert into line_session as it (id, node_id, user_id, login_id, compress, guilds, journal_id, sn, no, first_no,
                                      lost_at)
      select id, ${page.nodeId}::uuid, "userId", "loginId", compress, guilds, ${page.nodeId}::uuid, sn,
             ${page.no}::bigint, ${page.no}::bigint, "lostAt"
      from jsonb_to_recordset(${JSON.stringify(page.marks)}::jsonb) as mark(
        id uuid, "userId" bigint, "loginId" text, compress boolean, guilds bigint[], sn bigint, "lostAt" bigint)
      on conflict (id) do update
      set guilds = excluded.guilds, sn = excluded.sn, no = excluded.no, lost_at = excluded.lost_at,
          first_no = case when it.journal_id = excluded.journal_id then it.first_no else excluded.first_no end,
          journal_id = excluded.journal_id
      where it.node_id = excluded.node_id
      returning id
    )
    select array(select id::text from kept) as kept, ${asyncCommit}`.execute(db)
  const kept = new Set(rows[0]?.kept)
  return page.marks.map(({ id }) => id).filter((id) => !kept.has(id))
}

/** A session as its node last stored it. Times in ms. */
export interface StoredSession {
  readonly node_id: string
  readonly user_id: UserId
  readonly login_id: string
  readonly compress: boolean
  readonly guilds: GuildId[]
  /** The node whose journal `sn`, `no` and `first_no` refer to. */
  readonly journal_id: string
  readonly sn: number
  readonly no: number
  readonly first_no: number
  readonly lost_at: number | null
  /** When its node last wrote a page. */
  readonly seen_at: number
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Null when there is no session of that id. */
export async function storedSession(db: Db, id: string): Promise<StoredSession | null> {
  if (!UUID.test(id)) return null
  const { rows } = await sql<StoredSession>`${preparedStatement}
    select node_id, user_id, login_id, compress, array(select unnest(guilds)::text) as guilds, journal_id,
           sn::float8 as sn, no::float8 as no, first_no::float8 as first_no, lost_at::float8 as lost_at,
           seen_at::float8 as seen_at
    from line_session it join line_node on line_node.id = it.node_id
    where it.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Moves a session from the node that holds it; false when that node does not hold it any more. */
export async function moveSession(
  db: Db,
  input: { readonly id: string; readonly from: string; readonly by: string },
): Promise<boolean> {
  const { rows } = await sql`
    with node as (
      insert into line_node (id, seen_at) values (${input.by}, ${databaseNow})
      on conflict (id) do update set seen_at = greatest(line_node.seen_at, excluded.seen_at)
    ), mine as (
      update line_session set node_id = ${input.by} where id = ${input.id} and node_id = ${input.from}
      returning id
    )
    select id, ${asyncCommit} from mine`.execute(db)
  return rows.length === 1
}

/** The entries of a node's journal about some topics. */
export interface JournalReading {
  /** What the node sent, in order, with the number of the page. */
  readonly ranges: readonly (EventRange & { readonly no: number })[]
  /** The last event of each topic that the journal has. */
  readonly positions: ReadonlyMap<Topic, number>
  /** False: a page between them is lost, and nobody knows what the node sent. */
  readonly isWhole: boolean
}

/** What to read of a journal. */
export interface JournalQuery {
  readonly nodeId: string
  readonly topics: readonly Topic[]
  /** Pages after this one are read, */
  readonly after: number
  /**
   * and those that are neither older than `withinMs` nor before an older one; pages after `whole` are read at
   * any age.
   */
  readonly whole: number
  readonly withinMs: number
}

/**
 * The entries of a node's journal about some topics: a run of pages up to the newest. A hole in it would hide
 * events from a client, so it is told. One statement, so that a page written concurrently is in both parts of
 * the answer or in neither.
 */
export async function readJournal(db: Db, input: JournalQuery): Promise<JournalReading> {
  const topics = sql`any(${[...input.topics]}::text[])`
  const { rows } = await sql<EventRange & { readonly no: number | null }>`${preparedStatement}
    with lower as (
      select greatest(${input.after}::bigint, coalesce(max(no) filter (
               where no <= ${input.whole} and at < ${databaseNow} - ${input.withinMs}::bigint), 0)) as no,
             min(no) as first
      from line_journal where node_id = ${input.nodeId}
    ), pages as (
      select line_journal.no, topics, froms, tos from line_journal, lower
      where node_id = ${input.nodeId} and line_journal.no > lower.no
    )
    select no::float8 as no, topic, "from"::float8 as "from", "to"::float8 as "to"
    from (
      select no, topic, "from", "to", place
      from pages, unnest(topics, froms, tos) with ordinality as it(topic, "from", "to", place)
      where topic = ${topics}
      union all
      select null, topic, seq, seq, 0 from line_place
      where node_id = ${input.nodeId} and topic = ${topics}
      union all
      -- How many pages there should be, and how many there are. Those before the first one were deleted for their age.
      select null, '', coalesce(max(pages.no) - greatest(lower.no, lower.first - 1), 0), count(pages.no), 0
      from lower left join pages on true group by lower.no, lower.first
    ) it
    order by no, place`.execute(db)
  const ranges: (EventRange & { no: number })[] = []
  const positions = new Map<Topic, number>()
  let isWhole = false
  for (const { no, ...range } of rows) {
    if (no !== null) ranges.push({ ...range, no })
    else if ((range.topic as string) === '') isWhole = range.from === range.to
    else positions.set(range.topic, range.to)
  }
  return { ranges, positions, isWhole }
}

/** What decides who received an event. */
export interface EventFacts {
  readonly seq: number
  readonly kind: string
  readonly channelId: ChannelId | null
  /** The person the event is about, if any. */
  readonly userId: UserId | null
}

/** Events `from` to `to` of a guild without their content, at most `limit`. */
export async function eventFacts(
  db: Db,
  guildId: GuildId,
  from: number,
  to: number,
  limit: number,
): Promise<EventFacts[]> {
  const { rows } = await sql<EventFacts>`${preparedStatement}
    select seq::float8 as seq, kind, channel_id as "channelId",
           case when kind <> 'message' then body->>'user_id' end as "userId"
    from event_log where guild_id = ${guildId} and seq between ${from} and ${to} order by seq limit ${limit}`.execute(
    db,
  )
  return rows
}

/** The number of a person's last personal event; 0 before the first. */
export async function personSeq(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ seq: number }>`${preparedStatement}
    select event_seq::float8 as seq from person_counter where user_id = ${userId}`.execute(db)
  return rows[0]?.seq ?? 0
}

/**
 * Deletes pages that are older than this, ms, and everything of nodes that have written nothing for as long.
 */
export async function trimJournals(db: Db, olderThanMs: number): Promise<void> {
  const before = sql<string>`${databaseNow} - ${olderThanMs}::bigint`
  await db.deleteFrom('line_journal').where('at', '<', before).execute()
  const rows = await db.deleteFrom('line_node').where('seen_at', '<', before).returning('id').execute()
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  for (const table of ['line_journal', 'line_place', 'line_session'] as const)
    await db.deleteFrom(table).where('node_id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}
