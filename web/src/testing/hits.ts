import type { Message } from '@guildhall/wire/message/message.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { ChannelHit, ChatHit, searchMessages } from '@guildhall/wire/search/search.ts'
import { messageLike } from './messages.ts'

type Answer = AnswerOf<typeof searchMessages>

/** A hit in #闲聊, number `seq` of its guild; `at`: where its marks are. */
export function hitLike(
  seq: number,
  content: string,
  at: readonly (readonly [number, number])[] = [],
  more: Partial<Message> = {},
): ChannelHit {
  const message = messageLike(seq, { content, ...more })
  const mention_info = { ...message.kmarkdown, raw_content: content.replaceAll('(spl)', '') }
  return {
    marks: at.map(([from, to]) => ({ from, to })),
    message: { ...message, mention_info, kmarkdown: mention_info, read_status: true, editable: false },
    channel: { id: message.channel_id, name: '闲聊' },
    guild: { id: message.guild_id, name: '星海公会', icon: '' },
  }
}

/** The same in a private chat with its author. */
export function chatHitOf({ marks, message }: ChannelHit, code: string): ChatHit {
  const { author } = message
  return {
    marks,
    message: { ...message, chat_code: code, author_id: author.id, from_type: 1, msg_icon: '' },
    channel: null,
    guild: null,
    chat: { code, target_info: author },
  }
}

/** The answer of a search. */
export const hitsLike = (items: Answer['items'], more: Partial<Answer['meta']> = {}): Answer => ({
  items,
  meta: { page: 1, page_total: 1, page_size: 30, total: items.length, more: false, ...more },
  sort: {},
})
