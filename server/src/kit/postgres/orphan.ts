/** Stops a PostgreSQL that outlived a killed server. */
import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { isAlive, until } from '../process.ts'
import { DatabaseError } from './databaseError.ts'
import { WINDOWS } from './installation.ts'

export const FAST_STOP_WITHIN_MS = 20_000
export const QUIT_WITHIN_MS = 5_000

/** postmaster.pid: the process, and `ready PID` once it takes connections. Null when there is none. */
export async function readPostmaster(cluster: string): Promise<{ pid: number; status: string } | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return { pid, status: `${lines[7]?.trim()} ${pid}` }
}

/** Ends a PostgreSQL that outlived its server, and removes a pid file whose number now belongs to another program. */
export async function stopOrphan(cluster: string, say: (line: string) => void): Promise<void> {
  const left = await readPostmaster(cluster)
  if (!left || !Number.isInteger(left.pid) || left.pid <= 0 || !isAlive(left.pid)) return
  const pidFile = path.join(cluster, 'postmaster.pid')
  if (!isPostmasterOf(left.pid, cluster)) return rm(pidFile, { force: true })
  say('Recovering from a former run that was killed …')
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

/** Is this process the PostgreSQL of this very cluster, and not a program that got its number later? */
function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    // PostgreSQL makes its cluster the working directory.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster
    const [command, ...args] = WINDOWS
      ? ['tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']
      : ['ps', '-o', 'command=', '-p', String(pid)]
    const said = spawnSync(command!, args, { encoding: 'utf8' }).stdout
    return WINDOWS ? said.includes('postgres.exe') : said.includes('postgres') && said.includes(cluster)
  } catch {
    return false
  }
}
