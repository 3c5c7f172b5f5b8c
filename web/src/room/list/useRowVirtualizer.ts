import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'
import { estimateRowHeight } from './rowHeight.ts'
import type { Row } from './rows.ts'

/** Nearer to the end than this, px, the list stays at the end when a message is added. */
export const NEAR_END = 80
/** The strip at an end of the list while there is more to load, px. */
export const LOADING_STRIP = 56

export type RowVirtualizer = Virtualizer<HTMLDivElement, Element>

/** Draws only the rows on screen, and keeps the reader's position while rows are added above. */
export function useRowVirtualizer(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  { atStart, isLast }: { atStart: boolean; isLast: boolean },
): RowVirtualizer {
  const list: RowVirtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    // The list starts at its end: without these the first rows would be drawn first, and then the last ones.
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () =>
      isLast ? rows.reduce((height, row) => height + estimateRowHeight(row), 0) - innerHeight : 0,
    anchorTo: 'end',
    followOnAppend: isLast,
    scrollEndThreshold: NEAR_END,
    paddingStart: atStart ? 0 : LOADING_STRIP,
    paddingEnd: isLast ? 12 : LOADING_STRIP,
  })
  useEffect(() => forgetSizes(list, rows), [list, rows])
  return list
}

/** Heights of so many rows that have left the list are kept, for a reader who comes back to them. */
const SIZES_SPARE = 500

/** The list keeps the height of each row that it ever drew: of a room left open it would be all of them. */
function forgetSizes({ itemSizeCache }: RowVirtualizer, rows: readonly Row[]): void {
  if (itemSizeCache.size <= rows.length + SIZES_SPARE) return
  const keys = new Set<unknown>(rows.map(({ key }) => key))
  for (const key of itemSizeCache.keys()) if (!keys.has(key)) itemSizeCache.delete(key)
}

/**
 * True once the list has settled at its end. Before that it draws the oldest rows, and no older page must be
 * requested.
 */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setIsSettled(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isSettled
}
