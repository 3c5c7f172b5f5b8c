import { type Channel, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { moveChannel } from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { guildChanged } from '../../guild/guild.ts'
import { CallFailure, call } from '../../kit/call.ts'
import { cache, queryKeyOf } from '../../kit/routeQuery.ts'
import { useWaiting } from '../../kit/useWaiting.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { type ChannelMove, moved } from './order.ts'

/** Shows the channels of a guild as they are after a call, before its events come. */
export const keepChannels = (guildId: GuildId, change: (channels: readonly Channel[]) => Channel[]): void =>
  void cache.setQueryData<Guild>(
    queryKeyOf(viewGuild, { id: guildId }),
    (guild) => guild && { ...guild, channels: change(guild.channels) },
  )

/** Whether a change of a guild was taken; one that was refused says why, and the guild is asked for again. */
export async function isTaken(guildId: GuildId, sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent
    return true
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    toast(failure.message)
    guildChanged(guildId)
    return false
  }
}

/** The channels of a guild with the moves that the server has not answered yet. */
export function useChannelOrder(guild: Guild) {
  const { waiting, add } = useWaiting<ChannelMove>(
    async (move) => {
      const input = { ...move, channel_id: move.channel_id as ChannelId }
      const taken = await isTaken(guild.id, call(moveChannel, input))
      if (taken) keepChannels(guild.id, (tree) => moved(tree, move))
      return taken
    },
    (later, earlier) => later.channel_id === earlier.channel_id,
  )
  return { channels: waiting.reduce<readonly Channel[]>(moved, guild.channels), move: add }
}
