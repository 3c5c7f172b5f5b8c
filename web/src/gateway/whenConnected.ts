/**
 * Whether the page's connection is up, for lists that show who is online: who reads one is online as soon as
 * it is.
 */

let isUp = false
const waiting = new Set<() => void>()

/** The connection came up or went away. */
export function noteConnected(isConnected: boolean): void {
  isUp = isConnected
  if (isUp) for (const go of [...waiting]) go()
}

/** Resolves when the connection is up, or after `mostMs` without it. */
export function whenConnected(mostMs: number): Promise<void> {
  if (isUp) return Promise.resolve()
  return new Promise((resolve) => {
    const go = () => {
      waiting.delete(go)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(go, mostMs)
    waiting.add(go)
  })
}
