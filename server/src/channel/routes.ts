import {
  viewChannel as viewChannelRoute,
  viewGuild as viewGuildRoute,
} from '@guildhall/wire/channel/channel.ts'

import type { Db } from '../kit/db.ts'
import { type Binding, bindUser } from '../kit/http.ts'
import type { Presence } from '../kit/presence.ts'
import { viewChannel, viewGuild } from './channel.ts'

export const channelRoutes = ({ db, presence }: { db: Db; presence: Presence }): Binding[] => [
  bindUser(viewGuildRoute, ({ caller }, { id }) => viewGuild(db, caller.userId, id)),
  bindUser(viewChannelRoute, ({ caller }, { id }) => viewChannel(db, presence, caller.userId, id)),
]
