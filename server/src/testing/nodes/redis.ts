/** A Redis of one test, which can be stopped, started again and made to hang. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../../kit/process.ts'
import type { RedisAddress } from '../../kit/redis/redis.ts'
import { freePort } from '../port.ts'

/** How long Redis may take where a test needs its answer, on however slow a machine, ms. */
export const PATIENCE_MS = 60_000

export interface TestRedis {
  readonly port: number
  readonly url: string
  readonly address: RedisAddress
  pid(): number
  /** Kills it. */
  kill(): Promise<void>
  /** Starts it again, empty, on the same port; resolves when it accepts connections. */
  start(): Promise<void>
  /** Suspends it: connections stay open without responses until `resume`. */
  hang(): void
  resume(): void
  close(): Promise<void>
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/**
 * Starts Debian's `redis-server` (or `valkey-server`, when REDIS_SERVER names it) without persistence, with
 * further settings.
 */
export async function openTestRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-redis-'))
  const port = await freePort()
  const program = process.env.REDIS_SERVER ?? 'redis-server'
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]
    const args = [...where, '--save', '', '--appendonly', 'no', ...settings]
    const started = spawn(program, args, { stdio: 'ignore' })
    let trouble: Error | null = null
    started.on('error', (error) => {
      trouble = error
    })
    child = started
    if (await until(() => trouble !== null || canConnect(port), 60_000)) {
      if (trouble === null) return
    }
    throw new Error(`${program} did not start. On Debian, as root: apt-get install -y redis-server`, {
      cause: trouble,
    })
  }

  async function kill(): Promise<void> {
    const { exitCode, signalCode } = child ?? { exitCode: 0, signalCode: null }
    if (child && exitCode === null && signalCode === null) {
      const ended = new Promise((done) => child?.once('close', done))
      child.kill('SIGKILL')
      await ended
    }
    child = null
  }

  await start()
  const url = `redis://127.0.0.1:${port}`
  return {
    port,
    url,
    address: { isCluster: false, urls: [url] },
    pid: () => child?.pid ?? 0,
    kill,
    start,
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
