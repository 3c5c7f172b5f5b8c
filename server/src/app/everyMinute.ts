/** Work that this node does now and then by itself. */
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Log } from '../kit/log.ts'

/**
 * Runs `work` at once and every minute, one run at a time; the answer stops it, and resolves when it has
 * ended. Each node does it: a job of all nodes would stand still for minutes after the node that runs it was
 * killed. So `work` must bear being done twice at once. `done` is called after each run that did not fail.
 */
export function everyMinute(
  log: Log,
  work: (signal: AbortSignal, isFirst: boolean) => Promise<void>,
  done: () => void = () => undefined,
): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const run = (isFirst: boolean) => {
    running ??= work(stopping.signal, isFirst)
      .then(done)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'work of every minute failed')
      })
      .finally(() => {
        running = null
      })
  }
  run(true)
  const timer = setInterval(() => run(false), MINUTE_MS).unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await running
  }
}
