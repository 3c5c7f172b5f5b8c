/** What the list of a guild's channels shows besides their names. Ours. */
import { channelId, guildId, messageId, userId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { kindOf } from './kind.ts'
import { type Message, namesPart, namesPartOf } from './message.ts'

/** The text of a channel's last message is cut after so many UTF-16 units. */
export const LAST_WORDS_MAX = 300

/** The last message of a channel, as much of it as one line shows. */
export const lastWords = z.object({
  id: messageId,
  /** The specification's number. */
  type: z.number(),
  /** At most `LAST_WORDS_MAX`; empty for messages that are no text, such as pictures and cards. */
  content: z.string(),
  author: z.object({ id: userId, username: z.string(), nickname: z.string() }),
  /** ms; 0 when never edited. */
  updated_at: z.number(),
  /** The names of the ids in the content; absent: there are none. */
  kmarkdown: z.optional(namesPart),
})
export type LastWords = Out<typeof lastWords>

/** A channel with what was said in it last. */
export const channelActivity = z.object({
  channel_id: channelId,
  /** The number of the newest message, deleted ones included; 0 when there never was one. */
  last_seq: z.number(),
  /** The newest message that is not deleted; null: there is none among the latest. */
  last_words: z.nullable(lastWords),
})
export type ChannelActivity = Out<typeof channelActivity>

/**
 * How many members of a guild are online, the caller among them, and what was said last in each text channel
 * that the caller may view, in no order. Messages that only one person sees are not among them.
 */
export const viewActivity = route({
  method: 'GET',
  path: '/api/v2/messages/activity',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.object({ online_count: z.number(), channels: z.array(channelActivity) }),
  fails: ['forbidden'],
})

const TEXTS: ReadonlySet<string | null> = new Set(['text', 'kmarkdown', 'plain'])

/** What one line shows of a message. */
export function lastWordsOf(
  message: Pick<Message, 'id' | 'type' | 'content' | 'updated_at' | 'kmarkdown'> & Pick<LastWords, 'author'>,
): LastWords {
  const { id, type, author, updated_at } = message
  const names = namesPartOf(message.kmarkdown)
  return {
    id,
    type,
    content: TEXTS.has(kindOf(type, 'specification')) ? message.content.slice(0, LAST_WORDS_MAX) : '',
    author: { id: author.id, username: author.username, nickname: author.nickname },
    updated_at,
    ...(names && { kmarkdown: names }),
  }
}
