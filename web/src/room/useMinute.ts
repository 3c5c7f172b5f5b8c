import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { useEffect, useState } from 'react'

/** The time, ms since the epoch, updated each minute: labels such as "today" must not go stale. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const look = () => setNow(Date.now())
    const start = () => (document.hidden ? undefined : setInterval(look, MINUTE_MS))
    let timer = start()
    // Labels of a hidden page are read when it is shown again.
    const follow = () => {
      clearInterval(timer)
      timer = start()
      if (timer !== undefined) look()
    }
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [])
  return now
}
