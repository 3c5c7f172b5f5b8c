import { channelType, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Suspense } from '../../kit/lazy/lazy.tsx'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { fill, press, pressSoon, typeSoon } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import AccountPages from '../AccountPages.tsx'

const ruleOf = (id: string, name: string, more: Partial<wire.GuildRule> = {}): wire.GuildRule => ({
  id,
  guild_id: '10' as GuildId,
  name,
  kind: 'link',
  words: [],
  action: 1,
  conditions: [],
  limit_time: 0,
  acts: [{ type: 'delete' }],
  exempt_roles: [],
  exempt_channels: [],
  message: '',
  switch: true,
  caught: 0,
  paused_until: 0,
  user_id: '1' as UserId,
  created_at: 0,
  updated_at: 0,
  ...more,
})
const heldOf = (id: string, content: string): wire.GuildHeld => ({
  id,
  channel_id: '20' as ChannelId,
  channel_name: '大厅',
  user_id: '2' as UserId,
  username: '小满',
  content,
  rule: '不许发链接',
  created_at: 0,
})

const page = () => ({
  items: rules,
  meta: { page: 1, page_total: 1, page_size: wire.RULES_MAX, total: rules.length },
  sort: {},
})

let server: ReturnType<typeof fakeServer>
let guild: Guild
let rules: wire.GuildRule[]
let held: wire.GuildHeld[]
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  rules = [ruleOf('1', '不许发链接', { caught: 3 }), ruleOf('2', '刷屏', { kind: 'flood', switch: false })]
  held = []
  guild = { ...guildOf('10', '夜航'), permissions: permission.manage_guild }
  server.on(viewGuild, () => guild)
  server.on(wire.listRules, page)
  server.on(wire.listGuildHeld, () => ({ items: held }))
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

const open = (query = '') =>
  renderAt(
    `/guild/settings/10/moderation${query}`,
    '/*',
    <Suspense>
      <AccountPages />
    </Suspense>,
    sessionOf().user,
  )
const rows = async () =>
  within(await screen.findByRole('list', { name: '规则' }))
    .getAllByRole('listitem')
    .map((it) => it.textContent)
const follow = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('link', { name }))
const choose = (label: string, value: string) => fill(screen.getByLabelText(label), { value })

test('who manages neither the guild nor messages does not get there', async () => {
  guild = { ...guild, permissions: permission.manage_invite }
  open()
  expect(await screen.findByRole('navigation', { name: '设置项' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: '新建规则' })).toBeNull()
})

test('who manages messages alone sees what waits, and no rules', async () => {
  guild = { ...guild, permissions: permission.manage_message }
  open()
  expect(await screen.findByText('没有等待审核的消息')).toBeTruthy()
  expect(screen.queryByRole('link', { name: '新建规则' })).toBeNull()
  expect(server.received(wire.listRules)).toEqual([])
})

test('rules that do not load are asked for again, and none is said', async () => {
  server.on(wire.listRules, () => fail('unavailable'))
  open()
  expect(await screen.findByText('规则没有加载出来')).toBeTruthy()
  rules = []
  server.on(wire.listRules, page)
  await pressSoon(/重试/)
  expect(await screen.findByText('还没有规则')).toBeTruthy()
})

test('each rule says what it is and what it caught; one that is switched shows it at once', async () => {
  open()
  expect(await rows()).toEqual([
    '不许发链接链接 · 最近 7 天命中 3 次修改',
    '刷屏刷屏 · 最近 7 天没有命中修改',
  ])
  server.on(wire.updateRule, ({ id }) => {
    rules = rules.map((it) => (it.id === String(id) ? { ...it, switch: true } : it))
    return rules[1]!
  })
  const flood = () => screen.getByRole<HTMLInputElement>('switch', { name: '刷屏' })
  fireEvent.click(flood())
  expect(flood().checked).toBe(true)
  await expect.poll(() => server.received(wire.updateRule)).toEqual([{ guild_id: '10', id: 2, switch: true }])
  await expect.poll(() => flood().checked).toBe(true)
})

test('a switch that is refused goes back, and says why', async () => {
  server.on(wire.updateRule, () => fail('moderation.unknown'))
  open()
  await rows()
  fireEvent.click(screen.getByRole('switch', { name: '刷屏' }))
  expect(await screen.findByText('规则不存在，可能已被删除')).toBeTruthy()
  await expect.poll(() => screen.getByRole<HTMLInputElement>('switch', { name: '刷屏' }).checked).toBe(false)
})

test('a guild with as many rules as it may have is told so, and makes no more', async () => {
  rules = Array.from({ length: wire.RULES_MAX }, (_, n) => ruleOf(String(n + 1), `第 ${n} 条`))
  open()
  expect(await screen.findByText('最多 20 条规则')).toBeTruthy()
  expect(screen.queryByRole('link', { name: '新建规则' })).toBeNull()
})

test('a rule of words is made: patterns are told from words, and it does at least one thing', async () => {
  open()
  await follow('新建规则')
  await follow(/^关键词/)
  await typeSoon('关键词，一行一个', '代练\n\n加*微信 \n')
  choose('命中的消息', 'none')
  press('保存')
  expect(await screen.findByText('至少选一种处理方式')).toBeTruthy()
  choose('命中的消息', 'hold')
  choose('禁言作者', '600')
  server.on(wire.createRule, () => fail('moderation.word_wrong', { word: '!!' }))
  press('保存')
  expect(await screen.findByText('「!!」里没有文字或数字')).toBeTruthy()
  server.on(wire.createRule, ({ name }) => {
    rules = [...rules, ruleOf('3', name, { kind: 'word' })]
    return rules[2]!
  })
  press('保存')
  await expect.poll(rows).toHaveLength(3)
  expect(server.received(wire.createRule).at(-1)).toEqual({
    guild_id: '10',
    kind: 'word',
    name: '关键词',
    words: ['代练'],
    patterns: ['加*微信'],
    count: 0,
    repeats: 0,
    acts: [{ type: 'hold' }, { type: 'mute', duration: 600 }],
    exempt_roles: [],
    exempt_channels: [],
    message: '',
    switch: true,
  })
})

test('a rule leaves channels and categories alone, and has own words for who is stopped', async () => {
  const gone = '99' as ChannelId
  guild = {
    ...guild,
    channels: [channelOf('30', '活动', { type: channelType.category }), channelOf('20', '大厅')],
  }
  rules = [ruleOf('1', '不许发链接', { exempt_channels: [gone] })]
  server.on(wire.updateRule, () => rules[0]!)
  open('?rule=1')
  const alone = within(await screen.findByRole('group', { name: '不受限制的频道和分组' }))
  expect(alone.getAllByRole('checkbox').map((it) => it.closest('label')?.textContent)).toEqual([
    '活动（分组）',
    '#大厅',
  ])
  fireEvent.click(alone.getByRole('checkbox', { name: '#大厅' }))
  await typeSoon('告诉作者的话', '链接发到活动频道')
  press('保存')
  await expect
    .poll(() => server.received(wire.updateRule))
    .toEqual([{ guild_id: '10', id: 1, exempt_channels: [gone, '20'], message: '链接发到活动频道' }])
})

test('words of its own are for who is stopped, and not for who waits', async () => {
  open('?rule=1')
  expect(await screen.findByLabelText('告诉作者的话')).toBeTruthy()
  choose('命中的消息', 'hold')
  expect(screen.queryByLabelText('告诉作者的话')).toBeNull()
})

test('a restriction of accounts needs a condition, and says for how long', async () => {
  server.on(wire.createRule, () => rules[0]!)
  open('?rule=new-restriction')
  expect(await screen.findByText('选中的条件都满足的人才受限制。')).toBeTruthy()
  choose('账号注册不满', '0')
  press('保存')
  expect(await screen.findByText('至少选一个条件')).toBeTruthy()
  choose('账号注册不满', '10080')
  fireEvent.click(screen.getByRole('checkbox', { name: '没有实名认证' }))
  fireEvent.click(screen.getByRole('checkbox', { name: '手机号不是中国大陆的' }))
  fireEvent.click(screen.getByRole('checkbox', { name: '手机号不是中国大陆的' }))
  choose('加入后限制多久', '60')
  press('保存')
  await expect
    .poll(() => server.received(wire.createRule)[0])
    .toMatchObject({
      kind: 'restriction',
      conditions: [{ type: 'reg', duration: 10_080 }, { type: 'real_auth' }],
      limit_time: 60,
      acts: [{ type: 'delete' }],
    })
})

test('a rule against invites allows guilds, by their ids or by invites', async () => {
  rules = [ruleOf('5', '邀请', { kind: 'invite', guilds: ['77'], guilds_are: 'refused' })]
  server.on(wire.updateRule, () => fail('moderation.guild_wrong', { word: '别处' }))
  server.on(listGuilds, () => [guild, guildOf('77', '星海'), guildOf('78', '山风')])
  open('?rule=5')
  expect(await screen.findByLabelText('公会，一行一个')).toHaveProperty('value', '77')
  expect(screen.getByLabelText('邀请到其他公会')).toHaveProperty('value', 'refused')
  const own = within(await screen.findByRole('group', { name: '我所在的公会' }))
  expect(own.getAllByRole('checkbox').map((it) => it.closest('label')?.textContent)).toEqual(['星海', '山风'])
  expect(own.getByRole<HTMLInputElement>('checkbox', { name: '星海' }).checked).toBe(true)
  fireEvent.click(own.getByRole('checkbox', { name: '山风' }))
  expect(screen.getByLabelText('公会，一行一个')).toHaveProperty('value', '77\n78')
  fireEvent.click(own.getByRole('checkbox', { name: '山风' }))
  choose('邀请到其他公会', 'allowed')
  await typeSoon('公会，一行一个', '77\n别处')
  press('保存')
  expect(await screen.findByText('「别处」不是公会编号，也不是本站的邀请链接')).toBeTruthy()
  expect(server.received(wire.updateRule)).toEqual([
    { guild_id: '10', id: 5, guilds: ['77', '别处'], guilds_are: 'allowed' },
  ])
})

test('only what differs is sent of a changed rule, and a value from elsewhere stays', async () => {
  rules = [
    ruleOf('2', '刷屏', { kind: 'flood', count: 7, seconds: 10, acts: [{ type: 'mute', duration: 90 }] }),
  ]
  server.on(wire.updateRule, () => rules[0]!)
  open()
  await follow('修改规则「刷屏」')
  expect(await screen.findByLabelText('最多几条消息')).toHaveProperty('value', '7')
  expect(screen.getByLabelText('禁言作者')).toHaveProperty('value', '90')
  choose('在多长时间内', '30')
  press('保存')
  await expect.poll(() => server.received(wire.updateRule)).toEqual([{ guild_id: '10', id: 2, seconds: 30 }])
  expect(await rows()).toHaveLength(1)
})

test('a rule is tried before it is switched on, and says what it would catch', async () => {
  server.on(wire.tryRule, () => ({
    tried: 1_000,
    caught: 2,
    items: [
      {
        msg_id: '0f8fad5b-d9cb-469f-a165-70867728950e' as MessageId,
        channel_id: '20' as ChannelId,
        channel_name: '大厅',
        user_id: '2' as UserId,
        username: '小满',
        content: '看 evil.com',
        create_at: 0,
      },
    ],
  }))
  open('?rule=new-link')
  await typeSoon('放行的网站，一行一个', 'bilibili.com')
  press('用最近的消息试一下')
  expect(await screen.findByText('最近 1000 条消息里会命中 2 条')).toBeTruthy()
  expect(screen.getByRole('list', { name: '会命中的消息' }).textContent).toBe('看 evil.com小满 · #大厅')
  expect(server.received(wire.tryRule)[0]).toMatchObject({ kind: 'link', words: ['bilibili.com'] })
})

test('a rule is deleted after a question; one that somebody else deleted is said to be gone', async () => {
  server.on(wire.deleteRule, ({ id }) => {
    rules = rules.filter((it) => it.id !== String(id))
    return {}
  })
  open('?rule=1')
  await pressSoon('删除规则')
  const dialog = within(await screen.findByRole('alertdialog'))
  fireEvent.click(dialog.getByRole('button', { name: '删除规则' }))
  await expect.poll(rows).toHaveLength(1)
  cleanup()
  open('?rule=1')
  expect(await screen.findByText('这条规则不在了')).toBeTruthy()
  await follow('返回规则列表')
  expect(await rows()).toHaveLength(1)
})

test('a rule whose event comes before the answer leads back to the others', async () => {
  const answer = server.waits(wire.deleteRule)
  open('?rule=1')
  await pressSoon('删除规则')
  const dialog = within(await screen.findByRole('alertdialog'))
  fireEvent.click(dialog.getByRole('button', { name: '删除规则' }))
  await expect.poll(() => server.received(wire.deleteRule)).toHaveLength(1)
  rules = rules.filter((it) => it.id !== '1')
  void cache.invalidateQueries({ queryKey: ['GET', wire.listRules.path] })
  expect(await screen.findByText('这条规则不在了')).toBeTruthy()
  answer({})
  await expect.poll(rows).toHaveLength(1)
})

test('a rule against raids says how long joining is limited, and a pause is lifted by hand', async () => {
  rules = [ruleOf('4', '防突袭', { kind: 'raid', paused_until: Date.now() + 600_000 })]
  server.on(wire.liftPause, () => {
    rules = rules.map((it) => ({ ...it, paused_until: 0 }))
    return {}
  })
  open()
  expect(await screen.findByText(/发现突袭，已限制加入，到 /)).toBeTruthy()
  press('立即恢复加入')
  expect(await screen.findByText('可以加入了')).toBeTruthy()
  await expect.poll(() => screen.queryByText(/已限制加入/)).toBeNull()
  server.on(wire.createRule, () => rules[0]!)
  await follow('新建规则')
  await follow(/^突袭/)
  await typeSoon('规则名称', '再防')
  expect(screen.queryByRole('button', { name: '用最近的消息试一下' })).toBeNull()
  choose('限制多久', '3600')
  press('保存')
  await expect
    .poll(() => server.received(wire.createRule)[0])
    .toMatchObject({ kind: 'raid', count: 10, seconds: 60, acts: [{ type: 'close', duration: 3_600 }] })
})

test('a raid can mean a captcha for those who join, which the rule says again when it is opened', async () => {
  server.on(wire.createRule, ({ guild_id: _, ...input }) => {
    rules = [ruleOf('4', '突袭', input as Partial<wire.GuildRule>)]
    return rules[0]!
  })
  open()
  await follow('新建规则')
  await follow(/^突袭/)
  await screen.findByLabelText('对加入的人')
  choose('对加入的人', 'captcha')
  press('保存')
  await follow('修改规则「突袭」')
  expect((await screen.findByLabelText<HTMLSelectElement>('对加入的人')).value).toBe('captcha')
  expect(screen.getByLabelText<HTMLSelectElement>('限制多久').value).toBe('600')
  expect(server.received(wire.createRule)[0]).toMatchObject({ acts: [{ type: 'captcha', duration: 600 }] })
})

test('messages that wait are sent or rejected; what another moderator decided leaves', async () => {
  held = [heldOf('5', '看 evil.com'), heldOf('6', '看 evil.cn')]
  server.on(wire.decideGuildHeld, ({ id }) => {
    held = held.filter((it) => it.id !== String(id))
    return id === 5 ? {} : fail('moderation.held_decided')
  })
  open()
  const list = () => screen.queryByRole('list', { name: '等待审核的消息' })?.textContent ?? ''
  await expect.poll(list).toContain('看 evil.com小满 · #大厅 · 规则「不许发链接」')
  fireEvent.click(screen.getAllByRole('button', { name: '通过 小满 的消息' })[0]!)
  expect(await screen.findByText('已发出')).toBeTruthy()
  await expect.poll(list).not.toContain('evil.com')
  press('拒绝 小满 的消息')
  expect(await screen.findByText('这条消息已被处理')).toBeTruthy()
  await expect.poll(list).toBe('')
  expect(server.received(wire.decideGuildHeld)).toMatchObject([
    { guild_id: '10', id: 5, pass: true },
    { guild_id: '10', id: 6, pass: false },
  ])
})
