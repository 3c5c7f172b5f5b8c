import { randomBytes } from 'node:crypto'
import {
  type Connection,
  connectionUrl,
  type Database,
  inDatabase,
  openDatabase,
  quoteName,
  withConnection,
} from '../kit/db.ts'
import { templateDatabase } from './cluster.ts'

/** A separate database for one test, migrated and empty, with its connection for other processes. */
export interface TestDatabase extends Database {
  readonly connection: Connection
  /** The same as a DATABASE_URL. */
  readonly url: string
}

/** Clones the migrated template for one test file; `close()` drops the clone, also when connections are left open. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const template = templateDatabase()
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
