import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { type Role, viewUser } from '@guildhall/wire/guild/guild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { createInvite, deleteInvite, type ListedInvite, listInvites } from '@guildhall/wire/invite/manage.ts'
import { MUTES_PATH } from '@guildhall/wire/member/event.ts'
import { createBan, deleteBan, deleteMute, listBans, listMutes } from '@guildhall/wire/member/moderation.ts'
import { listNotes } from '@guildhall/wire/member/note.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MANAGING } from '../../channel/managing.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { fill, press, pressSoon } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'
import { SECTIONS } from './sections.ts'

const person = (id: string, username: string) => ({
  ...sessionOf().user,
  id: id as UserId,
  username,
  identify_num: '1234',
})
const page = <Item,>(items: Item[], more: object = {}) => ({
  items,
  meta: { page: 1, page_total: items.length === 0 ? 0 : 1, page_size: 50, total: items.length, ...more },
  sort: {},
})
const banOf = (id: string, name: string, remark = '') => ({
  user_id: id as UserId,
  created_time: Date.now(),
  remark,
  user: person(id, name),
  operator: person('7', '会长'),
})

let server: ReturnType<typeof fakeServer>
let guild: Guild
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = { ...guildOf('10', '夜航'), permissions: MANAGING }
  server.on(viewGuild, () => guild)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = openSettings

test('who may manage nothing is told so, and led to their guilds', async () => {
  guild = { ...guild, permissions: permission.view_channel }
  open('/bans')
  expect(await screen.findByText('你没有管理这个公会的权限')).toBeTruthy()
  expect(screen.getByRole('link', { name: '回到我的公会' })).toBeTruthy()
  expect(server.received(listBans)).toEqual([])
})

test('who is not in the guild is told so', async () => {
  server.on(viewGuild, () => fail('forbidden'))
  open()
  expect(await screen.findByText('你不在这个公会里')).toBeTruthy()
})

test('the list has what one’s rights open, and nothing else', async () => {
  guild = { ...guild, permissions: permission.ban_member }
  open()
  const list = await screen.findByRole('navigation', { name: '设置项' })
  expect(
    within(list)
      .getAllByRole('link')
      .map((it) => it.textContent),
  ).toEqual(['成员', '封禁名单'])
})

test('the menu leads here with any right of a section', () => {
  expect(SECTIONS.flatMap(({ rights }) => rights).reduce((all, right) => all | right, 0)).toBe(MANAGING)
})

test('a ban is listed with its reason and who set it, is lifted, and set again', async () => {
  server.on(listBans, () => page([banOf('5', '小满', '刷屏')]))
  server.on(deleteBan, () => ({}))
  server.on(createBan, () => ({}))
  open('/bans')
  expect(await screen.findByText('原因：刷屏')).toBeTruthy()
  expect(screen.getByText(/由 会长 封禁/)).toBeTruthy()
  await pressSoon('解除封禁 小满#1234')
  expect(await screen.findByText('已解除对 小满 的封禁，可以重新加入了')).toBeTruthy()
  expect(server.received(deleteBan)).toMatchObject([{ target_id: '5' }])
  await pressSoon('撤销: 小满#1234')
  await expect.poll(() => server.received(createBan)).toMatchObject([{ target_id: '5', remark: '刷屏' }])
})

test('a ban leads to what moderators know of the person, who is no member, and back to the bans', async () => {
  server.on(listBans, () => page([banOf('5', '小满')]))
  server.on(listNotes, () => ({ items: [] }))
  server.on(listAudit, () => page([]))
  server.on(viewUser, ({ guild_id }) => (guild_id ? fail('user.unknown') : person('5', '小满')))
  open('/bans')
  fireEvent.click(await screen.findByRole('link', { name: '小满#1234' }))
  expect(await screen.findByText(/不在公会里/)).toBeTruthy()
  expect(await screen.findByText('还没有备注')).toBeTruthy()
  await expect.poll(() => server.received(listAudit)).toMatchObject([{ target_id: '5' }])
  press('返回')
  expect(await screen.findByRole('link', { name: '小满#1234' })).toBeTruthy()
})

test('a second ban is lifted while the first is still pending', async () => {
  server.on(listBans, () => page([banOf('5', '小满'), banOf('6', '阿澈')]))
  server.on(deleteBan, () => new Promise<never>(() => undefined))
  open('/bans')
  await pressSoon('解除封禁 小满#1234')
  await pressSoon('解除封禁 阿澈#1234')
  await expect.poll(() => server.received(deleteBan).map(({ target_id }) => target_id)).toEqual(['5', '6'])
})

test('a ban whose event comes before the answer can be set again all the same', async () => {
  let all = [banOf('5', '小满')]
  server.on(listBans, () => page(all))
  const answer = server.waits(deleteBan)
  open('/bans')
  await pressSoon('解除封禁 小满#1234')
  await expect.poll(() => server.received(deleteBan)).toHaveLength(1)
  all = []
  void cache.invalidateQueries({ queryKey: ['GET', listBans.path] })
  expect(await screen.findByText('没有人被封禁')).toBeTruthy()
  answer({})
  expect(await screen.findByText('已解除对 小满 的封禁，可以重新加入了')).toBeTruthy()
  expect(await screen.findByRole('button', { name: '撤销: 小满#1234' })).toBeTruthy()
})

test('a mute whose event comes before the answer is said to be lifted', async () => {
  let ids = ['5' as UserId]
  const none = { type: 1, user_ids: [] }
  server.on(listMutes, () => ({
    users: [person('5', '小满')],
    mic: none,
    headset: none,
    write: { type: 3, user_ids: ids, ends_at: [] },
  }))
  const answer = server.waits(deleteMute)
  open('/mutes')
  await pressSoon('解除对 小满#1234 的禁言')
  await expect.poll(() => server.received(deleteMute)).toHaveLength(1)
  ids = []
  void cache.invalidateQueries({ queryKey: ['GET', MUTES_PATH] })
  await expect.poll(() => screen.queryByText('小满#1234')).toBeNull()
  answer({})
  expect(await screen.findByText('已解除对 小满 的禁言')).toBeTruthy()
})

test('a guild without bans says so', async () => {
  server.on(listBans, () => page([]))
  open('/bans')
  expect(await screen.findByText('没有人被封禁')).toBeTruthy()
})

test('a list that does not load offers another try', async () => {
  server.on(listBans, () => fail('unavailable'))
  open('/bans')
  expect(await screen.findByText('封禁名单没有加载出来')).toBeTruthy()
  server.on(listBans, () => page([banOf('5', '小满')]))
  await pressSoon('重试')
  expect(await screen.findByText('小满#1234')).toBeTruthy()
})

test('a list of several pages loads the next one at a tap', async () => {
  server.on(listBans, (input) =>
    Number(input.page ?? 1) === 1
      ? page([banOf('5', '小满')], { page_total: 2, total: 2 })
      : page([banOf('6', '阿澈')], { page: 2, page_total: 2, total: 2 }),
  )
  open('/bans')
  await pressSoon('加载更多')
  expect(await screen.findByText('阿澈#1234')).toBeTruthy()
  expect(screen.getByText('小满#1234')).toBeTruthy()
})

test('mutes are listed with their ends, and lifted', async () => {
  server.on(listMutes, () => ({
    users: [person('5', '小满')],
    mic: { type: 1, user_ids: [] },
    headset: { type: 2, user_ids: [] },
    write: { type: 3, user_ids: ['5' as UserId], ends_at: [{ user_id: '5' as UserId, ends_at: 0 }] },
  }))
  server.on(deleteMute, () => ({}))
  open('/mutes')
  expect(await screen.findByText('不能发言，没有期限')).toBeTruthy()
  await pressSoon('解除对 小满#1234 的禁言')
  await expect.poll(() => server.received(deleteMute)).toMatchObject([{ user_id: '5', type: 3 }])
})

test('an invite is listed with its uses and end, and revoked after a question', async () => {
  const invite: ListedInvite = {
    id: 1,
    guild_id: guild.id,
    guild_name: guild.name,
    type: 0,
    created_at: 1,
    duration: 0,
    invitees_count: 3,
    url: 'https://h.example/AbCdEf',
    url_code: 'AbCdEf',
    user: person('5', '小满'),
    channel_id: '0',
    channel_name: '',
    role_id: 3,
    role_name: '新兵',
    expire_time: 0,
    remaining_times: -1,
    using_times: 3,
  }
  server.on(listInvites, () => page([invite]))
  server.on(deleteInvite, () => ({}))
  open('/invites')
  expect(await screen.findByText('h.example/AbCdEf')).toBeTruthy()
  expect(screen.getByText('由 小满 创建 · 加入时获得「新兵」')).toBeTruthy()
  expect(screen.getByText('3 人由此加入 · 长期有效')).toBeTruthy()
  await pressSoon('撤销邀请链接 AbCdEf')
  expect(server.received(deleteInvite)).toEqual([])
  await pressSoon('撤销')
  await expect.poll(() => server.received(deleteInvite)).toMatchObject([{ url_code: 'AbCdEf' }])
})

test('a new invite offers the roles that one may give alone, and its link comes after the choice', async () => {
  const role = (role_id: number, name: string, position: number, permissions = 0): Role => ({
    role_id,
    name,
    position,
    permissions,
    color: 0,
    hoist: 0,
    mentionable: 0,
  })
  guild = {
    ...guild,
    permissions: MANAGING | permission.create_invite,
    my_roles: [2],
    roles: [
      role(1, '会长', 1),
      role(2, '管事', 2),
      role(3, '新兵', 3),
      role(4, '权贵', 4, permission.manage),
      role(0, '全体', 5),
    ],
    channels: [
      channelOf('20', '大厅', { permissions: permission.create_invite }),
      channelOf('21', '密谈', { permissions: permission.view_channel }),
      channelOf('30', '赛事', {
        type: 0,
        is_category: true,
        channels: [channelOf('22', '战报', { permissions: permission.create_invite })],
      }),
    ],
  }
  server.on(listInvites, () => page([]))
  server.on(createInvite, () => ({ url: 'https://h.example/NeWoNe', url_code: 'NeWoNe' }))
  open('/invites')
  await pressSoon('新建邀请链接')
  const options = (label: string) =>
    within(screen.getByLabelText(label))
      .getAllByRole('option')
      .map((it) => it.textContent)
  expect(options('加入时获得的角色')).toEqual(['不给角色', '新兵'])
  expect(options('加入后进入')).toEqual(['默认频道', '#大厅', '#战报'])
  fill(screen.getByLabelText('加入时获得的角色'), { value: '3' })
  fill(screen.getByLabelText('加入后进入'), { value: '22' })
  fill(screen.getByLabelText('可用次数'), { value: '5' })
  expect(server.received(createInvite)).toEqual([])
  server.on(createInvite, () => fail('role.above'))
  await pressSoon('生成链接')
  expect(await screen.findByText('该角色不低于你的角色')).toBeTruthy()
  server.on(createInvite, () => ({ url: 'https://h.example/NeWoNe', url_code: 'NeWoNe' }))
  await pressSoon('生成链接')
  expect(await screen.findByText('https://h.example/NeWoNe')).toBeTruthy()
  expect(server.received(createInvite).at(-1)).toEqual({
    guild_id: '10',
    channel_id: '22',
    role_id: 3,
    duration: 604_800,
    setting_times: 5,
  })
})
