/**
 * The tables that grow, as they are and partitioned. A candidate's tables are in a schema of its own, which
 * its connections look into first; everything else is the one of `public`, so the product's statements run on
 * each candidate unchanged.
 */
import {
  type Connection,
  connectionUrl,
  type Database,
  openDatabase,
  type Query,
} from '../../../server/src/kit/database/db.ts'

/** Events are kept for a day; the oldest of these are removed here. */
export const LOG_HOURS = 30
export const STAFF_MONTHS = 24
export const PARTS = 16
export const HOUR_MS = 3_600_000
export const MONTH_MS = 30 * 24 * HOUR_MS

export interface Candidate {
  readonly name: string
  /** Null: the tables as they are. */
  readonly schema: string | null
  readonly database: Database
}

/** Its name, its schema, and the table that it has partitioned. */
const PARTITIONED = [
  { name: 'event_log by hours', schema: 'log_by_hours', table: 'event_log' },
  { name: 'event_log by six hours', schema: 'log_by_six_hours', table: 'event_log' },
  { name: 'event_log by hash', schema: 'log_by_hash', table: 'event_log' },
  { name: 'message by hash', schema: 'message_by_hash', table: 'message' },
  { name: 'staff_log by months', schema: 'staff_by_months', table: 'staff_log' },
] as const

type Schema = (typeof PARTITIONED)[number]['schema']
export type GrowingTable = (typeof PARTITIONED)[number]['table']

/** The tables as they are come first. */
export const openCandidates = (connection: Connection): readonly Candidate[] => [
  { name: 'as it is', schema: null, database: openDatabase({ connection }) },
  ...PARTITIONED.map(({ name, schema }) => {
    const url = new URL(connectionUrl(connection))
    url.searchParams.set('options', `-c search_path=${schema},public`)
    return { name, schema, database: openDatabase({ connection: { url: url.href } }) }
  }),
]

/** Those that have the table partitioned, after the one that has it as it is. */
export const candidatesOf = (all: readonly Candidate[], table: GrowingTable): readonly Candidate[] => {
  const schemas: (string | null)[] = PARTITIONED.filter((it) => it.table === table).map((it) => it.schema)
  return all.filter(({ schema }) => schema === null || schemas.includes(schema))
}

/** Every table that is measured, by its schema. */
export const TABLES: readonly { readonly name: string; readonly schema: string; readonly table: string }[] = [
  { name: 'event_log as it is', schema: 'public', table: 'event_log' },
  { name: 'message as it is', schema: 'public', table: 'message' },
  { name: 'staff_log as it is', schema: 'public', table: 'staff_log' },
  ...PARTITIONED,
]

/**
 * Makes the partitioned tables, fills them from those of `public`, and prints how long that takes: a released
 * database would wait for it. `from`: the time of the first event; `staffFrom`: of the first staff log row.
 */
export async function makePartitioned(query: Query, from: number, staffFrom: number): Promise<void> {
  const partitions: Readonly<Record<Schema, string[]>> = {
    log_by_hours: rangesOf('event_log', from, HOUR_MS, LOG_HOURS),
    log_by_six_hours: rangesOf('event_log', from, 6 * HOUR_MS, LOG_HOURS / 6),
    log_by_hash: partsOf('event_log'),
    message_by_hash: partsOf('message'),
    staff_by_months: rangesOf('staff_log', staffFrom, MONTH_MS, STAFF_MONTHS),
  }
  const by: Readonly<Record<Schema, string>> = {
    log_by_hours: 'range (at)',
    log_by_six_hours: 'range (at)',
    log_by_hash: 'hash (guild_id)',
    message_by_hash: 'hash (guild_id)',
    staff_by_months: 'range (at)',
  }
  // An index that grew is larger than one that was made at once.
  for (const table of ['event_log', 'message', 'staff_log']) await query(`reindex table ${table}`)
  for (const { name, schema, table } of PARTITIONED) {
    await query(`create schema ${schema}; set search_path = ${schema}, public;
      create table ${table} (like public.${table} including defaults including constraints)
        partition by ${by[schema]}`)
    for (const partition of partitions[schema]) await query(partition)
    const filled = performance.now()
    await query(`insert into ${table} select * from public.${table}`)
    const indexed = performance.now()
    await query(KEYS[table](by[schema].startsWith('range') ? 'at' : 'guild_id'))
    const ended = performance.now()
    console.log(
      `${name}: copied in ${seconds(indexed - filled)} s, its indexes made in ${seconds(ended - indexed)} s`,
    )
  }
  await query('set search_path = public')
}

export const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/**
 * The keys and indexes of the migrations. A unique one of a partitioned table must contain its partition key.
 */
const KEYS: Readonly<Record<GrowingTable, (partitionKey: string) => string>> = {
  event_log: (key) =>
    `alter table event_log add primary key (guild_id, seq${key === 'guild_id' ? '' : `, ${key}`})`,
  message: (key) => `alter table message add primary key (id, ${key});
    create unique index on message (channel_id, seq desc, ${key});
    create unique index on message (channel_id, author_id, nonce, ${key}) where nonce <> '';
    create index on message (channel_id, pinned_at) where pinned_at > 0;
    create index on message (author_id, id) where deleted_at is null;
    create index message_search on message using gin (message_lexemes(kind, content, kmarkdown, attachments,
      embeds, create_at, guild_id, channel_id)) where deleted_at is null`,
  staff_log: (key) => `alter table staff_log add primary key (id, ${key});
    create index on staff_log (user_id, id) where user_id is not null;
    create index on staff_log (actor, kind, id) include (name);
    create index on staff_log (name, kind, id) include (actor)`,
}

const partsOf = (table: string): string[] =>
  Array.from(
    { length: PARTS },
    (_, part) =>
      `create table ${table}_${part} partition of ${table} for values with (modulus ${PARTS}, remainder ${part})`,
  )

/** The first takes what is older, the last what comes. */
const rangesOf = (table: string, from: number, length: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const begin = n === 0 ? 'minvalue' : from + n * length
    const end = n === count - 1 ? 'maxvalue' : from + (n + 1) * length
    return `create table ${table}_${n} partition of ${table} for values from (${begin}) to (${end})`
  })
