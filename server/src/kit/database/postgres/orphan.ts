/** Stops a PostgreSQL process that outlived a killed server. */
import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { isAlive, until } from '../../process.ts'
import { DatabaseError } from './databaseError.ts'
import { WINDOWS } from './installation.ts'

export const FAST_STOP_WITHIN_MS = 20_000
export const QUIT_WITHIN_MS = 5_000

/**
 * Reads postmaster.pid: the process, and `ready PID` once it accepts connections. Null when there is no such
 * file.
 */
export async function readPostmaster(cluster: string): Promise<{ pid: number; status: string } | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return { pid, status: `${lines[7]?.trim()} ${pid}` }
}

/**
 * Ends a PostgreSQL that outlived its server, and deletes a pid file whose pid now belongs to another
 * program.
 */
export async function stopOrphan(cluster: string, report: (line: string) => void): Promise<void> {
  const left = await readPostmaster(cluster)
  if (!left || !Number.isInteger(left.pid) || left.pid <= 0 || !isAlive(left.pid)) return
  const pidFile = path.join(cluster, 'postmaster.pid')
  if (!isPostmasterOf(left.pid, cluster)) return rm(pidFile, { force: true })
  report('Recovering from a former run that was killed …')
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

/** True when this process is the PostgreSQL of this cluster, and not a later program with the same pid. */
function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    // PostgreSQL's working directory is its cluster.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster
    const [command, ...args] = WINDOWS
      ? ['tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']
      : ['ps', '-o', 'command=', '-p', String(pid)]
    const output = spawnSync(command!, args, { encoding: 'utf8' }).stdout
    return WINDOWS ? output.includes('postgres.exe') : output.includes('postgres') && output.includes(cluster)
  } catch {
    return false
  }
}
