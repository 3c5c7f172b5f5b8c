/** `guild …`: guilds. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { findChannel } from '../channel/channel.ts'
import { createGuild, setWelcomeChannel } from '../guild/guild.ts'
import { commit } from '../kit/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { type Commands, guildFor, id, readName, userFor } from './command.ts'

export const guildCommands: Commands = {
  'guild create': {
    usage: '--name NAME --owner USER_ID',
    async run({ name = '', owner = '' }, { live }) {
      const ownerId: UserId = await userFor(live.db, owner, 'owner')
      const given = readName(name)
      const guildId: GuildId = await commit(live, (tx, emit) =>
        createGuild(tx, emit, { name: given, ownerId }),
      )
      return { id: guildId, name: given, user_id: ownerId }
    },
  },

  'guild welcome': {
    usage: '--guild GUILD_ID [--channel CHANNEL_ID]',
    async run({ guild = '', channel }, { live }) {
      const guildId = await guildFor(live.db, guild)
      const channelId = channel === undefined ? null : id<ChannelId>('channel', channel)
      const found = channelId === null ? null : await findChannel(live.db, channelId)
      if (channelId !== null && (found?.guild_id !== guildId || found.type !== channelType.text)) {
        throw new OperatorError(`Guild ${guild} has no text channel ${channel}.`)
      }
      await commit(live, (tx, emit) => setWelcomeChannel(tx, emit, guildId, channelId))
      return { id: guildId, welcome_channel_id: channelId ?? '0' }
    },
  },
}
