/**
 * What a member is notified of: badges, counts and titles show nothing else. The specification names no call;
 * these are ours.
 */
import { event } from '../event.ts'
import { guildId } from '../id.ts'
import { int, type Out, z } from '../schema.ts'

/** `usual`: as the guild says, and in a guild all messages. protocol.md §5.2. */
export const notifyType = { usual: 0, all: 1, mentions: 2, none: 3 } as const
export const NOTIFY_TYPES = [0, 1, 2, 3] as const

/** `channel_id` `"0"`: the guild. */
export const notifySetting = z.object({ guild_id: guildId, channel_id: z.string(), notify_type: int(0, 3) })
export type NotifySetting = Out<typeof notifySetting>

/** The user set it, possibly on another device. Pages only. */
export const notifyTypeUpdated = event('updated_notify_type', 'person', notifySetting, {
  access: 'none',
  dialects: 'pages',
})

/**
 * Whether unread messages of this setting, if there is one, are shown: `unread` those of everybody, `mention`
 * mentions of the user.
 */
export const shows = (
  type?: number | undefined,
): { readonly unread: boolean; readonly mention: boolean } => ({
  unread: type !== notifyType.mentions && type !== notifyType.none,
  mention: type !== notifyType.none,
})

/** The counts of a channel that badges show. */
export function shownCounts(input: {
  readonly unread_count: number
  readonly mention_count: number
  readonly notify_type?: number | undefined
}): { readonly unread: number; readonly mentions: number } {
  const { unread, mention } = shows(input.notify_type)
  return { unread: unread ? input.unread_count : 0, mentions: mention ? input.mention_count : 0 }
}
