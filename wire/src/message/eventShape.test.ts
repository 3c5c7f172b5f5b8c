import { describe, expect, it } from 'vitest'
import { privateEventOf } from '../chat/event.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '../id.ts'
import { eventOf } from './event.ts'
import { channelMessageEvent, privateMessageEvent } from './eventShape.ts'
import type { Message } from './message.ts'

const id = '01a20476-9678-7797-ad88-d8a3bb869db3' as MessageId
const author = {
  id: '100000001' as UserId,
  username: '小满',
  identify_num: '0001',
  avatar: '',
  vip_avatar: '',
  is_vip: false,
  bot: false,
  online: true,
  status: 0,
  nickname: '小满',
  roles: [7],
} as Message['author']
const kmarkdown = {
  raw_content: '你好',
  mention_part: [],
  mention_role_part: [],
  item_part: [],
  channel_part: [
    { guild_id: '3100000000000001' as GuildId, id: '4100000000000001' as ChannelId, name: '闲聊' },
  ],
}
const quotes = [null, { id, type: 9, content: '', create_at: 1, author }]
const files = [null, { type: 'file', url: '', name: 'a', file_type: '', size: 1 }]

describe.each(['specification', 'public'] as const)('an event in the dialect of the %s', (dialect) => {
  it.each([null, '100000002' as UserId])(
    'of a channel has the locked shape, visible only to %s',
    (visibleOnly) => {
      for (const quote of quotes)
        for (const attachments of files) {
          const message = {
            id,
            channel_id: '4100000000000001',
            guild_id: '3100000000000001',
            type: 9,
            content: '你好',
            create_at: 1,
            nonce: '',
            author,
            mention: [],
            mention_all: false,
            mention_here: false,
            mention_roles: [7],
            kmarkdown,
            quote,
            attachments,
            seq: 3,
          } as unknown as Message
          const data = eventOf(message, { name: '闲聊', type: 1 }, dialect, visibleOnly)
          expect(channelMessageEvent.safeParse(data).error?.issues).toBeUndefined()
        }
    },
  )

  it('of a private chat has the locked shape', () => {
    for (const quote of quotes) {
      const data = privateEventOf(
        {
          id,
          chat_code: 'a'.repeat(32),
          target_id: '100000002' as UserId,
          kind: 'kmarkdown',
          content: '',
          author,
          nonce: '',
          create_at: 1,
          seq: 1,
          mention: [],
          kmarkdown,
          quote,
          attachments: null,
        },
        dialect,
      )
      expect(privateMessageEvent.safeParse(data).error?.issues).toBeUndefined()
    }
  })
})

it('an event with a field that the contract does not have is not of that shape', () => {
  expect(channelMessageEvent.safeParse({}).success).toBe(false)
  expect(privateMessageEvent.safeParse({ extra: {} }).success).toBe(false)
})
