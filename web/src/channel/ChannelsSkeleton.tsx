import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './ChannelsScreen.module.css'
import face from './face/GuildFace.module.css'

/**
 * The list of channels while nothing of it is loaded, in the sizes of `ChannelsScreen`. The build draws it
 * into the served page too.
 */
export function ChannelsSkeleton() {
  return (
    <div className={styles.channels} aria-hidden="true">
      <div className={styles.rail}>
        <span className={styles.railApp}>
          <Skeleton className={styles.railMeSkeleton} />
        </span>
        <span className={styles.railChats} />
        <ul className={styles.railGuilds}>
          <RailSkeleton />
        </ul>
        <span className={styles.railMe}>
          <Skeleton className={styles.railMeSkeleton} />
        </span>
      </div>
      <div className={styles.guild}>
        <TreeSkeleton />
      </div>
    </div>
  )
}

/** Placeholder of the guilds in the rail. */
export function RailSkeleton() {
  return [0, 1, 2].map((each) => (
    <li key={each} className={styles.railItem}>
      <Skeleton className={styles.railSkeleton} />
    </li>
  ))
}

/** Placeholder of a guild's face and channels. */
export function TreeSkeleton() {
  return (
    <>
      <div className={face.face}>
        <div className={face.banner} />
        <Skeleton className={face.icon} />
        <span className={face.name}>
          <Skeleton width={140} height={20} />
        </span>
        <div className={face.facts} />
      </div>
      <div className={styles.treeSkeleton}>
        {[96, 132, 84, 120, 108].map((width) => (
          <Skeleton key={width} width={width} height={16} />
        ))}
      </div>
    </>
  )
}
