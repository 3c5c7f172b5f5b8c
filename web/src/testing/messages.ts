import { type Callable, callable } from '@guildhall/wire/message/mention.ts'
import { type Message, message as schema } from '@guildhall/wire/message/message.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { ChannelHit, ChatHit, searchMessages } from '@guildhall/wire/search/search.ts'

/** A message as the server answers it, number `seq` of its guild. */
export function messageLike(seq: number, more: Partial<Message> = {}): Message {
  const id = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`
  const made = schema.parse({
    id,
    rong_id: id,
    channel_id: '20',
    guild_id: '10',
    targetId: '20',
    conversationType: 3,
    seq,
    type: 9,
    content: `message ${seq}`,
    create_at: 1_790_000_000_000 + seq * 1000,
    updated_at: 0,
    author: {
      id: '3',
      username: 'ann',
      identify_num: '0001',
      avatar: '',
      vip_avatar: '',
      is_vip: false,
      bot: false,
      online: true,
      status: 0,
      nickname: 'Ann',
      roles: [],
    },
    nonce: '',
    kmarkdown: {
      raw_content: `message ${seq}`,
      mention_part: [],
      mention_role_part: [],
      channel_part: [],
      item_part: [],
    },
    mention: [],
    mention_all: false,
    mention_here: false,
    mention_roles: [],
    quote: null,
    attachments: null,
    embeds: [],
    reactions: [],
    image_name: '',
    revision: 0,
    is_pinned: false,
  })
  return { ...made, ...more }
}

/** A member as a search answers it. */
export const callableLike = (
  id: string,
  name: string,
  spelling: string,
  more: Partial<Callable> = {},
): Callable => ({
  ...callable.parse({
    ...messageLike(1).author,
    id,
    username: name,
    identify_num: `000${id}`.slice(-4),
    nickname: name,
    can_view: true,
    spellings: [spelling, spelling],
  }),
  ...more,
})

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
