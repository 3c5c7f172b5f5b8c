import { useEffect, useState } from 'react'

/** After this time, ms, what the first screen does not need is loaded. */
const LATER_MS = 2_000

/** Whether the first screen has had its time. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLater
}
