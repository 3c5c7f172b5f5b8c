import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listWaiting } from '@guildhall/wire/message/readMark.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache, queryKeyOf } from '../../kit/routeQuery.ts'
import { followCounts } from './badges.ts'

const marks: (number | 'dot' | 'none')[] = []
vi.stubGlobal(
  'navigator',
  Object.create(navigator, {
    setAppBadge: { value: async (count?: number) => void marks.push(count ?? 'dot') },
    clearAppBadge: { value: async () => void marks.push('none') },
  }),
)
const drawn: unknown[] = []
vi.mock('./tabIcon.ts', () => ({ drawTabIcon: (...counts: unknown[]) => void drawn.push(counts) }))

const guilds = (...all: [mentions: number, isUnread: boolean][]) =>
  cache.setQueryData(
    queryKeyOf(listWaiting, {}),
    all.map(([mention_count, is_unread]) => ({ mention_count, is_unread })),
  )
const chats = (count: number) => cache.setQueryData(queryKeyOf(unreadChats, {}), { count })

document.title = '#闲聊 · 星海公会'
followCounts()

beforeEach(() => {
  guilds()
  chats(0)
  marks.length = 0
  drawn.length = 0
})
afterEach(() => cache.clear())

test('what is unread without a call is a dot on icons, and no number in the title', () => {
  guilds([0, true])
  expect(marks).toEqual(['dot'])
  expect(drawn).toEqual([[0, true]])
  expect(document.title).toBe('#闲聊 · 星海公会')
})

test('mentions of all guilds and private messages are counted', () => {
  guilds([2, true], [1, true])
  chats(4)
  expect(marks).toEqual([3, 7])
  expect(document.title).toBe('(7) #闲聊 · 星海公会')
  guilds()
  chats(0)
  expect(marks.at(-1)).toBe('none')
  expect(document.title).toBe('#闲聊 · 星海公会')
})

test('what a page writes into the title gets the count; its own count stays', async () => {
  chats(2)
  document.title = '我的账号 · 公会厅'
  await expect.poll(() => document.title).toBe('(2) 我的账号 · 公会厅')
  document.title = '(5) 星海公会 · 公会厅'
  chats(3)
  expect(document.title).toBe('(5) 星海公会 · 公会厅')
  document.title = '#闲聊 · 星海公会'
  await expect.poll(() => document.title).toBe('(3) #闲聊 · 星海公会')
})

test('the same counts are written once, and logging out takes them away', () => {
  chats(2)
  chats(2)
  expect(marks).toEqual([2])
  cache.clear()
  expect(marks).toEqual([2, 'none'])
  expect(document.title).toBe('#闲聊 · 星海公会')
})
