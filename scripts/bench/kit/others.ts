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
    const [parent, user, system, start] = [1, 11, 12, 19].map((at) => fields[at]!)
    return { parent: parent!, start: start!, ms: (Number(user) + Number(system)) * TICK_MS }
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** What a process and all that it has started have taken. */
export function timesOfTree(root: number): Times {
  const processes = new Map<string, NonNullable<ReturnType<typeof readProcess>>>()
  for (const pid of readdirSync('/proc')) {
    const it = /^\d+$/.test(pid) ? readProcess(pid) : null
    if (it) processes.set(pid, it)
  }
  const isOfTree = (pid: string): boolean =>
    pid === String(root) || (processes.has(pid) && isOfTree(processes.get(pid)!.parent))
  const own = [...processes].filter(([pid]) => isOfTree(pid))
  return new Map(own.map(([pid, { start, ms }]) => [`${pid} ${start}`, ms]))
}

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
