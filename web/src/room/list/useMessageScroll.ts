import { type Ref, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import type { RoomController } from '../../roomStore/roomController.ts'
import type { RoomSnapshot } from '../../roomStore/roomModel.ts'
import { useWheel } from '../../ui/useWheel.ts'
import { useReadMark } from '../useReadMark.ts'
import { countNewSince, rowsOf } from './rows.ts'
import { useJump } from './useJump.ts'
import { useListEnd } from './useListEnd.ts'
import { useListWindow, useMovingWindow } from './useListWindow.ts'
import { usePaging } from './usePaging.ts'
import { useRowVirtualizer, useSettled } from './useRowVirtualizer.ts'
import { useStickToEnd } from './useStickToEnd.ts'

export interface ListHandle {
  /** Shows the newest messages. */
  toEnd: () => void
  /** Shows a message anywhere in the history. */
  jumpTo: (id: string) => void
}

/**
 * The rows of a room and how they scroll: where the reader is, what is loaded and marked as read there, and
 * the ways to the end and to a message. `readSeq`: where the line "new messages" stands; undefined: not
 * loaded.
 */
export function useMessageScroll(
  live: RoomSnapshot,
  actions: RoomController,
  readSeq: number | null | undefined,
  handle: Ref<ListHandle>,
) {
  const { room } = live
  const scroller = useRef<HTMLDivElement>(null)
  const state = useListWindow(room)
  const { slice, setWindow } = state
  const { atStart } = slice
  const rows = useMemo(() => rowsOf(room, readSeq, slice), [room, readSeq, slice])
  /** Nothing known comes after the last row. */
  const isLast = slice.atEnd && room.historyWindow === null
  const list = useRowVirtualizer(scroller, rows, { atStart, isLast })
  /** The reader is at the end and stays there. */
  const isStuck = useRef(true)
  const moved = { scroller, list, rows, room, actions, isStuck, setWindow }
  const { nearEnd, toEnd, onScroll, ...end } = useListEnd({ ...moved, isLast })
  const { jumpTo, isPending, flashedId, ...jump } = useJump(moved)
  const onTouch = () => {
    end.onTouch()
    jump.onTouch()
  }
  useWheel(scroller, onTouch)
  useImperativeHandle(handle, () => ({ toEnd, jumpTo }), [toEnd, jumpTo])
  useStickToEnd(scroller, list, rows, { isLast, isStuck })
  const atEnd = nearEnd && isLast
  useEffect(() => actions.setAtEnd(atEnd), [actions, atEnd])
  const newestSeq = room.run.at(-1)?.seq ?? 0
  const seenSeq = useReadMark(actions, { atEnd, newestSeq, isReadKnown: readSeq !== undefined })
  const isSettled = useSettled()
  const items = list.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useMovingWindow({ state, room, rows, first, last, atEnd, isStuck, isFree: isSettled && !isPending })
  usePaging({ live, actions, slice, rowCount: rows.length, first, last, isSettled })
  return {
    scroller,
    list,
    rows,
    /** The index of the first row on screen; null: not known yet. */
    firstShown: isSettled ? (list.range?.startIndex ?? null) : null,
    atStart,
    isLast,
    atEnd,
    /** Messages of others since the newest one that was seen. */
    newCount: countNewSince(room, seenSeq),
    flashedId,
    /** Handlers of the element that scrolls. */
    handlers: { onScroll, onPointerDown: onTouch, onKeyDown: onTouch },
    toEnd,
    jumpTo,
  }
}
