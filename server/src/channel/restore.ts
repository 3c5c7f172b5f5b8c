/** Deleted channels that come back. Decision 114. */
import { RESTORABLE_MS } from '@guildhall/wire/audit/audit.ts'
import { channelAdded, channelType } from '@guildhall/wire/channel/channel.ts'
import { GUILD_CHANNELS_MAX } from '@guildhall/wire/channel/publicChannel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { writeAudit } from '../audit/audit.ts'
import { findGuild, lockGuild, setDefaultChannel } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { channelTarget } from './audit.ts'
import { channelAccess, emitChannel } from './channel.ts'
import * as rows from './sql.ts'

/**
 * Restores a deleted channel with its messages, pins, overwrites and marks of what was read, where it was; at
 * the top when its category is gone. Emits to its viewers.
 * @throws Failure forbidden (they could not view it), channel.no_right, channel.not_restorable, channel.full
 *   (detail.most)
 */
export function restoreChannel(appContext: AppContext, userId: UserId, channelId: ChannelId): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const unlocked = await rows.deletedById(tx, channelId)
    if (!unlocked) throw fail('forbidden')
    const { guild_id: guildId } = unlocked
    await lockGuild(tx, guildId)
    const channel = await rows.deletedById(tx, channelId)
    if (!channel) throw fail('forbidden')
    const count = await rows.count(tx, guildId)
    const hasCategory = channel.parent_id !== null && (await rows.byId(tx, channel.parent_id)) !== null
    await rows.undelete(tx, channelId, hasCategory ? {} : { parent_id: null, permission_sync: 0 })
    // The rules of who may do what know channels that are there: what is refused now is undone.
    const access = await channelAccess(tx, userId, channelId)
    if (!access?.canView) throw fail('forbidden')
    if (!has(access.permissions, permission.manage_channel)) throw fail('channel.no_right')
    if (channel.deleted_at <= clock.now() - RESTORABLE_MS) throw fail('channel.not_restorable')
    if (count >= GUILD_CHANNELS_MAX) throw fail('channel.full', { most: GUILD_CHANNELS_MAX })
    await emitChannel(tx, emit, channelId, channelAdded)
    const guild = await findGuild(tx, guildId)
    if (guild?.default_channel_id === null && channel.type === channelType.text)
      await setDefaultChannel(tx, guildId, channelId, emit)
    await writeAudit(tx, { guildId, by: userId, type: 'channel_restored', target: channelTarget(channel) })
  })
}
