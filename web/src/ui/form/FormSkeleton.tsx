import type { ReactNode } from 'react'
import { Skeleton } from '../state/Skeleton.tsx'
import styles from './Field.module.css'

/** A form of two fields while it is loaded, in its sizes. `children`: what stands above its fields. */
export const FormSkeleton = ({ children }: { children?: ReactNode }) => (
  <div className={styles.form}>
    {children}
    {[56, 42].map((width) => (
      <div className={styles.field} key={width}>
        <span className={styles.label}>
          <Skeleton width={width} height={19.5} />
        </span>
        <span className={styles.box} />
        <span className={styles.error} />
      </div>
    ))}
    <p className={styles.formProblem} />
    <Skeleton width="100%" height={48} />
  </div>
)
