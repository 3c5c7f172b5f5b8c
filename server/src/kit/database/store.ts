/** Opens the database of the server: an external PostgreSQL, or the embedded one. */
import path from 'node:path'
import type { Log } from '../log.ts'
import { type Connection, type Database, openDatabase, withConnection } from './db.ts'
import { borrowEmbedded, DatabaseError, startEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'

/** The directory of the migration files. */
export const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations')

/** The database, open and migrated. */
export interface Store {
  readonly database: Database
  readonly connection: Connection
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

/**
 * Opens the database and migrates it. For the server: refuses a `dataDir` that another server uses.
 * @throws DatabaseError, MigrationError with one sentence for the operator
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl !== null) return connect({ url: options.databaseUrl }, options)
  const { dataDir, onProgress, signal } = options
  const embedded = await startEmbedded({
    dataDir,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  })
  try {
    const store = await connect(embedded.connection, options)
    return {
      ...store,
      died: embedded.died,
      async close() {
        await store.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

/**
 * The same for a command beside the server: when a running server uses `dataDir`, it shares that server's
 * database.
 */
export async function openSharedStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl !== null) return openStore(options)
  const shared = await borrowEmbedded(options.dataDir)
  return shared ? connect(shared, options) : openStore(options)
}

async function connect(connection: Connection, options: StoreOptions): Promise<Store> {
  await checkReachable(connection)
  options.signal?.throwIfAborted()
  await migrate(connection, await readMigrations(MIGRATIONS), options.onProgress)
  options.signal?.throwIfAborted()
  const database = openDatabase({ connection, ...(options.log && { log: options.log }) })
  return { database, connection, died: new Promise(() => undefined), close: () => database.close() }
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
