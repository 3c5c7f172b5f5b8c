import { type MouseEvent, type PointerEvent, type SyntheticEvent, useRef } from 'react'
import { suppressGhostClick } from './overlay/suppressGhostClick.ts'

/** How long a press is, ms, and how far the finger may move, px. */
const HOLD_MS = 450
const STRAY = 10

/**
 * Attributes that call `open` at a long press or a right click anywhere inside, on links and buttons too; an
 * element with a long press of its own inside has its own. A mouse keeps the browser's menus of links,
 * pictures and selections.
 */
export function useLongPress(open: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const pointer = useRef('mouse')
  const end = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  // Dialogs opened from inside send their events here too: they are elsewhere in the document.
  const isHere = (event: SyntheticEvent) =>
    (event.target as Element).closest('[data-holds]') === event.currentTarget
  return {
    'data-holds': true,
    onPointerDown(event: PointerEvent) {
      end()
      pointer.current = event.pointerType
      if (event.pointerType === 'mouse' || !isHere(event)) return
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
      if (!isHere(event)) return
      const isMouse = pointer.current === 'mouse'
      const hasOwnMenu = (event.target as Element).closest('a,img') !== null
      if (isMouse && (hasOwnMenu || window.getSelection()?.toString())) return
      event.preventDefault()
      // Some browsers also fire `contextmenu` at a long press, before the timer or after it.
      if (press.current) suppressGhostClick()
      end()
      open()
    },
  }
}
