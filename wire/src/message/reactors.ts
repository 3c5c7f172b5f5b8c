/** Who reacted to a message; in a file of its own, because a room asks only when somebody opens the list. */
import { messageId } from '../id.ts'
import { route } from '../route.ts'
import { z } from '../schema.ts'
import { emojiText, reactors } from './core.ts'

/** Who reacted with an emoji, the first ones first, at most `REACTORS_MAX`. protocol.md §4.7. */
export const listReactions = route({
  method: 'GET',
  path: '/api/v3/message/reaction-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, emoji: emojiText }),
  answer: reactors,
  fails: ['message.unknown', 'message.emoji_unknown'],
})
