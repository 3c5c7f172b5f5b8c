/** The calls of guild trees, channels and their overwrites. */
import {
  listChannels as listChannelsRoute,
  viewChannel as viewChannelRoute,
  viewGuild as viewGuildRoute,
} from '@guildhall/wire/channel/channel.ts'
import * as overwrite from '@guildhall/wire/channel/overwrite.ts'
import * as publicRoutes from '@guildhall/wire/channel/publicChannel.ts'
import { listRooms as listRoomsRoute } from '@guildhall/wire/channel/rooms.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { copyChannel, moveChannel } from './arrange.ts'
import { listRooms, requireView, viewChannel, viewGuild } from './channel.ts'
import { changeChannel, deleteChannel, moveInVoice, openChannel } from './manage.ts'
import { deleteOverwrite, listOverwrites, setOverwrite, syncOverwrites, type Target } from './overwrites.ts'
import { changedChannel, listChannels, viewPublicChannel, viewPublicGuild } from './publicChannels.ts'
import { restoreChannel } from './restore.ts'

export const channelRoutes = ({ appContext }: { appContext: AppContext }): Binding[] => [
  bindUser(listChannelsRoute, async ({ caller }, { guild_id }) => {
    const { channels } = await viewGuild(appContext, caller.userId, guild_id)
    return channels.flatMap((it) => [{ ...it, channels: [] }, ...it.channels])
  }),
  bindUser(listRoomsRoute, ({ caller }) => listRooms(appContext.db, caller.userId)),
  bindUser(viewGuildRoute, ({ caller }, { id }) => viewGuild(appContext, caller.userId, id)),
  bindUser(viewChannelRoute, ({ caller }, { id }) => viewChannel(appContext, caller.userId, id)),
  bindUser(publicRoutes.viewGuildV3, ({ caller }, { guild_id }) =>
    viewPublicGuild(appContext, caller.userId, guild_id),
  ),
  ...readRoutes(appContext),
  ...changeRoutes(appContext),
  ...overwriteRoutes(appContext),
]

const readRoutes = (appContext: AppContext): Binding[] => [
  bindUser(publicRoutes.listChannelsV3, ({ caller }, { guild_id, type, parent_id, page, page_size }) =>
    listChannels(appContext, caller.userId, {
      guildId: guild_id,
      type,
      parentId: parent_id,
      page,
      size: page_size,
    }),
  ),
  bindUser(publicRoutes.viewChannelV3, ({ caller }, { target_id, need_children }) =>
    viewPublicChannel(appContext, caller.userId, { channelId: target_id, withChildren: need_children }),
  ),
  bindUser(publicRoutes.listVoiceUsers, async ({ caller }, { channel_id }) => {
    await requireView(appContext.db, caller.userId, channel_id)
    return []
  }),
  bindUser(publicRoutes.moveVoiceUsers, ({ caller }, { target_id }) =>
    moveInVoice(appContext, caller.userId, target_id),
  ),
  bindUser(publicRoutes.kickVoiceUser, ({ caller }, { channel_id }) =>
    moveInVoice(appContext, caller.userId, channel_id),
  ),
]

const changeRoutes = (appContext: AppContext): Binding[] => [
  bindUser(publicRoutes.createChannel, async ({ caller }, it) => {
    const guildId = it.guild_id ?? it.guildId
    if (!guildId) throw fail('bad_input', { fields: ['guild_id'] })
    const channelId = await openChannel(appContext, caller.userId, {
      guildId,
      name: it.name,
      type: it.type,
      isCategory: it.is_category,
      parent: it.parent_id,
      limitAmount: it.limit_amount,
      voiceQuality: it.voice_quality,
    })
    return changedChannel(appContext, caller.userId, channelId)
  }),
  bindUser(publicRoutes.updateChannel, async ({ caller }, { channel_id, ...it }) => {
    const change = {
      name: it.name,
      level: it.level,
      parent: it.parent_id,
      topic: it.topic,
      slowMode: it.slow_mode,
      limitAmount: it.limit_amount,
      voiceQuality: it.voice_quality,
    }
    await changeChannel(appContext, caller.userId, { channelId: channel_id, change })
    return changedChannel(appContext, caller.userId, channel_id)
  }),
  bindUser(publicRoutes.moveChannel, async ({ caller }, { channel_id, parent_id, before_id }) => {
    const to = { channelId: channel_id, parent: parent_id, before: before_id }
    await moveChannel(appContext, caller.userId, to)
    return changedChannel(appContext, caller.userId, channel_id)
  }),
  bindUser(publicRoutes.copyChannel, async ({ caller }, { channel_id, name }) => {
    const made = await copyChannel(appContext, caller.userId, { channelId: channel_id, name })
    return changedChannel(appContext, caller.userId, made)
  }),
  bindUser(publicRoutes.deleteChannel, async ({ caller }, { channel_id }) => {
    await deleteChannel(appContext, caller.userId, channel_id)
    return {}
  }),
  bindUser(publicRoutes.restoreChannel, async ({ caller }, { channel_id }) => {
    await restoreChannel(appContext, caller.userId, channel_id)
    return changedChannel(appContext, caller.userId, channel_id)
  }),
]

/** @throws Failure bad_input */
function targetOf({ type, value }: { readonly type: 'role_id' | 'user_id'; readonly value: string }): Target {
  if (type === 'user_id') {
    if (!/^[1-9]/.test(value)) throw fail('bad_input', { fields: ['value'] })
    return { user_id: value as UserId }
  }
  const role_id = Number(value)
  // No role has such an id, and no column could hold it.
  if (role_id > 2 ** 31 - 1) throw fail('role.unknown')
  return { role_id }
}

const overwriteRoutes = (appContext: AppContext): Binding[] => [
  bindUser(overwrite.listOverwrites, ({ caller }, { channel_id }) =>
    listOverwrites(appContext, caller.userId, channel_id),
  ),
  bindUser(overwrite.createOverwrite, ({ caller }, { channel_id, ...it }) =>
    setOverwrite(appContext, caller.userId, { channelId: channel_id, target: targetOf(it), masks: null }),
  ),
  bindUser(overwrite.updateOverwrite, ({ caller }, { channel_id, allow, deny, bits, ...it }) =>
    setOverwrite(appContext, caller.userId, {
      channelId: channel_id,
      target: targetOf(it),
      masks: { allow, deny },
      bits,
    }),
  ),
  bindUser(overwrite.syncOverwrites, ({ caller }, { channel_id }) =>
    syncOverwrites(appContext, caller.userId, channel_id),
  ),
  bindUser(overwrite.deleteOverwrite, async ({ caller }, { channel_id, ...it }) => {
    await deleteOverwrite(appContext, caller.userId, { channelId: channel_id, target: targetOf(it) })
    return {}
  }),
]
