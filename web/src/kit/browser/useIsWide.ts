import { useSyncExternalStore } from 'react'

const query = matchMedia('(min-width: 900px)')
const subscribe = (onChange: () => void) => {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the window is as wide as a desk's: columns stand beside each other. */
export const isWide = (): boolean => query.matches
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, isWide)
