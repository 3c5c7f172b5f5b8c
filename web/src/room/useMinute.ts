import { useEffect, useState } from 'react'

/** The time, ms since the epoch, updated each minute: labels such as "today" must not go stale. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
