import { randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import {
  type Connection,
  connectionUrl,
  type Database,
  inDatabase,
  openDatabase,
  quoteName,
  withConnection,
} from '../../kit/database/db.ts'
import { templateDatabases } from '../cluster.ts'

/** A separate database for one test, migrated, with its connection for other processes. */
export interface TestDatabase extends Database {
  readonly connection: Connection
  /** The same as a DATABASE_URL. */
  readonly url: string
}

/** An empty database for one test file; `close()` drops it, also when connections are left open. */
export const openTestDatabase = (): Promise<TestDatabase> => cloneOf(templateDatabases().empty)

/**
 * The same with the demo world in it, whose files go to `dataDir`: a server that starts on both seeds nothing
 * any more. All worlds of a run have the same ids and passwords, and are as old as the run.
 */
export async function openWorldDatabase(dataDir: string): Promise<TestDatabase> {
  const { world, worldDir } = templateDatabases()
  await cp(worldDir, dataDir, { recursive: true })
  return cloneOf(world)
}

async function cloneOf(template: Connection): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = inDatabase(template, 'postgres')
  await withConnection(server, (query) =>
    query(`create database ${quoteName(name)} template ${quoteName(databaseOf(template))}`),
  )
  const connection = inDatabase(template, name)
  const database = openDatabase({ connection, name })
  return {
    ...database,
    connection,
    url: connectionUrl(connection),
    async close() {
      await database.close()
      await withConnection(server, (query) =>
        query(`drop database if exists ${quoteName(name)} with (force)`),
      )
    },
  }
}

function databaseOf(connection: Connection): string {
  if (connection.url === undefined) return connection.database ?? ''
  return decodeURIComponent(new URL(connection.url).pathname.slice(1))
}
