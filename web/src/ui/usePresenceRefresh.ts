import { useEffect } from 'react'

/** No event tells of a friend's presence: it is asked for so often, ms. */
export const PRESENCE_MS = 30_000

/**
 * Calls `refresh`, which stays the same function, again and again while the screen is there and the page is
 * visible.
 */
export function usePresenceRefresh(refresh: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), PRESENCE_MS)
    return () => clearInterval(timer)
  }, [refresh])
}
