import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { viewGrowth } from '@guildhall/wire/growth/growth.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Growth } from '../../growth/csv.ts'
import { growthCsv } from '../../growth/csv.ts'
import { saveFile } from '../../kit/browser/saveFile.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf } from '../../testing/fixtures.ts'
import { press } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'

vi.mock('../../kit/browser/saveFile.ts', () => ({ saveFile: vi.fn() }))

const dayOf = (day: string, counts: Partial<Growth['days'][number]> = {}) => ({
  day,
  joins: 0,
  leaves: 0,
  active: 0,
  messages: 0,
  ...counts,
})
const NOTHING: Growth = {
  days: [dayOf('2026-11-25'), dayOf('2026-11-26')],
  before: [dayOf('2026-11-23'), dayOf('2026-11-24')],
  members: 1,
  channels: [],
  invites: [],
  counted_until: 0,
}
const SOME: Growth = {
  ...NOTHING,
  days: [
    dayOf('2026-11-25', { joins: 4, leaves: 1, active: 2, messages: 10 }),
    dayOf('2026-11-26', { joins: 2, active: 4, messages: 30 }),
  ],
  before: [dayOf('2026-11-23'), dayOf('2026-11-24', { messages: 20 })],
  members: 1234,
  channels: [
    { id: '2', name: '闲聊', messages: [5, 20] },
    { id: '1', name: '=公告', messages: [5, 10] },
  ],
  invites: [
    { code: 'abcdef', username: '南枝', joins: 3 },
    { code: 'ghijkl', username: '', joins: 1 },
  ],
  counted_until: Date.now(),
}

let asked: InputOf<typeof viewGrowth>[]
let server: ReturnType<typeof fakeServer>
let growth: Growth
beforeEach(() => {
  cache.clear()
  vi.mocked(saveFile).mockClear()
  server = fakeServer()
  asked = []
  growth = SOME
  server.on(viewGuild, () => ({
    ...guildOf('10', '夜航'),
    permissions: permission.manage_guild,
  }))
  server.on(viewGrowth, (input) => {
    asked.push(input)
    return growth
  })
})
afterEach(cleanup)

const open = () => openSettings('/growth')
const part = (name: string) => screen.findByRole('region', { name })

test('growth that does not load offers another try', async () => {
  server.on(viewGrowth, () => {
    throw fail('too_many')
  })
  open()
  expect(await screen.findByRole('button', { name: '重试' })).toBeTruthy()
})

test('a guild in which nothing happened says so, with the way to invites', async () => {
  growth = NOTHING
  open()
  expect((await part('各频道的消息')).textContent).toContain('这段时间没有人发言')
  const invites = within(await part('带来成员的邀请'))
  expect(invites.getByRole('link', { name: '邀请链接' }).getAttribute('href')).toBe(
    '/guild/settings/10/invites',
  )
  expect(screen.getByText(/消息还在统计/)).toBeTruthy()
})

test('each number is summed, compared with the days before, and there by day for who does not see', async () => {
  open()
  expect(await screen.findByText(/现有 1,234 名成员/)).toBeTruthy()
  // Who left is taken from who joined.
  expect((await part('加入与离开')).textContent).toContain('净增 5')
  expect((await part('发言的人')).textContent).toContain('日均 3')
  const messages = await part('消息')
  expect(messages.textContent).toContain('合计 40')
  expect(messages.textContent).toContain('较上期 +100.0%')
  expect(within(messages).getByRole('row', { name: '2026-11-26 30 20' })).toBeTruthy()
})

test('channels and invites stand in their order, with who made the invite', async () => {
  open()
  const rows = async (name: string) =>
    within(await part(name))
      .getAllByRole('listitem')
      .filter((it) => !it.closest('[aria-hidden]'))
      .map(({ textContent }) => textContent)
  expect(await rows('各频道的消息')).toEqual(['闲聊25 条', '=公告15 条'])
  expect(await rows('带来成员的邀请')).toEqual(['abcdef南枝 创建3 人', 'ghijkl创建者已注销1 人'])
})

test('another range is asked for, and what is shown is saved as a table', async () => {
  open()
  await part('消息')
  const range = screen.getByRole<HTMLSelectElement>('combobox', { name: '范围' })
  range.value = '7'
  range.dispatchEvent(new Event('change', { bubbles: true }))
  await expect.poll(() => asked.map(({ days }) => days)).toEqual([30, 7])
  await part('消息')
  await press('下载 CSV')
  expect(vi.mocked(saveFile).mock.lastCall?.slice(0, 2)).toEqual([
    '增长-2026-11-25-2026-11-26.csv',
    growthCsv(SOME, ['日期', '加入', '离开', '发言的人', '消息']),
  ])
})

test('a table has a row for each day, and no name that a spreadsheet computes', () => {
  expect(growthCsv(SOME, ['a', 'b', 'c', 'd', 'e'])).toBe(
    "\ufeffa,b,c,d,e,闲聊,'=公告\r\n2026-11-25,4,1,2,10,5,5\r\n2026-11-26,2,0,4,30,20,10\r\n",
  )
})
