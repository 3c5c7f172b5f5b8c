import { type MouseEvent, type PointerEvent, type SyntheticEvent, useRef } from 'react'
import { suppressGhostClick } from './overlay/suppressGhostClick.ts'

/** How long a press is, ms, and how far the finger may move, px. */
const HOLD_MS = 450
const STRAY = 10

/** Whether text inside is selected. */
function isSelected(inside: Element): boolean {
  const selection = getSelection()
  return !!selection && `${selection}` !== '' && selection.getRangeAt(0).intersectsNode(inside)
}

/**
 * Attributes that call `open` at a long press or a right click anywhere inside, on links and buttons too,
 * with what was pressed; an element with a long press of its own inside has its own. The browser's menu
 * stays on text that is selected, in fields, and with Shift.
 */
export function useLongPress(open: (at: Element) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const onSelection = useRef(false)
  const end = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  // Dialogs opened from inside send their events here too: they are elsewhere in the document.
  const isHere = (event: SyntheticEvent) =>
    (event.target as Element).closest('[data-holds],textarea') === event.currentTarget
  return {
    'data-holds': true,
    onPointerDown(event: PointerEvent) {
      end()
      const at = event.target as Element
      const isMouse = event.pointerType === 'mouse'
      // Before the browser selects the word under the pointer, as some do at a right click.
      onSelection.current = isMouse && isSelected(at)
      if (isMouse || !isHere(event)) return
      const timer = setTimeout(() => {
        press.current = null
        suppressGhostClick()
        open(at)
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
      if (!isHere(event) || event.shiftKey || onSelection.current) return
      event.preventDefault()
      // Some browsers also fire `contextmenu` at a long press, before the timer or after it.
      if (press.current) suppressGhostClick()
      end()
      open(event.target as Element)
    },
  }
}
