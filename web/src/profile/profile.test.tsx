import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { deleteBanner, updateGuild, updateRecommended, viewUpdate } from '@guildhall/wire/profile/profile.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followBars } from '../app/shell/shellBars.ts'
import { setShell } from '../native/shell.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { guildOf } from '../testing/fixtures.ts'
import { typeSoon } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import ProfileScreen from './ProfileScreen.tsx'

const profile = { name: '深夜电台', icon: '', desc: '说点轻的', banner: '' }
const info = { banner: '', desc: '说点轻的', audit_status: 1, update_day_gap: 0, audit_reason: '' }

let server: ReturnType<typeof fakeServer>
let guild: Guild
beforeEach(() => {
  server = fakeServer()
  guild = { ...guildOf('10', profile.name), topic: profile.desc, permissions: permission.manage_guild }
  server.on(viewGuild, () => guild)
  server.on(viewUpdate, () => profile)
})
afterEach(() => {
  cleanup()
  setShell(null)
  vi.unstubAllGlobals()
})

const open = () =>
  renderAt('/guild/profile/10', '/guild/profile/:id', <ProfileScreen guildId={'10' as GuildId} />)
const save = () => fireEvent.click(screen.getByRole('button', { name: '保存' }))

test('who may not manage the guild gets no form', async () => {
  guild = { ...guild, permissions: 0 }
  open()
  expect(await screen.findByText('你没有管理公会的权限')).toBeTruthy()
  expect(screen.queryByLabelText('服务器名称')).toBeNull()
  expect(screen.getByRole('link', { name: '回到我的公会' })).toBeTruthy()
})

test('who is not in the guild is told so, and led to their guilds', async () => {
  server.on(viewGuild, () => fail('forbidden'))
  open()
  expect(await screen.findByText('你不在这个公会里')).toBeTruthy()
  expect(screen.getByRole('link', { name: '回到我的公会' })).toBeTruthy()
})

test('empty fields are refused beside their labels, and nothing is sent', async () => {
  open()
  await typeSoon('服务器名称', ' ')
  await typeSoon('服务器描述', '')
  save()
  expect(await screen.findByText('服务器名称不能为空。')).toBeTruthy()
  expect(screen.getByText('服务器描述不能为空。')).toBeTruthy()
  expect(server.received(updateGuild)).toEqual([])
})

test('what the server says of a field stands beside it; other words are a toast', async () => {
  server.on(updateGuild, () => fail('guild.name_wrong'))
  open()
  await typeSoon('服务器名称', '不合适')
  save()
  expect(await screen.findByText(/名称为 1-30 个字符/)).toBeTruthy()
  server.on(updateGuild, () => fail('guild.level', { level: 2 }))
  await typeSoon('服务器名称', '新名字')
  save()
  expect((await screen.findAllByText(/公会达到 2 级后才能使用/)).length).toBe(2)
})

test('only what changed is sent, once while it is being saved, and then the form is clean', async () => {
  let answer: (() => void) | undefined
  server.on(updateGuild, () => new Promise((done) => (answer = () => done({ ...profile, name: '新名字' }))))
  open()
  await screen.findByLabelText('服务器名称')
  expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
  await typeSoon('服务器名称', '新名字')
  save()
  save()
  await waitFor(() => expect(answer).toBeDefined())
  guild = { ...guild, name: '新名字' }
  answer?.()
  expect(await screen.findByText('修改成功')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: '保存' })).toBeNull())
  expect(server.received(updateGuild)).toEqual([{ id: '10', name: '新名字' }])
})

test('the banner is deleted at once when that is confirmed, and what is typed stays', async () => {
  guild = { ...guild, level: 6, banner: '/assets/a.png' }
  server.on(deleteBanner, () => {
    guild = { ...guild, banner: '' }
    return {}
  })
  open()
  await typeSoon('服务器描述', '还没有存')
  fireEvent.click(await screen.findByRole('button', { name: '删除横幅' }))
  const asked = await screen.findByRole('alertdialog', { name: '确定要删除横幅吗？' })
  fireEvent.click(within(asked).getByRole('button', { name: '删除横幅' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: '删除横幅' })).toBeNull())
  expect((screen.getByLabelText('服务器描述') as HTMLTextAreaElement).value).toBe('还没有存')
  expect(screen.getByRole('button', { name: '保存' })).toBeTruthy()
})

test('a recommended guild keeps its banner; a guild without the level has none', async () => {
  guild = { ...guild, level: 6, banner: '/assets/a.png', recommend_info: info }
  open()
  expect(await screen.findByLabelText('更换 公会横幅')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '删除横幅' })).toBeNull()
  cleanup()
  guild = { ...guild, level: 0, banner: '', recommend_info: null }
  open()
  expect(await screen.findByLabelText('更换 公会图标')).toBeTruthy()
  expect(screen.queryByLabelText('更换 公会横幅')).toBeNull()
})

test('a recommended guild under review cannot be changed; a locked one says for how many days', async () => {
  guild = { ...guild, recommend_info: { ...info, audit_status: 0 } }
  open()
  expect(await screen.findByRole('heading', { name: '审核中' })).toBeTruthy()
  expect(
    ((await screen.findByLabelText('服务器名称')).closest('fieldset') as HTMLFieldSetElement).disabled,
  ).toBe(true)
  cleanup()
  guild = { ...guild, recommend_info: { ...info, update_day_gap: 3 } }
  open()
  expect(await screen.findByText('3 天后可以再次修改')).toBeTruthy()
  expect(
    ((await screen.findByLabelText('服务器名称')).closest('fieldset') as HTMLFieldSetElement).disabled,
  ).toBe(true)
})

test('a rejected change says why, and is handed in again in the app, which then closes', async () => {
  guild = { ...guild, recommend_info: { ...info, audit_status: 2, audit_reason: '名字不合适' } }
  server.on(updateRecommended, () => {
    guild = { ...guild, recommend_info: { ...info, audit_status: 0 } }
    return {}
  })
  const native = fakeShell()
  setShell(native.shell)
  followBars(native.shell)
  open()
  expect(await screen.findByText('原因：名字不合适')).toBeTruthy()
  await typeSoon('服务器名称', '像素小坊')
  await waitFor(() =>
    expect(native.calls).toContainEqual([
      'show_navigation_bar',
      { title: '服务器信息', action: { text: '保存', enabled: true }, catch_left: true },
    ]),
  )
  act(() => native.tell('on_click_navigation_left'))
  expect(await screen.findByRole('alertdialog', { name: '放弃修改？' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '继续编辑' }))
  act(() => native.tell('on_click_navigation_right'))
  expect(await screen.findByText('工作人员将在一个工作日内完成审核')).toBeTruthy()
  expect(await screen.findByText('修改正在审核中，审核完成后可以再次修改')).toBeTruthy()
  expect(server.received(updateRecommended)).toEqual([{ guild_id: '10', name: '像素小坊' }])
  fireEvent.click(screen.getByRole('button', { name: '知道了' }))
  await waitFor(() => expect(native.calls.map(([name]) => name)).toContain('close_webview'))
})
