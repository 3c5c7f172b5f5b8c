import { AUDIT_TYPES, type AuditEntry, listAudit } from '@guildhall/wire/audit/audit.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { restoreChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { locales } from '@guildhall/wire/locale.ts'
import { deleteBan } from '@guildhall/wire/member/moderation.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cache } from '../../../kit/routeQuery.ts'
import { fakeServer } from '../../../testing/fakeServer.ts'
import { guildOf } from '../../../testing/fixtures.ts'
import { pressSoon, type, typeSoon } from '../../../testing/hands.ts'
import { memberOf, listOf as members } from '../../../testing/members.ts'
import { openSettings } from '../../../testing/openSettings.tsx'
import { linesOf, nameOfType, sentenceOf } from './lines.ts'

let ids = 100
const actOf = (act: AuditEntry['type'], more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: String(--ids),
  at: Date.now(),
  actor: { id: '7' as UserId, username: '会长', kind: 'member' },
  type: act,
  target: { kind: 'role', id: '3', name: '巡逻' },
  before: null,
  after: null,
  reason: '',
  ...more,
})
const page = (items: AuditEntry[], more: object = {}) => ({
  items,
  meta: { page: 1, page_total: items.length === 0 ? 0 : 1, page_size: 50, total: items.length, ...more },
  sort: {},
})
const BAN = { target: { kind: 'member', id: '5', name: '小满' } } as const
const CHANNEL = { target: { kind: 'channel', id: '20', name: '大厅' }, before: { type: 1 } } as const

let server: ReturnType<typeof fakeServer>
let guild: Guild
const RIGHTS = permission.view_log + permission.ban_member + permission.manage_channel
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = { ...guildOf('10', '夜航'), permissions: RIGHTS }
  server.on(viewGuild, () => guild)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const open = () => openSettings('/audit')
const logs = (...items: AuditEntry[]) => server.on(listAudit, () => page(items))
const rows = () => screen.getAllByRole('listitem').map((it) => it.textContent)

test('who may not see the log does not get there', async () => {
  guild = { ...guild, permissions: permission.ban_member }
  open()
  expect(await screen.findByRole('navigation', { name: '设置项' })).toBeTruthy()
  expect(server.received(listAudit)).toEqual([])
})

test('a log that does not load offers another try', async () => {
  server.on(listAudit, () => fail('unavailable'))
  open()
  expect(await screen.findByText('操作记录没有加载出来')).toBeTruthy()
  logs(actOf('role_created'))
  await pressSoon('重试')
  expect(await screen.findByText(/新建了角色「巡逻」/)).toBeTruthy()
})

test('a log in which nothing is says what will be', async () => {
  logs()
  open()
  expect(await screen.findByText('还没有操作记录')).toBeTruthy()
})

test('acts are listed day by day, with who, what, from which to which, and why', async () => {
  const noon = new Date().setHours(12, 5, 0, 0)
  logs(
    actOf('channel_updated', {
      at: noon,
      target: CHANNEL.target,
      before: { topic: '', slow_mode: 0 },
      after: { topic: '每周一', slow_mode: 30_000 },
    }),
    actOf('role_updated', {
      at: noon,
      actor: { id: '8' as UserId, username: '巡管', kind: 'bot' },
      before: { permissions: permission.ban_member, color: 0 },
      after: { permissions: permission.manage_channel, color: 0x0b7a53 },
    }),
    actOf('member_banned', {
      ...BAN,
      at: noon - DAY_MS,
      actor: { id: '0', username: '', kind: 'staff' },
      after: { del_msg_days: 7 },
      reason: '刷屏',
    }),
  )
  guild = { ...guild, permissions: permission.view_log }
  open()
  const today = within(await screen.findByRole('list', { name: '今天' }))
  expect(today.getAllByRole('listitem').map((it) => it.textContent)).toEqual([
    '会长 修改了频道「大厅」主题：无 → 每周一慢速模式：关闭 → 30 秒中午 12:05',
    '巡管 机器人 修改了角色「巡逻」颜色：默认 → #0b7a53增加权限：管理频道去掉权限：封禁成员中午 12:05',
  ])
  const yesterday = within(screen.getByRole('list', { name: '昨天' }))
  expect(yesterday.getByRole('listitem').textContent).toBe(
    '平台工作人员 封禁了 小满删除了最近 7 天的消息原因：刷屏中午 12:05',
  )
  expect(screen.queryByRole('button', { name: /恢复|解封/ })).toBeNull()
})

test('what a guild is about is said in words, and that it said nothing before', () => {
  const entry = actOf('guild_updated', { before: { category: '' }, after: { category: 'art' } })
  expect(linesOf(entry, 'zh-CN', Date.now())).toEqual(['分类：无 → 绘画与创作'])
  expect(linesOf(entry, 'en', Date.now())).toEqual([expect.stringMatching(/^Category: .+ → Art & making$/)])
})

test('what changed of a rule is said in words', async () => {
  const [before, after] = [
    { acts: 'delete', conditions: 'reg 3', exempt_channels: '', is_on: false },
    { acts: 'hold、mute 600', conditions: 'overseas', exempt_channels: '大厅、活动', is_on: true },
  ]
  logs(actOf('rule_updated', { at: new Date().setHours(12, 5, 0, 0), before, after }))
  open()
  const today = within(await screen.findByRole('list', { name: '今天' }))
  expect(today.getByRole('listitem').textContent).toBe(
    '会长 修改了自动管理规则「巡逻」' +
      '处理方式：拦下 → 等待审核、禁言（秒） 600' +
      '受限制的人：账号注册不满（分钟） 3 → 手机号不是中国大陆的' +
      '不受限制的频道：无 → 大厅、活动开启：否 → 是中午 12:05',
  )
})

test('it is filtered by what was done and by who of those seen, and shows all again', async () => {
  server.on(listAudit, (input) => (input.type === 'emoji_deleted' ? page([]) : page([actOf('role_created')])))
  open()
  await screen.findByText(/新建了角色「巡逻」/)
  await pressSoon('操作者：所有人')
  await pressSoon('会长')
  await expect.poll(() => server.received(listAudit).at(-1)).toMatchObject({ user_id: '7' })
  expect(screen.getByRole('button', { name: '操作者：会长' })).toBeTruthy()
  type('操作', 'emoji_deleted')
  expect(await screen.findByText('没有符合条件的记录')).toBeTruthy()
  await pressSoon('显示全部')
  expect(await screen.findByText(/新建了角色「巡逻」/)).toBeTruthy()
  expect(screen.getByRole('button', { name: '操作者：所有人' })).toBeTruthy()
})

describe('any member', () => {
  test('who is not found is said, and a search that fails can be tried again', async () => {
    logs(actOf('role_created'))
    server.on(userList, () => fail('unavailable'))
    open()
    await pressSoon('操作对象：所有人')
    await typeSoon('搜索成员', '小')
    expect(await screen.findByText('成员没有加载出来')).toBeTruthy()
    server.on(userList, () => members([]))
    await pressSoon('重试')
    expect(await screen.findByText('没有找到成员')).toBeTruthy()
  })

  test('is found by name, also where they stand on no page, as whom it was done to', async () => {
    logs(actOf('role_created'))
    server.on(userList, () => members([memberOf('5', '小满')]))
    open()
    await pressSoon('操作对象：所有人')
    await typeSoon('搜索成员', '小')
    await pressSoon('小满')
    await expect.poll(() => server.received(listAudit).at(-1)).toMatchObject({ target_id: '5' })
    expect(server.received(userList).at(-1)).toMatchObject({ guild_id: '10', search: '小' })
    await pressSoon('操作对象：小满')
    await pressSoon('所有人')
    expect(await screen.findByRole('button', { name: '操作对象：所有人' })).toBeTruthy()
    expect(await screen.findByText(/新建了角色「巡逻」/)).toBeTruthy()
  })

  test('of whom something was done before is offered without a search', async () => {
    logs(actOf('member_banned', BAN))
    open()
    await screen.findByText(/封禁了 小满/)
    await pressSoon('操作对象：所有人')
    await pressSoon('小满')
    await expect.poll(() => server.received(listAudit).at(-1)).toMatchObject({ target_id: '5' })
  })
})

test('later acts are loaded at a tap', async () => {
  server.on(listAudit, (input) =>
    Number(input.page ?? 1) === 1
      ? page([actOf('role_created')], { page_total: 2, total: 2 })
      : page([actOf('role_deleted')], { page: 2, page_total: 2, total: 2 }),
  )
  open()
  await pressSoon('加载更多')
  expect(await screen.findByText(/删除了角色「巡逻」/)).toBeTruthy()
})

describe('undo', () => {
  test('a restoration that is refused is said, and can be tried again', async () => {
    logs(actOf('channel_deleted', CHANNEL))
    server.on(restoreChannel, () => fail('channel.full', { most: 500 }))
    open()
    await pressSoon('恢复：大厅')
    expect(await screen.findByText('每个公会最多 500 个频道')).toBeTruthy()
    expect(screen.getByRole('button', { name: '恢复：大厅' })).toBeTruthy()
  })

  test('is not offered for what is older than seven days, was undone, or needs a right that one lacks', async () => {
    logs(
      actOf('member_unbanned', BAN),
      actOf('member_banned', BAN),
      actOf('role_deleted'),
      actOf('channel_deleted', { ...CHANNEL, at: Date.now() - 8 * DAY_MS }),
    )
    open()
    await expect.poll(() => screen.queryAllByRole('listitem').length).toBe(4)
    expect(screen.queryByRole('button', { name: /恢复|解封/ })).toBeNull()
  })

  test('lifts a ban, and the log says so', async () => {
    const ban = actOf('member_banned', BAN)
    logs(ban)
    server.on(deleteBan, () => {
      logs(actOf('member_unbanned', BAN), ban)
      return {}
    })
    open()
    await pressSoon('解封：小满')
    expect(await screen.findByText('已解除对 小满 的封禁')).toBeTruthy()
    await expect.poll(rows).toHaveLength(2)
    expect(server.received(deleteBan)).toMatchObject([{ guild_id: '10', target_id: '5' }])
    expect(screen.queryByRole('button', { name: /解封/ })).toBeNull()
  })
})

test('every type has a name and a sentence, also of what is gone', () => {
  for (const locale of locales)
    for (const each of AUDIT_TYPES) {
      const entry = actOf(each, { target: { kind: 'member', id: '5', name: '' } })
      expect(nameOfType(each, locale)).not.toBe('')
      expect(sentenceOf(entry, locale)).not.toMatch(/undefined|null|NaN/)
      expect(linesOf(entry, locale, Date.now()).join()).not.toMatch(/undefined|null|NaN/)
    }
})
