import { type RefObject, useEffect } from 'react'

/**
 * Keeps the room as high as the visual viewport. On iOS the keyboard covers the page instead of shrinking it,
 * and would hide the composer and the newest message.
 */
export function useRoomHeight(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const fit = () => {
      const here = page.current
      // A pinch-zoomed page is being read.
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
