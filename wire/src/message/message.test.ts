import { describe, expect, it } from 'vitest'
import type { ChannelId, GuildId, MessageId, UserId } from '../id.ts'
import { eventOf, messageOf } from './event.ts'
import { GROUP_WINDOW_MS, joinsGroup } from './group.ts'
import { kindNumber, kindOf, type MessageKind } from './kind.ts'
import { isMentioned } from './mentioned.ts'
import type { Message } from './message.ts'

const message: Message = {
  id: '26af7ebe-0000-4000-8000-000000000001' as MessageId,
  rong_id: '26af7ebe-0000-4000-8000-000000000001' as MessageId,
  channel_id: '2001' as ChannelId,
  guild_id: '1001' as GuildId,
  targetId: '2001',
  conversationType: 3,
  seq: 7,
  type: 9,
  content: '你好',
  create_at: 1_700_000_000_000,
  updated_at: 0,
  author: {
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
    roles: [3],
  },
  nonce: 'n1',
  kmarkdown: {
    raw_content: '你好',
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
}

describe('the event of a message', () => {
  it('is not decoded without an author', () => {
    const d = eventOf(message, { name: '闲聊', type: 1 }, 'specification')
    expect(messageOf({ ...d, extra: { ...d.extra, author: undefined } })).toBeNull()
  })

  it('is decoded to the same message', () => {
    expect(messageOf(eventOf(message, { name: '闲聊', type: 1 }, 'specification'))).toEqual(message)
  })

  it('has no quote key when it quotes nothing', () => {
    expect('quote' in eventOf(message, { name: '闲聊', type: 1 }, 'public').extra).toBe(false)
  })
})

describe('a kind of message', () => {
  it('file and video swap numbers between the dialects', () => {
    expect([kindNumber('file', 'specification'), kindNumber('video', 'specification')]).toEqual([3, 4])
    expect([kindNumber('file', 'public'), kindNumber('video', 'public')]).toEqual([4, 3])
  })

  it.each<MessageKind>(['text', 'image', 'file', 'video', 'welcome', 'voice', 'kmarkdown', 'card', 'plain'])(
    '%s is restored from its number',
    (kind) => {
      expect(kindOf(kindNumber(kind, 'specification'), 'specification')).toBe(kind)
      expect(kindOf(kindNumber(kind, 'public'), 'public')).toBe(kind)
    },
  )

  it('is null for an unknown number', () => {
    expect(kindOf(255, 'specification')).toBeNull()
  })
})

describe('grouping', () => {
  const at = (create_at: number, id = 'a', type = 9) => ({ create_at, author: { id }, type })

  it('ends with another author, ten minutes, or a welcome', () => {
    expect(joinsGroup(undefined, at(0))).toBe(false)
    expect(joinsGroup(at(0), at(1, 'b'))).toBe(false)
    expect(joinsGroup(at(0), at(GROUP_WINDOW_MS))).toBe(false)
    expect(joinsGroup(at(0), at(1, 'a', 7))).toBe(false)
  })

  it('keeps an author’s messages together below ten minutes', () => {
    expect(joinsGroup(at(0), at(GROUP_WINDOW_MS - 1))).toBe(true)
  })
})

describe('being mentioned', () => {
  const none = { mention: [], mention_all: false, mention_here: false, mention_roles: [] }

  it('is by name, by role, or with everyone', () => {
    expect(isMentioned(none, '1', [2])).toBe(false)
    expect(isMentioned({ ...none, mention: ['1'] }, '1', [])).toBe(true)
    expect(isMentioned({ ...none, mention_roles: [2] }, '1', [2])).toBe(true)
    expect(isMentioned({ ...none, mention_all: true }, '1', [])).toBe(true)
    expect(isMentioned({ ...none, mention_here: true }, '1', [])).toBe(true)
  })
})
