import { FormSkeleton } from '../ui/form/FormSkeleton.tsx'
import { BackIcon } from '../ui/icon/icons.tsx'
import { Page } from '../ui/page/Page.tsx'
import topBarStyles from '../ui/page/TopBar.module.css'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import pageStyles from './FormPage.module.css'
import styles from './LoginScreen.module.css'

/**
 * The login page while its code is loaded, in the sizes of `LoginScreen`. The build draws it into the served
 * page too.
 */
export function LoginSkeleton() {
  return (
    <div aria-hidden="true">
      <Page>
        <div className={topBarStyles.bar}>
          <span className={topBarStyles.backSkeleton}>
            <BackIcon />
          </span>
          <span className={topBarStyles.title}>
            <Skeleton width={52} height={18} />
          </span>
        </div>
        <div className={`${pageStyles.page} ${styles.login}`}>
          <img className={styles.logo} src="/logo.svg" alt="" />
          <p className={styles.welcome}>
            <Skeleton width={104} height={31} />
          </p>
          <div className={styles.ways}>
            <Skeleton className={styles.waySkeleton} />
          </div>
          <FormSkeleton />
        </div>
      </Page>
    </div>
  )
}
