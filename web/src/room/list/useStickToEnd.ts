import { type RefObject, useEffect, useLayoutEffect } from 'react'
import type { Row } from './rows.ts'
import type { RowVirtualizer } from './useRowVirtualizer.ts'

/**
 * Keeps a reader at the end of the list there: when rows are added, also above a queued message, and when the
 * keyboard, a banner or a growing composer takes height away.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLDivElement | null>,
  list: RowVirtualizer,
  rows: readonly Row[],
  { isLast, isStuck }: { isLast: boolean; isStuck: RefObject<boolean> },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the end
  useLayoutEffect(() => {
    if (!isLast) isStuck.current = false
    if (isStuck.current) list.scrollToEnd()
  }, [list, rows, isLast])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (isStuck.current) list.scrollToEnd()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, list, isStuck])
}
