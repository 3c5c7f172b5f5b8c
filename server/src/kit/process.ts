/** Processes of this machine: whether they live, lock files, waiting, garbage collection. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow to two and a half times its live size before a full garbage collection. By default a
 * busy server is collected every three seconds, and each collection takes the processors from requests. Costs
 * one and a half times the live size in memory.
 */
export function reduceGarbageCollection(): void {
  setFlagsFromString('--heap-growing-percent=150')
}

/** True when there is a process with this id, of any account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The start time of a process in the system's format. It distinguishes two processes that had the same id one
 * after the other. Null when the process has ended; empty when the system does not provide it.
 */
export function startTimeOf(pid: number): string | null {
  if (!isAlive(pid)) return null
  try {
    if (process.platform === 'linux') {
      // Field 22 of proc(5) stat, counted after the command name, which may contain spaces and brackets.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (fields[0] === 'Z') return null
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return isAlive(pid) ? '' : null
  }
}

/** Polls `done()` every 20 ms until it is true. False after `ms`. */
export async function until(done: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!(await done())) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

/**
 * Acquires a lock that ends with its process: the file names the holder by pid and start time. Returns the
 * pid of the live holder if there is one, else a function that releases the lock.
 */
export async function acquireLock(file: string): Promise<{ heldBy: number } | { release(): Promise<void> }> {
  const mine = `${file}.${process.pid}`
  const content = JSON.stringify({ pid: process.pid, birth: startTimeOf(process.pid) })
  await writeFile(mine, content)
  try {
    for (;;) {
      try {
        // A link appears with its content, so nobody can read a half-written lock.
        await link(mine, file)
        return { release: () => releaseLock(file, content) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = await lockHolder(file)
      if (holder !== null) return { heldBy: holder }
      await clearStaleLock(file, `${mine}.stale`)
    }
  } finally {
    await rm(mine, { force: true })
  }
}

async function releaseLock(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === content) await rm(file, { force: true })
}

/** The pid of the live process that holds a lock of `takeLock`; null when none does. */
export async function lockHolder(file: string): Promise<number | null> {
  try {
    const { pid, birth } = JSON.parse(await readFile(file, 'utf8')) as { pid: number; birth: string }
    return startTimeOf(pid) === birth ? pid : null
  } catch {
    return null
  }
}

/**
 * Removes the lock of a dead holder; restores it when another process acquired it between the check and the
 * move.
 */
async function clearStaleLock(file: string, aside: string): Promise<void> {
  try {
    await rename(file, aside)
    if ((await lockHolder(aside)) !== null) await link(aside, file)
  } catch {
    // Another process was faster; the caller checks again.
  } finally {
    await rm(aside, { force: true })
  }
}
