import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { withoutItsTap } from '../ui/withoutItsTap.ts'

/** How long a finger rests before it means more than a tap, ms, and how far it may stray, px. */
const HOLD_MS = 450
const STRAY = 10

/** Handlers for something that opens when a finger rests on it, or by a right click. Links and buttons keep theirs. */
export function useLongPress(open: () => void) {
  const held = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const end = () => {
    if (held.current) clearTimeout(held.current.timer)
    held.current = null
  }
  const isOther = (target: EventTarget) => (target as Element).closest('a,button') !== null
  return {
    onPointerDown(event: PointerEvent) {
      end()
      if (event.pointerType === 'mouse' || isOther(event.target)) return
      const timer = setTimeout(() => {
        held.current = null
        withoutItsTap()
        open()
      }, HOLD_MS)
      held.current = { timer, x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: PointerEvent) {
      const start = held.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent) {
      // What is marked with the mouse has a menu of its own, and so have links.
      if (isOther(event.target) || window.getSelection()?.toString()) return
      event.preventDefault()
      // A resting finger says so as well, in some browsers: its own time decides.
      if (!held.current) open()
    },
  }
}
