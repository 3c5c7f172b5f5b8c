/**
 * How a long-running script ends: the first Ctrl-C (or SIGTERM, or the end of the process that started it) aborts
 * `signal` and runs what was given to `onStop`; a second one ends at once. Exits 0 when everything closed.
 */
export function stopOnSignal(): { signal: AbortSignal; onStop(close: () => Promise<void>): void } {
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
    // Before there is something to close, the script sees the aborted signal and says so itself.
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
  // boot.mjs was killed outright: nobody is left to pass on a Ctrl-C.
  process.on('disconnect', () => {
    if (!stopping) stop()
  })
  return {
    signal: abort.signal,
    onStop(fn) {
      close = fn
      // The key may have been pressed in the very moment the start came to its end.
      if (abort.signal.aborted) fn().then(() => process.exit(0))
    },
  }
}
