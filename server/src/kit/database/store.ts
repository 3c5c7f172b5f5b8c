/** Opens the database of the server: an external PostgreSQL, or the embedded one. */
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { type Connection, type Database, openDatabase, withConnection } from './db.ts'
import { borrowEmbedded, DatabaseError, hasEmbedded, startEmbedded } from './embedded.ts'
import { migrate, readMigrations, waitingMigrations } from './migrate.ts'
import { DatabaseDied } from './postgres/databaseError.ts'

/** The directory of the migration files. */
export const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations')

/** The command that makes the tables, for sentences to the operator. */
export const MIGRATE = 'cli migrate (npm run -s cli -- migrate)'

/** The database, open. */
export interface Store {
  readonly database: Database
  readonly connection: Connection
  /** The migrations that opening it applied. */
  readonly applied: readonly string[]
  /**
   * Those that it still has to get: its tables are older than this program. Only where it was not migrated.
   */
  readonly waiting: readonly string[]
  /** Resolves with one sentence when the embedded database ends by itself; never for an external one. */
  readonly died: Promise<string>
  close(): Promise<void>
}

/**
 * `databaseUrl` names a PostgreSQL server; null means the embedded one of `dataDir`. `signal` cancels and
 * leaves nothing running.
 */
export interface StoreOptions {
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly log?: Log
  readonly onProgress?: (line: string) => void
  readonly signal?: AbortSignal
}

/** What becomes of the tables when the database is opened. */
type Tables = (connection: Connection, options: StoreOptions) => Promise<Pick<Store, 'applied' | 'waiting'>>

/** The tables are made, or brought up to date. */
const broughtUpToDate: Tables = async (connection, { onProgress }) => ({
  applied: await migrate(connection, await readMigrations(MIGRATIONS), onProgress),
  waiting: [],
})

/** The tables stay as they are. @throws NoDatabase when there are none */
const asTheyAre: Tables = async (connection) => {
  const waiting = await waitingMigrations(connection, await readMigrations(MIGRATIONS))
  if (waiting === null) throw new NoDatabase('The database has no tables yet')
  return { applied: [], waiting }
}

/** There is no database to look at, or it has no tables. Only a start, `migrate` and `restore` make them. */
export class NoDatabase extends DatabaseError {
  override name = 'NoDatabase'
  /** What is missing, without what to do. */
  readonly what: string
  constructor(what: string) {
    super(`${what}: start the server, or make them by ${MIGRATE}.`)
    this.what = what
  }
}

/**
 * Opens the database and migrates it. For the server: refuses a `dataDir` that another server uses.
 * @throws DatabaseError, MigrationError with one sentence for the operator
 */
export const openStore = (options: StoreOptions): Promise<Store> => openWith(options, broughtUpToDate)

/**
 * The same for a command beside the server: when a running server uses `dataDir`, it shares that server's
 * database.
 */
export const migrateStore = (options: StoreOptions): Promise<Store> => openBeside(options, broughtUpToDate)

/**
 * Opens the database for a command beside the server as it is: makes neither database nor tables, and
 * migrates none.
 * @throws NoDatabase, DatabaseError, MigrationError with one sentence for the operator
 */
export async function openSharedStore(options: StoreOptions): Promise<Store> {
  const { dataDir, databaseUrl } = options
  if (databaseUrl === null && !(await hasEmbedded(dataDir)))
    throw new NoDatabase(`There is no database in ${dataDir} and so no tables`)
  return openBeside(options, asTheyAre)
}

async function openBeside(options: StoreOptions, tables: Tables): Promise<Store> {
  const shared = options.databaseUrl === null ? await borrowEmbedded(options.dataDir) : null
  return shared ? connect(shared, options, tables) : openWith(options, tables)
}

async function openWith(options: StoreOptions, tables: Tables): Promise<Store> {
  if (options.databaseUrl !== null) return connect({ url: options.databaseUrl }, options, tables)
  const { dataDir, onProgress, signal } = options
  const embedded = await startEmbedded({
    dataDir,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  })
  try {
    const store = await connect(embedded.connection, options, tables)
    return {
      ...store,
      died: embedded.died,
      async close() {
        await store.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    const failure = await startFailure(error, embedded.died)
    await embedded.stop()
    throw failure
  }
}

/** Connections notice the end of a database before its process is reaped, ms. */
const DEATH_SEEN_WITHIN_MS = 500

/** What made a start fail: `DatabaseDied` when the embedded database has ended, else the error itself. */
export async function startFailure(error: unknown, died: Promise<string>): Promise<unknown> {
  const why = await Promise.race([died, setTimeout(DEATH_SEEN_WITHIN_MS, null)])
  return why === null ? error : new DatabaseDied(why, { cause: error })
}

async function connect(connection: Connection, options: StoreOptions, tables: Tables): Promise<Store> {
  await checkReachable(connection)
  options.signal?.throwIfAborted()
  const { applied, waiting } = await tables(connection, options)
  options.signal?.throwIfAborted()
  const database = openDatabase({ connection, ...(options.log && { log: options.log }) })
  return {
    database,
    connection,
    applied,
    waiting,
    died: new Promise(() => undefined),
    close: () => database.close(),
  }
}

async function checkReachable(connection: Connection): Promise<void> {
  try {
    await withConnection(connection, (query) => query('select 1'))
  } catch (error) {
    if (connection.url === undefined) throw error
    // The URL contains a password, so only its variable is named. A refused connection has an empty message
    // and many causes.
    const { message, code } = error as NodeJS.ErrnoException
    throw new DatabaseError(`The PostgreSQL of DATABASE_URL does not answer: ${message || code}.`, {
      cause: error,
    })
  }
}
