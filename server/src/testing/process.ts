/** The server as a separate process, which a test can kill at any point and start again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { runCommand } from '../cli/cli.ts'
import { readConfig } from '../config.ts'
import type { Db } from '../kit/database/db.ts'
import { openSharedStore } from '../kit/database/store.ts'
import { KEYS_SECRET } from './keys.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** The data directory, port and stores of a server; the same for each of its processes. */
export interface ServerLocation {
  readonly dataDir: string
  readonly port: number
  /** Null: PostgreSQL is embedded. */
  readonly databaseUrl: string | null
  /** Given: one of several nodes. */
  readonly redisUrl?: string
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>
}

export interface ServerProcess {
  readonly url: string
  /** Kills it with SIGKILL; with `database`, the embedded PostgreSQL too. */
  kill(database: boolean): Promise<void>
  /** Kills only the embedded PostgreSQL with SIGKILL. */
  killDatabase(): Promise<void>
  /** Shuts it down with SIGTERM. */
  stop(): Promise<void>
  /** The last lines that it wrote, and how it ended if it did. */
  lastWords(): readonly string[]
}

/** Starts the server and waits until it serves requests. Throws with its output when it ends instead. */
export async function startServerProcess(abode: ServerLocation): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(abode.port),
      DATA_DIR: abode.dataDir,
      KEYS_SECRET,
      DEMO: '1',
      APP_SCHEME: '',
      RATE_LIMIT_SCALE: '1000',
      PAY_SANDBOX: '0',
      ...(abode.databaseUrl ? { DATABASE_URL: abode.databaseUrl } : {}),
      ...(abode.redisUrl ? { REDIS_URL: abode.redisUrl } : {}),
      ...abode.env,
    },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines: string[] = []
  child.once('close', (code, signal) => void lines.push(`ended: ${signal ?? code}`))
  await ready(child, lines)
  return {
    lastWords: () => lines,
    url: `http://127.0.0.1:${abode.port}`,
    async kill(database) {
      const postmaster = database ? await postmasterOf(abode.dataDir) : null
      child.kill('SIGKILL')
      if (postmaster) process.kill(postmaster, 'SIGKILL')
      await ended
    },
    async killDatabase() {
      const postmaster = await postmasterOf(abode.dataDir)
      if (postmaster) process.kill(postmaster, 'SIGKILL')
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const LINES_KEPT = 30
/** How many of them an error shows: a stack with what it is about. */
const LINES_SHOWN = 15
/** A server that does not serve after so long is stuck, ms. */
const STUCK_MS = 180_000

function ready(child: ChildProcess, outputLines: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const stuck = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the server does not get ready: ${outputLines.slice(-LINES_SHOWN).join(' | ')}`))
    }, STUCK_MS)
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream! }).on('line', (line) => {
        outputLines.push(line)
        if (outputLines.length > LINES_KEPT) outputLines.shift()
        if (line.includes('Guildhall is ready')) {
          clearTimeout(stuck)
          resolve()
        }
      })
    }
    child.once('close', () => {
      clearTimeout(stuck)
      reject(new Error(`the server ended: ${outputLines.slice(-LINES_SHOWN).join(' | ')}`))
    })
  })
}

/**
 * The pid of the embedded database's postmaster. The cluster may be outside `dataDir`, see
 * `kit/database/embedded.ts`.
 */
async function postmasterOf(dataDir: string): Promise<number> {
  const pointer = await readFile(path.join(dataDir, 'postgres.elsewhere'), 'utf8').catch(() => '')
  const cluster = pointer.trim() ? path.join(pointer.trim(), 'postgres') : path.join(dataDir, 'postgres')
  const file = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')
  return Number(file.split('\n')[0])
}

/** Runs a command of the command line while a server may run. */
export async function command<T>(abode: ServerLocation, ...words: string[]): Promise<T> {
  const beside = readConfig(
    {
      DATA_DIR: abode.dataDir,
      KEYS_SECRET,
      ...(abode.databaseUrl !== null && { DATABASE_URL: abode.databaseUrl }),
    },
    ROOT,
  )
  return (await runCommand(words, beside)) as T
}

/** Runs `look` on the database of a server, whether the server runs or not. */
export async function inspect<T>(abode: ServerLocation, look: (db: Db) => Promise<T>): Promise<T> {
  const home = await openSharedStore({ dataDir: abode.dataDir, databaseUrl: abode.databaseUrl })
  try {
    return await look(home.database.db)
  } finally {
    await home.close()
  }
}

/**
 * Guilds whose event numbers have a hole, a repetition, or end elsewhere than their counter. Old events may
 * be deleted.
 */
export async function brokenNumbers(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select guild_counter.guild_id, event_seq, count(event_log.seq)::int as logged, max(event_log.seq) as last
    from guild_counter left join event_log using (guild_id) group by guild_counter.guild_id, event_seq
    having count(event_log.seq) <> coalesce(max(event_log.seq) - min(event_log.seq) + 1, 0)
      or coalesce(max(event_log.seq), 0) <> event_seq`.execute(db)
  return rows
}
