/**
 * Writes a backup of the database and the uploads while the server runs. docs/operations.md "Backup and
 * restore".
 */
import type { Readable } from 'node:stream'
import { copyKey } from '../asset/asset.ts'
import { type Connection, type Transfer, withTransfer } from '../kit/database/db.ts'
import type { Storage } from '../outside/storage/storage.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import { copyOutStatement, readSequences, readTables, type Sequence, type Table, tableKey } from './tables.ts'

/** The archive's own format; a reader refuses one that it does not know. */
export const FORMAT = 1
export const MANIFEST = 'guildhall.json'
export const END = 'end.json'
export const TABLE_PREFIX = 'tables/'
export const FILE_PREFIX = 'files/'
/**
 * A table is cut into entries of this size, bytes, because tar wants to know the size of an entry before its
 * content.
 */
const CHUNK_BYTES = 4 * 1024 * 1024

/** The first entry of an archive. */
export interface Manifest {
  readonly format: number
  /** ms */
  readonly createdAt: number
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  readonly tables: readonly Table[]
  readonly sequences: readonly Sequence[]
}

/** The last entry of an archive: without it the archive is not whole. */
export interface Contents {
  /** Entries before this one. */
  readonly entries: number
  readonly files: number
  /** Uploads of the database that the storage did not have, by key. */
  readonly missingFiles: readonly string[]
}

export interface BackupSource {
  readonly connection: Connection
  readonly storage: Pick<Storage, 'open'>
  /** ms */
  readonly now: number
}

/**
 * Writes a backup to `file`: one snapshot of the database, then the uploads that this snapshot names.
 * Messages that are sent meanwhile are not in it.
 */
export async function backup(
  source: BackupSource,
  file: string,
  passphrase: string | null,
): Promise<Contents> {
  return withTransfer(source.connection, async (transfer) => {
    // All tables are read as they were at one moment.
    await transfer.query('begin isolation level repeatable read read only')
    let contents: Contents | null = null
    await writeArchive(file, passphrase, async (archive) => {
      contents = await fill(source, transfer, archive)
    })
    await transfer.query('commit')
    if (!contents) throw new Error('an archive was written without its end')
    return contents
  })
}

async function fill(source: BackupSource, transfer: Transfer, archive: ArchiveWriter): Promise<Contents> {
  const { query } = transfer
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: source.now,
    migrations: (await query(
      'select name, checksum from migration order by name',
    )) as unknown as Manifest['migrations'],
    tables: await readTables(query),
    sequences: await readSequences(query),
  }
  await archive.add(MANIFEST, JSON.stringify(manifest, null, 1))
  let entries = 1
  for (const table of manifest.tables)
    entries += await addTable(archive, table, transfer.copyOut(copyOutStatement(table)))
  const { files, missingFiles } = await addFiles(archive, query, source.storage)
  const contents: Contents = { entries: entries + files, files, missingFiles }
  await archive.add(END, JSON.stringify(contents, null, 1))
  return contents
}

/** Returns the number of entries that the table takes. */
async function addTable(archive: ArchiveWriter, table: Table, rows: Readable): Promise<number> {
  let entries = 0
  let chunks: Buffer[] = []
  let bytes = 0
  const flush = async () => {
    if (bytes === 0) return
    entries += 1
    await archive.add(
      `${TABLE_PREFIX}${tableKey(table)}/${String(entries).padStart(6, '0')}`,
      Buffer.concat(chunks),
    )
    chunks = []
    bytes = 0
  }
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= CHUNK_BYTES) await flush()
  }
  await flush()
  return entries
}

/** Uploads in the order of their keys, a page at a time. */
async function addFiles(
  archive: ArchiveWriter,
  query: Transfer['query'],
  storage: Pick<Storage, 'open'>,
): Promise<Pick<Contents, 'files' | 'missingFiles'>> {
  const missingFiles: string[] = []
  let files = 0
  for (let after = ''; ; ) {
    const page = (await query(
      'select key, size::float8 as size, copies from asset where key > $1 order by key limit 1000',
      [after],
    )) as { key: string; size: number; copies: readonly { side: number; bytes: number }[] }[]
    const all = page.flatMap(({ key, size, copies }) => [
      { key, size },
      ...copies.map(({ side, bytes }) => ({ key: copyKey(key, side), size: bytes })),
    ])
    for (const { key, size } of all) {
      const content = await storage.open(key)
      if (content) {
        await archive.addStream(`${FILE_PREFIX}${key}`, size, content)
        files += 1
      } else missingFiles.push(key)
    }
    const last = page.at(-1)
    if (!last) return { files, missingFiles }
    after = last.key
  }
}
