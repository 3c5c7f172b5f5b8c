import type { ReactNode } from 'react'
import styles from './CenteredState.module.css'

/** Content in the middle of a screen or a part of one. With `page` it is the main landmark of the screen. */
export function CenteredState(props: {
  page: boolean | undefined
  role?: 'status' | 'alert'
  children: ReactNode
}) {
  const Tag = props.page ? 'main' : 'div'
  return (
    <Tag className={styles.page}>
      <div className={styles.state} role={props.role}>
        {props.children}
      </div>
    </Tag>
  )
}
