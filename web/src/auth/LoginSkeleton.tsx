import fieldStyles from '../ui/form/Field.module.css'
import { BackIcon } from '../ui/icon/icons.tsx'
import { Page } from '../ui/page/Page.tsx'
import topBarStyles from '../ui/page/TopBar.module.css'
import { Skeleton } from '../ui/state/Skeleton.tsx'
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
        <div className={styles.login}>
          <img className={styles.logo} src="/logo.svg" alt="" />
          <p className={styles.welcome}>
            <Skeleton width={104} height={31} />
          </p>
          <div className={styles.ways}>
            <Skeleton className={styles.waySkeleton} />
          </div>
          <div className={fieldStyles.form}>
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
      </Page>
    </div>
  )
}
