/**
 * Whether the page's connection is up, for lists that show who is online: who reads one is online as soon as
 * it is.
 */

import { createListeners } from '../kit/listeners.ts'

let isUp = false
const connected = createListeners()

/** Calls whenever the connection came up. Returns the unsubscribe function. */
export const onConnected = connected.subscribe

/** Whether the connection is up. */
export const isConnected = (): boolean => isUp

/** The connection came up or went away. */
export function noteConnected(isNowUp: boolean): void {
  isUp = isNowUp
  if (isUp) connected.notify()
}

/** Resolves when the connection is up, or after `mostMs` without it. */
export function whenConnected(mostMs: number): Promise<void> {
  if (isUp) return Promise.resolve()
  return new Promise((resolve) => {
    const go = () => {
      unsubscribe()
      clearTimeout(timer)
      resolve()
    }
    const unsubscribe = connected.subscribe(go)
    const timer = setTimeout(go, mostMs)
  })
}
