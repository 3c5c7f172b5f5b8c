import { useEffect, useState } from 'react'
import { createListeners } from '../listeners.ts'

const retries = createListeners()

/** Loads again what failed to load, wherever it is shown: the network is good again. */
export const retryFailedLoads = retries.notify

/** Whether the picture of an address failed to load. `fail`: it did. `retry`: it is to be loaded again. */
export function useFailedLoad(address: string | null | undefined) {
  const [failed, setFailed] = useState<string | null>(null)
  const retry = () => setFailed(null)
  useEffect(() => (failed === null ? undefined : retries.subscribe(() => setFailed(null))), [failed])
  return {
    hasFailed: failed !== null && failed === address,
    fail: () => setFailed(address ?? null),
    retry,
  }
}
