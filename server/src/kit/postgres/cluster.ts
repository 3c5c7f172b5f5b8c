/** The embedded PostgreSQL’s cluster: created once, and checked at each start. */
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
const GROWING = 'postgres.growing-'

/**
 * Makes the cluster unless it is there, and answers the password. It grows under another name and is renamed when
 * whole, so a directory called `postgres` is never half-made and never thrown away.
 */
export async function ensureCluster(
  place: Installation,
  dataDir: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const passwordFile = path.join(dataDir, PASSWORD_FILE)
  await clearHalfMade(place.root)
  if (await isEmpty(place.cluster)) {
    await rmdir(place.cluster).catch(() => undefined)
    const password = randomBytes(24).toString('base64url')
    // A name of its own: the initdb of a killed run may still be writing under the former one.
    const growing = path.join(place.root, `${GROWING}${randomBytes(4).toString('hex')}`)
    say('Creating the database (only the first time) …')
    try {
      await initialise(place, growing, password, signal)
      await writeSecret(passwordFile, password)
      await rename(growing, place.cluster)
    } catch (error) {
      await rm(growing, { recursive: true, force: true, maxRetries: 5 })
      throw error
    }
    return password
  }
  await refuseForeign(place)
  const kept = (await readFile(passwordFile, 'utf8').catch(() => '')).trim()
  if (kept) return kept

  say('The database password was lost; making a new one.')
  const password = randomBytes(24).toString('base64url')
  await stopOrphan(place.cluster, say)
  await single(place, place.cluster, 'postgres', `ALTER ROLE ${USER} PASSWORD '${password}'`, signal)
  await writeSecret(passwordFile, password)
  return password
}

async function clearHalfMade(root: string): Promise<void> {
  for (const name of await readdir(root))
    if (name.startsWith(GROWING))
      await rm(path.join(root, name), { recursive: true, force: true, maxRetries: 5 })
}

async function isEmpty(directory: string): Promise<boolean> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.length === 0
}

/** A directory with something else in it, or another PostgreSQL's files, is left alone. */
async function refuseForeign(place: Installation): Promise<void> {
  const found = (await readFile(path.join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (!found)
    throw new DatabaseError(
      `${place.cluster} is not empty and is not a PostgreSQL cluster. Move it away and start again.`,
    )
  const ours = spawnSync(path.join(place.binaries, 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
    cwd: '/',
  })
  const major = /(\d+)/.exec(ours.stdout)?.[1]
  if (major && found !== major)
    throw new DatabaseError(
      `${place.cluster} was made by PostgreSQL ${found} and this version brings ${major}: dump it with ${found} and restore, or set DATABASE_URL.`,
    )
}

async function initialise(
  place: Installation,
  directory: string,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  const passwordFile = `${directory}.password`
  await mkdir(directory, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (place.account) {
    await chown(directory, place.account.uid, place.account.gid)
    await chown(passwordFile, place.account.uid, place.account.gid)
  }
  try {
    await run(
      place,
      'initdb',
      [
        ...['--pgdata', directory, '--username', USER, '--encoding', 'UTF8', '--data-checksums'],
        // The builtin provider sorts and folds the same on every machine, whatever locales it has.
        ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        ...['--auth', 'scram-sha-256', '--no-instructions', '--pwfile', passwordFile],
        // Whoever commits as a segment of the log ends waits until the next one is filled with zeros: a fourth of it.
        ...['--wal-segsize', '4'],
      ],
      '',
      signal,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
  await single(place, directory, 'postgres', `CREATE DATABASE ${DATABASE}`, signal)
}

/** One statement to a cluster that nobody is running, without a password. */
async function single(
  place: Installation,
  directory: string,
  database: string,
  sql: string,
  signal: AbortSignal,
): Promise<void> {
  await run(
    place,
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
