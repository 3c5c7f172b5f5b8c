/** Newcomers accept the rules of a guild, choose a role, and write; a new owner is shown what is missing. */
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import { createRole } from '@guildhall/wire/role/role.ts'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

test('the owner writes rules and offers a role on a phone; a newcomer accepts, chooses and writes', async () => {
  const { server } = fixture
  const { guildId } = server
  await server.as('owner').call(createRole, { guild_id: guildId, name: '北服玩家' })
  const page = await fixture.enter('owner', `/guild/settings/${guildId}/onboarding`)
  await page.getByRole('button', { name: '添加规则' }).click()
  await page.getByLabel('标题', { exact: true }).fill('友善交流')
  await page.getByLabel('说明', { exact: true }).fill('对事不对人')
  await page.getByRole('switch', { name: '加入的人须同意规则' }).check()
  await page.getByRole('button', { name: '添加问题' }).click()
  await page.getByLabel('问题内容').fill('你在哪个服？')
  await page.getByRole('checkbox', { name: '北服玩家' }).check()
  await look(page, 'settings-onboarding', 'page')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()

  const other = await fixture.enter('outsider', `/invite/${server.invite}`)
  await other.getByRole('button', { name: '接受邀请' }).click()
  await expect(other.getByText('同意公会规则后才能发言')).toBeVisible()
  const desk = await fixture.enter('outsider', new URL(other.url()).pathname, {
    isDesk: true,
    locale: 'en-US',
  })
  await expect(desk.getByText('Accept the rules of this guild to write')).toBeVisible()
  await look(other, 'rules-gate')
  await other.getByRole('button', { name: '阅读并同意规则' }).click()
  await expect(other.getByRole('heading', { name: '友善交流' })).toBeVisible()
  await other.getByRole('radio', { name: '北服玩家' }).check()
  await look(other, 'rules-sheet')
  await other.getByRole('button', { name: '我已阅读并同意' }).click()
  await other.locator('[data-part=composer-input]').fill('大家好')
  await other.getByRole('button', { name: '发送' }).click()
  await expect(other.getByText('大家好', { exact: true })).toBeVisible()
  // Their other page follows.
  await expect(desk.locator('[data-part=composer-input]')).toBeEnabled()

  await other.goto(`/channels/${guildId}`)
  await other.getByRole('button', { name: '公会菜单' }).click()
  await other.getByRole('button', { name: '选择角色' }).click()
  await expect(other.getByRole('radio', { name: '北服玩家' })).toBeChecked()
  await look(other, 'roles-to-choose')
  await other.getByRole('radio', { name: '不选' }).check()
  await other.getByRole('button', { name: '关闭' }).click()
  await expect(other.getByText('选择适合你的角色')).toBeVisible()
  await look(other, 'roles-note')

  const main = server.channel('闲聊')
  await page.getByRole('button', { name: '在频道里发布' }).click()
  await page.getByLabel('发布到').selectOption(main)
  await look(page, 'settings-post-roles')
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await expect(page.getByText(/已发布到/)).toBeVisible()
  await other.goto(`/channels/${guildId}/${main}`)
  await other.getByRole('button', { name: '选择角色', exact: true }).click()
  await expect(other.getByRole('radio', { name: '北服玩家' })).toBeVisible()
  await look(other, 'roles-from-a-message')
  await other.goBack()
  await expect(other.getByRole('dialog', { name: '选择角色' })).toBeHidden()
  await expect(other).toHaveURL(new RegExp(`/channels/${guildId}/${main}$`))
  // The address of the button, elsewhere.
  await desk.goto(`/channels/${guildId}?roles`)
  await desk.getByRole('radio', { name: '北服玩家' }).check()
  await desk.getByRole('button', { name: 'Close' }).click()
  await expect(desk.getByRole('dialog', { name: 'Choose roles' })).toBeHidden()
  // At a desk a room stands beside the channels.
  await expect(desk).toHaveURL(new RegExp(`/channels/${guildId}/\\d+$`))
})

test('the owner of a new guild sees what it still needs, and closes it', async () => {
  const { id } = await fixture.server.as('member').call(createGuild, { name: '新公会' })
  const page = await fixture.enter('member', `/channels/${id}`)
  await expect(page.getByRole('heading', { name: '新公会准备 0/4' })).toBeVisible()
  await look(page, 'checklist')
  await page.getByRole('link', { name: '写下公会规则' }).click()
  await expect(page).toHaveURL(new RegExp(`/guild/settings/${id}/onboarding`))
  await page.goBack()
  await page.getByRole('button', { name: '关闭准备清单' }).click()
  await expect(page.getByText('写下公会规则')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: '公会菜单' })).toBeVisible()
  await expect(page.getByText('写下公会规则')).toBeHidden()
})
