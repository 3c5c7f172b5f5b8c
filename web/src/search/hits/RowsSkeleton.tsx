import { Skeleton } from '../../ui/state/Skeleton.tsx'
import styles from '../SearchScreen.module.css'

/** Rows in the size of those that are loaded. */
export const RowsSkeleton = () => (
  <div aria-hidden="true">
    {[64, 88, 48, 72, 56, 80].map((width) => (
      <div key={width} className={styles.hit}>
        <Skeleton className={styles.blank} />
        <span className={styles.body}>
          <Skeleton width={120} height={15} />
          <Skeleton width={`${width}%`} height={15} />
        </span>
      </div>
    ))}
  </div>
)
