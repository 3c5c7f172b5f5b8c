import { useCallback } from 'react'

/** How far the lists of this page are scrolled, px, by key; until the page is reloaded. */
const positions = new Map<string, number>()

/** The ref of a list that stands, when it is shown again, where it was left. */
export function useScrollPosition(key: string) {
  return useCallback(
    (list: HTMLElement | null) => {
      if (!list) return
      list.scrollTop = positions.get(key) ?? 0
      const keep = () => void positions.set(key, list.scrollTop)
      list.addEventListener('scroll', keep, { passive: true })
      return () => list.removeEventListener('scroll', keep)
    },
    [key],
  )
}
