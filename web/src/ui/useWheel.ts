import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Calls `act` when a wheel turns over what scrolls. The browser scrolls without waiting for it. */
export function useWheel(box: RefObject<HTMLElement | null>, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useLayoutEffect(() => {
    const element = box.current
    const turned = () => latest.current()
    element?.addEventListener('wheel', turned, { passive: true })
    return () => element?.removeEventListener('wheel', turned)
  }, [box])
}
