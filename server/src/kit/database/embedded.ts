/** The embedded PostgreSQL of a data directory. */
import { existsSync } from 'node:fs'
import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { acquireLock, lockHolder } from '../process.ts'
import type { Connection } from './db.ts'
import { DATABASE, ensureCluster, PASSWORD_FILE, USER } from './postgres/cluster.ts'
import { DatabaseError } from './postgres/databaseError.ts'
import {
  findBinaries,
  findRoot,
  type Installation,
  makeDirectory,
  ownAccount,
  pointedRoot,
  WINDOWS,
} from './postgres/installation.ts'
import { stopOrphan } from './postgres/orphan.ts'
import { freePort, launch, PORT, socketDirectory } from './postgres/postmaster.ts'
import { operatorErrorOf } from './postgres/program.ts'

export { DatabaseError } from './postgres/databaseError.ts'

/** A running PostgreSQL in a data directory. */
export interface Embedded {
  readonly connection: Connection
  /** Resolves with one sentence when PostgreSQL ends unexpectedly. Never rejects. */
  readonly died: Promise<string>
  /** Stops PostgreSQL after a checkpoint and releases the data directory. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on `dataDir/postgres`, creating it on the first run. On POSIX it listens on a Unix socket
 * that only this account and root can reach, on Windows on a loopback port. Recovers from a former run that
 * was killed at any point; throws when another live server uses the directory. As root it runs as the system
 * account `guildhall`.
 * `settings` are added to postgresql.conf's; `signal` aborts a start and leaves nothing incomplete.
 * @throws DatabaseError with one sentence for the operator; the signal's reason when it was aborted
 */
export async function startEmbedded(options: {
  dataDir: string
  onProgress?: (line: string) => void
  settings?: Readonly<Record<string, string>>
  signal?: AbortSignal
}): Promise<Embedded> {
  const report = options.onProgress ?? (() => undefined)
  const signal = options.signal ?? new AbortController().signal
  try {
    return await start(path.resolve(options.dataDir), options.settings ?? {}, report, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof DatabaseError ? error : operatorErrorOf(error, options.dataDir)
  }
}

/**
 * The connection to the embedded database that a live server runs in this directory; null when there is none.
 */
export async function borrowEmbedded(dataDir: string): Promise<Connection | null> {
  const root = (await pointedRoot(dataDir)) ?? dataDir
  if ((await lockHolder(path.join(root, 'server.lock'))) === null) return null
  const address = await readFile(path.join(root, 'server.address'), 'utf8').catch(() => null)
  const password = await readFile(path.join(dataDir, PASSWORD_FILE), 'utf8').catch(() => null)
  if (address === null || password === null) return null
  const { host, port } = JSON.parse(address) as { host: string; port: number }
  return { host, port, user: USER, password: password.trim(), database: DATABASE }
}

/** Whether a data directory has the cluster of an embedded database, or says where it is kept. */
export const hasEmbedded = async (dataDir: string): Promise<boolean> =>
  (await pointedRoot(dataDir)) !== null || existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))

async function start(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Embedded> {
  const account = ownAccount()
  await makeDirectory(dataDir, account ? 0o711 : 0o700)
  const root = await realpath(await findRoot(dataDir, account, report))
  const lock = await acquireLock(path.join(root, 'server.lock'))
  if ('heldBy' in lock)
    throw new DatabaseError(
      `Another Guildhall server (process ${lock.heldBy}) is using ${dataDir}. Stop it first, or give this one its own DATA_DIR.`,
    )
  try {
    const binaries = await findBinaries(account, report)
    const installation: Installation = { root, cluster: path.join(root, 'postgres'), binaries, account }
    const password = await ensureCluster(installation, dataDir, report, signal)
    await stopOrphan(installation.cluster, report)
    const socket = await socketDirectory(installation)
    const port = WINDOWS ? await freePort() : PORT
    const server = await launch(installation, socket, port, settings, signal)
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
