import type { ReactNode } from 'react'
import styles from './CenteredState.module.css'
import { CenteredState } from './CenteredState.tsx'

/** Says that a list or screen has no content, and offers what to do about it. */
export function EmptyState(props: {
  icon: ReactNode
  title: string
  message?: string
  action?: ReactNode
  page?: boolean
  /** The screen has no other heading. */
  top?: boolean
}) {
  const Title = props.page || props.top ? 'h1' : 'h2'
  return (
    <CenteredState page={props.page}>
      <div className={styles.art}>{props.icon}</div>
      <Title className={styles.title}>{props.title}</Title>
      {props.message && <p className={styles.text}>{props.message}</p>}
      {props.action}
    </CenteredState>
  )
}
