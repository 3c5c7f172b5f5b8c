/** `invite …`: links into a guild. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { UNLIMITED_USES } from '@guildhall/wire/invite/manage.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { BY_OPERATOR, writeAudit } from '../audit/audit.ts'
import { findChannel } from '../channel/channel.ts'
import { findGuild } from '../guild/guild.ts'
import { createInvite, inviteTarget } from '../invite/invite.ts'
import { commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { endInvite } from '../staff/staff.ts'
import { type Commands, count, id, OPERATOR } from './command.ts'

const EXPIRES_MOST_S = 10 * 365 * 24 * 3600
const USES_MOST = 1_000_000

export const inviteCommands: Commands = {
  'invite create': {
    usage: '--guild GUILD_ID [--channel CHANNEL_ID] [--expires SECONDS] [--uses N]',
    async run({ guild = '', channel, expires, uses }, { appContext, config }) {
      const guildId = id<GuildId>('guild', guild)
      const found = await findGuild(appContext.db, guildId)
      if (!found) throw new OperatorError(`There is no guild ${guild}.`)
      const channelId = channel === undefined ? null : id<ChannelId>('channel', channel)
      if (channelId !== null && (await findChannel(appContext.db, channelId))?.guild_id !== guildId) {
        throw new OperatorError(`Guild ${guild} has no channel ${channel}.`)
      }
      const seconds = expires === undefined ? null : count('expires', expires, EXPIRES_MOST_S)
      const usesMax = uses === undefined ? null : count('uses', uses, USES_MOST)
      const { code, expires_at } = await commit(appContext, async (tx) => {
        const made = await createInvite(tx, {
          guildId,
          channelId,
          userId: found.user_id,
          expiresInMs: seconds === null ? null : seconds * SECOND_MS,
          uses: usesMax,
        })
        const after = { duration: seconds ?? 0, setting_times: usesMax ?? UNLIMITED_USES }
        const target = inviteTarget(made.code)
        await writeAudit(tx, { guildId, by: BY_OPERATOR, type: 'invite_created', target, after })
        return made
      })
      const url = `${config.publicUrl}/invite/${code}`
      return { code, url, guild_id: guildId, channel_id: channelId, expires_at, uses_max: usesMax }
    },
  },

  'invite revoke': {
    usage: '--code CODE',
    destroys: ({ code }) => `Nobody can join by the invite ${code} any more.`,
    recordsItself: true,
    async run({ code = '' }, { appContext }) {
      return { code, guild_id: await endInvite(appContext, OPERATOR, code) }
    },
  },
}
