import fieldStyles from '../ui/form/Field.module.css'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './UserInviteScreen.module.css'

/**
 * The form of a personal invite while it is loaded, in its sizes. The build draws it into the served page
 * too.
 */
export const FormSkeleton = () => (
  <div className={styles.form} aria-hidden="true">
    <div className={fieldStyles.form}>
      <p className={styles.whySkeleton}>
        <Skeleton width={200} height={18} />
      </p>
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
      <Skeleton className={styles.buttonSkeleton} />
    </div>
  </div>
)
