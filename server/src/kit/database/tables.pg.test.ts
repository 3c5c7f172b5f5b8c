import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../../testing/database/database.ts'
import { tableTypes } from '../../testing/database/tables.ts'

it('the types of the tables are those of a migrated database; if not, run `node scripts/tables.ts`', async () => {
  const database = await openTestDatabase()
  try {
    const written = await readFile(path.join(import.meta.dirname, 'tables.ts'), 'utf8')
    expect(written).toBe(await tableTypes(database.db))
  } finally {
    await database.close()
  }
})
