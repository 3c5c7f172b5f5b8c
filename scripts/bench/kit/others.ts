// What processes beside a bench take of the machine while it measures. Only Linux says it.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10

interface Times {
  /** Of all processors, and of the bench with all that it has started, ms. */
  readonly busy: number
  readonly own: number
  /** When, ms. */
  readonly at: number
}

/** The state of a process: fields of proc(5) `stat` after the name, which may hold spaces. */
function readProcess(pid: string): { readonly parent: string; readonly ms: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // utime, stime, and those of children that ended.
    const ticks = fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0)
    return { parent: fields[1]!, ms: ticks * TICK_MS }
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** The time of a process and all that it has started, ms. */
export function timeOfTree(root: number): number {
  const processes = new Map<string, NonNullable<ReturnType<typeof readProcess>>>()
  for (const pid of readdirSync('/proc')) {
    const it = /^\d+$/.test(pid) ? readProcess(pid) : null
    if (it) processes.set(pid, it)
  }
  const isOfTree = (pid: string): boolean =>
    pid === String(root) || (processes.has(pid) && isOfTree(processes.get(pid)!.parent))
  return [...processes].filter(([pid]) => isOfTree(pid)).reduce((sum, [, { ms }]) => sum + ms, 0)
}

function readTimes(): Times {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  return { busy, own: timeOfTree(process.pid), at: performance.now() }
}

/**
 * Begins to watch. The returned function says what part of all processors others took since then, from 0 to
 * 1; null where the system does not say.
 */
export function watchOthers(): () => number | null {
  if (process.platform !== 'linux') return () => null
  const start = readTimes()
  return () => {
    const end = readTimes()
    const others = end.busy - start.busy - (end.own - start.own)
    return Math.max(0, others / ((end.at - start.at) * availableParallelism()))
  }
}
