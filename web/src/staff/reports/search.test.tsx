import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import type { ReportCase } from '@guildhall/wire/staff/reports.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { SearchCard } from './SearchCard.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const channel_id = '20' as ChannelId
const reported: ReportCase = {
  id: '1',
  kind: 'message',
  target_id: '2',
  name: '小满',
  user_id: '3',
  guild_id: '10',
  state: 'open',
  reports: 1,
  categories: {},
  opened_at: 1,
  reported_at: 1,
  decided_at: null,
  decided_by: '',
  decided_by_name: '',
  reason: '',
}
const open = (where: Parameters<typeof SearchCard>[0]['where'] = { channel_id }) =>
  renderAt('/staff/reports/1', '/staff/reports/:id', <SearchCard where={where} of={reported} />)
const type = (label: string, value: string) => fill(screen.getByLabelText(label), { value })
const submit = () => fireEvent.click(screen.getByRole('button', { name: '查询' }))

const message = {
  id: '1',
  kind: 'text',
  content: '加微信领红包',
  words: '加微信领红包',
  author: { id: '3' as UserId, username: '小满', identify_num: '1234', nickname: '', bot: false },
  create_at: 1,
  updated_at: 0,
  quote: null,
  attachments: null,
}

test('without words or a reason that says something, nothing is asked', async () => {
  server.on(searchReported, () => ({ items: [], has_more: false }))
  open()
  type('搜索原因', ' 看看 ')
  submit()
  expect(screen.getByText('请填写搜索内容')).toBeTruthy()
  expect(screen.getByText('请填写原因，至少 4 个字')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('搜索内容'))
  expect(server.received(searchReported)).toEqual([])
})

test('a refusal is said, and what was typed stays', async () => {
  server.on(searchReported, () => fail('search.not_ready'))
  open()
  type('搜索内容', '红包')
  type('搜索原因', '核实举报')
  submit()
  expect((await screen.findByRole('alert')).textContent).toBe('搜索正在准备中，请稍后再试')
  expect((screen.getByLabelText('搜索内容') as HTMLInputElement).value).toBe('红包')
})

test('what was found is listed with its words marked, and more than fits is said', async () => {
  server.on(searchReported, () => ({
    items: ['1', reported.target_id].map((id) => ({
      message: { ...message, id },
      channel: { id: channel_id, name: '闲聊' },
      marks: [{ from: 4, to: 6 }],
    })),
    has_more: true,
  }))
  open()
  type('搜索内容', '红包')
  type('搜索原因', '核实举报')
  submit()
  const list = await screen.findByRole('list', { name: '找到的消息' })
  const [other, same] = within(list).getAllByRole('listitem')
  expect(other?.querySelector('mark')?.textContent).toBe('红包')
  expect(within(other!).getByText('#闲聊')).toBeTruthy()
  // The reported one stands out.
  expect([other, same].map((it) => it?.hasAttribute('data-around'))).toEqual([true, false])
  expect(screen.getByText('只显示最新的 2 条，可以缩小搜索范围')).toBeTruthy()
  expect(server.received(searchReported)).toEqual([{ q: '红包', reason: '核实举报', channel_id }])
})

test('messages of the author alone are asked for, also without words, and once while one waits', async () => {
  const answer = server.waits(searchReported)
  open()
  fireEvent.click(screen.getByLabelText('只看 小满 的消息'))
  type('搜索原因', '核实举报')
  submit()
  submit()
  answer({ items: [], has_more: false })
  expect(await screen.findByText('没有找到消息')).toBeTruthy()
  type('搜索内容', '红包')
  submit()
  expect(await screen.findByText('没有找到消息')).toBeTruthy()
  expect(server.received(searchReported).map(({ q }) => q)).toEqual(['from:3', '红包 from:3'])
})

test('nothing found is said, and of a private conversation what is searched', async () => {
  server.on(searchReported, () => ({ items: [], has_more: false }))
  open({ chat_code: '0'.repeat(32) })
  expect(screen.getByText(/不读取私信的其他内容/)).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
  type('搜索内容', '没有的')
  type('搜索原因', '核实举报')
  submit()
  expect(await screen.findByText('没有找到消息')).toBeTruthy()
})
