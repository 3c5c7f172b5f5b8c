import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { Room } from '../../roomStore/room.ts'
import { type ListWindow, sliceWindow, type WindowedMessages, windowAround } from './listWindow.ts'
import type { Row } from './rows.ts'

/** This many rows from an edge of the window, the window is moved. */
const NEAR_EDGE_ROWS = 80

export interface ListWindowState {
  /** Null: the window follows the newest messages. */
  readonly window: ListWindow | null
  readonly setWindow: (window: ListWindow | null) => void
  readonly slice: WindowedMessages
}

/** The messages that the list works with. */
export function useListWindow(room: Room): ListWindowState {
  const [window, setWindow] = useState<ListWindow | null>(null)
  const slice = useMemo(() => sliceWindow(room, window), [room, window])
  return { window, setWindow, slice }
}

/** Moves the window along with the reader. `first` and `last` are the indexes of the rows that are drawn. */
export function useMovingWindow(input: {
  state: ListWindowState
  room: Room
  rows: readonly Row[]
  first: number
  last: number
  /** The window may be moved: the list has settled, and no jump is pending. */
  isFree: boolean
  atEnd: boolean
  /** The reader is at the end, or on the way there: the indexes may still be those of the rows before. */
  isStuck: RefObject<boolean>
}): void {
  const { room, rows, first, last, atEnd, isStuck } = input
  const { window, setWindow, slice } = input.state
  const isNearEdge =
    (first < NEAR_EDGE_ROWS && slice.from > 0) || (last > rows.length - NEAR_EDGE_ROWS && !slice.atEnd)
  const isDue = input.isFree && isNearEdge
  useLayoutEffect(() => {
    if (!isDue || isStuck.current) return
    const near = rows.slice(first, last + 1).find((row) => row.kind === 'message')
    if (near?.kind !== 'message') return
    const next = windowAround(room, near.message.seq)
    // Rows of many messages may all be near an edge: the same window would be set for ever.
    if (next?.first !== window?.first || next?.last !== window?.last) setWindow(next)
  }, [isDue, rows, room, first, last, window, setWindow, isStuck])
  // At the end the window follows new messages; elsewhere it stays where the reader is.
  const firstSeq = slice.messages[0]?.seq
  useLayoutEffect(() => {
    if (atEnd) setWindow(null)
    else if (window === null && firstSeq !== undefined && slice.from > 0)
      setWindow({ first: firstSeq, last: null })
  }, [atEnd, window, firstSeq, slice.from, setWindow])
}
