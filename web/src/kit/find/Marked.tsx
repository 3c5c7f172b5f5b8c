import styles from './Marked.module.css'
import type { Piece } from './pieces.ts'

/** A text in which what was found is marked. */
export const Marked = ({ of }: { of: readonly Piece[] }) =>
  of.map(({ from, text, isFound }) =>
    isFound ? (
      <mark key={from} className={styles.found}>
        {text}
      </mark>
    ) : (
      text
    ),
  )
