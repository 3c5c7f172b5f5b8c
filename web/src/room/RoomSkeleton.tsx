import composerStyles from '../composer/Composer.module.css'
import { BackIcon } from '../ui/icon/icons.tsx'
import topBarStyles from '../ui/page/TopBar.module.css'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './RoomFrame.module.css'

/** Widths of the lines, per cent: enough of them for a tall phone. */
const WIDTHS = [48, 72, 36, 60, 84, 52, 64, 42, 78, 30, 56]

/**
 * The room while nothing of it is loaded, in the sizes of `RoomFrame`. The build draws it into the served
 * page too.
 */
export function RoomSkeleton() {
  return (
    <div className={styles.room} data-part="room" aria-hidden="true">
      <div className={topBarStyles.bar}>
        <span className={topBarStyles.backSkeleton}>
          <BackIcon />
        </span>
        <span className={topBarStyles.title}>
          <Skeleton width={20} height={20} />
          <Skeleton width={96} height={18} />
        </span>
      </div>
      <div className={styles.main}>
        <MessagesSkeleton />
        <ComposerSkeleton />
      </div>
    </div>
  )
}

/** Placeholder of the messages while they are loaded. */
export function MessagesSkeleton() {
  return (
    <div className={styles.skeletons}>
      {WIDTHS.map((width) => (
        <div className={styles.skeletonRow} key={width}>
          <Skeleton className={styles.skeletonAvatar} />
          <div className={styles.skeletonText}>
            <Skeleton width={72} height={12} />
            <Skeleton width={`${width}%`} height={16} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Placeholder of the composer while the channel is loaded. */
export function ComposerSkeleton() {
  return (
    <div className={composerStyles.composer}>
      <Skeleton className={styles.skeletonComposer} />
    </div>
  )
}
