import styles from './Badge.module.css'

/** A count on a small red background; more than 99 reads 99+. */
export function Badge({ count }: { count: number }) {
  return (
    <span className={styles.badge} data-part="badge">
      {count > 99 ? '99+' : count}
    </span>
  )
}
