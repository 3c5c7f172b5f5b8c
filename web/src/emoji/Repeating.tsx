import { type ReactNode, useEffect, useRef } from 'react'
import { keepFocus } from './cell.ts'

/** Before a held key says its letter again, and between two of them, ms. */
const REPEAT_AFTER_MS = 400
const REPEAT_EVERY_MS = 70

/** A key that goes on while it is held, as that of a keyboard does. */
export function Repeating(props: {
  className: string | undefined
  label: string
  onPress: () => void
  children: ReactNode
}) {
  const press = useRef(props.onPress)
  press.current = props.onPress
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const wasHeld = useRef(false)
  const end = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <button
      type="button"
      className={props.className}
      aria-label={props.label}
      title={props.label}
      onPointerDown={(event) => {
        keepFocus(event)
        wasHeld.current = false
        const again = () => {
          wasHeld.current = true
          press.current()
          timer.current = setTimeout(again, REPEAT_EVERY_MS)
        }
        timer.current = setTimeout(again, REPEAT_AFTER_MS)
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onPointerLeave={end}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => {
        if (!wasHeld.current) props.onPress()
        wasHeld.current = false
      }}
    >
      {props.children}
    </button>
  )
}
