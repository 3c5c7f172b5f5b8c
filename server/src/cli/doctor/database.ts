/** The database: its version, its tables, its indexes, what has gone from them, and what is slow. */
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import { bad, type Finding, ok, orFine, warn } from './finding.ts'

const OLDEST_VERSION = 140_000
/** A table is looked at from so many dead rows on, and is bloated when they are this part of it. */
const DEAD_ROWS = 50_000
const DEAD_PART = 0.3
/** From this age on the database begins to force vacuums; far below where it stops. */
const AGE_WARN = 1_000_000_000
const SLOW_S = 5
const SLOW_MEAN_MS = 200
const FEW_CALLS = 20
const SHOWN = 3

const rowsOf = async <Row>(db: Db, query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(db)).rows

/** The time of the database, ms. */
export async function databaseNow(db: Db): Promise<number> {
  const [row] = await rowsOf(
    db,
    sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
  )
  return row?.now ?? 0
}

export async function checkVersion(db: Db): Promise<Finding[]> {
  const [row] = await rowsOf(
    db,
    sql<{ number: number; name: string }>`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const { number = 0, name = '' } = row ?? {}
  return number < OLDEST_VERSION
    ? [bad('database version', `PostgreSQL ${name} is too old.`, 'Move to PostgreSQL 14 or newer.')]
    : [ok('database version', `PostgreSQL ${name}`)]
}

export async function checkIndexes(db: Db): Promise<Finding[]> {
  const broken = await rowsOf(
    db,
    sql<{ name: string }>`
      select indexrelid::regclass::text as name from pg_index where not indisvalid or not indisready order by 1`,
  )
  return orFine(
    'indexes',
    'all are valid',
    broken.map(({ name }) =>
      bad('indexes', `${name} is not valid and is not used.`, `REINDEX INDEX CONCURRENTLY ${name};`),
    ),
  )
}

interface DeadRows {
  readonly name: string
  readonly dead: number
  readonly live: number
  readonly vacuumed: Date | null
}

export async function checkBloat(db: Db): Promise<Finding[]> {
  const tables = await rowsOf(
    db,
    sql<DeadRows>`
      select relid::regclass::text as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live,
        greatest(last_vacuum, last_autovacuum) as vacuumed
      from pg_stat_user_tables
      where n_dead_tup > ${DEAD_ROWS} and n_dead_tup > ${DEAD_PART}::float8 * (n_live_tup + n_dead_tup)
      order by n_dead_tup desc limit ${SHOWN}`,
  )
  const [age] = await rowsOf(
    db,
    sql<{
      age: number
    }>`select age(datfrozenxid)::float8 as age from pg_database where datname = current_database()`,
  )
  const found = tables.map(({ name, dead, live, vacuumed }) =>
    warn(
      'bloat',
      `${name} has ${dead} dead rows beside ${live}; it was last vacuumed ${vacuumed ? vacuumed.toISOString() : 'never'}.`,
      `VACUUM (ANALYZE) ${name}; and look whether autovacuum is on.`,
    ),
  )
  if ((age?.age ?? 0) > AGE_WARN)
    found.push(
      bad(
        'bloat',
        `The oldest transaction is ${age?.age} back: the database stops at two thousand million.`,
        'VACUUM FREEZE; and look for transactions and replication slots that never end.',
      ),
    )
  return orFine('bloat', 'no table has many dead rows', found)
}

export async function checkConnections(db: Db): Promise<Finding[]> {
  const [row] = await rowsOf(
    db,
    sql<{ used: number; most: number; stuck: number }>`
      select count(*)::int as used, current_setting('max_connections')::int as most,
        (count(*) filter (where state = 'idle in transaction' and state_change < now() - interval '1 minute'))::int as stuck
      from pg_stat_activity where backend_type = 'client backend'`,
  )
  const { used = 0, most = 1, stuck = 0 } = row ?? {}
  const found: Finding[] = []
  if (used > most * 0.8)
    found.push(
      warn(
        'connections',
        `${used} of ${most} are in use.`,
        'Raise max_connections, or run fewer nodes: each uses up to 20.',
      ),
    )
  if (stuck > 0)
    found.push(
      warn(
        'connections',
        `${stuck} wait inside of a transaction for over a minute.`,
        'Find them in pg_stat_activity and end them with pg_terminate_backend.',
      ),
    )
  return orFine('connections', `${used} of ${most} are in use`, found)
}

interface SlowStatement {
  readonly statement: string
  readonly what: string
}

export async function checkSlowStatements(db: Db): Promise<Finding[]> {
  const [extension] = await rowsOf(
    db,
    sql<{
      there: boolean
    }>`select exists (select from pg_extension where extname = 'pg_stat_statements') as there`,
  )
  const now = await rowsOf(
    db,
    sql<SlowStatement>`
      select left(regexp_replace(query, '\s+', ' ', 'g'), 120) as statement,
        extract(epoch from now() - query_start)::int || ' s so far' as what
      from pg_stat_activity
      where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
        and query_start < now() - make_interval(secs => ${SLOW_S}) order by query_start limit ${SHOWN}`,
  )
  const often = extension?.there
    ? await rowsOf(
        db,
        sql<SlowStatement>`
          select left(regexp_replace(query, '\s+', ' ', 'g'), 120) as statement,
            round(mean_exec_time) || ' ms in the mean of ' || calls || ' calls' as what
          from pg_stat_statements join pg_database on pg_database.oid = dbid and datname = current_database()
          where mean_exec_time > ${SLOW_MEAN_MS} and calls > ${FEW_CALLS}
          order by total_exec_time desc limit ${SHOWN}`,
      )
    : []
  const found = [...now, ...often].map(({ statement, what }) =>
    warn(
      'slow statements',
      `${what}: ${statement}`,
      'EXPLAIN (ANALYZE, BUFFERS) it; see “The database is slow” in docs/operations.md.',
    ),
  )
  const fine = extension?.there
    ? 'none'
    : 'none now; those of the past are known with the extension pg_stat_statements'
  return orFine('slow statements', fine, found)
}
