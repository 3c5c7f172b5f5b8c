/** Starts and stops the server process of the embedded PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chown, lstat, mkdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../process.ts'
import { DatabaseDied, DatabaseError } from './databaseError.ts'
import { type Installation, WINDOWS } from './installation.ts'
import { FAST_STOP_WITHIN_MS, QUIT_WITHIN_MS, readPostmaster } from './orphan.ts'
import { killGroup, programEnvironment, run, startError } from './program.ts'

export const PORT = 5432
// sockaddr_un has room for 108 bytes on Linux and 104 on macOS, including the final zero.
const SOCKET_PATH_BYTES = 103
const START_WITHIN_MS = 60_000
const HELD_CHECKED_EVERY_MS = 200
const LOG_BYTES = 4 * 1024 * 1024
const LOG_CHECKED_EVERY_MS = 10 * 60_000
const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '60',
  shared_buffers: '128MB',
  dynamic_shared_memory_type: WINDOWS ? 'windows' : 'mmap',
  jit: 'off',
  // A slow vacuum leaves the processors to requests.
  autovacuum_vacuum_cost_delay: '20ms',
  // A fifth of the default sample: the queries here need no finer statistics.
  default_statistics_target: '20',
  // The defaults, which would otherwise depend on the size of the segments.
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  log_checkpoints: 'off',
  // A rejected row or statement may contain a phone number; the server's own log names the failed query.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_line_prefix: '%m ',
  timezone: 'UTC',
}

export interface Server {
  readonly died: Promise<string>
  stop(): Promise<void>
}

export async function launch(
  installation: Installation,
  socket: string | null,
  port: number,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Server> {
  const log = path.join(installation.root, 'postgres.log')
  await cutLog(log)
  const listen: Record<string, string> = socket
    ? { listen_addresses: '', unix_socket_directories: `"${socket}"`, unix_socket_permissions: '0700' }
    : { listen_addresses: '127.0.0.1' }
  const args = ['-D', installation.cluster, '-p', String(port)]
  for (const [name, value] of Object.entries({ ...SETTINGS, ...listen, ...settings }))
    args.push('-c', `${name}=${value}`)

  // Backends of a killed run hold its shared memory until they notice that their postmaster has ended, which
  // takes as long as they wait for a processor or a disk.
  for (const since = performance.now(); ; ) {
    const before = (await stat(log).catch(() => null))?.size ?? 0
    const server = await tryLaunch(installation, args, log, signal)
    if (server) return server
    const output = (await readFile(log)).subarray(before).toString('utf8')
    const isHeld = /still in use|being accessed by/.test(output)
    if (!isHeld || performance.now() - since > START_WITHIN_MS) throw startError(output, installation)
    await setTimeout(HELD_CHECKED_EVERY_MS, null, { signal })
  }
}

/** The database appends to the log, so it goes on at the beginning after a cut. */
async function cutLog(log: string): Promise<void> {
  if (((await stat(log).catch(() => null))?.size ?? 0) > LOG_BYTES) await truncate(log)
}

/**
 * Null when the process gave up before it was ready; the log says why.
 * @throws DatabaseDied when it was killed
 */
async function tryLaunch(
  installation: Installation,
  args: string[],
  log: string,
  signal: AbortSignal,
): Promise<Server | null> {
  signal.throwIfAborted()
  const postmaster = new Postmaster(installation, args, log)
  const isReady = await postmaster.becomesReady(signal)
  if (postmaster.wasKilled) throw new DatabaseDied(await postmaster.died)
  if (postmaster.hasEnded) return null
  if (signal.aborted || !isReady) {
    await postmaster.stop()
    signal.throwIfAborted()
    throw new DatabaseError(`PostgreSQL was not ready within ${START_WITHIN_MS / 1000} s; see ${log}`)
  }
  postmaster.keepLogShort()
  return postmaster
}

class Postmaster implements Server {
  readonly died: Promise<string>
  readonly #installation: Installation
  readonly #log: string
  readonly #child: ChildProcess
  /** Why it ended, whoever ended it. */
  readonly #exit: Promise<string>
  #hasEnded = false
  #wasKilled = false
  #isStopping = false

  constructor(installation: Installation, args: readonly string[], log: string) {
    this.#installation = installation
    this.#log = log
    this.#child = spawnPostgres(installation, args, log)
    this.#exit = new Promise((resolve) => {
      const end = (why: string) => {
        this.#hasEnded = true
        resolve(why)
      }
      this.#child.on('error', (error) => end(`PostgreSQL did not start: ${error.message}`))
      this.#child.on('exit', (code, by) => {
        this.#wasKilled = by !== null
        end(`PostgreSQL ended unexpectedly (${by ?? `code ${code}`}); see ${log}`)
      })
    })
    this.died = new Promise((resolve) => {
      this.#exit.then((why) => {
        if (!this.#isStopping) resolve(why)
      })
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** A signal ended it, which may have come from anybody. */
  get wasKilled(): boolean {
    return this.#wasKilled
  }

  /** Waits until it takes connections, has ended or `signal` aborts; false when it is late. */
  becomesReady(signal: AbortSignal): Promise<boolean> {
    const { cluster } = this.#installation
    return until(
      async () =>
        this.#hasEnded ||
        signal.aborted ||
        (await readPostmaster(cluster))?.status === `ready ${this.#child.pid}`,
      START_WITHIN_MS,
    )
  }

  keepLogShort(): void {
    const cut = () => void cutLog(this.#log).catch(() => undefined)
    const cutting = setInterval(cut, LOG_CHECKED_EVERY_MS).unref()
    void this.#exit.then(() => clearInterval(cutting))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#hasEnded) return
    await requestStop(this.#installation, this.#child)
    if (await until(() => this.#hasEnded, FAST_STOP_WITHIN_MS)) return
    this.#child.kill('SIGQUIT')
    if (await until(() => this.#hasEnded, QUIT_WITHIN_MS)) return
    killGroup(this.#child)
    await this.#exit
  }
}

function spawnPostgres(installation: Installation, args: readonly string[], log: string): ChildProcess {
  const out = openSync(log, 'a', 0o600)
  const child = spawn(path.join(installation.binaries, 'bin', 'postgres'), args, {
    ...installation.account,
    cwd: installation.account ? '/' : installation.root,
    env: programEnvironment(),
    // Its own process group, so that Ctrl-C does not end the database before this process has stopped.
    detached: !WINDOWS,
    // A file and not a pipe, so that it can write after this process was killed.
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  return child
}

async function requestStop(installation: Installation, child: ChildProcess): Promise<void> {
  if (!WINDOWS) child.kill('SIGINT')
  else
    await run(
      installation,
      'pg_ctl',
      ['stop', '-D', installation.cluster, '-m', 'fast', '-W'],
      '',
      new AbortController().signal,
    )
}

/** The short private directory of the Unix socket, newly created; null on Windows. */
export async function socketDirectory(installation: Installation): Promise<string | null> {
  if (WINDOWS) return null
  const near = path.join(installation.root, 'run')
  const fits = Buffer.byteLength(`${near}/.s.PGSQL.${PORT}`) <= SOCKET_PATH_BYTES
  const name = createHash('sha256').update(installation.cluster).digest('hex').slice(0, 12)
  const directory = fits && !/[",]/.test(near) ? near : `/tmp/guildhall-${name}`
  const uid = installation.account?.uid ?? process.getuid?.()
  const found = await lstat(directory).catch(() => null)
  // In /tmp another account may have created it.
  if (found && (!found.isDirectory() || (found.uid !== uid && found.uid !== 0)))
    throw new DatabaseError(`${directory} belongs to someone else; delete it and start again.`)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
  if (installation.account) await chown(directory, installation.account.uid, installation.account.gid)
  return directory
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address')
  return address.port
}
