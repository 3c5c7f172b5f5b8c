import { useCallback, useSyncExternalStore } from 'react'

const SECOND_MS = 1_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function listen(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of [...listeners]) each()
    }, SECOND_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

const stopped = () => () => undefined
/** The time; read from the system clock while no timer runs. */
const current = () => {
  if (listeners.size === 0 && Math.abs(Date.now() - now) >= SECOND_MS) now = Date.now()
  return now
}

/**
 * Milliseconds until `end`, updated each second, 0 when it is over. All countdowns share one timer, which
 * stops when all have ended.
 */
export function useCountdown(end: number): number {
  const isOver = useSyncExternalStore(stopped, () => current() >= end)
  const at = useSyncExternalStore(
    useCallback((listener: () => void) => (isOver ? stopped() : listen(listener)), [isOver]),
    () => Math.min(current(), end),
  )
  return Math.max(0, end - at)
}
