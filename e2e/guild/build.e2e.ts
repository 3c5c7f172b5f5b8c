/** A guild is built from nothing on a phone and is alive at once: rooms, roles, emoji, bot, rule, invite. */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { atRest } from '../ask.ts'
import { caller, openGatewayConnection } from '../botClient.ts'
import { useFixture } from '../fixture.ts'
import { picture } from '../phone.ts'

const fixture = useFixture()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** From the guild's page into a section of its settings. */
async function openSection(page: Page, guildId: GuildId, name: string): Promise<void> {
  await page.goto(`/guild/settings/${guildId}`)
  await page.getByRole('navigation', { name: '设置项' }).getByRole('link', { name, exact: true }).tap()
}

async function makeGuild(page: Page): Promise<GuildId> {
  await button(page, '创建或加入公会').tap()
  await button(page, /^创建公会/).tap()
  await page.getByLabel('公会名称').fill('夜航')
  await button(page, '完成').tap()
  await button(page, '进入公会').tap()
  await expect(page.getByRole('heading', { name: '夜航' })).toBeVisible()
  return new URL(page.url()).pathname.split('/')[2] as GuildId
}

async function makeChannel(page: Page, name: string, category: string | null): Promise<void> {
  const kind = category === null ? '新建分组' : '新建频道'
  const sheet = page.getByRole('dialog', { name: kind })
  await button(page, kind).tap()
  await sheet.getByLabel('名称', { exact: true }).fill(name)
  if (category) await sheet.getByLabel('所属分组').selectOption({ label: category })
  await sheet.getByRole('button', { name: '创建', exact: true }).tap()
  if (category !== null) await button(page, '完成').tap()
  await expect(page.locator('[data-part=channel-name]').getByText(name, { exact: true })).toBeVisible()
  await expect(page.locator('[role=dialog]')).toHaveCount(0)
}

async function makeRole(page: Page, name: string, right?: string): Promise<void> {
  await button(page, '新建角色').tap()
  await page.getByLabel('名称', { exact: true }).fill(name)
  if (right) await page.getByRole('switch', { name: right }).check()
  await button(page, '保存').tap()
  await expect(page.getByText('已保存').first()).toBeVisible()
  await button(page, '返回').tap()
  await expect(page.locator('[data-part=role-name]').getByText(name, { exact: true })).toBeVisible()
}

/** Makes a bot and returns its token, which is shown this once. */
async function makeBot(page: Page, name: string): Promise<string> {
  await button(page, '新建机器人').tap()
  await page.getByLabel('名称').fill(name)
  await page.getByRole('button', { name: '创建', exact: true }).tap()
  const token = page.getByRole('status', { name: '令牌' })
  await expect(token).toHaveText(/.{20}/)
  const found = await atRest(() => token.innerText())
  await button(page, '完成').tap()
  return found
}

/** A bot that greets in a channel whoever joins; `greeted` resolves when it has. */
async function startGreeter(token: string, guildId: GuildId, channelId: string) {
  const call = caller(fixture.server.url, `Bot ${token}`)
  const { data } = await call<{ url: string }>('GET', 'gateway/index', { compress: 0 })
  const connection = await openGatewayConnection(data.url)
  const greeted = connection.event('joined_guild').then(async ({ d }) => {
    expect(d?.target_id).toBe(guildId)
    await call('POST', 'message/create', { target_id: channelId, content: '欢迎上船' })
    connection.terminate()
  })
  return { greeted }
}

test('a guild gets channels, roles, a private room, an emoji, a bot that greets, a rule and an invite', async () => {
  const page = await fixture.enter('member', '/channels/')
  const guildId = await makeGuild(page)
  const seenBy = (who: 'member' | 'outsider') => fixture.server.as(who).call(viewGuild, { id: guildId })

  await openSection(page, guildId, '频道')
  for (const category of ['大厅', '赛事']) await makeChannel(page, category, null)
  for (const name of ['闲聊', '公告', '求助']) await makeChannel(page, name, '大厅')
  for (const name of ['排期', '战报', '教练']) await makeChannel(page, name, '赛事')

  await openSection(page, guildId, '角色')
  await makeRole(page, '管事', '管理消息')
  for (const name of ['教练', '队员', '访客']) await makeRole(page, name)

  await openSection(page, guildId, '频道')
  await page.locator('[data-part=channel-name]').getByText('教练', { exact: true }).tap()
  await page.getByRole('switch', { name: '私密' }).check()
  await button(page, '可以看到: 添加角色或成员').tap()
  await button(page, '添加 教练').tap()
  await button(page, '关闭').tap()
  await expect(button(page, '移除 教练')).toBeVisible()

  await openSection(page, guildId, '表情')
  const drawn = await sharp({ create: { width: 120, height: 120, channels: 4, background: '#3fd39a' } })
    .png()
    .toBuffer()
  await page
    .getByLabel('添加表情')
    .first()
    .setInputFiles({ name: '起航.png', mimeType: 'image/png', buffer: drawn })
  await button(page, '上传 1 个表情').tap()
  await expect(page.getByRole('list', { name: '公会表情' }).getByText('起航')).toBeVisible()

  await openSection(page, guildId, '机器人')
  const token = await makeBot(page, '迎宾')
  const { channels } = await seenBy('member')
  const chat = channels.flatMap((it) => it.channels).find(({ name }) => name === '闲聊')!
  const { greeted } = await startGreeter(token, guildId, chat.id)

  await openSection(page, guildId, '自动管理')
  await page.getByRole('link', { name: '新建规则' }).tap()
  await page.getByRole('link', { name: /^链接/ }).tap()
  await button(page, '保存').tap()
  await expect(page.getByRole('switch', { name: '链接' })).toBeChecked()

  await openSection(page, guildId, '邀请链接')
  await button(page, '新建邀请链接').tap()
  await page.getByLabel('加入后进入').selectOption({ label: '#闲聊' })
  await page.getByLabel('加入时获得的角色').selectOption({ label: '访客' })
  await button(page, '生成链接').tap()
  const link = page.locator('[data-part=invite-link]', { hasText: /^http/ })
  await expect(link).toBeVisible()
  const invite = await atRest(() => link.innerText())

  const guest = await fixture.enter('outsider', new URL(invite).pathname)
  await button(guest, '接受邀请').tap()
  await greeted
  await expect(guest.locator('[data-part=message-text]', { hasText: '欢迎上船' })).toBeVisible()
  await picture(guest, 'guild-built')
  const guild = await seenBy('outsider')
  expect(guild.channels.map((it) => [it.name, ...it.channels.map(({ name }) => name)].join(' '))).toEqual(
    expect.arrayContaining(['大厅 闲聊 公告 求助', '赛事 排期 战报']),
  )
  const mine = guild.user_config.role_ids
  expect(guild.roles.filter(({ role_id }) => mine.includes(role_id)).map(({ name }) => name)).toEqual([
    '访客',
  ])
})
