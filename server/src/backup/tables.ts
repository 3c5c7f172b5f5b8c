/**
 * What the database consists of, as far as a backup needs to know: tables, columns, foreign keys, sequences.
 */
import { quoteName } from '../kit/database/db.ts'

export type Query = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** The product's tables, and those of the job queue. */
export const SCHEMAS = ['public', 'jobs'] as const
/** Its rows are in the backup's manifest. */
const MIGRATIONS = 'public.migration'
/** The job queue's tables that say what is still to do. */
const JOB_TABLES = new Set(['jobs.queue', 'jobs.schedule', 'jobs.job'])

export interface Table {
  readonly schema: string
  readonly name: string
  /** Stored columns, in their order. */
  readonly columns: readonly string[]
}

export interface Sequence {
  readonly schema: string
  readonly name: string
  readonly last: string
  readonly isCalled: boolean
}

export const tableKey = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`
export const quoted = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${quoteName(schema)}.${quoteName(name)}`

/** Tables with rows of their own, partitions counted with their table. */
export async function readTables(query: Query): Promise<Table[]> {
  const rows = await query(
    `select space.nspname as schema, it.relname as name,
       array_agg(attribute.attname::text order by attribute.attnum) as columns
     from pg_class it join pg_namespace space on space.oid = it.relnamespace
     join pg_attribute attribute on attribute.attrelid = it.oid
     where space.nspname = any($1::text[]) and it.relkind in ('r', 'p') and not it.relispartition
       and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
     group by 1, 2 order by 1, 2`,
    [[...SCHEMAS]],
  )
  return (rows as unknown as Table[]).filter((table) =>
    table.schema === 'jobs' ? JOB_TABLES.has(tableKey(table)) : tableKey(table) !== MIGRATIONS,
  )
}

/** The statement that reads the rows of a table for a backup, as text. */
export function copyOutStatement(table: Table): string {
  const columns = table.columns.map(quoteName).join(', ')
  const where = tableKey(table) === 'jobs.job' ? ` where state < 'completed'` : ''
  return `copy (select ${columns} from ${quoted(table)}${where}) to stdout`
}

export const copyInStatement = (table: Table): string =>
  `copy ${quoted(table)} (${table.columns.map(quoteName).join(', ')}) from stdin`

export async function readSequences(query: Query): Promise<Sequence[]> {
  const found = await query(
    `select schemaname as schema, sequencename as name from pg_sequences where schemaname = any($1::text[])
     order by 1, 2`,
    [[...SCHEMAS]],
  )
  const sequences: Sequence[] = []
  for (const each of found as unknown as { schema: string; name: string }[]) {
    const [row] = await query(`select last_value::text as last, is_called as "isCalled" from ${quoted(each)}`)
    sequences.push({ ...each, ...(row as Pick<Sequence, 'last' | 'isCalled'>) })
  }
  return sequences
}

/** Statements that drop every foreign key, and those that add them again: rows are loaded in any order. */
export async function foreignKeys(query: Query): Promise<{ drop: string[]; add: string[] }> {
  const rows = (await query(
    `select space.nspname as schema, it.relname as name, key.conname as key, pg_get_constraintdef(key.oid) as body
     from pg_constraint key join pg_class it on it.oid = key.conrelid
     join pg_namespace space on space.oid = it.relnamespace
     where key.contype = 'f' and key.conparentid = 0 and space.nspname = any($1::text[])`,
    [[...SCHEMAS]],
  )) as { schema: string; name: string; key: string; body: string }[]
  return {
    drop: rows.map((row) => `alter table ${quoted(row)} drop constraint ${quoteName(row.key)}`),
    add: rows.map((row) => `alter table ${quoted(row)} add constraint ${quoteName(row.key)} ${row.body}`),
  }
}
