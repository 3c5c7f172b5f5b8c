/** The cluster of the embedded PostgreSQL: created once, checked at each start. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseError } from './databaseError.ts'
import type { Installation } from './installation.ts'
import { stopOrphan } from './orphan.ts'
import { run } from './program.ts'

export const USER = 'guildhall'
export const DATABASE = 'guildhall'
export const PASSWORD_FILE = 'postgres.password'
const INCOMPLETE = 'postgres.growing-'

/**
 * Creates the cluster unless it exists, and returns the password. It is created under a temporary name and
 * renamed when it is complete, so that a directory called `postgres` is never incomplete and never deleted.
 */
export async function ensureCluster(
  installation: Installation,
  dataDir: string,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const passwordFile = path.join(dataDir, PASSWORD_FILE)
  await deleteIncomplete(installation.root)
  if (await isEmpty(installation.cluster)) {
    await rmdir(installation.cluster).catch(() => undefined)
    const password = randomBytes(24).toString('base64url')
    // A new name each time: the initdb of a killed run may still write under its own.
    const incomplete = path.join(installation.root, `${INCOMPLETE}${randomBytes(4).toString('hex')}`)
    report('Creating the database (only the first time) …')
    try {
      await initialise(installation, incomplete, password, signal)
      await writeSecret(passwordFile, password)
      await rename(incomplete, installation.cluster)
    } catch (error) {
      await rm(incomplete, { recursive: true, force: true, maxRetries: 5 })
      throw error
    }
    return password
  }
  await refuseForeign(installation)
  const stored = (await readFile(passwordFile, 'utf8').catch(() => '')).trim()
  if (stored) return stored

  report('The database password was lost; making a new one.')
  const password = randomBytes(24).toString('base64url')
  await stopOrphan(installation.cluster, report)
  await single(
    installation,
    installation.cluster,
    'postgres',
    `ALTER ROLE ${USER} PASSWORD '${password}'`,
    signal,
  )
  await writeSecret(passwordFile, password)
  return password
}

async function deleteIncomplete(root: string): Promise<void> {
  for (const name of await readdir(root))
    if (name.startsWith(INCOMPLETE))
      await rm(path.join(root, name), { recursive: true, force: true, maxRetries: 5 })
}

async function isEmpty(directory: string): Promise<boolean> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.length === 0
}

/** Refuses a directory with other files, or the cluster of another PostgreSQL version; leaves it as it is. */
async function refuseForeign(installation: Installation): Promise<void> {
  const found = (await readFile(path.join(installation.cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (!found)
    throw new DatabaseError(
      `${installation.cluster} is not empty and is not a PostgreSQL cluster. Move it away and start again.`,
    )
  const ours = spawnSync(path.join(installation.binaries, 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
    cwd: '/',
  })
  const major = /(\d+)/.exec(ours.stdout)?.[1]
  if (major && found !== major)
    throw new DatabaseError(
      `${installation.cluster} was made by PostgreSQL ${found} and this version brings ${major}: dump it with ${found} and restore, or set DATABASE_URL.`,
    )
}

async function initialise(
  installation: Installation,
  directory: string,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  const passwordFile = `${directory}.password`
  await mkdir(directory, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (installation.account) {
    await chown(directory, installation.account.uid, installation.account.gid)
    await chown(passwordFile, installation.account.uid, installation.account.gid)
  }
  try {
    await run(
      installation,
      'initdb',
      [
        '--pgdata',
        directory,
        '--username',
        USER,
        '--encoding',
        'UTF8',
        '--data-checksums',
        // The builtin provider sorts and folds the same on every machine, independent of installed locales.
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
        '--auth',
        'scram-sha-256',
        '--no-instructions',
        '--pwfile',
        passwordFile,
        // The commit that ends a WAL segment waits until the next segment is zeroed; a quarter of the default
        // size.
        '--wal-segsize',
        '4',
      ],
      '',
      signal,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
  await single(installation, directory, 'postgres', `CREATE DATABASE ${DATABASE}`, signal)
}

/** Runs one statement on a stopped cluster, without a password. */
async function single(
  installation: Installation,
  directory: string,
  database: string,
  sql: string,
  signal: AbortSignal,
): Promise<void> {
  await run(
    installation,
    'postgres',
    ['--single', '-D', directory, '-c', 'exit_on_error=on', database],
    `${sql}\n`,
    signal,
  )
}

async function writeSecret(file: string, secret: string): Promise<void> {
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
