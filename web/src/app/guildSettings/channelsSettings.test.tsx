import { type Channel, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import {
  copyChannel,
  createChannel,
  deleteChannel,
  moveChannel,
  type PublicChannel,
  updateChannel,
} from '@guildhall/wire/channel/publicChannel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { guildChanged } from '../../guild/guild.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'

const MANAGES = permission.view_channel + permission.manage_channel
const mine = (id: string, name: string, more: Partial<Channel> = {}) =>
  channelOf(id, name, { permissions: MANAGES, ...more })
const category = (id: string, name: string, more: Partial<Channel> = {}) =>
  mine(id, name, { type: 0, is_category: true, ...more })

/** A channel as it is answered after a change. */
const changed = ({
  channels: _,
  ...channel
}: Channel): Omit<PublicChannel, 'is_category'> & {
  is_category: number
} => ({
  ...channel,
  permission_users: [],
  is_category: Number(channel.is_category),
  slow_mode_reply: 0,
  voice_quality: '2',
  server_url: '',
  server_type: 0,
  sync_guild_region: 1,
  region: '',
  is_master: true,
})

let server: ReturnType<typeof fakeServer>
let guild: Guild
/** The guild has these channels. */
const has = (...channels: Channel[]) => {
  guild = { ...guild, channels }
}
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = { ...guildOf('10', '夜航'), permissions: MANAGES }
  has(mine('20', '大厅'), category('30', '活动', { channels: [mine('31', '公告', { parent_id: '30' })] }))
  server.on(viewGuild, () => guild)
})
afterEach(() => {
  cleanup()
  // A sheet is still leaving.
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const open = (channel?: string) =>
  openSettings(`/channels${channel === undefined ? '' : `?channel=${channel}`}`)
const rows = async () =>
  within(await screen.findByRole('list', { name: '频道' }))
    .getAllByRole('listitem')
    .map((it) => it.textContent)
const alerts = () => screen.getAllByRole('alert').map((it) => it.textContent)

test('who may not manage channels does not get there', async () => {
  guild = { ...guild, permissions: permission.manage_invite }
  open()
  expect(await screen.findByRole('navigation', { name: '设置项' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '新建频道' })).toBeNull()
})

test('a channel that one may not manage is shown without a way to change it', async () => {
  has(mine('20', '大厅'), channelOf('21', '公会事务'))
  open()
  expect(await rows()).toEqual(['大厅文字频道', '公会事务文字频道'])
  expect(screen.queryByRole('link', { name: /公会事务/ })).toBeNull()
  expect(screen.queryByRole('button', { name: '移动 公会事务' })).toBeNull()
})

test('a name that is refused is said under its field, anything else above the button', async () => {
  server.on(createChannel, () => fail('channel.name_wrong'))
  open()
  await pressSoon('新建频道')
  press('创建')
  const wrong = await screen.findByText('频道名应为 1-100 个字符')
  expect(screen.getByLabelText('名称').getAttribute('aria-describedby')).toBe(wrong.id)
  server.on(createChannel, () => fail('channel.full', { most: 500 }))
  press('创建')
  await expect.poll(alerts).toEqual(['每个公会最多 500 个频道'])
})

test('a change that is refused keeps what was typed', async () => {
  server.on(updateChannel, () => fail('channel.no_right'))
  open('20')
  await pressSoon('名称、主题和设置')
  await typeSoon('名称', '茶馆')
  press('保存')
  await expect.poll(alerts).toEqual(['你没有管理该频道的权限'])
  expect(screen.getByLabelText('名称')).toHaveProperty('value', '茶馆')
})

test('a deletion that is refused leaves the channel', async () => {
  server.on(deleteChannel, () => fail('channel.no_right'))
  open('20')
  await pressSoon('删除频道')
  press('取消')
  expect(server.received(deleteChannel)).toEqual([])
  await pressSoon('删除频道')
  const question = screen.getByRole('alertdialog', { name: '确定要删除「大厅」吗？' })
  within(question).getByRole('button', { name: '删除频道' }).click()
  expect(await screen.findByText('你没有管理该频道的权限')).toBeTruthy()
  expect(screen.getByRole('heading', { name: '大厅' })).toBeTruthy()
})

test('a move that is refused goes back with the reason', async () => {
  let refuse = () => {}
  server.on(moveChannel, () => new Promise((_, reject) => (refuse = () => reject(fail('channel.no_right')))))
  open()
  const handle = await screen.findByRole('button', { name: '移动 大厅' })
  fireEvent.keyDown(handle, { key: 'ArrowDown' })
  expect(await rows()).toEqual(['未分组', '活动分组', '大厅文字频道', '公告文字频道'])
  await expect.poll(() => server.received(moveChannel).length).toBe(1)
  refuse()
  expect(await screen.findByText('你没有管理该频道的权限')).toBeTruthy()
  await expect.poll(rows).toEqual(['未分组', '大厅文字频道', '活动分组', '公告文字频道'])
})

test('a category that is dragged has its channels with it on the way, and passes another one as a whole', async () => {
  has(
    category('30', '活动', { channels: [mine('31', '公告', { parent_id: '30' })] }),
    category('40', '公会', { channels: [mine('41', '大厅', { parent_id: '40' })] }),
  )
  server.on(moveChannel, () => new Promise<never>(() => undefined))
  open()
  const handle = await screen.findByRole('button', { name: '移动 活动' })
  const all = [...screen.getByRole('list', { name: '频道' }).children] as HTMLElement[]
  for (const [at, row] of all.entries()) row.getBoundingClientRect = () => new DOMRect(0, at * 60, 300, 60)
  const shifts = () => all.map((row) => row.style.transform)
  fireEvent.pointerDown(handle, { button: 0, clientY: 90 })
  fireEvent.pointerMove(window, { clientY: 120 })
  expect(shifts()).toEqual(['', 'translateY(30px)', 'translateY(30px)', '', ''])
  fireEvent.pointerMove(window, { clientY: 180 })
  const passed = 'translateY(-120px)'
  expect(shifts()).toEqual(['', 'translateY(90px)', 'translateY(90px)', passed, passed])
  fireEvent.pointerUp(window, { clientY: 180 })
  await expect
    .poll(() => server.received(moveChannel))
    .toEqual([{ channel_id: '30', parent_id: '', before_id: '' }])
  expect(await rows()).toEqual(['未分组', '公会分组', '大厅文字频道', '活动分组', '公告文字频道'])
})

test('a channel that is gone says so, with a way back', async () => {
  open('99')
  fireEvent.click(await screen.findByRole('link', { name: '返回频道列表' }))
  expect(await rows()).toHaveLength(4)
})

test('a guild without channels says so', async () => {
  has()
  open()
  expect(await screen.findByText('还没有可见的频道')).toBeTruthy()
})

test('channels are listed in their categories, with what is special about them', async () => {
  has(
    mine('20', '大厅', { topic: '随便聊', slow_mode: 60_000 }),
    mine('21', '语音', { type: 2 }),
    category('30', '活动', {
      channels: [mine('31', '公告', { is_readonly: true }), mine('32', '密谈', { is_private: true })],
    }),
  )
  open()
  expect(await rows()).toEqual([
    '未分组',
    '大厅文字频道 · 慢速模式 1 分钟随便聊',
    '语音语音频道',
    '活动分组',
    '公告文字频道 · 只读',
    '密谈文字频道 · 私密',
  ])
})

test('a new channel appears in its category, and a link opens it', async () => {
  has(category('30', '活动'), category('40', '别处', { permissions: permission.view_channel }))
  server.on(createChannel, ({ name, parent_id }) => {
    const made = mine('33', name, { parent_id })
    has(category('30', '活动', { channels: [made] }))
    return changed(made)
  })
  open()
  await pressSoon('新建频道')
  await typeSoon('名称', '组队')
  const options = within(screen.getByLabelText('所属分组')).getAllByRole('option')
  expect(options.map((it) => it.textContent)).toEqual(['未分组', '活动'])
  type('所属分组', '30')
  press('创建')
  const link = await screen.findByRole('link', { name: '打开频道' })
  expect(link.getAttribute('href')).toBe('/channels/10/33')
  expect(server.received(createChannel)).toMatchObject([
    { guild_id: '10', name: '组队', type: 1, parent_id: '30', is_category: false },
  ])
  await expect.poll(rows).toEqual(['未分组', '活动分组', '组队文字频道'])
})

test('a new category has only a name', async () => {
  server.on(createChannel, ({ name }) => changed(category('50', name)))
  open()
  await pressSoon('新建分组')
  await typeSoon('名称', '副本')
  expect(screen.queryByLabelText('所属分组')).toBeNull()
  press('创建')
  expect(await screen.findByText('「副本」已创建')).toBeTruthy()
  expect(server.received(createChannel)).toMatchObject([{ name: '副本', is_category: true, parent_id: '' }])
})

test('only what was changed is sent, and shown', async () => {
  server.on(updateChannel, () => {
    const now = mine('31', '公告', { topic: '每周一', slow_mode: 30_000 })
    has(now)
    return changed(now)
  })
  open('31')
  await pressSoon('名称、主题和设置')
  await typeSoon('主题', '每周一')
  type('慢速模式', '30000')
  type('所属分组', '')
  press('保存')
  await expect.poll(() => server.received(updateChannel).length).toBe(1)
  press('返回')
  await expect.poll(rows).toEqual(['公告文字频道 · 慢速模式 30 秒每周一'])
  const [sent] = server.received(updateChannel)
  expect(sent).toEqual({ channel_id: '31', topic: '每周一', slow_mode: 30_000, parent_id: '' })
})

test('before a deletion it is said what is lost; then it is gone', async () => {
  guild = { ...guild, default_channel_id: '20' as ChannelId }
  server.on(deleteChannel, () => {
    has(mine('31', '公告'))
    return {}
  })
  open()
  fireEvent.click(await screen.findByRole('link', { name: /活动/ }))
  await pressSoon('删除分组')
  expect(screen.getByRole('alertdialog').textContent).toContain('里面的频道会保留')
  press('取消')
  press('返回')
  fireEvent.click(await screen.findByRole('link', { name: /大厅/ }))
  await pressSoon('删除频道')
  const question = screen.getByRole('alertdialog')
  expect(question.textContent).toContain('频道里的消息会对所有人一起删除')
  expect(question.textContent).toContain('新成员加入后将先看到另一个频道')
  within(question).getByRole('button', { name: '删除频道' }).click()
  await expect.poll(rows).toEqual(['公告文字频道'])
  expect(server.received(deleteChannel)).toEqual([{ channel_id: '20' }])
})

test('a channel whose event comes before the answer leads back to the others', async () => {
  const answer = server.waits(deleteChannel)
  open('20')
  await pressSoon('删除频道')
  within(screen.getByRole('alertdialog')).getByRole('button', { name: '删除频道' }).click()
  await expect.poll(() => server.received(deleteChannel)).toHaveLength(1)
  has(mine('31', '公告'))
  guildChanged('10')
  expect(await screen.findByText('这个频道已不在了')).toBeTruthy()
  answer({})
  await expect.poll(rows).toEqual(['公告文字频道'])
  expect(await screen.findByText('「大厅」已删除')).toBeTruthy()
})

test('a channel moves past the name of a category by keys, and a category past another by buttons', async () => {
  has(category('30', '活动', { channels: [mine('31', '公告', { parent_id: '30' })] }), category('40', '副本'))
  server.on(moveChannel, () => changed(mine('31', '公告')))
  open()
  fireEvent.keyDown(await screen.findByRole('button', { name: '移动 公告' }), { key: 'ArrowDown' })
  expect(await rows()).toEqual(['未分组', '活动分组', '副本分组', '公告文字频道'])
  press('移动 副本')
  press('上移 副本')
  expect(await rows()).toEqual(['未分组', '副本分组', '公告文字频道', '活动分组'])
  await expect
    .poll(() => server.received(moveChannel))
    .toEqual([
      { channel_id: '31', parent_id: '40', before_id: '' },
      { channel_id: '40', parent_id: '', before_id: '30' },
    ])
})

test('a copy is made with a name that says so', async () => {
  server.on(copyChannel, ({ name }) => changed(mine('33', name)))
  open('20')
  await pressSoon(/^复制频道/)
  expect(await screen.findByText('「大厅 副本」已创建')).toBeTruthy()
  expect(server.received(copyChannel)).toEqual([{ channel_id: '20', name: '大厅 副本' }])
})

test('a new voice channel says that it opens in the app', async () => {
  open()
  await pressSoon('新建频道')
  type('类型', '2')
  expect(screen.getByText(/语音频道在 App 里打开/)).toBeTruthy()
})
