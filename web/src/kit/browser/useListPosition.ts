import { useLayoutEffect, useRef } from 'react'

/** One of a list begins at its top; the list stands where it was when the returned function was called. */
export function useListPosition(isList: boolean): () => void {
  const position = useRef(0)
  useLayoutEffect(() => {
    document.documentElement.scrollTop = isList ? position.current : 0
  }, [isList])
  return () => {
    position.current = document.documentElement.scrollTop
  }
}
