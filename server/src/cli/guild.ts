/** `guild …`, `member …`, `ban …`: guilds, and who may be in them. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { BY_OPERATOR, differing, writeAudit } from '../audit/audit.ts'
import { findChannel } from '../channel/channel.ts'
import { findGuild, guildTarget, setWelcomeChannel } from '../guild/guild.ts'
import { commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { createGuild, everyBan, everyGuild } from '../member/member.ts'
import { giveGuildTo, removeFromGuild, reopenGuild, shutGuild } from '../staff/staff.ts'
import { type Commands, guildFor, id, OPERATOR, readName, userFor } from './command.ts'

export const guildCommands: Commands = {
  'guild create': {
    usage: '--name NAME --owner USER_ID',
    async run({ name = '', owner = '' }, { appContext }) {
      const ownerId: UserId = await userFor(appContext.db, owner, 'owner')
      const given = readName(name)
      const guildId: GuildId = await commit(appContext, (tx, emit) =>
        createGuild(tx, emit, { name: given, ownerId }),
      )
      return { id: guildId, name: given, user_id: ownerId }
    },
  },

  'guild list': { usage: '', isReading: true, run: (_options, { appContext }) => everyGuild(appContext.db) },

  'guild welcome': {
    usage: '--guild GUILD_ID [--channel CHANNEL_ID]',
    async run({ guild = '', channel }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const channelId = channel === undefined ? null : id<ChannelId>('channel', channel)
      const found = channelId === null ? null : await findChannel(appContext.db, channelId)
      if (channelId !== null && (found?.guild_id !== guildId || found.type !== channelType.text)) {
        throw new OperatorError(`Guild ${guild} has no text channel ${channel}.`)
      }
      await commit(appContext, async (tx, emit) => {
        const before = await findGuild(tx, guildId)
        await setWelcomeChannel(tx, emit, guildId, channelId)
        if (!before) return
        const { welcome_channel_id } = before
        const earlier = welcome_channel_id && (await findChannel(tx, welcome_channel_id))?.name
        const fields = differing({ welcome_channel: earlier ?? '' }, { welcome_channel: found?.name ?? '' })
        const target = guildTarget(before)
        if (fields)
          await writeAudit(tx, { guildId, by: BY_OPERATOR, type: 'guild_updated', target, ...fields })
      })
      return { id: guildId, welcome_channel_id: channelId ?? '0' }
    },
  },

  'guild close': {
    usage: '--guild GUILD_ID [--reason TEXT]',
    async destroys({ guild = '' }, { appContext }) {
      const found = await findGuild(appContext.db, await guildFor(appContext.db, guild))
      return `Guild ${guild} (${found?.name}) is gone for everybody until \`guild restore\`, which works for 30 days.`
    },
    recordsItself: true,
    async run({ guild = '', reason }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      await shutGuild(appContext, OPERATOR, guildId, reason)
      return { id: guildId, closed: true }
    },
  },

  'guild restore': {
    usage: '--guild GUILD_ID [--reason TEXT]',
    recordsItself: true,
    async run({ guild = '', reason }, { appContext }) {
      const guildId = id<GuildId>('guild', guild)
      await reopenGuild(appContext, OPERATOR, guildId, reason)
      return { id: guildId, closed: false }
    },
  },

  'guild owner': {
    usage: '--guild GUILD_ID --user USER_ID [--reason TEXT]',
    recordsItself: true,
    async run({ guild = '', user = '', reason }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const userId = id<UserId>('user', user)
      await giveGuildTo(appContext, OPERATOR, { guildId, userId, reason })
      return { id: guildId, user_id: userId }
    },
  },

  'member remove': {
    usage: '--guild GUILD_ID --user USER_ID',
    destroys: ({ guild, user }) => `User ${user} leaves guild ${guild} and loses their roles there.`,
    recordsItself: true,
    async run({ guild = '', user = '' }, { appContext }) {
      const [guildId, userId] = [id<GuildId>('guild', guild), id<UserId>('user', user)]
      await removeFromGuild(appContext, OPERATOR, guildId, userId)
      return { guild_id: guildId, user_id: userId }
    },
  },

  'ban list': {
    usage: '--guild GUILD_ID',
    isReading: true,
    run: async ({ guild = '' }, { appContext }) =>
      everyBan(appContext.db, await guildFor(appContext.db, guild)),
  },
}
