import {
  addBot,
  createBot,
  deleteBot,
  type GuildBot,
  listBots,
  removeBot,
  renewBotToken,
  updateBot,
} from '@guildhall/wire/bot/bot.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { BOTS_PATH } from '@guildhall/wire/member/event.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { openSettings } from '../../testing/openSettings.tsx'

const TOKEN = '1/MTA=/abcdefghijklmnop'
const home = { id: '10' as GuildId, name: '夜航' }
const other = { id: '11' as GuildId, name: '茶馆' }
const faceOf = (id: string, username: string) => ({
  ...sessionOf().user,
  id: id as UserId,
  username,
  identify_num: '1234',
})
const botOf = (id: string, name: string, more: Partial<GuildBot> = {}): GuildBot => ({
  user: { ...faceOf(id, name), bot: true },
  owner: faceOf('1', '小满'),
  roles: [],
  is_mine: true,
  guilds: [home],
  ...more,
})

let server: ReturnType<typeof fakeServer>
let guild: Guild
let items: GuildBot[]
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  items = [
    botOf('50', '报时', { roles: [5], guilds: [home, { id: '12' as GuildId, name: '集市' }] }),
    botOf('51', '老管家', { owner: null, is_mine: false }),
  ]
  const role = { role_id: 5, name: '报时员', color: 0, position: 1, hoist: 0, mentionable: 0, permissions: 0 }
  const permissions = permission.manage_guild | permission.manage_role
  guild = { ...guildOf('10', '夜航'), permissions, roles: [role] }
  server.on(viewGuild, () => guild)
  server.on(listBots, () => ({ items, targets: [home, other] }))
})
afterEach(() => {
  cleanup()
  // A sheet is still leaving.
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const open = () => openSettings('/bots')
const rows = async () =>
  within(await screen.findByRole('list', { name: '机器人' }))
    .getAllByRole('listitem')
    .map((it) => it.textContent)
const confirm = (name: string) =>
  within(screen.getByRole('alertdialog')).getByRole('button', { name }).click()

test('who does not manage the guild does not get there', async () => {
  guild = { ...guild, permissions: permission.manage_emoji }
  open()
  expect(await screen.findByRole('navigation', { name: '设置项' })).toBeTruthy()
  expect(server.received(listBots)).toEqual([])
})

test('a list that does not load offers another try', async () => {
  server.on(listBots, () => fail('internal'))
  open()
  expect(await screen.findByText('机器人没有加载出来')).toBeTruthy()
})

test('a name that is refused is said under its field, anything else above the button', async () => {
  server.on(createBot, () => fail('user.name_wrong'))
  open()
  await pressSoon('新建机器人')
  press('创建')
  await expect.poll(() => screen.getByLabelText('名称').getAttribute('aria-invalid')).toBe('true')
  server.on(createBot, () => fail('bot.owns_too_many', { n: 20 }))
  press('创建')
  expect(await screen.findByText('每人最多创建 20 个机器人')).toBeTruthy()
})

test('a bot of somebody else is taken out of the guild, and nothing more', async () => {
  server.on(removeBot, () => fail('member.above'))
  open()
  await pressSoon('管理 老管家')
  const sheet = screen.getByRole('dialog', { name: '管理 老管家' })
  const acts = within(sheet)
    .getAllByRole('button')
    .map((it) => it.textContent)
  expect(acts).toEqual(['', '移出本公会'])
  press('移出本公会')
  press('取消')
  expect(server.received(removeBot)).toEqual([])
  press('移出本公会')
  confirm('移出本公会')
  expect(await screen.findByText('不能对与你同级或更高的成员执行此操作')).toBeTruthy()
  server.on(removeBot, ({ bot_id }) => {
    items = items.filter(({ user }) => user.id !== bot_id)
    return {}
  })
  press('移出本公会')
  confirm('移出本公会')
  await expect.poll(rows).toHaveLength(1)
})

test('a bot whose leaving is told before the answer is said to be gone', async () => {
  const answer = server.waits(removeBot)
  open()
  await pressSoon('管理 老管家')
  press('移出本公会')
  confirm('移出本公会')
  await expect.poll(() => server.received(removeBot)).toHaveLength(1)
  items = items.filter(({ user }) => user.username !== '老管家')
  void cache.invalidateQueries({ queryKey: ['GET', BOTS_PATH] })
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  answer({})
  expect(await screen.findByText('「老管家」已移出')).toBeTruthy()
})

test('bots are listed with their roles, owner and other guilds; who manages roles is led to them', async () => {
  open()
  expect(await rows()).toEqual([
    '报报时#1234角色：报时员由 小满 创建所在公会：夜航, 集市管理',
    '老老管家#1234没有角色由站点创建管理',
  ])
  expect(screen.getByRole('link', { name: '打开角色' }).getAttribute('href')).toBe('/guild/settings/10/roles')
})

test('a bot that somebody brings appears', async () => {
  open()
  expect(await rows()).toHaveLength(2)
  items = [...items, botOf('52', '播报')]
  void cache.invalidateQueries({ queryKey: ['GET', BOTS_PATH] })
  await expect.poll(rows).toHaveLength(3)
})

test('the token of a new bot is shown this once, and copied', async () => {
  const written: string[] = []
  vi.stubGlobal('navigator', {
    ...navigator,
    onLine: true,
    clipboard: { writeText: async (it: string) => void written.push(it) },
  })
  server.on(createBot, ({ name }) => {
    const bot = botOf('53', name)
    items = [...items, bot]
    return { bot, token: TOKEN }
  })
  open()
  await pressSoon('新建机器人')
  await typeSoon('名称', '迎宾')
  press('创建')
  expect((await screen.findByRole('status', { name: '令牌' })).textContent).toBe(TOKEN)
  press('复制令牌')
  await expect.poll(() => written).toEqual([TOKEN])
  press('完成')
  await expect.poll(rows).toHaveLength(3)
  expect(server.received(createBot)).toEqual([{ guild_id: '10', name: '迎宾', icon: '' }])
  expect(screen.getByRole('main').textContent).not.toContain(TOKEN)
})

test('a token is renewed after a question', async () => {
  server.on(renewBotToken, () => ({ token: TOKEN }))
  open()
  await pressSoon('管理 报时')
  press('更新令牌')
  expect(server.received(renewBotToken)).toEqual([])
  confirm('更新令牌')
  expect((await screen.findByRole('status', { name: '令牌' })).textContent).toBe(TOKEN)
})

test('a bot is renamed, and what was not changed is not sent', async () => {
  server.on(updateBot, ({ name }) => {
    items = items.map((it) =>
      it.user.id === '50' ? { ...it, user: { ...it.user, username: name ?? '' } } : it,
    )
    return {}
  })
  open()
  await pressSoon('管理 报时')
  type('名称', '播报')
  press('保存')
  await expect.poll(async () => (await rows())[0]).toContain('播报#1234')
  expect(server.received(updateBot)).toEqual([{ bot_id: '50', name: '播报' }])
})

test('a bot is taken along to another guild of one’s own, and deleted after a question', async () => {
  server.on(addBot, ({ guild_id }) => {
    items = items.map((it) =>
      it.user.id === '50' ? { ...it, guilds: [...it.guilds, { ...other, id: guild_id }] } : it,
    )
    return {}
  })
  server.on(deleteBot, () => {
    items = items.slice(1)
    return {}
  })
  open()
  await pressSoon('管理 报时')
  press('加入')
  expect(await screen.findByText('已加入「茶馆」')).toBeTruthy()
  expect(server.received(addBot)).toEqual([{ bot_id: '50', guild_id: '11' }])
  await expect.poll(() => screen.queryByLabelText('加入另一个公会')).toBeNull()
  press('删除机器人')
  confirm('删除机器人')
  await expect.poll(rows).toHaveLength(1)
})
