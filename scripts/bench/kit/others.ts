// What processes beside a bench take of the machine while it measures. Only Linux says it.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10
/** How often it is looked at what a process has taken: it may end, and nobody says it afterwards. */
const LOOK_EVERY_MS = 1_000

/** What each process has taken, ms, by its id and start. */
type Times = Map<string, number>

/** Of proc(5) `stat`, after the name, which may hold spaces. */
function readProcess(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system, endedUser, endedSystem, start] = [1, 11, 12, 13, 14, 19].map(
      (at) => fields[at]!,
    )
    return {
      parent: parent!,
      start: start!,
      ms: (Number(user) + Number(system)) * TICK_MS,
      /** Of children that have ended. */
      endedMs: (Number(endedUser) + Number(endedSystem)) * TICK_MS,
    }
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** A process and all that it has started, by their ids. */
function readTree(root: number) {
  const processes = new Map<string, NonNullable<ReturnType<typeof readProcess>>>()
  for (const pid of readdirSync('/proc')) {
    const it = /^\d+$/.test(pid) ? readProcess(pid) : null
    if (it) processes.set(pid, it)
  }
  const isOfTree = (pid: string): boolean =>
    pid === String(root) || (processes.has(pid) && isOfTree(processes.get(pid)!.parent))
  return [...processes].filter(([pid]) => isOfTree(pid))
}

/** What a process and all that it has started have taken. */
export const timesOfTree = (root: number): Times =>
  new Map(readTree(root).map(([pid, { start, ms }]) => [`${pid} ${start}`, ms]))

/** What a process and all that it ever started have taken together, ms. Only Linux says it. */
export const cpuOfTree = (root: number): number =>
  readTree(root).reduce((sum, [, { ms, endedMs }]) => sum + ms + endedMs, 0)

const busyMs = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/**
 * Begins to watch. The returned function ends it and says what part of all processors others took since then,
 * from 0 to 1; null where the system does not say.
 */
export function watchOthers(): () => number | null {
  if (process.platform !== 'linux') return () => null
  const before = timesOfTree(process.pid)
  const last: Times = new Map()
  const look = () => {
    for (const [key, ms] of timesOfTree(process.pid)) last.set(key, ms)
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  const [busy, at] = [busyMs(), performance.now()]
  return () => {
    clearInterval(timer)
    look()
    let own = 0
    for (const [key, ms] of last) own += ms - (before.get(key) ?? 0)
    const all = (performance.now() - at) * availableParallelism()
    return Math.max(0, (busyMs() - busy - own) / all)
  }
}
