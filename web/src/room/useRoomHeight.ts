import { type RefObject, useEffect } from 'react'

/**
 * Keeps the room exactly as high as what can be seen of the page. Where the keyboard covers the page instead of
 * shrinking it (iOS), the composer would otherwise be under it and the newest message out of sight.
 */
export function useRoomHeight(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const fit = () => {
      const here = page.current
      // A page zoomed by two fingers is being read, not typed into.
      if (!here || seen.scale > 1.01) return
      here.style.height = `${seen.height}px`
      here.style.transform = seen.offsetTop > 0 ? `translateY(${seen.offsetTop}px)` : ''
    }
    fit()
    seen.addEventListener('resize', fit)
    seen.addEventListener('scroll', fit)
    return () => {
      seen.removeEventListener('resize', fit)
      seen.removeEventListener('scroll', fit)
    }
  }, [page])
}
