/** Database migrations. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../operatorError.ts'
import { type Connection, withConnection } from './db.ts'
import { RENAMED } from './migrationNames.ts'

/**
 * One file of `server/migrations`. `checksum` is of its text with Unix line ends, so a Windows clone agrees.
 */
export interface Migration {
  /** As databases and backups know it: the name of its file, or the one that the file had first. */
  readonly name: string
  readonly file: string
  readonly sql: string
  readonly checksum: string
}

/**
 * The tables and the migration files do not match. The message names the file and is meant for the operator.
 */
export class MigrationError extends OperatorError {
  override name = 'MigrationError'
}

// One number for every Guildhall on a server, so that two nodes starting at once migrate one after the other.
const LOCK = 7_146_202_111
/**
 * A line of a migration that the version before cannot live with, such as one that drops a column it reads.
 */
const BREAKS = /^-- breaks the version before\b/m
const FILE = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * The migrations of a directory in the order they apply. A missing directory has none.
 * @throws MigrationError for a name that is not NNNN-name.sql or a number used twice
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const found = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const names = found.filter((name) => !name.startsWith('.')).sort()
  for (const [index, name] of names.entries()) {
    if (!FILE.test(name)) throw new MigrationError(`${name} must be named NNNN-what-it-does.sql.`)
    const before = names[index - 1]
    if (before?.slice(0, 4) === name.slice(0, 4))
      throw new MigrationError(
        `${before} and ${name} have the same number; give the later one the next number.`,
      )
  }
  return Promise.all(
    names.map(async (file) => {
      const sql = (await readFile(path.join(directory, file), 'utf8')).replaceAll('\r\n', '\n')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name: RENAMED[file] ?? file, file, sql, checksum }
    }),
  )
}

/**
 * Brings the tables up to date, forward only, each file in its own transaction, and returns the names it
 * applied. Safe when several processes start at once. A file that fails leaves no trace and stops the rest.
 * @throws MigrationError when an applied file changed, is missing or breaks this version, or a new one is
 *   numbered before an applied one
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  onProgress: (line: string) => void = () => undefined,
): Promise<string[]> {
  return withConnection(connection, async (query) => {
    await query('select pg_advisory_lock($1)', [LOCK])
    await query(`create table if not exists migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
    await query('alter table migration add column if not exists breaks boolean not null default false')
    const waiting = unapplied(await readApplied(query), migrations)
    for (const { name, file, sql, checksum } of waiting) {
      onProgress(`Preparing tables: ${file}`)
      await query('begin')
      try {
        await query(sql)
        const breaks = BREAKS.test(sql)
        await query('insert into migration (name, checksum, breaks) values ($1, $2, $3)', [
          name,
          checksum,
          breaks,
        ])
        await query('commit')
      } catch (error) {
        await query('rollback')
        throw new MigrationError(`${file} did not apply: ${(error as Error).message}`, { cause: error })
      }
    }
    return waiting.map(({ name }) => name)
  })
}

/**
 * The names of the migrations that a database still has to get; null: it has no tables yet. Changes nothing.
 * @throws MigrationError where `migrate` does
 */
export const waitingMigrations = (
  connection: Connection,
  migrations: readonly Migration[],
): Promise<readonly string[] | null> =>
  withConnection(connection, async (query) => {
    const [{ exists } = { exists: false }] = await query(
      `select to_regclass('migration') is not null as exists`,
    )
    const applied = exists ? await readApplied(query) : []
    return applied.length === 0 ? null : unapplied(applied, migrations).map(({ name }) => name)
  })

/** Those of tables that are older than the column `breaks` break nothing. */
async function readApplied(query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<Applied[]> {
  const rows = await query(
    `select name, checksum, to_jsonb(migration) -> 'breaks' as breaks from migration order by name`,
  )
  return rows.map((row) => ({
    name: String(row.name),
    checksum: String(row.checksum),
    breaks: row.breaks === true,
  }))
}

interface Applied {
  readonly name: string
  readonly checksum: string
  readonly breaks: boolean
}

/**
 * The migrations to apply. Throws when the applied ones do not match the files. A later version's migrations
 * that do not break this one are accepted: nodes are replaced one by one, and may be put back.
 */
function unapplied(applied: readonly Applied[], migrations: readonly Migration[]): Migration[] {
  const known = new Map(migrations.map((each) => [each.name, each]))
  const newest = migrations.at(-1)?.name ?? ''
  for (const { name, checksum, breaks } of applied) {
    const migration = known.get(name)
    if (!migration && (breaks || name < newest))
      throw new MigrationError(
        `The database has ${name} applied, which this version does not know: it is older.`,
      )
    if (migration && migration.checksum !== checksum)
      throw new MigrationError(
        `${migration.file} was changed after it was applied; put it back and write a new migration.`,
      )
  }
  const done = new Set(applied.map(({ name }) => name))
  const last = applied.at(-1)?.name ?? ''
  const waiting = migrations.filter(({ name }) => !done.has(name))
  const late = waiting.find(({ name }) => name < last)
  if (late)
    throw new MigrationError(`${late.name} comes before ${last}, which is applied; give it a later number.`)
  return waiting
}
