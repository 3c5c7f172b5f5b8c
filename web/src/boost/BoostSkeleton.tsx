import { useText } from '../kit/i18n.ts'
import { text as common } from '../kit/text.ts'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './Boost.module.css'

/** In the shape of the pages of a guild's boosts: the level above, and what is chosen from below it. */
export function BoostSkeleton() {
  const t = useText(common)
  return (
    <div className={styles.waiting} role="status" aria-label={t.loading}>
      <Skeleton className={styles.blankHead} />
      <Skeleton className={styles.blankStrip} />
      <Skeleton className={styles.blankBody} />
    </div>
  )
}
