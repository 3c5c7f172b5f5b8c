/** A PostgreSQL of one test, from the system's packages, that can be restarted under load. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withConnection } from '../../kit/database/db.ts'
import { until } from '../../kit/process.ts'
import { freePort } from '../port.ts'

export interface TestPostgres {
  /** An empty database on it. */
  readonly url: string
  /** Of its first process. */
  pid(): number
  /** Stops it and ends every connection; with `crash`, without a shutdown. Committed data stays. */
  stop(how?: 'crash'): Promise<void>
  /** Starts it again; resolves when it accepts connections. */
  start(): Promise<void>
  close(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'

/**
 * The directory of the newest installed server's programs, or the one of TEST_POSTGRES, such as those of an
 * older version; null when there is none.
 */
export function findPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.TEST_POSTGRES ? [process.env.TEST_POSTGRES] : []),
    ...versions.map((version) => `${DEBIAN}/${version}/bin`),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ]
  return folders.find((folder) => existsSync(`${folder}/initdb`) && existsSync(`${folder}/postgres`)) ?? null
}

/**
 * As root it runs under the account of Debian's package, because PostgreSQL does not run as root. `further`:
 * settings, `name=value`.
 */
export async function openTestPostgres(further: readonly string[] = []): Promise<TestPostgres> {
  const programs = findPostgres()
  if (!programs) throw new Error('There is no PostgreSQL. On Debian, as root: apt-get install -y postgresql')
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-postgres-'))
  const port = await freePort()
  let account: { uid: number; gid: number } | undefined
  if (process.getuid?.() === 0) {
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    account = { uid: idOf('-u'), gid: idOf('-g') }
    await chown(directory, account.uid, account.gid)
  }
  const data = path.join(directory, 'data')
  const options = { cwd: directory, ...account }
  execFileSync(
    `${programs}/initdb`,
    ['-D', data, '-U', 'guildhall', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
    { ...options, stdio: 'ignore' },
  )
  const server = { url: `postgres://guildhall@127.0.0.1:${port}/postgres` }
  let child: ChildProcess | null = null

  const answers = () =>
    withConnection(server, (query) => query('select 1')).then(
      () => true,
      () => false,
    )

  async function start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${directory}`,
      'max_connections=150',
      ...further,
    ]
    child = spawn(
      `${programs}/postgres`,
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: 'ignore' },
    )
    if (!(await until(answers, 60_000))) throw new Error('PostgreSQL did not start.')
  }

  async function stop(how?: 'crash'): Promise<void> {
    const running = child
    child = null
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((done) => running.once('close', done))
    running.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT')
    await ended
  }

  try {
    await start()
    await withConnection(server, (query) => query('create database guildhall'))
  } catch (error) {
    await stop('crash')
    await rm(directory, { recursive: true, force: true })
    throw error
  }
  return {
    url: `postgres://guildhall@127.0.0.1:${port}/guildhall`,
    pid: () => child?.pid ?? 0,
    stop,
    start,
    async close() {
      await stop('crash')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
