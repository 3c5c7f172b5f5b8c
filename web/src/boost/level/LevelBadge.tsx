import styles from './Level.module.css'

/** The sign of a level, in its colour. Decoration: the level stands beside it in words. */
export function LevelBadge({ level, size = 28 }: { level: number; size?: number }) {
  return (
    <span
      className={styles.badge}
      data-level={level}
      style={{ width: size, height: size * 1.1, fontSize: size * 0.5 }}
      aria-hidden="true"
    >
      {level}
    </span>
  )
}
