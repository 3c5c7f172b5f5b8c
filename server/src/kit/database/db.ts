/** The database: pool, query builder, transactions, prepared plans. The only file that knows the driver. */
import type { Duplex, Readable, Writable } from 'node:stream'
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Log } from '../log.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
export type Pool = pg.Pool
export type PoolClient = pg.PoolClient

/** Where a PostgreSQL is: a URL, or the embedded one's socket directory or port. */
export interface Connection {
  readonly url?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
}

export interface Database {
  readonly db: Db
  readonly pool: Pool
  /** Runs `fn` on a connection of its own, for statements that may take hours. */
  readonly alone: <T>(fn: (query: Query) => Promise<T>) => Promise<T>
  /** Waits for queries under way, then closes every connection. May be called twice. */
  close(): Promise<void>
}

// A query that runs longer has lost its caller, who waits 5 s at most (chat.md §9).
const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 10_000
/** What connections call themselves: those of a server, and those of a single task. */
export const SERVER_NAME = 'guildhall'
const SETUP_NAME = 'guildhall-setup'
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
/**
 * The server ends a statement after its timeout; without a response this much later, the connection is dead.
 */
const ANSWER_LATER_MS = 2_000
const TRIES = 5
const RETRIED = new Set(['40001', '40P01'])

/**
 * Opens a pool of at most `max` connections; nothing is connected until the first query. Ids (bigint columns)
 * are returned as decimal strings, as on the wire; `toCount` is for counters. A connection that breaks while
 * idle is logged and replaced; so is one whose server has vanished, and its query fails as on a cut
 * connection.
 */
export function openDatabase(options: {
  connection: Connection
  max?: number
  log?: Log
  name?: string
  /** How long a statement may run. */
  statementWithinMs?: number
  /** How long a connection may take, or the wait for one that is free. */
  connectWithinMs?: number
  /** How long a statement may go without an answer before its connection is given up. */
  answerWithinMs?: number
}): Database {
  const statementMs = options.statementWithinMs ?? STATEMENT_TIMEOUT_MS
  const pool = new pg.Pool({
    ...driverOptions(options.connection),
    max: options.max ?? 20,
    application_name: options.name ?? SERVER_NAME,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: options.connectWithinMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  // Without a listener an idle connection cut by the database would end the process.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'an idle database connection was lost'))
  // The same for one that is cut between two statements of a transaction; the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const { asked, close: stopWatching } = watchAnswers(
    pool,
    options.answerWithinMs ?? statementMs + ANSWER_LATER_MS,
  )
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withKeptPlans(pool, asked) }) })
  let closing: Promise<void> | null = null
  return {
    db,
    pool,
    alone: (fn) => withConnection(options.connection, fn),
    close() {
      closing ??= db.destroy().finally(stopWatching)
      return closing
    },
  }
}

/**
 * Begins a prepared statement, whose plan each connection caches: for the few statements that every request
 * runs and whose planning costs more than their execution.
 */
export const preparedStatement = sql`/* kept */ `
const KEPT = '/* kept */'
/**
 * After so many uses on a connection a statement is planned again, under a new name. A plan made while a
 * table was almost empty may use any index, and would read a whole channel once the table is full. The old
 * plan stays on the connection, unused.
 */
const PLANNED_AGAIN_AFTER = [100, 1_000, 10_000]

/**
 * A statement whose text is built once, at its first use, and then run with other values: for the one or two
 * that every message runs.
 */
export function memoized<T>(
  build: () => RawBuilder<T>,
): (db: Db, values: readonly unknown[]) => Promise<QueryResult<T>> {
  let text: string | null = null
  return (db, values) => {
    text ??= build().compile(db).sql
    return db.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<T>)
  }
}

/** Records that a query is under way on a connection until its result arrives. */
type Asked = <T>(client: pg.PoolClient, answer: T) => T

/**
 * A database host that vanishes (a failover, a cable) sends nothing: without this, connections to it would
 * wait for TCP's timeout, a quarter of an hour.
 */
function watchAnswers(pool: Pool, withinMs: number): { asked: Asked; close(): void } {
  /** Since when each connection waits for a result, ms; infinity when it does not wait. */
  const since = new Map<pg.PoolClient, number>()
  pool.on('remove', (client) => void since.delete(client))
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const [client, askedAt] of since) {
        if (now - askedAt <= withinMs) continue
        since.set(client, Number.POSITIVE_INFINITY)
        const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
        stream.destroy(new Error('Connection terminated: no answer'))
      }
    },
    Math.min(1_000, withinMs / 2),
  )
  timer.unref()
  return {
    asked(client, answer) {
      if (!(answer instanceof Promise)) return answer
      since.set(client, performance.now())
      const done = () => void (since.has(client) && since.set(client, Number.POSITIVE_INFINITY))
      answer.then(done, done)
      return answer
    },
    close: () => clearInterval(timer),
  }
}

/**
 * The pool as Kysely uses it, with statements that begin with `preparedStatement` prepared under names of
 * their own.
 */
function withKeptPlans(pool: Pool, asked: Asked): PostgresPool {
  const names = new Map<string, readonly string[]>()
  const namesOf = (text: string) => {
    let known = names.get(text)
    if (!known) {
      const name = `kept_${names.size + 1}`
      known = [0, ...PLANNED_AGAIN_AFTER].map((uses) => `${name}_${uses}`)
      names.set(text, known)
    }
    return known
  }
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const uses = new Map<string, number>()
    const nameOf = (text: string) => {
      const before = uses.get(text) ?? 0
      uses.set(text, before + 1)
      let plan = 0
      while (plan < PLANNED_AGAIN_AFTER.length && before >= PLANNED_AGAIN_AFTER[plan]!) plan += 1
      return namesOf(text)[plan]!
    }
    const run = client.query.bind(client) as PostgresPoolClient['query'] & ((query: pg.QueryConfig) => never)
    const query = (text: string, values: readonly unknown[]) =>
      asked(
        client,
        typeof text === 'string' && text.startsWith(KEPT)
          ? run({ name: nameOf(text), text, values: [...values] })
          : run(text, values),
      )
    return { query: query as PostgresPoolClient['query'], release: () => client.release() }
  }
  return {
    async connect() {
      const client = await pool.connect()
      const wrapped = clients.get(client) ?? wrap(client)
      clients.set(client, wrapped)
      return wrapped
    },
    options: pool.options,
    end: () => pool.end(),
  }
}

/**
 * Runs `fn` in one transaction and commits. When the database chose it as the victim of a deadlock or of a
 * serialization conflict, it runs again from the start, up to five times: `fn` must have no effect outside
 * `tx`.
 */
export async function transaction<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(fn)
    } catch (error) {
      if (tries >= TRIES || !RETRIED.has(sqlState(error) ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tries))
    }
  }
}

/** The five-character SQLSTATE of a database error, or null for any other error. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])

/** True when the database is unreachable, full or stopping: the caller may retry. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state) return /^(?:08|53|57P|3D)/.test(state)
  const { code } = error as NodeJS.ErrnoException
  return (
    (code !== undefined && UNREACHABLE.has(code)) ||
    /^(?:Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable$)/.test(
      error.message,
    )
  )
}

/**
 * A counter from the database (`count(*)` and bigint columns arrive as strings). Throws when it is not a safe
 * whole number.
 */
export function toCount(value: string | number | bigint): number {
  const count = Number(value)
  if (Number.isSafeInteger(count)) return count
  throw new RangeError(`not a whole number that JavaScript can hold: ${value}`)
}

/** Runs one statement, or several without values; answers with the rows of one. */
export type Query = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Runs `fn` on a new connection, outside any pool and without a statement timeout, and closes it. */
export async function withConnection<T>(
  connection: Connection,
  fn: (query: Query) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...driverOptions(connection),
    application_name: SETUP_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A cut connection is reported by the query under way; without a listener it would end the process as well.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await fn(async (sql, values) => {
      // Several statements in one text return several results, whose rows are not used.
      const result = values ? await client.query(sql, values) : await client.query(sql)
      return Array.isArray(result) ? [] : result.rows
    })
  } finally {
    await client.end()
  }
}

/** A connection that also transfers whole tables by PostgreSQL's copy protocol. */
export interface Transfer {
  readonly query: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  /** The rows of a `copy … to stdout`. */
  copyOut(sql: string): Readable
  /** Takes the rows of a `copy … from stdin`; they are stored when it has finished. */
  copyIn(sql: string): Writable
}

/**
 * Runs `fn` on a new connection that copies tables, outside any pool and without a statement timeout, and
 * closes it.
 */
export async function withTransfer<T>(
  connection: Connection,
  fn: (transfer: Transfer) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...driverOptions(connection), application_name: SETUP_NAME })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await fn({
      query: async (text, values) => (await client.query(text, values)).rows,
      copyOut: (text) => client.query(copyTo(text)),
      copyIn: (text) => client.query(copyFrom(text)),
    })
  } finally {
    await client.end()
  }
}

/** A name quoted as an SQL identifier: `a"b` → `"a""b"`. */
export function quoteName(name: string): string {
  return pg.escapeIdentifier(name)
}

/** The same server, another database on it. */
export function inDatabase(connection: Connection, database: string): Connection {
  if (connection.url === undefined) return { ...connection, database }
  const url = new URL(connection.url)
  url.pathname = `/${encodeURIComponent(database)}`
  return { url: url.href }
}

/** The same as one URL, for a process that reads DATABASE_URL. */
export function connectionUrl(connection: Connection): string {
  if (connection.url !== undefined) return connection.url
  const { user = '', password = '', host = '', port = 5432, database = '' } = connection
  const url = new URL(`postgres://localhost/${encodeURIComponent(database)}`)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  url.searchParams.set('host', host)
  url.searchParams.set('port', String(port))
  return url.href
}

function driverOptions({ url, ...rest }: Connection): pg.ClientConfig {
  return url === undefined ? rest : { connectionString: url }
}
