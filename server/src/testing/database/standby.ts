/** A primary of one test and a replica that follows it, both of the embedded PostgreSQL. */
import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Connection } from '../../kit/database/db.ts'
import { type Embedded, startEmbedded } from '../../kit/database/embedded.ts'

/** One server of the two. */
export interface TestNode {
  readonly connection: Connection
  /** As from outside of the database: it has no time to say anything. */
  kill(): Promise<void>
  /** Ends as it should. */
  stop(): Promise<void>
  /** Starts again; `asStandby`: it only replays what it has, or is sent by `from`. */
  start(role?: { readonly asStandby: boolean; readonly from?: Connection }): Promise<void>
}

export interface TestReplication {
  readonly primary: TestNode
  readonly replica: TestNode
  close(): Promise<void>
}

// Nothing here outlives the test, so nothing waits for a disk. Commits still wait for the log to be written.
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB', checkpoint_timeout: '1h' }

/** The replica is made of a copy of the stopped primary: the embedded PostgreSQL has no program for more. */
export async function openReplication(): Promise<TestReplication> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-replica-'))
  // As root the database runs under another account, which needs access.
  await chmod(directory, 0o711)
  const primary = new Node(path.join(directory, 'a'))
  const replica = new Node(path.join(directory, 'b'))
  const close = async () => {
    await replica.stop()
    await primary.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await primary.start()
    await primary.stop()
    // Files keep their account.
    execFileSync('cp', ['-a', `${directory}/a`, `${directory}/b`])
    await primary.start()
    await replica.start({ asStandby: true, from: primary.connection })
  } catch (error) {
    await close()
    throw error
  }
  return { primary, replica, close }
}

class Node implements TestNode {
  readonly #dataDir: string
  readonly #cluster: string
  #running: Embedded | null = null
  #connection: Connection | null = null

  constructor(dataDir: string) {
    this.#dataDir = dataDir
    this.#cluster = path.join(dataDir, 'postgres')
  }

  get connection(): Connection {
    if (!this.#connection) throw new Error('it was never started')
    return this.#connection
  }

  async start(role: { readonly asStandby: boolean; readonly from?: Connection } = { asStandby: false }) {
    const signal = path.join(this.#cluster, 'standby.signal')
    await rm(signal, { force: true })
    if (role.asStandby) {
      const { uid, gid } = await stat(this.#cluster)
      await writeFile(signal, '')
      await chown(signal, uid, gid)
    }
    const source = role.from ? { primary_conninfo: conninfoOf(role.from) } : {}
    this.#running = await startEmbedded({ dataDir: this.#dataDir, settings: { ...SETTINGS, ...source } })
    this.#connection = this.#running.connection
  }

  async stop(): Promise<void> {
    await this.#running?.stop()
    this.#running = null
  }

  async kill(): Promise<void> {
    const [pid] = (await readFile(path.join(this.#cluster, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGQUIT')
    await this.#running?.died
    await this.stop()
  }
}

const conninfoOf = ({ host, port, user, password }: Connection): string =>
  Object.entries({ host, port, user, password })
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')
