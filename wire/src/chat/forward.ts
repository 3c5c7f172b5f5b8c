import { channelId, messageId, userId } from '../id.ts'
import { NONCE_MAX, sendToChannel } from '../message/message.ts'
import { route } from '../route.ts'
import { text, z } from '../schema.ts'
import { chatCode, sendToChat } from './chat.ts'

/**
 * Forwards a message that the caller sees: text, a picture, a file, a video or a voice message, of a channel
 * or, with `chat_code`, of a private conversation, to a channel or a person. It is a new message of the
 * caller's; nobody is mentioned by it, and it has no quote. One target is required. Ours.
 */
export const forwardMessage = route({
  method: 'POST',
  path: '/api/v2/messages/forward',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    msg_id: messageId,
    /** Where the message is, when it is a private one. */
    chat_code: z.optional(chatCode),
    to_channel_id: z.optional(channelId),
    to_user_id: z.optional(userId),
    nonce: z._default(text(NONCE_MAX), ''),
  }),
  answer: z.object({ msgId: messageId, msgTimestamp: z.number(), nonce: z.string() }),
  fails: [...new Set([...sendToChannel.fails, ...sendToChat.fails])],
})
