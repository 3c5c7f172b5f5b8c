import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { toastFailure } from '../../message/toastFailure.ts'
import { currentMessages, type Room } from '../../roomStore/room.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import { type ListWindow, windowAround } from './listWindow.ts'
import type { Row } from './rows.ts'
import type { RowVirtualizer } from './useRowVirtualizer.ts'

/** How long a message jumped to is highlighted, ms; as long as its animation. */
const FLASH_MS = 1_600

/** Jumping to a message anywhere in the history. */
export interface Jump {
  readonly jumpTo: (id: string) => void
  /** The message is being brought on screen. */
  readonly isPending: boolean
  /** The message to highlight, by id. */
  readonly flashedId: string | null
  /** The reader moves the list: it no longer follows the message. */
  readonly onTouch: () => void
}

/** Loads the message, moves the list's window to it, scrolls there, highlights it and focuses it. */
export function useJump(input: {
  scroller: RefObject<HTMLDivElement | null>
  list: RowVirtualizer
  rows: readonly Row[]
  room: Room
  actions: RoomController
  setWindow: (window: ListWindow | null) => void
  isStuck: RefObject<boolean>
}): Jump {
  const { list, rows, room, actions, setWindow, isStuck } = input
  const [target, setTarget] = useState<{ readonly id: string } | null>(null)
  const [flashedId, setFlashedId] = useState<string | null>(null)
  /** The message that the list scrolls to. */
  const landing = useRef<{ readonly id: string; readonly index: number } | null>(null)
  const jumpTo = useCallback(
    (id: string) => {
      void actions.jumpTo(id).then((failure) => {
        toastFailure(failure)
        if (!failure) setTarget({ id })
      })
    },
    [actions],
  )
  useLayoutEffect(() => {
    if (!target) return
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === target.id)
    if (index < 0) {
      const message = currentMessages(room).find(({ id }) => id === target.id)
      if (message) setWindow(windowAround(room, message.seq))
      return
    }
    setTarget(null)
    isStuck.current = false
    list.scrollToIndex(index, { align: 'center' })
    landing.current = { id: target.id, index }
    setFlashedId(target.id)
    actions.setFocus(target.id)
  }, [target, room, rows, list, actions, setWindow, isStuck])
  // The list scrolls to an index over several frames. Rows that are added above meanwhile give it another
  // message.
  useLayoutEffect(() => {
    if (!landing.current || isStuck.current) return
    const { id, index } = landing.current
    const now = rows.findIndex((row) => row.kind === 'message' && row.message.id === id)
    if (now < 0 || now === index) return
    landing.current = { id, index: now }
    list.scrollToIndex(now, { align: 'center' })
  }, [rows, list, isStuck])
  const onTouch = useCallback(() => {
    landing.current = null
  }, [])
  useFlash(input.scroller, flashedId, setFlashedId)
  // A reader may scroll in ways that touch nothing, with a screen reader for one.
  useEffect(() => (flashedId === null ? onTouch() : undefined), [flashedId, onTouch])
  return { jumpTo, isPending: target !== null, flashedId, onTouch }
}

/** Moves keyboard and screen reader focus to the highlighted message, and ends the highlight. */
function useFlash(
  scroller: RefObject<HTMLDivElement | null>,
  flashedId: string | null,
  setFlashedId: (id: null) => void,
): void {
  useEffect(() => {
    if (flashedId === null) return
    const frame = requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('[data-flash]')?.focus({ preventScroll: true }),
    )
    const timer = setTimeout(() => setFlashedId(null), FLASH_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [scroller, flashedId, setFlashedId])
}
