/** `channel …`: channels of a guild. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { createChannel } from '../channel/channel.ts'
import { commit } from '../kit/events/events.ts'
import { type Commands, id, readName, readType } from './command.ts'

export const channelCommands: Commands = {
  'channel create': {
    usage: '--guild GUILD_ID --name NAME --type text|voice|category [--parent CATEGORY_ID]',
    async run({ guild = '', name = '', type = '', parent }, { appContext }) {
      const guildId = id<GuildId>('guild', guild)
      const parentId = parent === undefined ? null : id<ChannelId>('parent', parent)
      const kind = readType(type)
      const given = readName(name)
      const channelId = await commit(appContext, (tx, emit) =>
        createChannel(tx, emit, { guildId, name: given, type: kind, parentId }),
      )
      return { id: channelId, guild_id: guildId, name: given, type: kind, parent_id: parentId ?? '' }
    },
  },
}
