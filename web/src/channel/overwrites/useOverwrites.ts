import type { Channel, Guild } from '@guildhall/wire/channel/channel.ts'
import { deleteOverwrite, syncOverwrites, updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { call } from '../../kit/call.ts'
import { useWaiting } from '../../kit/useWaiting.ts'
import { isTaken, keepChannels } from '../settings/useChannels.ts'
import { applied, type Change, type Rules, type Target } from './rules.ts'

const namesOf = (target: Target) =>
  'role' in target
    ? { type: 'role_id' as const, value: String(target.role) }
    : { type: 'user_id' as const, value: target.user.id }

function send(channel_id: Channel['id'], change: Change): Promise<unknown> {
  if ('like' in change) return call(syncOverwrites, { channel_id })
  const which = { channel_id, ...namesOf(change.target) }
  if (change.bits === null) return call(deleteOverwrite, which)
  const { bits, allow, deny } = change
  return call(updateOverwrite, { ...which, bits, allow, deny })
}

export interface OverwriteProps {
  readonly guild: Guild
  readonly channel: Channel
  readonly rules: Rules
  /** Changes at once, or after a question where the reader would lose what they need here. */
  readonly onChange: (change: Change) => void
}

/** The overwrites of a channel with the changes that the server has not answered yet. */
export function useOverwrites(guild: Guild, channel: Channel) {
  const { waiting, add } = useWaiting<Change>(async (change) => {
    const taken = await isTaken(guild.id, send(channel.id, change))
    const changed = (it: Channel): Channel => ({
      ...it,
      ...(it.id === channel.id && applied(it, change)),
      ...(it.id === channel.id && { permission_sync: Number('like' in change) }),
      channels: it.channels.map(changed),
    })
    if (taken) keepChannels(guild.id, (tree) => tree.map(changed))
    return taken
  })
  const last = waiting.at(-1)
  return {
    rules: waiting.reduce<Rules>(applied, channel),
    isInStep: last ? 'like' in last : channel.permission_sync === 1,
    change: add,
  }
}
