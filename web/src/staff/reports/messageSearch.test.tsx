import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import type { Evidence, EvidenceMessage } from '@guildhall/wire/report/evidence.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import type { viewReport } from '@guildhall/wire/staff/reports.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { press, type } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { MessageSearch } from './MessageSearch.tsx'

type Case = AnswerOf<typeof viewReport>
const author = { id: '7', username: '阿澈', identify_num: '1234', nickname: '', bot: false }
const messageOf = (id: string, words: string): EvidenceMessage => ({
  id,
  kind: 'kmarkdown',
  content: words,
  words,
  author,
  create_at: 1,
  updated_at: 0,
  quote: null,
  attachments: null,
})
const inChannel: Evidence = {
  kind: 'message',
  message: messageOf('m1', '加微信领红包'),
  guild: { id: '10', name: '深夜电台' },
  channel: { id: '20', name: '闲聊' },
  chat_code: '',
  before: [],
  after: [],
}
const caseOf = (seen: Evidence | null, target_id = 'm1'): Case => ({
  case: {
    id: '1',
    kind: seen?.kind ?? 'message',
    target_id,
    name: '阿澈',
    user_id: '7',
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
  },
  reports: [],
  evidence: seen ? [{ id: '1', at: 1, seen }] : [],
  now: { kind: 'message', message: null },
  earlier: [],
  acts: [],
})

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  server.on(searchReported, () => ({ items: [], has_more: false }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const open = (of: Case) => renderAt('/staff/reports/1', '*', <MessageSearch of={of} />)
const search = (q: string, reason = '核实举报') => {
  type('搜索内容', q)
  type('原因', reason)
  press('搜索')
}
const asked = () => server.received(searchReported)

test('of a person, and when nothing is kept any longer, no search is offered', () => {
  for (const of of [
    caseOf(null),
    caseOf({ kind: 'user', person: { ...author, avatar: '', vip_avatar: '' } }),
  ]) {
    open(of)
    expect(screen.queryByRole('search')).toBeNull()
    cleanup()
  }
})

test('nothing is asked without words and a reason that says something; the first wrong field has the focus', async () => {
  open(caseOf(inChannel))
  expect(screen.getByText('搜索范围：#闲聊。搜索内容和原因会写入操作日志。')).toBeTruthy()
  search(' ', ' 看 ')
  expect(screen.getByText('请输入搜索内容')).toBeTruthy()
  expect(screen.getByText('请写明原因，至少 4 个字')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('搜索内容'))
  search('红包', '看看')
  expect(screen.queryByText('请输入搜索内容')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('原因'))
  expect(asked()).toEqual([])
})

test('what is found is shown with its marks, channel, author and time, the reported one apart; once per press', async () => {
  open(caseOf(inChannel))
  const answer = server.waits(searchReported)
  search('红包')
  expect(await screen.findByText('正在搜索…')).toBeTruthy()
  press('搜索')
  const channel = { id: '20' as ChannelId, name: '闲聊' }
  answer({
    items: [
      {
        message: messageOf('m2', '红包是骗人的红包'),
        channel,
        marks: [0, 6].map((from) => ({ from, to: from + 2 })),
      },
      { message: messageOf('m1', '加微信领红包'), channel, marks: [{ from: 4, to: 6 }] },
    ],
    has_more: false,
  })
  const [first, second] = within(await screen.findByRole('list', { name: '找到的消息' })).getAllByRole(
    'listitem',
  )
  expect(Array.from(first!.querySelectorAll('mark'), (it) => it.textContent)).toEqual(['红包', '红包'])
  expect(first!.textContent).toContain('阿澈#1234')
  expect(first!.textContent).toContain('#闲聊')
  expect(first!.querySelector('time')).toBeTruthy()
  expect([first, second].map((it) => it!.hasAttribute('data-around'))).toEqual([true, false])
  expect(screen.getByText('找到 2 条消息')).toBeTruthy()
  expect(asked()).toEqual([{ q: '红包', reason: '核实举报', channel_id: '20' }])
})

test('messages of the author alone are asked for, also without words', async () => {
  open(caseOf(inChannel))
  screen.getByLabelText('只看 阿澈 的消息').click()
  search('')
  expect(await screen.findByText('没有找到消息')).toBeTruthy()
  search('红包')
  expect(await screen.findByText('没有找到消息')).toBeTruthy()
  expect(asked().map(({ q }) => q)).toEqual(['from:7', '红包 from:7'])
})

test('a refusal says why, and the same search is made again only by hand', async () => {
  server.on(searchReported, () => fail('report.unknown'))
  open(caseOf(inChannel))
  search('红包')
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(asked()).toHaveLength(1)
  server.on(searchReported, () => ({
    items: [{ message: messageOf('m2', '红包'), channel: null, marks: [] }],
    has_more: true,
  }))
  press(/重试|再试/)
  expect(await screen.findByText(/显示最新的 1 条，还有更早的/)).toBeTruthy()
  expect(asked()[1]).toEqual(asked()[0])
})

test('of a guild all of it is searched, and of a private conversation what was kept', async () => {
  const guild = { id: '10', owner_id: '7', custom_id: '', name: '深夜电台', icon: '', desc: '', banner: '' }
  const chat_code = 'c'.repeat(32)
  for (const [seen, where] of [
    [{ kind: 'guild', guild }, { guild_id: '10' }],
    [{ ...inChannel, channel: null, guild: null, chat_code }, { chat_code }],
  ] as const) {
    open(caseOf(seen, '10'))
    expect(screen.queryByRole('checkbox')).toBeNull()
    search('红包')
    expect(await screen.findByText('没有找到消息')).toBeTruthy()
    expect(asked().at(-1)).toEqual({ q: '红包', reason: '核实举报', ...where })
    cleanup()
  }
})
