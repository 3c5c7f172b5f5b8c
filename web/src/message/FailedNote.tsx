import type { ReactNode } from 'react'
import { AlertIcon } from '../ui/icon/icons.tsx'
import styles from './OutgoingRow.module.css'

/** Below an own message that did not arrive: why not, and as `children` what its author may do. */
export function FailedNote(props: { title: string; why: string; children: ReactNode }) {
  const { title, why } = props
  return (
    <div className={styles.failed} role="alert">
      <AlertIcon size={16} />
      <span className={styles.reason}>
        {title}
        {why && ` · ${why}`}
      </span>
      {props.children}
    </div>
  )
}

/** A button of a note. */
export function NoteButton(props: { label: string; isDanger?: boolean; onPress: () => void }) {
  const { label, isDanger, onPress } = props
  return (
    <button
      type="button"
      className={isDanger ? `${styles.action} ${styles.actionDanger}` : styles.action}
      onClick={onPress}
    >
      {label}
    </button>
  )
}
