import { type ReactNode, useEffect, useRef } from 'react'
import { keepFocus } from './cell.ts'

/** Delay before a held key repeats, and between repeats, ms. */
const REPEAT_AFTER_MS = 400
const REPEAT_EVERY_MS = 70

/** A button that repeats while it is held, like a key of a keyboard. */
export function RepeatingKey(props: {
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
        const repeat = () => {
          wasHeld.current = true
          press.current()
          timer.current = setTimeout(repeat, REPEAT_EVERY_MS)
        }
        timer.current = setTimeout(repeat, REPEAT_AFTER_MS)
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
