/** Database migrations. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Connection, withConnection } from './db.ts'
import { OperatorError } from './operatorError.ts'

/** One file of `server/migrations`. `checksum` is of its text with Unix line ends, so a Windows clone agrees. */
export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** The tables and the migration files do not match. The message names the file and is meant for the operator. */
export class MigrationError extends OperatorError {
  override name = 'MigrationError'
}

// One number for every Guildhall on a server, so that two nodes starting at once migrate one after the other.
const LOCK = 7_146_202_111
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
    names.map(async (name) => {
      const sql = (await readFile(path.join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the tables up to date, forward only, each file in its own transaction, and returns the names it applied.
 * Safe when several processes start at once. A file that fails leaves no trace and stops the rest.
 * @throws MigrationError when an applied file changed or is missing, or a new one is numbered before an applied one
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
    const rows = await query('select name, checksum from migration order by name')
    const applied = new Map(rows.map((row) => [String(row.name), String(row.checksum)]))
    const waiting = unapplied(applied, migrations)
    for (const { name, sql, checksum } of waiting) {
      onProgress(`Preparing tables: ${name}`)
      await query('begin')
      try {
        await query(sql)
        await query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
        await query('commit')
      } catch (error) {
        await query('rollback')
        throw new MigrationError(`${name} did not apply: ${(error as Error).message}`, { cause: error })
      }
    }
    return waiting.map(({ name }) => name)
  })
}

/** The migrations to apply. Throws when the applied ones do not match the files. */
function unapplied(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): Migration[] {
  const known = new Map(migrations.map((each) => [each.name, each]))
  for (const [name, checksum] of applied) {
    const file = known.get(name)
    if (!file)
      throw new MigrationError(
        `The database has ${name} applied, which this version does not know: it is older.`,
      )
    if (file.checksum !== checksum)
      throw new MigrationError(
        `${name} was changed after it was applied; put it back and write a new migration.`,
      )
  }
  const last = [...applied.keys()].at(-1) ?? ''
  const waiting = migrations.filter(({ name }) => !applied.has(name))
  const late = waiting.find(({ name }) => name < last)
  if (late)
    throw new MigrationError(`${late.name} comes before ${last}, which is applied; give it a later number.`)
  return waiting
}
