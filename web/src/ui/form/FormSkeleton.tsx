import type { ReactNode } from 'react'
import { Skeleton } from '../state/Skeleton.tsx'
import fieldStyles from './Field.module.css'
import styles from './FormSkeleton.module.css'

/** A form of two fields while it is loaded, in its sizes. `children`: what stands above its fields. */
export const FormSkeleton = ({ children }: { children?: ReactNode }) => (
  <div className={`${fieldStyles.form} ${styles.form}`}>
    {children}
    {[56, 42].map((width) => (
      <div className={fieldStyles.field} key={width}>
        <span className={fieldStyles.label}>
          <Skeleton width={width} height={19.5} />
        </span>
        <span className={fieldStyles.box} />
        <span className={fieldStyles.error} />
      </div>
    ))}
    <p className={fieldStyles.formProblem} />
    <Skeleton className={styles.button} />
  </div>
)
