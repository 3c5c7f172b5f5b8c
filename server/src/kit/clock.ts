/** The clock. */
let source: () => number = Date.now

/** The only source of time on the server, so that a test can hold it still. */
export const clock = {
  /** Milliseconds since 1970. */
  now(): number {
    return source()
  },
}

/** The time of the system again, whatever replaced it. For tests. */
export function restoreClock(): void {
  source = Date.now
}

/** Replaces the time until the returned function is called. For tests and the demo. */
export function replaceClock(now: () => number): () => void {
  const before = source
  source = now
  return () => {
    source = before
  }
}
