/**
 * Puts a backup back into a database and a storage, of this installation or of another one.
 * docs/operations.md "Backup and restore".
 */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  type Connection,
  SERVER_NAME,
  type Transfer,
  withConnection,
  withTransfer,
} from '../kit/database/db.ts'
import { type Migration, migrate } from '../kit/database/migrate.ts'
import { installJobs } from '../kit/jobs.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { until } from '../kit/process.ts'
import type { Storage } from '../outside/storage/storage.ts'
import { damaged, readArchive } from './archive.ts'
import { type Contents, END, FILE_PREFIX, FORMAT, MANIFEST, type Manifest, TABLE_PREFIX } from './backup.ts'
import {
  copyInStatement,
  foreignKeys,
  type Query,
  quoted,
  readTables,
  type Table,
  tableKey,
} from './tables.ts'

export interface RestoreTarget {
  readonly connection: Connection
  readonly storage: Pick<Storage, 'put'>
  /** A directory on the storage's disk, for files under way. */
  readonly incoming: string
  readonly migrations: readonly Migration[]
  /** Replaces what the database has. */
  readonly replaces: boolean
  /** Receives a line for what is made, such as each migration that the backup did not have. */
  readonly onProgress?: (line: string) => void
}

export interface Restored {
  /** ms */
  readonly createdAt: number
  readonly files: number
  /** Migrations that the database got after the backup's. */
  readonly migrated: readonly string[]
}

/**
 * Restores a backup. The whole archive is read and checked before anything is changed; the rows come in one
 * transaction.
 * @throws OperatorError when the archive is damaged or newer than this version, a server runs on the
 *   database, or the database has people and `replaces` is false
 */
export async function restore(
  target: RestoreTarget,
  file: string,
  passphrase: string | null,
): Promise<Restored> {
  const { manifest, contents } = await checkArchive(file, passphrase)
  const theirs = knownMigrations(manifest, target.migrations)
  await withConnection(target.connection, (query) => checkTarget(query, target.replaces))
  target.onProgress?.('Making the tables of the backup …')
  await withConnection(target.connection, empty)
  await migrate(target.connection, theirs)
  if (manifest.tables.some(({ schema }) => schema === 'jobs')) await installJobs(target.connection)
  await withTransfer(target.connection, (transfer) => load(target, transfer, file, passphrase))
  const migrated = await migrate(target.connection, target.migrations, target.onProgress)
  return { createdAt: manifest.createdAt, files: contents.files, migrated }
}

/** Reads an archive to its end. @throws OperatorError when it is not whole */
export async function checkArchive(
  file: string,
  passphrase: string | null,
): Promise<{ manifest: Manifest; contents: Contents }> {
  let manifest: Manifest | null = null
  let contents: Contents | null = null
  let entries = 0
  for await (const { name, content } of readArchive(file, passphrase)) {
    if (name === MANIFEST) manifest = await readJson<Manifest>(file, content)
    else if (name === END) contents = await readJson<Contents>(file, content)
    else content.resume()
    if (name !== END) entries += 1
    if (manifest === null) throw damaged(file)
    if (manifest.format !== FORMAT)
      throw new OperatorError(`${file} has format ${manifest.format}; this version reads format ${FORMAT}.`)
  }
  if (!manifest || contents?.entries !== entries) throw damaged(file)
  return { manifest, contents }
}

async function readJson<T>(file: string, content: Readable): Promise<T> {
  try {
    return JSON.parse((await buffer(content)).toString()) as T
  } catch (error) {
    throw damaged(file, error)
  }
}

/**
 * The migrations that the backup's database had. @throws OperatorError when this version does not know one
 */
function knownMigrations(manifest: Manifest, ours: readonly Migration[]): Migration[] {
  const known = new Map(ours.map((each) => [each.name, each]))
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = known.get(name)
    if (migration?.checksum === checksum) return migration
    throw new OperatorError(`The backup is of another version: ${name} is not known here. Use that version.`)
  })
}

/** Connections of a server that was just stopped are still there for a moment, ms. */
const STOPPED_WITHIN_MS = 5_000

async function checkTarget(query: Query, replaces: boolean): Promise<void> {
  const isUnused = async () => {
    const servers = await query(
      `select from pg_stat_activity where datname = current_database() and application_name = $1`,
      [SERVER_NAME],
    )
    return servers.length === 0
  }
  if (!(await until(isUnused, STOPPED_WITHIN_MS)))
    throw new OperatorError('A server uses this database. Stop it, then restore.')
  if (replaces) return
  const [{ exists } = { exists: false }] = await query(
    `select to_regclass('public."user"') is not null as exists`,
  )
  const people = exists ? await query('select 1 from "user" limit 1') : []
  if (people.length > 0)
    throw new OperatorError('The database is not empty; --yes replaces everything that it has.')
}

/** Drops every table, sequence, function and type of the product and of the job queue. */
async function empty(query: Query): Promise<void> {
  await query('drop schema if exists jobs cascade')
  await query(`do $$
    declare it record;
    begin
      for it in select quote_ident(tablename) as name from pg_tables where schemaname = 'public' loop
        execute 'drop table if exists public.' || it.name || ' cascade';
      end loop;
      for it in select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public' loop
        execute 'drop sequence if exists public.' || it.name || ' cascade';
      end loop;
      -- All names are read first: dropping one function drops those that call it, which have no name then.
      for it in select unnest(array(select oid::regprocedure::text from pg_proc
        where pronamespace = 'public'::regnamespace
          and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e'))) as name loop
        execute 'drop routine if exists ' || it.name || ' cascade';
      end loop;
    end $$`)
}

async function load(
  target: RestoreTarget,
  transfer: Transfer,
  file: string,
  passphrase: string | null,
): Promise<void> {
  const { query } = transfer
  await query('begin')
  const keys = await foreignKeys(query)
  for (const statement of keys.drop) await query(statement)
  const there = new Map((await readTables(query)).map((table) => [tableKey(table), table]))
  await emptyNew(query, [...there.values()].map(quoted))
  let manifest: Manifest | null = null
  const loader = new TableLoader(transfer)
  for await (const { name, content } of readArchive(file, passphrase)) {
    if (name === MANIFEST) manifest = await readJson<Manifest>(file, content)
    else if (name.startsWith(TABLE_PREFIX))
      await loader.add(tableOf(file, manifest, name), await buffer(content))
    else if (name.startsWith(FILE_PREFIX)) await storeFile(target, name.slice(FILE_PREFIX.length), content)
  }
  await loader.end()
  for (const { schema, name, last, isCalled } of manifest?.sequences ?? [])
    await query('select setval($1::regclass, $2::bigint, $3)', [quoted({ schema, name }), last, isCalled])
  // What is checked at the end of a transaction, such as the balance of the ledger, is checked now: a table
  // with checks to come cannot be altered.
  await query('set constraints all immediate')
  for (const statement of keys.add) await query(statement)
  await query('commit')
}

/** Takes what migrations put into new tables out of them, also out of those that refuse it later. */
async function emptyNew(query: Query, tables: readonly string[]): Promise<void> {
  for (const table of tables) await query(`alter table ${table} disable trigger user`)
  await query(`truncate ${tables.join(', ')}`)
  for (const table of tables) await query(`alter table ${table} enable trigger user`)
}

/** `tables/public.user/000001` is a part of table public.user. */
function tableOf(file: string, manifest: Manifest | null, entry: string): Table {
  const key = entry.slice(TABLE_PREFIX.length, entry.lastIndexOf('/'))
  const table = manifest?.tables.find((each) => tableKey(each) === key)
  if (!table) throw damaged(file)
  return table
}

/** Loads tables from their parts, which follow each other in the archive. */
class TableLoader {
  readonly #transfer: Transfer
  #key = ''
  #finish: (() => Promise<void>) | null = null
  #write: ((rows: Buffer) => Promise<void>) | null = null

  constructor(transfer: Transfer) {
    this.#transfer = transfer
  }

  async add(table: Table, rows: Buffer): Promise<void> {
    if (this.#key !== tableKey(table)) {
      await this.end()
      this.#begin(table)
    }
    await this.#write?.(rows)
  }

  async end(): Promise<void> {
    await this.#finish?.()
    this.#key = ''
    this.#finish = null
    this.#write = null
  }

  #begin(table: Table): void {
    const stream = this.#transfer.copyIn(copyInStatement(table))
    const done = new Promise<void>((resolve, reject) => stream.once('finish', resolve).once('error', reject))
    done.catch(() => undefined)
    this.#key = tableKey(table)
    this.#write = (rows) =>
      Promise.race([
        done,
        new Promise<void>((resolve, reject) =>
          stream.write(rows, (error) => (error ? reject(error) : resolve())),
        ),
      ])
    this.#finish = () => {
      stream.end()
      return done
    }
  }
}

async function storeFile(target: RestoreTarget, key: string, content: Readable): Promise<void> {
  await mkdir(target.incoming, { recursive: true })
  const filePath = path.join(target.incoming, randomUUID())
  const hash = createHash('sha256')
  let bytes = 0
  try {
    await pipeline(
      content,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      },
      createWriteStream(filePath, { mode: 0o600 }),
    )
    // The server sends its own headers; what the storage calls the content does not matter.
    const mime = 'application/octet-stream'
    await target.storage.put(key, { path: filePath, bytes, sha256: hash.digest('hex'), mime })
  } finally {
    await rm(filePath, { force: true })
  }
}
