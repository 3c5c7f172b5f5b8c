import type { ReactNode } from 'react'
import styles from './IconButton.module.css'

/** A button with an icon; `label` is its accessible name and its tooltip. */
export function IconButton(props: { label: string; onPress: () => void; children: ReactNode; id?: string }) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={props.label}
      title={props.label}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}
