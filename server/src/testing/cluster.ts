import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStores } from '../app/adapters/stores.ts'
import { readConfig } from '../config.ts'
import { seedWorld } from '../demo/seed.ts'
import { type Connection, inDatabase, openDatabase, quoteName, withConnection } from '../kit/database/db.ts'
import { startEmbedded } from '../kit/database/embedded.ts'
import { migrate, readMigrations } from '../kit/database/migrate.ts'
import { installJobs } from '../kit/jobs.ts'
import { testKeys } from './keys.ts'

/** The environment variable by which the processes of a test run learn of the templates, as JSON. */
const TEMPLATES = 'GUILDHALL_TEST_TEMPLATES'

/** Databases to be cloned and never opened. */
export interface Templates {
  /** Every migration applied and no rows. */
  readonly empty: Connection
  /** The same with the demo world, whose files are in this data directory. */
  readonly world: Connection
  readonly worldDir: string
}

export function templateDatabases(): Templates {
  const templates = process.env[TEMPLATES]
  if (!templates) throw new Error('This test needs the global setup that starts PostgreSQL.')
  return JSON.parse(templates) as Templates
}

const MIGRATIONS = path.join(import.meta.dirname, '../../migrations')

/**
 * Once per run of the tests that need PostgreSQL: one server, the one of TEST_DATABASE_URL or an embedded one
 * in a temporary directory, and on it the templates. Everything is removed after the run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Another project of the same run has opened it, and closes it.
  if (process.env[TEMPLATES]) return async () => undefined
  const server = await openServer()
  const run = `${process.pid}_${Date.now().toString(36)}`
  const worldDir = await mkdtemp(path.join(tmpdir(), 'guildhall-world-'))
  const names = [`template_${run}`, `world_${run}`] as const
  const [empty, world] = [inDatabase(server.connection, names[0]), inDatabase(server.connection, names[1])]
  const close = async () => {
    await withConnection(server.connection, async (query) => {
      for (const name of names) await query(`drop database if exists ${quoteName(name)} with (force)`)
    }).finally(() => server.close())
    await rm(worldDir, { recursive: true, force: true })
  }
  try {
    await withConnection(server.connection, (query) => query(`create database ${quoteName(names[0])}`))
    await migrate(empty, await readMigrations(MIGRATIONS))
    await installJobs(empty)
    await withConnection(server.connection, (query) =>
      query(`create database ${quoteName(names[1])} template ${quoteName(names[0])}`),
    )
    await fillWorld(world, worldDir)
  } catch (error) {
    await close()
    throw error
  }
  process.env[TEMPLATES] = JSON.stringify({ empty, world, worldDir } satisfies Templates)
  return close
}

/** Seeds the demo world as a server does at its first start. */
async function fillWorld(connection: Connection, dataDir: string): Promise<void> {
  const { db, close } = openDatabase({ connection, name: 'world' })
  try {
    const config = readConfig({ DATA_DIR: dataDir, FETCH_OUTSIDE: '0' }, '/')
    const stores = await openStores(config, db)
    await seedWorld(db, testKeys, async () => stores)
    stores.assets.close()
  } finally {
    await close()
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
