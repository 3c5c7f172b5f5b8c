/** The page of the search. */
import { fail } from '@guildhall/wire/failure.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { type ChannelHit, type ChatHit, searchMessages } from '@guildhall/wire/search/search.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../testing/hands.ts'
import { messageLike } from '../testing/messages.ts'
import { renderAt } from '../testing/renderAt.tsx'
import SearchScreen from './SearchScreen.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  writeStored('searches', null)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const DAY = Date.parse('2026-11-28T12:00:00+08:00')
const code = 'c'.repeat(32)

/** A message that was found: its number is its id. */
function hit(seq: number, words: string, more: Partial<Message> = {}): ChannelHit {
  const message = messageLike(seq, { create_at: DAY, ...more })
  const mention_info = { ...message.kmarkdown, raw_content: words }
  return {
    marks: words === '' ? [] : [{ from: 0, to: 2 }],
    message: { ...message, mention_info, read_status: true, editable: false },
    channel: { id: message.channel_id, name: '闲聊' },
    guild: { id: message.guild_id, name: '星海', icon: '' },
  }
}

function chatHit(seq: number, words: string): ChatHit {
  const { message, marks } = hit(seq, words)
  return {
    marks,
    message: { ...message, chat_code: code, author_id: message.author.id, from_type: 1, msg_icon: '' },
    channel: null,
    guild: null,
    chat: { code, target_info: { ...message.author, username: '小满' } },
  }
}

const answer = (items: readonly (ChannelHit | ChatHit)[], meta: object = {}) => ({
  items: [...items],
  meta: { page: 1, page_total: 1, page_size: 25, total: items.length, more: false, ...meta },
  sort: {},
})
const idOf = (seq: number) => messageLike(seq).id
const show = (address = '/search') => renderAt(address, '/search', <SearchScreen />, sessionOf().user)
const asked = () => server.received(searchMessages) as Record<string, unknown>[]

test('before anything is typed nothing is asked, and operators and recent searches are offered', async () => {
  writeStored('searches', ['火锅', '开会'])
  show()
  expect(await screen.findByRole('heading', { name: /最近搜索/ })).toBeTruthy()
  press('删除「开会」')
  expect(readStored('searches')).toEqual(['火锅'])
  press('来自谁')
  expect(screen.getByLabelText<HTMLInputElement>('搜索消息').value).toBe('来自:')
  press('清空')
  expect(readStored('searches')).toBeNull()
  expect(asked()).toEqual([])
})

test('what finds nothing says so, and a failure can be tried again', async () => {
  server.on(searchMessages, () => fail('too_many'))
  show('/search?q=火锅')
  await screen.findByText('搜索失败')
  server.on(searchMessages, () => answer([]))
  await pressSoon('重试')
  expect(await screen.findByText('没有找到消息')).toBeTruthy()
})

test('messages are shown by day with the words that were found, and lead to their place', async () => {
  server.on(searchMessages, () =>
    answer([
      hit(1, '火锅走起'),
      chatHit(2, '火锅吗'),
      hit(3, '', { type: 4, attachments: { name: '火锅店.pdf' }, create_at: DAY - 86_400_000 }),
    ]),
  )
  show()
  await typeSoon('搜索消息', ' 火锅 ')
  const rows = await screen.findAllByRole('listitem')
  expect(rows.map((row) => row.querySelector('mark')?.textContent)).toEqual(['火锅', '火锅', undefined])
  expect(within(rows[0]!).getByText('Ann')).toBeTruthy()
  expect(within(rows[0]!).getByText('#闲聊 · 星海')).toBeTruthy()
  expect(within(rows[1]!).getByText('与 小满 的私信')).toBeTruthy()
  expect(rows[2]!.textContent).toContain('[文件] 火锅店.pdf')
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2)
  expect(within(rows[1]!).getByRole('link').getAttribute('href')).toBe(`/chats/${code}?m=${idOf(2)}`)
  expect(asked()).toEqual([expect.objectContaining({ q: '火锅', sort: 'time', page: 1 })])
  fireEvent.click(within(rows[0]!).getByRole('link'))
  expect(await screen.findByText(`at /channels/10/20?m=${idOf(1)}`)).toBeTruthy()
  expect(readStored('searches')).toEqual(['火锅'])
})

test('a place in the address is searched first, then the guild, then everything', async () => {
  server.on(searchMessages, () => answer([hit(1, '火锅')]))
  show('/search?q=火锅&guild=10&channel=20')
  await screen.findByText('1 条')
  press('本公会')
  press('全部')
  press('最相关')
  await expect.poll(() => asked().length).toBe(4)
  expect(asked().map(({ channel_id, guild_id, sort }) => [channel_id, guild_id, sort])).toEqual([
    ['20', undefined, 'time'],
    [undefined, '10', 'time'],
    [undefined, undefined, 'time'],
    [undefined, undefined, 'fit'],
  ])
})

test('further pages follow, and after the last one what is older than it', async () => {
  server.on(searchMessages, ({ page, before }) => {
    if (before) return answer([hit(9, '火锅九')], { total: 1 })
    return answer([hit(page, `火锅${page}`)], { page, page_total: 2, total: 1000, more: true })
  })
  show('/search?q=火锅')
  expect(await screen.findByText('超过 1000 条')).toBeTruthy()
  await pressSoon('更多')
  await expect.poll(() => screen.getAllByRole('listitem').length).toBe(2)
  await pressSoon('更多')
  expect(await screen.findByText('没有更多了')).toBeTruthy()
  expect(asked().map(({ page, before }) => [page, before])).toEqual([
    [1, undefined],
    [2, undefined],
    [1, idOf(2)],
  ])
})

test('what is typed is searched for soon, and stands in the address', async () => {
  server.on(searchMessages, () => answer([]))
  show('/search?guild=10')
  await screen.findByLabelText('搜索消息')
  type('搜索消息', '火')
  type('搜索消息', '火锅')
  await expect.poll(() => asked().map(({ q }) => q)).toEqual(['火锅'])
})

test('results of other words begin at the newest, and those that one comes back to stand where they were', async () => {
  server.on(searchMessages, ({ q }) => answer([hit(1, `${q}一`)]))
  show('/search?q=面条')
  const listOf = async (words: string) =>
    (await screen.findByText(words, { selector: 'mark' })).closest('section')!.parentElement!
  const first = await listOf('面条')
  first.scrollTop = 300
  fireEvent.scroll(first)
  type('搜索消息', '烧烤')
  expect((await listOf('烧烤')).scrollTop).toBe(0)
  type('搜索消息', '面条')
  expect((await listOf('面条')).scrollTop).toBe(300)
})
