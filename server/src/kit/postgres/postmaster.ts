/** Starts and stops the embedded PostgreSQL’s server process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chown, lstat, mkdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { until } from '../process.ts'
import { DatabaseError } from './databaseError.ts'
import { type Installation, WINDOWS } from './installation.ts'
import { FAST_STOP_WITHIN_MS, QUIT_WITHIN_MS, readPostmaster } from './orphan.ts'
import { killGroup, programEnvironment, run, startError } from './program.ts'

export const PORT = 5432
// sockaddr_un holds 108 bytes on Linux and 104 on macOS, the closing zero included.
const SOCKET_PATH_BYTES = 103
const START_WITHIN_MS = 60_000
const LOG_BYTES = 4 * 1024 * 1024
const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '60',
  shared_buffers: '128MB',
  dynamic_shared_memory_type: WINDOWS ? 'windows' : 'mmap',
  jit: 'off',
  // A vacuum shares the processors with those who talk meanwhile: it takes its time.
  autovacuum_vacuum_cost_delay: '20ms',
  // And looks at a fifth of the rows to learn what a table holds: nothing here is asked that needs more.
  default_statistics_target: '20',
  // As they are without being said, whatever size the segments have.
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  log_checkpoints: 'off',
  // A refused row or statement may hold a phone number; the server's own log says which query failed.
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
  place: Installation,
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
    const server = await tryLaunch(place, args, log, signal)
    if (server) return server
    const said = (await readFile(log)).subarray(before).toString('utf8')
    if (!/still in use|being accessed by/.test(said) || tries === 10) throw startError(said, place)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Null when it ended before it was ready; the log says why. */
async function tryLaunch(
  place: Installation,
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
    await requestStop(place, child)
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

async function requestStop(place: Installation, child: ChildProcess): Promise<void> {
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
export async function socketDirectory(place: Installation): Promise<string | null> {
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address')
  return address.port
}
