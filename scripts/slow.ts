import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Busy loops per core, which leave about a third of the machine to other processes. */
const LOOPS_PER_CORE = 2

/** Slows down all other processes of this machine until the returned function is called. */
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
