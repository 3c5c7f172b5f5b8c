/** Size on disk with indexes, and vacuum. */
import type { Database } from '../../../server/src/kit/database/db.ts'
import { report } from '../kit/figures.ts'
import { TABLES } from './candidates.ts'

/** Messages that are changed before a vacuum, of a hundred. */
const CHANGED = 2

export async function sizes(database: Database, when: string): Promise<void> {
  const found = await database.alone(async (query) => {
    const bytes: number[] = []
    for (const { schema, table } of TABLES) {
      const [row] = await query(
        `select pg_total_relation_size('${schema}.${table}') + coalesce((
          select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = '${schema}.${table}'::regclass), 0)
          as bytes`,
      )
      bytes.push(Number(row!.bytes))
    }
    return bytes
  })
  report(
    ...TABLES.map(({ name }, at) => ({
      name: `size ${when}, ${name}`,
      value: found[at]! / 2 ** 20,
      unit: 'MiB' as const,
    })),
  )
}

/** After the removal of events, and after changes of messages. */
export async function vacuum(database: Database): Promise<void> {
  await database.alone(async (query) => {
    for (const { name, schema, table } of TABLES) {
      if (table === 'staff_log') continue
      if (table === 'message')
        await query(
          `update ${schema}.message set revision = revision + 1 where (hashtext(id::text) & 1023) < ${(CHANGED * 1024) / 100}`,
        )
      const began = performance.now()
      await query(`vacuum ${schema}.${table}`)
      report({ name: `vacuum, ${name}`, value: (performance.now() - began) / 1000, unit: 's' })
    }
  })
}
