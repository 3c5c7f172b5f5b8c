import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import { toPublicRole } from '@guildhall/wire/guild/publicGuild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Member } from '@guildhall/wire/member/member.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { EVERYONE_POSITION } from '@guildhall/wire/permission/hierarchy.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import {
  copyRole,
  countRoleMembers,
  createRole,
  deleteRole,
  grantRole,
  moveRole,
  revokeRole,
  updateRole,
} from '@guildhall/wire/role/role.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { guildChanged } from '../../guild/guild.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'

const MINE = permission.manage_role | permission.view_channel | permission.send_message
const roleOf = (role_id: number, name: string, more: Partial<Role> = {}): Role => ({
  role_id,
  name,
  color: 0,
  position: role_id === 0 ? EVERYONE_POSITION : role_id,
  hoist: 0,
  mentionable: 0,
  permissions: 0,
  ...more,
})
const everyone = roleOf(0, '全体成员', { permissions: permission.view_channel })
const memberOf = (id: string, username: string, roles: number[]): Member => ({
  ...sessionOf().user,
  id: id as UserId,
  username,
  nickname: username,
  roles,
  os: '',
  color: 0,
  is_master: false,
  is_admin: false,
  game: '',
  hoist_info: null,
  joined_at: 0,
  active_time: 0,
  abbr: '',
})
const page = <Item,>(items: Item[]) => ({
  items,
  meta: { page: 1, page_total: 1, page_size: 50, total: items.length },
  sort: {},
  user_count: items.length,
  online_count: 0,
  offline_count: 0,
})

let server: ReturnType<typeof fakeServer>
let guild: Guild
/** The guild has these roles, beside everyone's. */
const has = (...roles: Role[]) => {
  guild = { ...guild, roles: [...roles, everyone] }
}
/** Somebody else changed the roles, which an event tells. */
const told = (...roles: Role[]) => {
  has(...roles)
  guildChanged('10')
}
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = { ...guildOf('10', '夜航'), permissions: MINE, my_roles: [2] }
  has(roleOf(1, '会长'), roleOf(2, '管事', { permissions: MINE }), roleOf(3, '主播'), roleOf(4, '新人'))
  server.on(viewGuild, () => guild)
  server.on(countRoleMembers, () => ({ items: [{ role_id: 3, count: 12 }] }))
})
afterEach(() => {
  cleanup()
  // A sheet is still leaving.
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const open = (role?: number) => openSettings(`/roles${role === undefined ? '' : `?role=${role}`}`)
const rows = async () =>
  within(await screen.findByRole('list', { name: '角色，从高到低' }))
    .getAllByRole('listitem')
    .map((it) => it.textContent)
const names = async () => (await rows()).map((it) => it?.slice(0, 2))
const right = (name: string) => screen.findByRole('switch', { name })

test('who may not manage roles does not get there', async () => {
  guild = { ...guild, permissions: permission.manage_invite }
  open()
  expect(await screen.findByRole('navigation', { name: '设置项' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '新建角色' })).toBeNull()
})

test('a role at or above one’s own highest is shown with the reason, and nothing of it changes', async () => {
  open()
  await expect
    .poll(async () => (await rows()).slice(0, 2))
    .toEqual(['会长0 人不低于你的最高角色，只能查看', '管事0 人不低于你的最高角色，只能查看'])
  expect(screen.queryByRole('button', { name: '移动 会长' })).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: /管事/ }))
  expect(await screen.findByText(/你只能查看。只有排在它上面的人可以修改/)).toBeTruthy()
  for (const each of screen.getAllByRole('switch')) expect(each).toHaveProperty('disabled', true)
  expect(screen.queryByLabelText('名称')).toBeNull()
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('button', { name: '删除角色' })).toBeNull()
})

test('a right that one lacks is locked with the reason', async () => {
  open(3)
  expect(await right('发送消息')).toHaveProperty('disabled', false)
  const ban = await right('封禁成员')
  expect(ban).toHaveProperty('disabled', true)
  expect(document.getElementById(ban.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    '你自己没有这项权限，不能更改',
  )
})

test('of everyone’s role the rights change alone', async () => {
  open(0)
  expect(await right('发送消息')).toHaveProperty('disabled', false)
  expect(screen.queryByLabelText('名称')).toBeNull()
  expect(screen.queryByRole('button', { name: '删除角色' })).toBeNull()
  expect(screen.queryByRole('button', { name: '复制角色' })).toBeNull()
})

test('a guild that is full of roles says so before', async () => {
  has(...Array.from({ length: amountAt('max_role_num', 0) - 1 }, (_, n) => roleOf(n + 1, `r${n + 1}`)))
  open()
  expect(await screen.findByText(/100 \/ 100 个角色 · 角色已满/)).toBeTruthy()
  expect(screen.getByRole('button', { name: '新建角色' })).toHaveProperty('disabled', true)
})

test('a gradient is not offered below its level, which is said', async () => {
  open(3)
  expect(await screen.findByRole('radio', { name: '渐变' })).toHaveProperty('disabled', true)
  expect(screen.getByText('公会达到 4 级后可以使用渐变色')).toBeTruthy()
})

test('a name that is refused is said under its field; what was changed stays', async () => {
  server.on(updateRole, () => fail('role.name_wrong'))
  open(3)
  await typeSoon('名称', ' ')
  press('保存')
  const wrong = await screen.findByText('角色名应为 1-64 个字符')
  expect(screen.getByLabelText('名称').getAttribute('aria-describedby')).toBe(wrong.id)
  server.on(updateRole, () => fail('role.above'))
  type('名称', '台柱')
  press('保存')
  expect(await screen.findByText('该角色不低于你的角色')).toBeTruthy()
  expect(screen.getByLabelText('名称')).toHaveProperty('value', '台柱')
})

test('a move that fails is taken back', async () => {
  let refuse = () => {}
  server.on(moveRole, () => new Promise((_, reject) => (refuse = () => reject(new TypeError('gone')))))
  open()
  fireEvent.keyDown(await screen.findByRole('button', { name: '移动 新人' }), { key: 'ArrowUp' })
  expect(await names()).toEqual(['会长', '管事', '新人', '主播', '全体'])
  await expect.poll(() => server.received(moveRole).length).toBe(1)
  refuse()
  await expect.poll(names).toEqual(['会长', '管事', '主播', '新人', '全体'])
})

test('a role that somebody else deleted says so, with a way back', async () => {
  open(4)
  await screen.findByLabelText('名称')
  told(roleOf(1, '会长'), roleOf(2, '管事'), roleOf(3, '主播'))
  expect(await screen.findByText('这个角色已被删除')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: '返回角色列表' }))
  expect(await names()).toEqual(['会长', '管事', '主播', '全体'])
})

test('roles are listed from high to low, with their members and what is special about them', async () => {
  guild = { ...guild, is_master: true, permissions: 2 ** 28 - 1 }
  has(roleOf(3, '主播', { hoist: 1, mentionable: 1, permissions: 1 }), roleOf(4, '新人'))
  open()
  await expect
    .poll(rows)
    .toEqual(['主播12 人 · 管理员权限 · 分组显示 · 可被提及', '新人0 人', '全体成员所有成员 · 总是最低'])
})

test('a role begins at its top, and the list stands where it was left', async () => {
  open()
  const link = await screen.findByRole('link', { name: /新人/ })
  document.documentElement.scrollTop = 300
  fireEvent.click(link)
  await screen.findByLabelText('名称')
  expect(document.documentElement.scrollTop).toBe(0)
  press('返回')
  await names()
  expect(document.documentElement.scrollTop).toBe(300)
})

test('a new role is made and opened', async () => {
  server.on(createRole, ({ name }) => {
    const made = roleOf(9, name, { position: 5 })
    has(...guild.roles.slice(0, -1), made)
    return toPublicRole(made)
  })
  open()
  await pressSoon('新建角色')
  expect(await screen.findByLabelText('名称')).toHaveProperty('value', '新角色')
  press('返回')
  expect(await names()).toEqual(['会长', '管事', '主播', '新人', '新角', '全体'])
})

test('moves go one after the other, several of one role as one, and never above what is above', async () => {
  has(roleOf(2, '管事'), roleOf(3, '甲甲'), roleOf(4, '乙乙'), roleOf(5, '丙丙'), roleOf(6, '丁丁'))
  const answers: (() => void)[] = []
  server.on(
    moveRole,
    ({ role_id, position }) =>
      new Promise((answer) =>
        answers.push(() => {
          const others = guild.roles.filter((it) => it.role_id !== role_id && it.role_id !== 0)
          const moved = guild.roles.find((it) => it.role_id === role_id)!
          has(...others.slice(0, position - 1), moved, ...others.slice(position - 1))
          answer({ items: guild.roles.map(toPublicRole) })
        }),
      ),
  )
  open()
  const key = (name: string, pressed: string) =>
    fireEvent.keyDown(screen.getByRole('button', { name: `移动 ${name}` }), { key: pressed })
  await names()
  key('丁丁', 'ArrowUp')
  key('丁丁', 'ArrowUp')
  key('丁丁', 'Home')
  key('甲甲', 'End')
  expect(await names()).toEqual(['管事', '丁丁', '乙乙', '丙丙', '甲甲', '全体'])
  expect(screen.getByText('「甲甲」现在是第 5 个，共 6 个')).toBeTruthy()
  for (const sent of [1, 2, 3]) {
    await expect.poll(() => answers.length).toBe(sent)
    answers.at(-1)?.()
  }
  await expect
    .poll(() => server.received(moveRole).map(({ role_id, position }) => [role_id, position]))
    .toEqual([
      [6, 4],
      [6, 2],
      [3, 5],
    ])
  await expect.poll(names).toEqual(['管事', '丁丁', '乙乙', '丙丙', '甲甲', '全体'])
})

test('a tap on a handle shows buttons that move its row', async () => {
  server.on(moveRole, () => ({ items: guild.roles.map(toPublicRole) }))
  open()
  await pressSoon('移动 主播')
  press('上移 主播')
  expect(server.received(moveRole)).toEqual([])
  press('下移 主播')
  await expect.poll(() => server.received(moveRole)).toMatchObject([{ role_id: 3, position: 4 }])
})

test('only what was changed is sent; what others change meanwhile is named and stays', async () => {
  server.on(updateRole, (input) => toPublicRole({ ...guild.roles[2]!, ...(input as Partial<Role>) }))
  open(3)
  fireEvent.click(await right('发送消息'))
  expect(screen.getByText('有未保存的更改')).toBeTruthy()
  told(
    roleOf(1, '会长'),
    roleOf(2, '管事', { permissions: MINE }),
    roleOf(3, '台柱', { permissions: permission.view_channel }),
  )
  expect(await screen.findByText(/刚刚有其他管理者改了名称、权限/)).toBeTruthy()
  expect(screen.getByLabelText('名称')).toHaveProperty('value', '台柱')
  press('保存')
  await expect
    .poll(() => server.received(updateRole))
    .toEqual([
      {
        guild_id: '10',
        role_id: 3,
        permissions: permission.view_channel | permission.send_message,
      },
    ])
})

test('what is not saved stays while another page of the section is open, and goes when it is discarded', async () => {
  open(3)
  await typeSoon('名称', '台柱')
  press('返回')
  fireEvent.click(await screen.findByRole('link', { name: /主播/ }))
  expect(await screen.findByLabelText('名称')).toHaveProperty('value', '台柱')
  press('放弃')
  expect(screen.getByLabelText('名称')).toHaveProperty('value', '主播')
  expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
})

test('a colour, and with the level a gradient, are chosen and sent', async () => {
  guild = { ...guild, level: 4 }
  server.on(updateRole, () => toPublicRole(guild.roles[2]!))
  open(3)
  fireEvent.click(await screen.findByRole('radio', { name: '单色' }))
  press('红')
  press('保存')
  await expect.poll(() => server.received(updateRole)).toMatchObject([{ color: 0xe03131, color_type: 1 }])
  fireEvent.click(screen.getByRole('radio', { name: '渐变' }))
  press('添加颜色')
  type('第 2 个颜色', '#000000')
  press('移除第 3 个颜色')
  press('保存')
  await expect
    .poll(() => server.received(updateRole).at(-1))
    .toMatchObject({ color_type: 2, color_map: { color_list: [expect.any(Number), 1] } })
})

test('a copy has the rights that one has oneself, and its name', async () => {
  has(
    roleOf(2, '管事', { permissions: MINE }),
    roleOf(3, '主播', { hoist: 1, permissions: permission.send_message | permission.ban_member }),
  )
  server.on(copyRole, ({ name }) => toPublicRole(roleOf(9, name, { permissions: permission.send_message })))
  open(3)
  await pressSoon('复制角色')
  expect(await screen.findByText('有些权限你自己没有，副本里不包括它们')).toBeTruthy()
  expect(server.received(copyRole)).toEqual([{ guild_id: '10', role_id: 3, name: '主播 副本' }])
})

test('before a deletion it is said how many lose the role; then it is gone', async () => {
  server.on(deleteRole, () => {
    has(...guild.roles.filter(({ role_id }) => role_id !== 3 && role_id !== 0))
    return {}
  })
  open(3)
  await pressSoon('删除角色')
  const question = screen.getByRole('alertdialog', { name: '确定要删除「主播」吗？' })
  await expect.poll(() => question.textContent).toContain('12 位成员会失去这个角色')
  expect(question.textContent).toContain('频道里为它单独设置的权限也会一起删除')
  within(question).getByRole('button', { name: '删除角色' }).click()
  await expect.poll(names).toEqual(['会长', '管事', '新人', '全体'])
})

test('a role whose event comes before the answer leads back to the others', async () => {
  const answer = server.waits(deleteRole)
  open(3)
  await pressSoon('删除角色')
  within(screen.getByRole('alertdialog')).getByRole('button', { name: '删除角色' }).click()
  await expect.poll(() => server.received(deleteRole)).toHaveLength(1)
  has(...guild.roles.filter(({ role_id }) => role_id !== 3 && role_id !== 0))
  guildChanged('10')
  expect(await screen.findByText('这个角色已被删除')).toBeTruthy()
  answer({})
  await expect.poll(names).toEqual(['会长', '管事', '新人', '全体'])
})

test('members are removed and added again, others found and added; who is not below is locked', async () => {
  const all = [memberOf('5', '小满', [3]), memberOf('6', '会长本人', [1, 3]), memberOf('8', '阿澈', [])]
  server.on(userList, ({ role_id, search }) =>
    page(all.filter((it) => (role_id ? it.roles.includes(role_id) : it.username.includes(search ?? '')))),
  )
  const answer = { guild_id: guild.id, user_id: '5' as UserId, roles: [] }
  server.on(revokeRole, () => answer)
  server.on(grantRole, () => fail('guild.outranked'))
  open(3)
  await pressSoon(/^成员/)
  expect(await screen.findByText('对方不低于你，不能改')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '移除 会长本人' })).toBeNull()
  await pressSoon('移除 小满')
  await expect.poll(() => server.received(revokeRole)).toMatchObject([{ user_id: '5', role_id: 3 }])
  await pressSoon('添加 小满')
  expect(await screen.findByText('对方的角色不低于你')).toBeTruthy()
  expect(await screen.findByRole('button', { name: '添加 小满' })).toBeTruthy()
  server.on(grantRole, () => answer)
  type('搜索成员，添加到这个角色', '阿澈')
  await pressSoon('添加 阿澈')
  await expect.poll(() => server.received(grantRole).at(-1)).toMatchObject({ user_id: '8', role_id: 3 })
  expect(await screen.findByRole('button', { name: '移除 阿澈' })).toBeTruthy()
})

test('the guild is seen as the role sees it, with changes that are not saved yet', async () => {
  const rule = { role_id: 0, allow: 0, deny: permission.view_channel }
  guild = {
    ...guild,
    channels: [channelOf('20', '大厅'), channelOf('21', '密谈', { permission_overwrites: [rule] })],
  }
  open(3)
  await pressSoon('以这个角色查看公会')
  const seen = () => screen.getByRole('list', { name: '频道' })
  expect([...seen().children].map((it) => it.textContent)).toEqual(['大厅可看，不能发言', '密谈看不到'])
  press('关闭')
  fireEvent.click(await right('发送消息'))
  press('以这个角色查看公会')
  expect(screen.getByText('按你还没有保存的更改计算。')).toBeTruthy()
  expect([...seen().children].map((it) => it.textContent)).toEqual(['大厅可看，可发言', '密谈看不到'])
})
