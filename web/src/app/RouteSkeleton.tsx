import { useLocation } from 'react-router'
import { ChannelsSkeleton } from '../channel/ChannelsSkeleton.tsx'
import { useText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import { RoomSkeleton } from '../room/RoomSkeleton.tsx'
import { PageSkeleton } from '../ui/state/PageSkeleton.tsx'
import styles from './RouteSkeleton.module.css'

/**
 * What a route shows while its code or its data are loaded; the served page shows the same before any script
 * runs.
 */
export function RouteSkeleton() {
  const { pathname } = useLocation()
  const t = useText(text)
  return (
    <div role="status" aria-label={t.loading}>
      {isRoomPath(pathname) ? (
        <RoomBesideChannels />
      ) : /^\/(?:channels|discover)/.test(pathname) ? (
        <ChannelsSkeleton />
      ) : (
        <PageSkeleton isShop={/buff|boost|golive/.test(pathname)} />
      )}
    </div>
  )
}

/** A room; at a desk its guild's channels stand beside it. */
export const RoomBesideChannels = () => (
  <div className={styles.desk}>
    <ChannelsSkeleton />
    <RoomSkeleton />
  </div>
)

/** Whether a path is that of a room: `/channels/:guildId/:channelId`. */
export const isRoomPath = (pathname: string): boolean => /^\/channels\/\d+\/\d/.test(pathname)
