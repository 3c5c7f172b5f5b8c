/** `channel …`: channels of a guild. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { BY_OPERATOR } from '../audit/audit.ts'
import { auditCreated, createChannel } from '../channel/channel.ts'
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
      const channelId = await commit(appContext, async (tx, emit) => {
        const made = { guildId, name: given, type: kind, parentId }
        const id = await createChannel(tx, emit, made)
        await auditCreated(tx, BY_OPERATOR, { ...made, id })
        return id
      })
      return { id: channelId, guild_id: guildId, name: given, type: kind, parent_id: parentId ?? '' }
    },
  },
}
