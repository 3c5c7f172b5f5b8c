/** The server as a process of its own, to be killed in the middle of things and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { runCommand } from '../cli.ts'
import { readConfig } from '../config.ts'
import type { Db } from '../kit/db.ts'
import { openSharedStore } from '../kit/store.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** Where a server keeps its things and listens; the same for every life of it. */
export interface ServerLocation {
  readonly dataDir: string
  readonly port: number
  /** Null: PostgreSQL is embedded. */
  readonly databaseUrl: string | null
  /** Given: one of several nodes. */
  readonly redisUrl?: string
}

export interface ServerProcess {
  readonly url: string
  /** Ends it as a power cut would: no signal it could hear. With `database`, the embedded one as well. */
  kill(database: boolean): Promise<void>
  /** Ends it in order. */
  stop(): Promise<void>
}

/** Starts the server and waits until it takes requests. Throws with what it said when it ends instead. */
export async function startServerProcess(abode: ServerLocation): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(abode.port),
      DATA_DIR: abode.dataDir,
      DEMO: '1',
      ...(abode.databaseUrl ? { DATABASE_URL: abode.databaseUrl } : {}),
      ...(abode.redisUrl ? { REDIS_URL: abode.redisUrl } : {}),
    },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await ready(child)
  return {
    url: `http://127.0.0.1:${abode.port}`,
    async kill(database) {
      const postmaster = database ? await postmasterOf(abode.dataDir) : null
      child.kill('SIGKILL')
      if (postmaster) process.kill(postmaster, 'SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  const said: string[] = []
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream! }).on('line', (line) => {
        said.push(line)
        if (line.startsWith('Guildhall is ready')) resolve()
      })
    }
    child.once('close', () => reject(new Error(`the server ended: ${said.slice(-5).join(' | ')}`)))
  })
}

/** The embedded database's first process. The cluster may lie elsewhere, see `kit/embedded.ts`. */
async function postmasterOf(dataDir: string): Promise<number> {
  const elsewhere = await readFile(path.join(dataDir, 'postgres.elsewhere'), 'utf8').catch(() => '')
  const cluster = elsewhere.trim() ? path.join(elsewhere.trim(), 'postgres') : path.join(dataDir, 'postgres')
  const file = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')
  return Number(file.split('\n')[0])
}

/** Runs a command of the command line beside a server. */
export async function command<T>(abode: ServerLocation, ...words: string[]): Promise<T> {
  const beside = readConfig(
    { DATA_DIR: abode.dataDir, ...(abode.databaseUrl !== null && { DATABASE_URL: abode.databaseUrl }) },
    ROOT,
  )
  return (await runCommand(words, beside)) as T
}

/** Looks into the database of a server, running or not. */
export async function inspect<T>(abode: ServerLocation, look: (db: Db) => Promise<T>): Promise<T> {
  const home = await openSharedStore({ dataDir: abode.dataDir, databaseUrl: abode.databaseUrl })
  try {
    return await look(home.database.db)
  } finally {
    await home.close()
  }
}

/** Guilds whose event numbers have a hole, repeat, or differ from their counter; empty when all is well. */
export async function brokenNumbers(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select guild_counter.guild_id, event_seq, count(event_log.seq)::int as logged, max(event_log.seq) as last
    from guild_counter left join event_log using (guild_id) group by guild_counter.guild_id, event_seq
    having count(event_log.seq) <> event_seq or coalesce(max(event_log.seq), 0) <> event_seq`.execute(db)
  return rows
}
