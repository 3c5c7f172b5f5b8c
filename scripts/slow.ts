import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Busy loops per core: what runs beside them gets about a third of the machine. */
const LOOPS_PER_CORE = 2

/** Slows everything else on this machine down until the returned function is called. */
export function slowDown(): () => void {
  const loops = Array.from(
    { length: LOOPS_PER_CORE * availableParallelism() },
    () => new Worker('for (;;);', { eval: true }),
  )
  for (const loop of loops) loop.unref()
  return () => {
    for (const loop of loops) void loop.terminate()
  }
}
