/**
 * `node scripts/tables.ts` generates `server/src/kit/database/tables.ts`, the types of the database's tables,
 * from a migrated database. A test fails when that file is out of date.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStore } from '../server/src/kit/database/store.ts'
import { tableTypes } from '../server/src/testing/database/tables.ts'

const FILE = path.join(import.meta.dirname, '../server/src/kit/database/tables.ts')

const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-tables-'))
const store = await openStore({ dataDir, databaseUrl: process.env.DATABASE_URL ?? null })
try {
  await writeFile(FILE, await tableTypes(store.database.db))
} finally {
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
}
