import styles from './Spinner.module.css'

/** A loading spinner of `size` px. Decoration: the text beside it says what is loading. */
export function Spinner({ size = 22 }: { size?: number }) {
  return <span className={styles.spinner} style={{ width: size, height: size }} aria-hidden="true" />
}
