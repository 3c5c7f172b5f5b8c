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

/** Pictures likewise. */
export const GallerySkeleton = () => (
  <div className={styles.gallery} aria-hidden="true">
    {Array.from({ length: 12 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <Skeleton key={at} className={styles.cell} />
    ))}
  </div>
)
