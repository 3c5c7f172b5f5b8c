import { useEffect, useState } from 'react'

/** A typed value after a pause in typing, ms. Clearing counts at once. */
export function useDebounced(value: string, pauseMs: number): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setDebounced, value === '' ? 0 : pauseMs, value)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return debounced
}
