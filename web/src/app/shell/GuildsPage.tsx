import { unreadChats } from '@guildhall/wire/chat/page.ts'
import ChannelsScreen from '../../channel/ChannelsScreen.tsx'
import { lazy } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { guildSheets } from '../desk/guildSheets.ts'

const Discover = lazy(() => loadPart(() => import('../../profile/discover/DiscoverPart.tsx')))

/** What the rail shows besides guilds: asked for with them, so that nothing of it comes after the list. */
export const inRail = [unreadChats]

/** /channels, /channels/:guildId and /discover, with what they show of later nouns. */
export default function GuildsPage({ isDiscovering }: { isDiscovering?: boolean }) {
  return <ChannelsScreen {...guildSheets} {...(isDiscovering && { Discover })} />
}
