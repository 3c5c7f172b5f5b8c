/** Silent members are removed in a guild's settings: who they are, how many, and how far it is. */
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { type PruneState, previewPrune, pruneMembers, viewPrune } from '@guildhall/wire/member/prune.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf } from '../../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { listOf, memberOf } from '../../testing/members.ts'
import { openSettings } from '../../testing/openSettings.tsx'

let server: ReturnType<typeof fakeServer>
let guild: Guild
let state: PruneState
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  const role = { permissions: 0, color: 0, hoist: 0, mentionable: 0 } as const
  guild = {
    ...guildOf('10', '夜航'),
    permissions: permission.remove_member,
    my_roles: [2],
    roles: [
      { ...role, role_id: 1, name: '会长', position: 1 },
      { ...role, role_id: 2, name: '管事', position: 2 },
      { ...role, role_id: 3, name: '新兵', position: 3 },
      { ...role, role_id: 0, name: '全体', position: 99 },
    ],
  }
  state = { is_running: false, total: 0, removed: 0 }
  server.on(viewGuild, () => guild)
  server.on(userList, () => listOf([]))
  server.on(viewPrune, () => state)
  server.on(previewPrune, ({ silent_days }) => ({
    count: silent_days > 30 ? 0 : 12,
    items: silent_days > 30 ? [] : [memberOf('5', '小满')],
  }))
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
const open = () => openSettings('/members')
const openSheet = async () => {
  open()
  await pressSoon('清理不活跃的成员')
}

test('is not offered without the right to remove members', async () => {
  guild = { ...guild, permissions: permission.ban_member }
  open()
  expect(await screen.findByText('0 位成员')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '清理不活跃的成员' })).toBeNull()
})

test('a preview that does not load offers another try, and nobody is removed', async () => {
  server.on(previewPrune, () => fail('unavailable'))
  await openSheet()
  expect(await screen.findByText('没能查出会移出谁')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^移出/ })).toBeNull()
})

test('a number of days that cannot be is said, and not asked for', async () => {
  await openSheet()
  await typeSoon('不活跃多久', '0')
  type('天数', '９９９９９')
  expect(await screen.findByText('请输入 1 到 3650 的整数')).toBeTruthy()
  type('天数', '４５')
  const asked = () => server.received(previewPrune).map(({ silent_days }) => silent_days)
  await expect.poll(asked).toEqual([30, 45])
})

test('who it would be is shown, by days and by roles below oneself, and asked once more with the number', async () => {
  server.on(pruneMembers, () => {
    state = { is_running: true, total: 12, removed: 5 }
    return state
  })
  await openSheet()
  expect(await screen.findByText('将移出 12 位成员')).toBeTruthy()
  expect(screen.getByText('还有 11 位')).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: '管事' })).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: '新兵' }))
  await expect.poll(() => server.received(previewPrune).at(-1)).toMatchObject({ role_ids: [3] })
  await pressSoon('移出 12 人')
  expect(await screen.findByText('将这 12 人移出公会？')).toBeTruthy()
  expect(server.received(pruneMembers)).toEqual([])
  press('移出')
  expect(await screen.findByText('正在移出 5 / 12')).toBeTruthy()
  expect(server.received(pruneMembers)).toEqual([{ guild_id: '10', silent_days: 30, role_ids: [3] }])
  state = { is_running: false, total: 12, removed: 12 }
  await expect.poll(() => screen.queryByText('已移出 12 人'), { timeout: 10_000 }).toBeTruthy()
})

test('one that somebody else began is followed', async () => {
  server.on(pruneMembers, () => {
    state = { is_running: true, total: 3, removed: 1 }
    return fail('prune.running')
  })
  await openSheet()
  await pressSoon('移出 12 人')
  await pressSoon('移出')
  expect(await screen.findByText('正在移出 1 / 3')).toBeTruthy()
})
