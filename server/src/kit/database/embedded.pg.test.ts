import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTimeOf, until } from '../process.ts'
import { withConnection } from './db.ts'
import { DatabaseError, type Embedded, startEmbedded } from './embedded.ts'

const HOLD = path.join(import.meta.dirname, '../../testing/database/embeddedProcess.ts')
const asRoot = process.getuid?.() === 0

let home: string
let dataDir: string
const running: Embedded[] = []
const children: ChildProcess[] = []

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'embedded-')))
  await chmod(home, 0o755)
  dataDir = path.join(home, 'data')
})
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  for (const embedded of running.splice(0)) await embedded.stop()
  await killPostmaster()
  const elsewhere = (await readFile(path.join(dataDir, 'postgres.elsewhere'), 'utf8').catch(() => '')).trim()
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true })
  await rm(home, { recursive: true, force: true })
})

async function open(directory = dataDir): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir: directory, settings: { fsync: 'off' } })
  running.push(embedded)
  return embedded
}

/** Another process that runs the database, once it has printed `line`. */
async function another(line: string, before: readonly string[] = []): Promise<ChildProcess> {
  const [program = '', ...args] = [...before, process.execPath, HOLD, dataDir]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (said) => said.startsWith(line) && resolve())
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said "${line}"`)))
  })
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

async function postmaster(): Promise<number | null> {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null)
  return text === null ? null : Number(text.split('\n')[0])
}

async function killPostmaster(): Promise<void> {
  const pid = await postmaster()
  if (pid === null || pid === process.pid || startTimeOf(pid) === null) return
  process.kill(pid, 'SIGKILL')
  await until(() => startTimeOf(pid) === null, 5000)
}

const write = (embedded: Embedded) =>
  withConnection(embedded.connection, (query) => query('create table kept as select 7 as n'))
const read = (embedded: Embedded) =>
  withConnection(embedded.connection, (query) => query('select n from kept'))
const kept = [{ n: 7 }]

describe('it refuses, in one sentence,', () => {
  it('a directory that a live server uses, naming its process', async () => {
    const child = await another('ready')
    const refused = open()
    await expect(refused).rejects.toThrow(DatabaseError)
    await expect(refused).rejects.toThrow(`process ${child.pid}`)
  })

  it('a directory called postgres with other content, which it does not change', async () => {
    const photo = path.join(dataDir, 'postgres', 'photo.jpg')
    await mkdir(path.dirname(photo), { recursive: true })
    await writeFile(photo, 'holiday')
    await expect(open()).rejects.toThrow(/not a PostgreSQL cluster/)
    expect(await readFile(photo, 'utf8')).toBe('holiday')
  })

  it('the files of another major version', async () => {
    await mkdir(path.join(dataDir, 'postgres'), { recursive: true })
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '12\n')
    await expect(open()).rejects.toThrow(/made by PostgreSQL 12/)
  })

  it.runIf(process.platform === 'linux')('a DATA_DIR that the system does not make', async () => {
    await expect(startEmbedded({ dataDir: '/proc/guildhall' })).rejects.toThrow(
      '/proc/guildhall cannot be made there; set DATA_DIR to another directory.',
    )
  })

  it('a DATA_DIR that is a file', async () => {
    await writeFile(dataDir, '')
    await expect(open()).rejects.toThrow(/not a directory/)
  })
})

describe('it starts again, with all data, after', () => {
  it('an orderly stop, which may be asked for twice', async () => {
    const first = await open()
    await write(first)
    await Promise.all([first.stop(), first.stop()])
    expect(await postmaster()).toBe(null)
    expect(await read(await open())).toEqual(kept)
  })

  it('a kill -9 of the server, whose PostgreSQL keeps running', async () => {
    const child = await another('ready')
    const orphan = await postmaster()
    await kill(child)
    expect(startTimeOf(orphan!)).not.toBe(null)
    const embedded = await open()
    expect(startTimeOf(orphan!)).toBe(null)
    await write(embedded)
    expect(await read(embedded)).toEqual(kept)
  })

  it('a kill -9 of the server and of PostgreSQL', async () => {
    const first = await open()
    await write(first)
    await killPostmaster()
    await expect(first.died).resolves.toMatch(/ended unexpectedly \(SIGKILL\)/)
    await first.stop()
    expect(await read(await open())).toEqual(kept)
  })

  it('a kill -9 of PostgreSQL whose last connection keeps its memory for long', async () => {
    const first = await open()
    await write(first)
    const log = path.join(dataDir, 'postgres.log')
    const refusals = async () => (await readFile(log, 'utf8')).match(/still in use/g)?.length ?? 0
    const again = await withConnection(first.connection, async (query) => {
      const [backend] = (await query('select pg_backend_pid() as pid')) as { pid: number }[]
      process.kill(backend!.pid, 'SIGSTOP')
      try {
        await killPostmaster()
        await first.stop()
        const starting = open()
        await expect.poll(refusals).toBeGreaterThan(12)
        return { starting }
      } finally {
        process.kill(backend!.pid, 'SIGCONT')
      }
    })
    expect(await read(await again.starting)).toEqual(kept)
  })

  it('a crash whose process number now belongs to another program', async () => {
    const first = await open()
    await write(first)
    await first.stop()
    const lines = [process.pid, path.join(dataDir, 'postgres'), 1, 5432, '', '', '', 'ready']
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)
    expect(await read(await open())).toEqual(kept)
  })

  it('a crash whose process number belongs to no process', async () => {
    const first = await open()
    await write(first)
    await first.stop()
    const gone = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => gone.once('exit', resolve))
    const lines = [gone.pid, path.join(dataDir, 'postgres'), 1, 5432, '', '', '', 'ready']
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)
    await writeFile(path.join(dataDir, 'server.lock'), JSON.stringify({ pid: gone.pid, birth: 'then' }))
    expect(await read(await open())).toEqual(kept)
  })

  it('the loss of its password file', async () => {
    const first = await open()
    await write(first)
    await first.stop()
    await rm(path.join(dataDir, 'postgres.password'))
    expect(await read(await open())).toEqual(kept)
  })
})

describe('a first start that does not complete', () => {
  it('killed while the database is being created, the next one creates it', async () => {
    const child = await another('Creating')
    await kill(child)
    const embedded = await open()
    await write(embedded)
    expect(await read(embedded)).toEqual(kept)
  })

  it('aborted, it leaves no process, no lock and no incomplete directory', async () => {
    const abort = new AbortController()
    const abandoned = startEmbedded({
      dataDir,
      signal: abort.signal,
      onProgress: () => setTimeout(() => abort.abort(new Error('Ctrl-C')), 30),
    })
    await expect(abandoned).rejects.toThrow('Ctrl-C')
    const left = await readdir(dataDir)
    expect(left.filter((name) => name.startsWith('postgres') || name === 'server.lock')).toEqual([])
    await open()
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.growing'))).toEqual([])
  })
})

describe('the directory of the database', () => {
  it('may have spaces and Chinese characters, and be longer than a socket path', async () => {
    dataDir = path.join(home, `公会厅 的 数据 ${'很长'.repeat(20)}`)
    const embedded = await open()
    expect(Buffer.byteLength(embedded.connection.host ?? '')).toBeLessThan(90)
    await write(embedded)
    expect(await read(embedded)).toEqual(kept)
  })

  it('is closed to other accounts, as is the socket, and no TCP port is open', async () => {
    const embedded = await open()
    expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
    expect((await stat(embedded.connection.host!)).mode & 0o777).toBe(0o700)
    const rows = await withConnection(embedded.connection, (query) => query('show listen_addresses'))
    expect(rows).toEqual([{ listen_addresses: '' }])
    const wrong = withConnection({ ...embedded.connection, password: 'guess' }, (query) => query('select 1'))
    await expect(wrong).rejects.toThrow(/password authentication failed/)
  })

  it.runIf(asRoot)(
    'as root, where its account cannot go: elsewhere, and there again the next time',
    async () => {
      await chmod(home, 0o700)
      const first = await open()
      await write(first)
      await first.stop()
      const elsewhere = (await readFile(path.join(dataDir, 'postgres.elsewhere'), 'utf8')).trim()
      expect(elsewhere).toMatch(/^\/var\/lib\/guildhall\//)
      expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false)
      expect(await read(await open())).toEqual(kept)
    },
  )

  it.runIf(asRoot)(
    'a database that was kept elsewhere and is gone is not quietly replaced by an empty one',
    async () => {
      await chmod(home, 0o700)
      await (await open()).stop()
      const elsewhere = (await readFile(path.join(dataDir, 'postgres.elsewhere'), 'utf8')).trim()
      await rm(elsewhere, { recursive: true })
      await expect(open()).rejects.toThrow(`was kept in ${elsewhere}, which is gone`)
    },
  )
})

/** Containers run as a number that no file gives a name. */
it.runIf(asRoot && process.platform === 'linux')(
  'an account without an entry in /etc/passwd makes the database, and finds it again',
  async () => {
    const nobody = 54_321
    await chown(home, nobody, nobody)
    const as = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs']
    await kill(await another('ready', as))
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(nobody)
    await killPostmaster()
    await another('ready', as)
  },
)
