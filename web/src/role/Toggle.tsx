import { type ReactNode, useId } from 'react'
import styles from './Roles.module.css'

/** A switch with its name and a sentence about it; locked, it says why. */
export function Toggle(props: {
  name: string
  why: string
  mark?: ReactNode
  isOn: boolean
  isLocked?: boolean
  /** Why it is locked, where nothing else says so. */
  reason?: string | undefined
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <label className={styles.toggle} data-locked={props.isLocked ? '' : undefined}>
      <span className={styles.toggleText}>
        <span className={styles.toggleName}>
          <span id={id}>{props.name}</span>
          {props.mark}
        </span>
        <span className={styles.fact} id={`${id}-why`}>
          {props.why}
          {props.reason && <span className={styles.locked}>{props.reason}</span>}
        </span>
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={props.isOn}
        aria-checked={props.isOn}
        disabled={props.isLocked}
        aria-labelledby={id}
        aria-describedby={`${id}-why`}
        onChange={(event) => props.onChange(event.target.checked)}
      />
    </label>
  )
}
