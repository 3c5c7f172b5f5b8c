import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Connection, inDatabase, quoteName, withConnection } from '../kit/db.ts'
import { startEmbedded } from '../kit/embedded.ts'
import { installJobs } from '../kit/jobs.ts'
import { migrate, readMigrations } from '../kit/migrate.ts'

/** The environment variable by which the processes of a test run learn of the template, as JSON. */
const TEMPLATE = 'GUILDHALL_TEST_TEMPLATE'

/** A database with every migration applied and no rows, to be cloned and never opened. */
export function templateDatabase(): Connection {
  const template = process.env[TEMPLATE]
  if (!template) throw new Error('This test needs the global setup that starts PostgreSQL.')
  return JSON.parse(template) as Connection
}

const MIGRATIONS = path.join(import.meta.dirname, '../../migrations')

/**
 * Once per run of the tests that need PostgreSQL: one server, the one of TEST_DATABASE_URL or an embedded one in a
 * temporary directory, and on it one migrated template. Everything is removed after the run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await openServer()
  const template = `template_${process.pid}_${Date.now().toString(36)}`
  const connection = inDatabase(server.connection, template)
  try {
    await withConnection(server.connection, (query) => query(`create database ${quoteName(template)}`))
    await migrate(connection, await readMigrations(MIGRATIONS))
    await installJobs(connection)
  } catch (error) {
    await server.close()
    throw error
  }
  process.env[TEMPLATE] = JSON.stringify(connection)
  return async () => {
    await withConnection(server.connection, (query) =>
      query(`drop database if exists ${quoteName(template)} with (force)`),
    )
    await server.close()
  }
}

async function openServer(): Promise<{ connection: Connection; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { connection: { url }, close: async () => undefined }

  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-test-'))
  // As root the database runs under another account, which needs access.
  await chmod(directory, 0o711)
  const embedded = await startEmbedded({
    dataDir: path.join(directory, 'data'),
    // Nothing here outlives the run, so nothing waits for a disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  }).catch(async (error) => {
    await rm(directory, { recursive: true, force: true })
    throw error
  })
  return {
    connection: embedded.connection,
    async close() {
      await embedded.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
