import type { ReactNode } from 'react'
import styles from './IconButton.module.css'

/**
 * A button with an icon; `label` is its accessible name and its tooltip. `isPressed`: it switches something,
 * which is on or off.
 */
export function IconButton(props: {
  label: string
  onPress: () => void
  children: ReactNode
  id?: string
  isPressed?: boolean | undefined
}) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.isPressed}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}
