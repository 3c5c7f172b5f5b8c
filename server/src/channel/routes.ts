/** The calls of guild trees and channels. */
import {
  listChannels as listChannelsRoute,
  viewChannel as viewChannelRoute,
  viewGuild as viewGuildRoute,
} from '@guildhall/wire/channel/channel.ts'
import { createGuild } from '@guildhall/wire/guild/guild.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { viewChannel, viewGuild } from './channel.ts'
import { openGuild } from './newGuild.ts'

export const channelRoutes = ({ live }: { live: Live }): Binding[] => [
  bindUser(createGuild, ({ caller }, it) => openGuild(live, caller.userId, it)),
  bindUser(listChannelsRoute, async ({ caller }, { guild_id }) => {
    const { channels } = await viewGuild(live.db, caller.userId, guild_id)
    return channels.flatMap((it) => [{ ...it, channels: [] }, ...it.channels])
  }),
  bindUser(viewGuildRoute, ({ caller }, { id }) => viewGuild(live.db, caller.userId, id)),
  bindUser(viewChannelRoute, ({ caller }, { id }) => viewChannel(live, caller.userId, id)),
]
