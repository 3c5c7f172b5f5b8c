/** The members of a guild in its settings: found, chosen, and acted on together. */
import { type AuditEntry, listAudit } from '@guildhall/wire/audit/audit.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { type Role, viewUser } from '@guildhall/wire/guild/guild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { createBan, createMute, deleteBan, kickOut } from '@guildhall/wire/member/moderation.ts'
import { createNote, deleteNote, listNotes, type Note, updateNote } from '@guildhall/wire/member/note.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { grantRole, revokeRole } from '@guildhall/wire/role/role.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MANAGING } from '../../channel/managing.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../testing/fixtures.ts'
import { fill, press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { listOf, type ListedMember as Member, memberOf } from '../../testing/members.ts'
import { openSettings } from '../../testing/openSettings.tsx'

const roleOf = (role_id: number, name: string, permissions = 0): Role => ({
  role_id,
  name,
  position: role_id === 0 ? 99 : role_id,
  permissions,
  color: 0,
  hoist: 0,
  mentionable: 0,
})
let server: ReturnType<typeof fakeServer>
let guild: Guild
let everybody: Member[]
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = {
    ...guildOf('10', '夜航'),
    permissions: MANAGING,
    my_roles: [2],
    roles: [roleOf(1, '会长'), roleOf(2, '管事'), roleOf(3, '新兵'), roleOf(0, '全体')],
  }
  everybody = [memberOf('5', '小满'), memberOf('6', '阿澈', [3]), memberOf('8', '掌门', [1])]
  server.on(viewGuild, () => guild)
  server.on(userList, () => listOf(everybody))
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const open = (query = '') => openSettings(`/members${query}`)
const choose = async (...names: string[]) => {
  for (const name of names) fireEvent.click(await screen.findByRole('checkbox', { name: `选择 ${name}` }))
}
const outcomes = (name: string) =>
  // The first letter is that of the picture.
  [...screen.getByRole('list', { name }).children].map(({ textContent }) => textContent?.slice(1))
const answer = (user_id: string) => ({ guild_id: guild.id, user_id: user_id as UserId, roles: [] })

test('who is not below the reader is not chosen, and it is said why', async () => {
  open()
  expect(await screen.findByRole('checkbox', { name: '选择 掌门' })).toHaveProperty('disabled', true)
  expect(screen.getByText('不低于你，不能操作')).toBeTruthy()
  press('管理 掌门')
  const acts = within(screen.getByRole('dialog'))
  expect(acts.getByRole('list', { name: '管理成员' }).textContent).toBe('管理记录')
  press('关闭')
  expect(screen.queryByRole('button', { name: '操作' })).toBeNull()
})

test('only acts that one has the right to are offered, and mutes are filtered by with that right alone', async () => {
  guild = { ...guild, permissions: permission.remove_member }
  open()
  await choose('小满')
  press('操作')
  const acts = screen.getByRole('list', { name: '对 1 人操作' })
  expect(
    within(acts)
      .getAllByRole('button')
      .map((it) => it.textContent),
  ).toEqual(['移出公会'])
  expect(screen.queryByLabelText('禁言')).toBeNull()
})

test('a list that does not load offers another try', async () => {
  server.on(userList, () => fail('unavailable'))
  open()
  expect(await screen.findByText('成员没有加载出来')).toBeTruthy()
})

test('one is refused and the others are done, each with the reason; what was refused is tried again', async () => {
  server.on(kickOut, ({ target_id }) => (target_id === '5' ? fail('member.above') : {}))
  open()
  await choose('小满', '阿澈')
  expect(screen.getByText('已选 2 人')).toBeTruthy()
  press('操作')
  press('移出公会')
  expect(screen.getByRole('dialog', { name: '将这 2 人移出公会？' })).toBeTruthy()
  expect(server.received(kickOut)).toEqual([])
  press('移出公会')
  expect(await screen.findByText('1 人已完成，1 人没有完成')).toBeTruthy()
  expect(outcomes('移出公会')).toEqual([expect.stringMatching(/^小满不能/), '阿澈已完成'])
  expect(screen.queryByRole('button', { name: '全部撤销' })).toBeNull()
  server.on(kickOut, () => ({}))
  press('重试没有完成的')
  expect(await screen.findByText('2 人已完成')).toBeTruthy()
  expect(server.received(kickOut).map(({ target_id }) => target_id)).toEqual(['5', '6', '5'])
})

test('several are banned with a reason, and the bans lifted again at once', async () => {
  server.on(createBan, () => ({}))
  server.on(deleteBan, () => ({}))
  open()
  await pressSoon('全选')
  press('操作')
  press('封禁')
  type('原因（选填）', '广告')
  press('封禁')
  expect(await screen.findByText('2 人已完成')).toBeTruthy()
  expect(server.received(createBan)).toEqual(
    ['5', '6'].map((target_id) => ({ guild_id: '10', target_id, remark: '广告', del_msg_days: 0 })),
  )
  press('全部撤销')
  await expect.poll(() => outcomes('封禁')).toEqual(['小满已撤销', '阿澈已撤销'])
  expect(server.received(deleteBan).map(({ target_id }) => target_id)).toEqual(['5', '6'])
})

test('a role is taken back only from those who had it not before', async () => {
  server.on(grantRole, ({ user_id }) => answer(user_id))
  server.on(revokeRole, ({ user_id }) => answer(user_id))
  open()
  await choose('小满', '阿澈')
  press('操作')
  press('授予角色')
  press('新兵')
  expect(await screen.findByText('2 人已完成')).toBeTruthy()
  press('全部撤销')
  await expect.poll(() => outcomes('授予角色')).toEqual(['小满已撤销', '阿澈已完成'])
  expect(server.received(revokeRole)).toEqual([{ guild_id: '10', user_id: '5', role_id: 3 }])
})

test('closing the outcomes while they come in stops nothing', async () => {
  const answers: (() => void)[] = []
  server.on(createMute, () => new Promise((resolve) => answers.push(() => resolve({}))))
  open()
  await choose('小满', '阿澈')
  press('操作')
  press('禁言')
  press('1 小时')
  await expect.poll(() => answers.length).toBe(1)
  press('关闭')
  expect(await screen.findByText('正在处理 0 / 2')).toBeTruthy()
  answers[0]?.()
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.()
  expect(await screen.findByText('2 人已完成')).toBeTruthy()
  expect(server.received(createMute)).toMatchObject([{ user_id: '5', duration: 3_600 }, { user_id: '6' }])
})

test('no more than fifty are chosen', async () => {
  everybody = Array.from({ length: 60 }, (_, n) => memberOf(String(100 + n), `人${n}`))
  open()
  await pressSoon('全选')
  expect(screen.getByText('已选 50 人')).toBeTruthy()
  expect(screen.getByText('一次最多选 50 人')).toBeTruthy()
  expect(screen.getByRole('checkbox', { name: '选择 人55' })).toHaveProperty('disabled', true)
  expect(screen.queryByRole('button', { name: '全选' })).toBeNull()
})

test('members are found by role, times and mutes together, and the filters are cleared', async () => {
  open()
  const set = (label: string, value: string) => fill(screen.getByLabelText(label), { value })
  await screen.findByText('3 位成员')
  server.on(userList, () => listOf([]))
  set('角色', '3')
  set('加入时间', '7')
  set('多久没来过', '30')
  set('禁言', '1')
  expect(await screen.findByText('没有符合条件的成员')).toBeTruthy()
  await expect
    .poll(() => server.received(userList).at(-1))
    .toMatchObject({
      role_id: 3,
      joined_days: 7,
      joined_at: 1,
      silent_days: 30,
      muted: 1,
    })
  server.on(userList, () => listOf(everybody))
  press('清除筛选')
  expect(await screen.findByText('3 位成员')).toBeTruthy()
})

describe('what was done to a member', () => {
  const logged = (...items: AuditEntry[]) =>
    server.on(listAudit, () => ({
      items,
      meta: { page: 1, page_total: 1, page_size: 50, total: items.length },
      sort: {},
    }))
  const muted: AuditEntry = {
    id: '1',
    at: Date.now(),
    actor: { id: '7', username: '会长', kind: 'member' },
    type: 'member_muted',
    target: { kind: 'member', id: '5', name: '小满' },
    before: null,
    after: { type: 3, ends_at: 0 },
    reason: '',
  }

  test('is not shown to who may not see the log', async () => {
    guild = { ...guild, permissions: permission.manage_role }
    server.on(viewUser, () => everybody[0]!)
    open('?member=5')
    expect(await screen.findByRole('heading', { name: '小满' })).toBeTruthy()
    expect(screen.queryByText('操作记录')).toBeNull()
    expect(server.received(listAudit)).toEqual([])
  })

  test('and what they did is reached from the list by who may see the log and nothing else', async () => {
    guild = { ...guild, permissions: permission.view_log }
    server.on(viewUser, () => everybody[0]!)
    logged(muted)
    open()
    await pressSoon('管理 小满')
    fireEvent.click(await screen.findByRole('link', { name: '管理记录' }))
    expect(await screen.findByText(/禁言了 小满/)).toBeTruthy()
    expect(server.received(listAudit).at(-1)).toMatchObject({ guild_id: '10', target_id: '5' })
    logged()
    fireEvent.click(screen.getByRole('radio', { name: '此人的操作' }))
    expect(await screen.findByText('没有记录')).toBeTruthy()
    expect(server.received(listAudit).at(-1)).toMatchObject({ user_id: '5' })
  })

  test('is shown of somebody who left, too', async () => {
    server.on(viewUser, ({ guild_id }) => (guild_id ? fail('user.unknown') : everybody[0]!))
    logged(muted)
    open('?member=5')
    expect(await screen.findByText(/不在公会里/)).toBeTruthy()
    expect(await screen.findByText(/禁言了 小满/)).toBeTruthy()
  })
})

describe('notes on a member', () => {
  const noteOf = (id: string, content: string, author = memberOf('9', '会长')): Note => ({
    id,
    content,
    author,
    created_at: Date.now(),
    updated_at: Date.now(),
  })
  const mine = (id: string, content: string) => noteOf(id, content, memberOf(sessionOf().user.id, '我'))
  let notes: Note[]
  beforeEach(() => {
    notes = []
    guild = { ...guild, permissions: permission.mute_member }
    server.on(viewUser, () => everybody[0]!)
    server.on(listNotes, () => ({ items: notes }))
  })
  const listed = () => within(screen.getByRole('list', { name: '备注' })).getAllByRole('listitem')

  test('are not asked for by who is no moderator, nor on oneself', async () => {
    guild = { ...guild, permissions: permission.manage_role }
    open('?member=5')
    expect(await screen.findByRole('heading', { name: '小满' })).toBeTruthy()
    cleanup()
    guild = { ...guild, permissions: permission.mute_member }
    open(`?member=${sessionOf().user.id}`)
    expect(await screen.findByRole('heading', { name: '小满' })).toBeTruthy()
    expect(screen.queryByText('备注')).toBeNull()
    expect(server.received(listNotes)).toEqual([])
  })

  test('that are empty or refused are said, and keep their words', async () => {
    server.on(createNote, () => fail('note.full', { most: 50 }))
    open('?member=5')
    await pressSoon('添加')
    expect(await screen.findByText('请先写点内容')).toBeTruthy()
    expect(server.received(createNote)).toEqual([])
    type('写一条备注', '先观察')
    press('添加')
    expect(await screen.findByText('每位成员最多有 50 条备注')).toBeTruthy()
    expect(screen.getByLabelText('写一条备注')).toHaveProperty('value', '先观察')
  })

  test('are written, and one’s own changed', async () => {
    server.on(createNote, ({ content }) => {
      notes = [mine('1', content)]
      return notes[0]!
    })
    server.on(updateNote, ({ content }) => {
      notes = [{ ...mine('1', content), updated_at: Date.now() + 1 }]
      return notes[0]!
    })
    open('?member=5')
    await typeSoon('写一条备注', '先观察')
    press('添加')
    expect(await screen.findByText('先观察')).toBeTruthy()
    await expect.poll(() => screen.getByLabelText('写一条备注')).toHaveProperty('value', '')
    press('修改 我 的备注')
    type('备注内容', '道歉了')
    press('保存')
    expect(await screen.findByText('道歉了')).toBeTruthy()
    expect(server.received(updateNote)).toMatchObject([{ guild_id: '10', id: '1', content: '道歉了' }])
  })

  test('of others are deleted by who manages the guild alone, and changed by nobody', async () => {
    notes = [noteOf('2', '又来了'), mine('1', '先观察')]
    open('?member=5')
    await screen.findByText('又来了')
    expect(within(listed()[0]!).queryByRole('button')).toBeNull()
    cleanup()
    guild = { ...guild, permissions: permission.mute_member | permission.manage_guild }
    cache.clear()
    server.on(deleteNote, ({ id }) => {
      notes = notes.filter((it) => it.id !== id)
      return {}
    })
    open('?member=5')
    await pressSoon('删除 会长 的备注')
    expect(screen.queryByRole('button', { name: '修改 会长 的备注' })).toBeNull()
    press('删除')
    await expect.poll(() => screen.queryByText('又来了')).toBeNull()
    expect(server.received(deleteNote)).toMatchObject([{ id: '2' }])
  })

  test('that somebody else deleted go from the list, and what was written instead stays', async () => {
    notes = [mine('1', '先观察')]
    server.on(updateNote, () => fail('note.unknown'))
    open('?member=5')
    await pressSoon('修改 我 的备注')
    type('备注内容', '道歉了')
    press('保存')
    expect(await screen.findByText('这条备注已被删除')).toBeTruthy()
    expect(screen.getByLabelText('备注内容')).toHaveProperty('value', '道歉了')
  })
})
