import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { useEffect, useState } from 'react'

/**
 * Milliseconds until `end`, each second; 0 when it is over. Null where `end` was over at the beginning: the
 * clock of this device is wrong, and the server knows better.
 */
export function useTimeLeft(end: number): number | null {
  const [isSane] = useState(() => Date.now() < end)
  const [now, setNow] = useState(Date.now)
  const isOver = now >= end
  useEffect(() => {
    if (isOver || !isSane) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isOver, isSane])
  return isSane ? Math.max(0, end - now) : null
}
