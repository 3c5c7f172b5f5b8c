import { FormSkeleton } from '../ui/form/FormSkeleton.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './UserInviteScreen.module.css'

/**
 * The form of a personal invite while it is loaded, in its sizes. The build draws it into the served page
 * too.
 */
export const UserInviteSkeleton = () => (
  <div className={styles.form} aria-hidden="true">
    <FormSkeleton>
      <p className={styles.whySkeleton}>
        <Skeleton width={200} height={18} />
      </p>
    </FormSkeleton>
  </div>
)
