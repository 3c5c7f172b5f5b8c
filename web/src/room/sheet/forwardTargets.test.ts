import type { Chat } from '@guildhall/wire/chat/chat.ts'
import { expect, test } from 'vitest'
import { friendsOf } from '../../testing/fixtures.ts'
import { foundTargets, recentTargets, targetsOf } from './forwardTargets.ts'

const friends = friendsOf([
  { id: '5', username: '小满', spelling: 'xiao man' },
  { id: '6', username: '阿澈', spelling: 'a che' },
]).friend
const chat = (id: string, more: Partial<Chat> = {}) =>
  ({
    target_info: { ...friends[0]!.friend_info, id, username: `聊过${id}` },
    is_blocked: false,
    is_target_blocked: false,
    ...more,
  }) as Chat
const all = targetsOf({
  chats: [chat('9'), chat('8', { is_blocked: true }), chat('7', { is_target_blocked: true }), chat('5')],
  friends,
  rooms: [{ id: '20' as never, guild_id: '10' as never, name: '闲聊', spelling: 'xian liao' }],
  guilds: [{ id: '10', name: '星海公会' }] as never,
})
const names = (targets: readonly { name: string }[]) => targets.map(({ name }) => name)

test('a person is there once, whoever blocks is not, and rooms say whose they are', () => {
  expect(names(all)).toEqual(['聊过9', '聊过5', '阿澈', '闲聊'])
  expect(all.at(-1)).toMatchObject({ kind: 'room', detail: '星海公会' })
})

test('a search finds people and rooms, also by pinyin', () => {
  expect(names(foundTargets(all, 'xianliao'))).toEqual(['闲聊'])
  expect(names(foundTargets(all, '聊'))).toContain('闲聊')
  expect(foundTargets(all, '没有')).toEqual([])
})

test('what was used last comes first, then the last people; what is gone is left out', () => {
  const recent = ['/channels/10/99', '/channels/10/20', '/chats/with/6']
  expect(names(recentTargets(all, recent))).toEqual(['闲聊', '阿澈', '聊过9', '聊过5'])
})
