/** What the rail and the list of channels show of later nouns. Each part is loaded when it is first shown. */

import type { GuildSheets } from '../../channel/ChannelsScreen.tsx'
import { lazy } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'

export const guildSheets: Omit<GuildSheets, 'Discover'> = {
  NewGuild: lazy(() => loadPart(() => import('../../invite/NewGuild.tsx'))),
  InviteFriends: lazy(() => loadPart(() => import('../../invite/InviteFriends.tsx'))),
  LastWords: lazy(() => loadPart(() => import('../../message/LastWords.tsx'))),
}
