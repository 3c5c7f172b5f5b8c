/**
 * Restores a backup on trial: into a database and a storage that are thrown away. Decision 105,
 * docs/operations.md "Backup and restore".
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withConnection } from '../kit/database/db.ts'
import { startEmbedded } from '../kit/database/embedded.ts'
import type { Migration } from '../kit/database/migrate.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { checkArchive, type Restored, restore } from './restore.ts'

export interface Verified extends Restored {
  readonly people: number
  /** Uploads that the backup names and does not have, by key. */
  readonly missingFiles: readonly string[]
}

/**
 * Restores every row into an embedded database of its own, and reads every file and compares it with what
 * the database says of it. Needs the room of the database in the directory for temporary files, and leaves
 * nothing.
 * @throws OperatorError where `restore` does, and for a file that is another than the database says
 */
export async function verify(
  file: string,
  passphrase: string | null,
  migrations: readonly Migration[],
): Promise<Verified> {
  // Before a database is made, which takes longer than reading what is no backup.
  const { contents } = await checkArchive(file, passphrase)
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-verify-'))
  try {
    // As root the database runs under another account, which has to reach it.
    await chmod(directory, 0o711)
    const embedded = await startEmbedded({ dataDir: path.join(directory, 'data') })
    try {
      const hashes = new Map<string, string>()
      const target = {
        connection: embedded.connection,
        storage: { put: async (key: string, { sha256 }: { sha256: string }) => void hashes.set(key, sha256) },
        incoming: path.join(directory, 'incoming'),
        migrations,
        replaces: false,
      }
      const restored = await restore(target, file, passphrase)
      return await withConnection(embedded.connection, async (query) => {
        const stored = await query(`select key, encode(sha256, 'hex') as sha256 from asset`)
        const other = stored.find(({ key, sha256 }) => (hashes.get(String(key)) ?? sha256) !== sha256)
        if (other) throw new OperatorError(`${file} has another ${other.key} than its database says.`)
        const [{ people } = { people: 0 }] = await query('select count(*)::int as people from "user"')
        return { ...restored, people: Number(people), missingFiles: contents.missingFiles }
      })
    } finally {
      await embedded.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
