import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { suppressGhostClick } from '../ui/suppressGhostClick.ts'

/** How long a press is, ms, and how far the finger may move, px. */
const HOLD_MS = 450
const STRAY = 10

/** Handlers that call `open` at a long press or a right click, except on links and buttons. */
export function useLongPress(open: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const end = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  const isOther = (target: EventTarget) => (target as Element).closest('a,button') !== null
  return {
    onPointerDown(event: PointerEvent) {
      end()
      if (event.pointerType === 'mouse' || isOther(event.target)) return
      const timer = setTimeout(() => {
        press.current = null
        suppressGhostClick()
        open()
      }, HOLD_MS)
      press.current = { timer, x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: PointerEvent) {
      const start = press.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent) {
      // A selection and a link have context menus of their own.
      if (isOther(event.target) || window.getSelection()?.toString()) return
      event.preventDefault()
      // Some browsers also fire `contextmenu` at a long press: the timer decides.
      if (!press.current) open()
    },
  }
}
