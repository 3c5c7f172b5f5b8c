/** Setting what one is notified of; in a file of its own, because a room only reads it. */
import { channelId, guildId } from '../id.ts'
import { route } from '../route.ts'
import { int, z } from '../schema.ts'
import { notifySetting } from './notify.ts'

/** Sets what the caller is notified of in a guild, or with `channel_id` in one of its channels. */
export const setNotifyType = route({
  method: 'POST',
  path: '/api/v2/messages/notify',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId, channel_id: z.optional(channelId), notify_type: int(0, 3) }),
  answer: notifySetting,
  fails: ['forbidden'],
})
