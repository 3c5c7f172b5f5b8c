import styles from './Source.module.css'

/** The content of a message as it is stored, folded, where people read something else of it. */
export const Source = ({ title, content }: { title: string; content: string }) => (
  <details className={styles.source}>
    <summary>{title}</summary>
    <pre>{content}</pre>
  </details>
)
