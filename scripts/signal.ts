/**
 * Shutdown of a long-running script: the first Ctrl-C (or SIGTERM, or the end of the parent process) aborts `signal` and
 * runs the `onStop` function; a second one exits at once. While there is none, the script handles the signal itself. Exits 0 when everything closed.
 */
export function stopOnSignal(): { signal: AbortSignal; onStop(close: (() => Promise<void>) | null): void } {
  const abort = new AbortController()
  let close: (() => Promise<void>) | null = null
  let stopping = false

  const stop = async () => {
    if (stopping) {
      console.error('Forced to stop; the next start recovers.')
      process.exit(130)
    }
    stopping = true
    abort.abort(new Error('stopped'))
    if (close === null) return
    console.log('Stopping …')
    try {
      await close()
    } catch (error) {
      console.error(error)
      process.exit(1)
    }
    console.log('Stopped.')
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
