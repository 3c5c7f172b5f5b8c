import { useCallback } from 'react'

/** How far the lists of this page are scrolled, px, by key; until the page is reloaded. */
const places = new Map<string, number>()

/** The ref of a list that stands, when it is shown again, where it was left. */
export function useScrollPlace(key: string) {
  return useCallback(
    (list: HTMLElement | null) => {
      if (!list) return
      list.scrollTop = places.get(key) ?? 0
      const keep = () => void places.set(key, list.scrollTop)
      list.addEventListener('scroll', keep, { passive: true })
      return () => list.removeEventListener('scroll', keep)
    },
    [key],
  )
}
