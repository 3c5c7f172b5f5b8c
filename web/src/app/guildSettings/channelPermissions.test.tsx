import { type Channel, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { deleteOverwrite, syncOverwrites, updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { press, pressSoon } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'

const { view_channel: VIEW, send_message: SEND, manage_channel: MANAGE, manage_role: ROLES } = permission
const MINE = VIEW | SEND | MANAGE | ROLES
const roleOf = (role_id: number, name: string, permissions = 0) => ({
  role_id,
  name,
  permissions,
  color: 0,
  position: role_id || 99,
  hoist: 0,
  mentionable: 0,
})

let server: ReturnType<typeof fakeServer>
let guild: Guild
const has = (more: Partial<Channel>, category: Partial<Channel> = {}) => {
  const channel = channelOf('31', '公告', { permissions: MINE, parent_id: '30', ...more })
  const around: Partial<Channel> = { type: 0, is_category: true, channels: [channel], permissions: MINE }
  guild = { ...guild, channels: [channelOf('30', '活动', { ...around, ...category })] }
}
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = {
    ...guildOf('10', '夜航'),
    permissions: MINE,
    my_roles: [2],
    roles: [
      roleOf(1, '会长'),
      roleOf(2, '管事', MINE),
      roleOf(3, '主播'),
      roleOf(0, '全体成员', VIEW | SEND),
    ],
  }
  has({})
  server.on(viewGuild, () => guild)
  server.on(updateOverwrite, ({ allow, deny }) => ({ allow, deny }))
})
afterEach(() => {
  cleanup()
  // A sheet is still leaving.
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const open = (channel = '31') => openSettings(`/channels?channel=${channel}`)
const right = (name: RegExp) => screen.getByRole('group', { name })
const chosen = (name: RegExp) =>
  within(right(name))
    .getAllByRole<HTMLInputElement>('radio')
    .find(({ checked }) => checked)?.parentElement?.textContent
const choose = (name: RegExp, state: string) =>
  fireEvent.click(within(right(name)).getByRole('radio', { name: state }))

test('who may not manage roles in a channel is told so, and changes nothing', async () => {
  has({ permissions: VIEW | MANAGE })
  open()
  expect(await screen.findByText(/你在这个频道没有「管理角色」权限/)).toBeTruthy()
  expect(screen.queryByRole('switch')).toBeNull()
})

test('an overwrite of a role at or above one’s own, and a right that one lacks, are locked with the reason', async () => {
  has({ permission_overwrites: [{ role_id: 1, allow: SEND, deny: 0 }] })
  open()
  await pressSoon(/会长.*不低于你，只能查看/)
  expect(right(/^发送消息/)).toHaveProperty('disabled', true)
  expect(screen.queryByRole('button', { name: '移除这组设置' })).toBeNull()
  press(/全体成员/)
  expect(right(/^发送消息/)).toHaveProperty('disabled', false)
  expect(right(/^管理消息/)).toHaveProperty('disabled', true)
  expect(right(/^管理消息/).textContent).toContain('你自己没有这项权限，不能更改')
})

test('a change that would lock oneself out asks first', async () => {
  guild = {
    ...guild,
    roles: guild.roles.map((it) => (it.role_id === 0 ? it : { ...it, permissions: MINE & ~VIEW })),
  }
  has({})
  open()
  fireEvent.click(await screen.findByRole('switch', { name: '私密' }))
  const question = screen.getByRole('alertdialog', { name: '你自己也会受影响' })
  expect(question.textContent).toContain('查看频道、管理频道、管理角色')
  press('取消')
  expect(server.received(updateOverwrite)).toEqual([])
  fireEvent.click(screen.getByRole('switch', { name: '私密' }))
  press('仍然更改')
  await expect.poll(() => server.received(updateOverwrite).length).toBe(1)
})

test('a change that is refused goes back with the reason', async () => {
  server.on(updateOverwrite, () => fail('role.bits'))
  guild = { ...guild, is_master: true }
  open()
  const silent = await screen.findByRole('switch', { name: '只读' })
  fireEvent.click(silent)
  expect(silent).toHaveProperty('checked', true)
  await expect.poll(() => silent).toHaveProperty('checked', false)
})

test('a private channel has those who are chosen', async () => {
  guild = { ...guild, is_master: true }
  open()
  fireEvent.click(await screen.findByRole('switch', { name: '私密' }))
  press('可以看到: 添加角色或成员')
  press('添加 主播')
  press('关闭')
  expect(await screen.findByRole('button', { name: '移除 主播' })).toBeTruthy()
  await expect
    .poll(() => server.received(updateOverwrite))
    .toEqual([
      { channel_id: '31', type: 'role_id', value: '0', bits: VIEW, allow: 0, deny: VIEW },
      { channel_id: '31', type: 'role_id', value: '3', bits: VIEW, allow: VIEW, deny: 0 },
    ])
})

test('each right is inherited, allowed or denied, with what results beside it; only its bit is sent', async () => {
  has({ permission_overwrites: [{ role_id: 3, allow: 0, deny: VIEW }] })
  open()
  await pressSoon(/主播/)
  expect([chosen(/^查看频道/), chosen(/^发送消息/)]).toEqual(['禁止', '继承'])
  expect(right(/^发送消息/).textContent).toContain('结果：不可以')
  choose(/^查看频道/, '允许')
  expect(right(/^发送消息/).textContent).toContain('结果：可以')
  await expect
    .poll(() => server.received(updateOverwrite))
    .toEqual([{ channel_id: '31', type: 'role_id', value: '3', bits: VIEW, allow: VIEW, deny: 0 }])
})

test('an overwrite is removed', async () => {
  server.on(deleteOverwrite, () => ({}))
  has({ permission_overwrites: [{ role_id: 3, allow: 0, deny: SEND }] })
  open()
  await pressSoon(/主播/)
  press('移除这组设置')
  expect(screen.queryByRole('button', { name: /主播/ })).toBeNull()
  await expect.poll(() => server.received(deleteOverwrite)).toMatchObject([{ value: '3' }])
})

test('a channel in step with its category says that a change ends it; one that is not says what a sync replaces', async () => {
  server.on(syncOverwrites, () => ({ permission_overwrites: [], permission_users: [] }))
  open()
  expect(await screen.findByText(/权限与分组「活动」一致。在这里改动后/)).toBeTruthy()
  await pressSoon(/全体成员/)
  choose(/^发送消息/, '禁止')
  await pressSoon('与分组同步')
  expect(screen.getByRole('alertdialog').textContent).toContain('替换：全体成员')
  within(screen.getByRole('alertdialog')).getByRole('button', { name: '同步' }).click()
  expect(await screen.findByText(/权限与分组「活动」一致/)).toBeTruthy()
  await expect.poll(() => server.received(syncOverwrites)).toEqual([{ channel_id: '31' }])
})
