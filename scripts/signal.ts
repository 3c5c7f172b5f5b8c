import { OperatorError } from '../server/src/kit/operatorError.ts'
import { complain, say } from './say.ts'

/**
 * A start that does not react to the signal for this long is ended, ms. The embedded database may take most
 * of it to stop.
 */
const STARTING_ENDS_WITHIN_MS = 30_000

/** Ends this process whatever its threads do: a normal exit waits for calls of the system under way. */
function endAtOnce(): void {
  complain(new OperatorError('Forced to stop; the next start recovers.'))
  process.kill(process.pid, 'SIGKILL')
}

/**
 * Shutdown of a long-running script: the first Ctrl-C (or SIGTERM, or the end of the parent process) aborts
 * `signal` and runs the `onStop` function; a second one exits at once. While there is none, the script
 * handles the signal itself. Exits 0 when everything closed.
 */
export function stopOnSignal(startingEndsWithinMs = STARTING_ENDS_WITHIN_MS): {
  signal: AbortSignal
  onStop(close: (() => Promise<void>) | null): void
} {
  const abort = new AbortController()
  let close: (() => Promise<void>) | null = null
  let stopping = false

  const stop = async () => {
    if (stopping) {
      endAtOnce()
      return
    }
    stopping = true
    abort.abort(new Error('stopped'))
    // While there is no `onStop` function, the script handles the aborted signal itself.
    if (close === null) {
      setTimeout(endAtOnce, startingEndsWithinMs)
      return
    }
    say('Stopping …')
    try {
      await close()
    } catch (error) {
      complain(error)
      process.exit(1)
    }
    say('Stopped.')
    process.exit(0)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  // boot.mjs was killed, so nothing passes a Ctrl-C on any more.
  process.on('disconnect', () => {
    if (!stopping) stop()
  })
  return {
    signal: abort.signal,
    onStop(fn) {
      close = fn
      // The signal may have arrived just as the start completed.
      if (abort.signal.aborted) fn?.().then(() => process.exit(0))
    },
  }
}
