import type { ReactNode } from 'react'
import styles from './Chips.module.css'

/** Groups of chips in one line, which a finger pushes aside. It reaches to the edges of a page. */
export const ChipLine = ({ children }: { children: ReactNode }) => (
  <div className={styles.line}>{children}</div>
)

export const ChipGroup = ({ label, children }: { label: string; children: ReactNode }) => (
  <fieldset className={styles.group} aria-label={label}>
    {children}
  </fieldset>
)

/** A choice; one that only acts is neither on nor off. */
export const Chip = (props: { isOn?: boolean; onPress: () => void; children: ReactNode }) => (
  <button type="button" className={styles.chip} aria-pressed={props.isOn} onClick={props.onPress}>
    <span>{props.children}</span>
  </button>
)
