import type { ReactNode } from 'react'
import styles from './Page.module.css'

/** A whole screen: the top bar and the content under it. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}
