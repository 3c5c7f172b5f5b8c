/** Marking a guild as read; in a file of its own, because a room marks itself alone. */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { z } from '../schema.ts'
import { unread } from './readMark.ts'

/** Marks all text channels of a guild as read that the caller may view. Ours. */
export const clearGuild = route({
  method: 'POST',
  path: '/api/v2/messages/clear-guild',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.array(unread),
  fails: ['forbidden'],
})
