import { type RefObject, useCallback, useRef, useState } from 'react'
import type { Room } from '../../roomStore/room.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import type { ListWindow } from './listWindow.ts'
import type { Row } from './rows.ts'
import { NEAR_END, type RowVirtualizer } from './useRowVirtualizer.ts'

/**
 * Whether the reader is at the end of the list, and the way back there. `isStuck`: they are, and stay there.
 */
export function useListEnd(input: {
  scroller: RefObject<HTMLDivElement | null>
  list: RowVirtualizer
  rows: readonly Row[]
  room: Room
  actions: RoomController
  /** Nothing known comes after the last row. */
  isLast: boolean
  isStuck: RefObject<boolean>
  setWindow: (window: ListWindow | null) => void
}): { nearEnd: boolean; toEnd: () => void; onScroll: () => void; onTouch: () => void } {
  const { scroller, list, rows, room, actions, isLast, isStuck, setWindow } = input
  const [nearEnd, setNearEnd] = useState(true)
  /** The reader asked for the end and has not touched the list since. */
  const isReturning = useRef(false)
  const toEnd = useCallback(() => {
    isStuck.current = true
    isReturning.current = true
    actions.showNewest()
    setWindow(null)
    list.scrollToEnd()
  }, [list, actions, setWindow, isStuck])
  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    const left = element.scrollHeight - element.scrollTop - element.clientHeight
    const isAtEnd = left < NEAR_END && isLast
    // A scroll event from before the tap, or of rows that are measured on the way, does not end the way back.
    if (isReturning.current && isStuck.current && !isAtEnd) return
    isReturning.current = false
    isStuck.current = isAtEnd
    const middle = list.getVirtualItemForOffset(element.scrollTop + element.clientHeight / 2)
    const row = rows[middle?.index ?? -1]
    if (room.historyWindow && row?.kind === 'message' && !row.isEphemeral) actions.setFocus(row.message.id)
    setNearEnd(isAtEnd)
  }
  const onTouch = () => {
    isReturning.current = false
  }
  return { nearEnd, toEnd, onScroll, onTouch }
}
