/**
 * Events of transactions: numbered and logged before the commit, published after it; and the log's readers.
 */
import type { Way } from '@guildhall/wire/auth/ways.ts'
import type { BodyOf, EventKind } from '@guildhall/wire/event.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { clock } from '../clock.ts'
import { asNumber, int8 } from '../database/columns.ts'
import { type Db, type Pool, type PoolClient, type Tx, transaction } from '../database/db.ts'
import type { Readers } from '../database/replica.ts'
import type { FileAddresses } from '../files/fileAddresses.ts'
import type { Log } from '../log.ts'
import type { Moderates } from '../moderation.ts'
import type { Screens } from '../screening.ts'
import {
  type Bus,
  type EventLog,
  type GuildEvent,
  type LiveEvent,
  type PersonEvent,
  type Topic,
  topicOf,
} from './bus.ts'
import type { Presence } from './presence.ts'

/** Where rules write and publish: the database and the event bus; and what judges what people write. */
export interface AppContext extends Screens, Moderates, Readers {
  readonly db: Db
  readonly bus: Bus
  /** Who is online: fills the `online` field of people. */
  readonly presence: Presence
  /** The public origin of the server: addresses of pictures that it draws start with it. */
  readonly publicUrl: string
  /** By what one registers and logs in; absent: by phone. */
  readonly ways?: readonly Way[]
  /** Whether people can verify their real names. */
  readonly verifiesNames?: boolean
  /** Adds signatures to addresses of files. Absent: nothing is sent to anybody who would open them. */
  readonly addresses?: FileAddresses
  /** True in a process beside the server: it notifies the servers of its commits through the database. */
  readonly announces?: boolean
}

/** Collects the events of a transaction. Nothing is published unless it commits. */
export interface Emit {
  /** `channelId`: only those who may view the channel receive the event. */
  guild<E extends EventKind>(guildId: GuildId, event: E, body: BodyOf<E>, channelId?: ChannelId): void
  person<E extends EventKind>(userId: UserId, event: E, body: BodyOf<E>): void
  /**
   * The number and time, ms, that the guild's next event of this transaction will have, for rows that store
   * them. Nothing else may be emitted for the guild in between. Locks the guild's counter until the commit:
   * call it last, and for one guild only.
   */
  next(guildId: GuildId): Promise<{ readonly seq: number; readonly at: number }>
}

interface Draft {
  readonly kind: string
  readonly body: unknown
  readonly channelId: ChannelId | null
}

const CHANNEL = 'guildhall_event'

/**
 * Runs `work` in one transaction together with the events it emits: they are numbered as the last thing
 * before the commit, logged in the same transaction, and published once it is committed. `work` may run again
 * after a deadlock, so it must have no effect outside `tx`.
 */
export async function commit<T>(
  appContext: Pick<AppContext, 'db' | 'bus' | 'announces'>,
  work: (tx: Tx, emit: Emit) => Promise<T>,
): Promise<T> {
  const { result, events } = await transaction(appContext.db, async (tx) => {
    const guilds = new Map<GuildId, Draft[]>()
    const people = new Map<UserId, Draft[]>()
    const add = <Id>(map: Map<Id, Draft[]>, id: Id, draft: Draft) =>
      map.set(id, [...(map.get(id) ?? []), draft])
    const result = await work(tx, {
      guild: (id, { name }, body, channelId) =>
        add(guilds, id, { kind: name, body, channelId: channelId ?? null }),
      person: (id, { name }, body) => add(people, id, { kind: name, body, channelId: null }),
      async next(id) {
        const { last, at } = await lockCounter(tx, id)
        return { seq: last + (guilds.get(id)?.length ?? 0) + 1, at }
      },
    })
    const events: LiveEvent[] = []
    // Always in the same order, so that two transactions cannot deadlock on each other's counters.
    for (const id of [...guilds.keys()].sort()) events.push(...(await logGuild(tx, id, guilds.get(id)!)))
    for (const id of [...people.keys()].sort()) events.push(...(await logPerson(tx, id, people.get(id)!)))
    if (appContext.announces) for (const event of events) await announce(tx, event)
    return { result, events }
  })
  for (const event of events) appContext.bus.publish(event)
  return result
}

/** Publishes an event that its statement has logged and committed already. */
export async function publish(
  appContext: Pick<AppContext, 'db' | 'bus' | 'announces'>,
  event: LiveEvent,
): Promise<void> {
  if (appContext.announces) await announce(appContext.db, event)
  appContext.bus.publish(event)
}

async function lockCounter(tx: Tx, guildId: GuildId): Promise<{ last: number; at: number }> {
  const row = await tx
    .selectFrom('guild_counter')
    .select((eb) => asNumber(eb, 'event_seq').as('last'))
    .select(sql<number>`greatest(last_at, ${clock.now()}::bigint)::float8`.as('at'))
    .where('guild_id', '=', guildId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Error(`guild ${guildId} has no counter`)
  return row
}

async function logGuild(tx: Tx, guildId: GuildId, drafts: readonly Draft[]): Promise<GuildEvent[]> {
  const { rows } = await sql<{ last: number; at: number }>`
    with counter as (
      update guild_counter
      set event_seq = event_seq + ${drafts.length}::int, last_at = greatest(last_at, ${clock.now()}::bigint)
      where guild_id = ${guildId}
      returning event_seq, last_at
    ), added as (
      insert into event_log (guild_id, seq, kind, channel_id, body, at)
      select ${guildId}, counter.event_seq - ${drafts.length}::int + ordinal, it->>'kind',
             (it->>'channelId')::bigint, it->'body', counter.last_at
      from counter, jsonb_array_elements(${JSON.stringify(drafts)}::jsonb) with ordinality as list(it, ordinal)
    )
    select event_seq::float8 as last, last_at::float8 as at from counter`.execute(tx)
  const counter = rows[0]
  if (!counter) throw new Error(`guild ${guildId} has no counter`)
  return drafts.map((draft, index) => ({
    ...draft,
    to: 'guild',
    guildId,
    seq: counter.last - drafts.length + index + 1,
    at: counter.at,
  }))
}

async function logPerson(tx: Tx, userId: UserId, drafts: readonly Draft[]): Promise<PersonEvent[]> {
  const { rows } = await sql<{ last: number; at: number }>`
    with counter as (
      insert into person_counter as it (user_id, event_seq, last_at)
      values (${userId}, ${drafts.length}, ${clock.now()})
      on conflict (user_id) do update
      set event_seq = it.event_seq + excluded.event_seq, last_at = greatest(it.last_at, excluded.last_at)
      returning event_seq, last_at
    ), added as (
      insert into person_event_log (user_id, seq, kind, body, at)
      select ${userId}, counter.event_seq - ${drafts.length}::int + ordinal, it->>'kind', it->'body', counter.last_at
      from counter, jsonb_array_elements(${JSON.stringify(drafts)}::jsonb) with ordinality as list(it, ordinal)
    )
    select event_seq::float8 as last, last_at::float8 as at from counter`.execute(tx)
  const counter = rows[0]
  if (!counter) throw new Error(`person ${userId} got no counter`)
  return drafts.map(({ kind, body }, index) => ({
    to: 'person',
    userId,
    kind,
    body,
    seq: counter.last - drafts.length + index + 1,
    at: counter.at,
  }))
}

/** At most `limit` events of a guild after number `seq`, in order. */
export async function eventsAfter(
  db: Db,
  guildId: GuildId,
  seq: number,
  limit: number,
): Promise<GuildEvent[]> {
  const rows = await db
    .selectFrom('event_log')
    .select((eb) => [asNumber(eb, 'seq').as('seq'), asNumber(eb, 'at').as('at')])
    .select(['kind', 'channel_id as channelId', 'body'])
    .where('guild_id', '=', guildId)
    .where('seq', '>', int8(seq))
    .orderBy('event_log.seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, to: 'guild', guildId }))
}

/** The same of one person's own events. */
export async function personEventsAfter(
  db: Db,
  userId: UserId,
  seq: number,
  limit: number,
): Promise<PersonEvent[]> {
  const rows = await db
    .selectFrom('person_event_log')
    .select((eb) => [asNumber(eb, 'seq').as('seq'), asNumber(eb, 'at').as('at')])
    .select(['kind', 'body'])
    .where('user_id', '=', userId)
    .where('seq', '>', int8(seq))
    .orderBy('person_event_log.seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, to: 'person', userId }))
}

/** The two log tables as the bus reads them. */
export function eventLogOf(db: Db): EventLog {
  return {
    after: (topic, seq, limit) => {
      const { to, id } = split(topic)
      return to === 'guild'
        ? eventsAfter(db, id as GuildId, seq, limit)
        : personEventsAfter(db, id as UserId, seq, limit)
    },
    async lastBefore(topic, at) {
      const { to, id } = split(topic)
      const { rows } = await (to === 'guild'
        ? sql<{ seq: number }>`
            select seq::float8 as seq from event_log where guild_id = ${id} and at < ${at}
            order by event_log.seq desc limit 1`
        : sql<{ seq: number }>`
            select seq::float8 as seq from person_event_log where user_id = ${id} and at < ${at}
            order by person_event_log.seq desc limit 1`
      ).execute(db)
      return rows[0]?.seq ?? 0
    },
  }
}

/** The number of each topic's last event that is committed; topics without one are left out. */
export async function lastNumbers(db: Db, topics: readonly Topic[]): Promise<Map<Topic, number>> {
  const ids = (wanted: string) =>
    topics.flatMap((topic) => (split(topic).to === wanted ? split(topic).id : []))
  const { rows } = await sql<{ topic: Topic; seq: number }>`
    select 'guild:' || guild_id as topic, event_seq::float8 as seq from guild_counter
    where guild_id = any(${ids('guild')}::bigint[])
    union all
    select 'person:' || user_id, event_seq::float8 from person_counter
    where user_id = any(${ids('person')}::bigint[])`.execute(db)
  return new Map(rows.map(({ topic, seq }) => [topic, seq]))
}

const TRIM_IDS = 200
const TRIM_ROWS = 1_000

const logs = [
  { log: sql`event_log`, counter: sql`guild_counter`, id: sql`guild_id` },
  { log: sql`person_event_log`, counter: sql`person_counter`, id: sql`user_id` },
]

/**
 * Deletes events older than `keptMs`, in small statements. Returns how many. The newest event of each guild
 * and person stays, because it holds the last number.
 */
export async function trimEvents(db: Db, keptMs: number): Promise<number> {
  const before = clock.now() - keptMs
  let removed = 0
  for (const { log, counter, id } of logs) {
    for (let after: string | null = '0'; after !== null; ) {
      const { rows }: { rows: { id: string; isOld: boolean }[] } = await sql<{ id: string; isOld: boolean }>`
        select it.${id} as id, coalesce(oldest.at < ${before} and oldest.seq < it.event_seq, false) as "isOld"
        from (select ${id}, event_seq from ${counter} where ${id} > ${after} order by ${id} limit ${TRIM_IDS}) it
        left join lateral (
          select at, seq from ${log} where ${log}.${id} = it.${id} order by seq limit 1
        ) oldest on true
        order by it.${id}`.execute(db)
      for (const row of rows) {
        if (!row.isOld) continue
        for (let count = TRIM_ROWS; count === TRIM_ROWS; removed += count) {
          // Times of a guild never go back, so what is old comes first.
          const { numAffectedRows } = await sql`
            delete from ${log} where ${id} = ${row.id} and seq in (
              select seq from (
                select seq, at from ${log} where ${id} = ${row.id} order by seq limit ${TRIM_ROWS}
              ) first
              where at < ${before} and seq < (select event_seq from ${counter} where ${id} = ${row.id})
            )`.execute(db)
          count = Number(numAffectedRows ?? 0)
        }
      }
      after = rows.length === TRIM_IDS ? rows.at(-1)!.id : null
    }
  }
  return removed
}

/** Events that another node may still read, ms. */
const STILL_READ_MS = 60 * SECOND_MS

/**
 * Deletes the logged events of a person, because they hold what was written to them; the newest ones go with
 * `trimEvents`.
 */
export async function forgetPersonEvents(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .deleteFrom('person_event_log')
    .where('user_id', '=', userId)
    .where('at', '<', int8(clock.now() - STILL_READ_MS))
    .execute()
}

function split(topic: Topic): { to: string; id: string } {
  const [to, id] = topic.split(':')
  return { to: to!, id: id! }
}

async function announce(db: Db, event: LiveEvent): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`${topicOf(event)} ${event.seq}`})`.execute(db)
}

/** The connection that receives notifications of other processes' events. */
export interface EventListener {
  isListening(): boolean
  close(): void
}

const NOTICE = /^((?:guild|person):\d+) (\d+)$/
const LISTEN_AGAIN_MS = 1_000
/** A connection that only listens would not notice that the database is gone, so it is pinged. */
const PING_EVERY_MS = 10 * SECOND_MS
const PONG_WITHIN_MS = 5 * SECOND_MS

/**
 * Listens for events that another process committed (the command line beside a running server), and has the
 * bus read them from the log. Holds one connection. When it breaks, listens again and calls `onBack`, because
 * notifications of the meantime are lost. Resolves once it listens.
 */
export async function listenForEvents(
  pool: Pool,
  bus: Bus,
  log: Log,
  onBack: () => void = () => undefined,
): Promise<EventListener> {
  const listener = new DatabaseListener(pool, bus, log, onBack)
  await listener.listen()
  return listener
}

class DatabaseListener implements EventListener {
  readonly #pool: Pool
  readonly #bus: Bus
  readonly #log: Log
  readonly #onBack: () => void
  #connection: ListeningConnection | null = null
  #isClosed = false

  constructor(pool: Pool, bus: Bus, log: Log, onBack: () => void) {
    this.#pool = pool
    this.#bus = bus
    this.#log = log
    this.#onBack = onBack
  }

  isListening(): boolean {
    return this.#connection?.isListening ?? false
  }

  close(): void {
    this.#isClosed = true
    this.#connection?.end()
  }

  async listen(): Promise<void> {
    const client = await this.#pool.connect()
    if (this.#isClosed) return client.release()
    this.#connection = new ListeningConnection(client, this.#bus, (error) => {
      if (this.#isClosed) return
      this.#log.warn({ err: error }, 'the connection that listens for events was lost')
      this.#listenAgain()
    })
    await this.#connection.start()
  }

  #listenAgain(): void {
    setTimeout(() => {
      if (!this.#isClosed) this.listen().then(this.#onBack, () => this.#listenAgain())
    }, LISTEN_AGAIN_MS).unref()
  }
}

/** `onLost`: it listened, and does no longer. */
class ListeningConnection {
  readonly #client: PoolClient
  #isListening = false
  #hasEnded = false
  #ping: NodeJS.Timeout | undefined

  constructor(client: PoolClient, bus: Bus, onLost: (error: Error) => void) {
    this.#client = client
    client.on('notification', ({ payload }) => {
      const notice = NOTICE.exec(payload ?? '')
      if (notice) bus.hint(notice[1] as Topic, Number(notice[2]))
    })
    client.on('error', (error: Error) => {
      if (this.#hasEnded) return
      const wasListening = this.#isListening
      this.end()
      // An error while it starts to listen is reported by `start`.
      if (wasListening) onLost(error)
    })
  }

  get isListening(): boolean {
    return this.#isListening
  }

  async start(): Promise<void> {
    try {
      await this.#client.query(`listen ${CHANNEL}`)
    } catch (error) {
      this.end()
      throw error
    }
    if (this.#hasEnded) throw new Error('lost while it began to listen')
    this.#isListening = true
    this.#ping = setInterval(() => this.#askIfAlive(), PING_EVERY_MS).unref()
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearInterval(this.#ping)
    this.#isListening = false
    this.#client.removeAllListeners('notification')
    // Destroyed instead of returned to the pool: it still listens.
    this.#client.release(true)
  }

  #askIfAlive(): void {
    const late = setTimeout(() => this.#client.emit('error', new Error('no answer')), PONG_WITHIN_MS)
    late.unref()
    const answered = () => clearTimeout(late)
    // The connection reports its errors as well.
    this.#client.query('select 1').then(answered, answered)
  }
}
