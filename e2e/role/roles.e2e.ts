/**
 * The roles of a guild in its settings, as somebody with a phone and somebody with a desk look after them.
 */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { expect, type Page, test } from '@playwright/test'
import { restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

const order = async (page: Page) => {
  const rows = page.getByRole('list', { name: /从高到低|highest first/ }).getByRole('listitem')
  return (await rows.locator('[data-part=role-name]').allTextContents()).map((it) => it.trim())
}
const settings = () => `/guild/settings/${fixture.server.world.guilds[0]!.id}/roles`
const rolesNow = async () => {
  const { roles } = await fixture.server
    .as('owner')
    .call(viewGuild, { id: fixture.server.world.guilds[0]!.id })
  return roles.map(({ name }) => name)
}

test('on a phone a role is made, coloured, given rights, put in order and granted, and the guild seen as it', async () => {
  const page = await fixture.enter('owner', settings())
  await page.getByRole('button', { name: '新建角色' }).click()
  await page.getByLabel('名称', { exact: true }).fill('陪练')
  await page.getByRole('radio', { name: '单色' }).check()
  await page.getByRole('button', { name: '蓝', exact: true }).click()
  await page.getByRole('switch', { name: '管理消息' }).check()
  await look(page, 'role-edited')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()
  await look(page, 'role', 'page')

  await page.getByRole('button', { name: /^成员/ }).click()
  await page.getByLabel('搜索成员，添加到这个角色').fill('小满')
  await page.getByRole('button', { name: '添加 小满' }).click()
  await expect(page.getByRole('button', { name: '移除 小满' })).toBeVisible()
  await look(page, 'role-members')
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByRole('button', { name: '成员 1 人' })).toBeVisible()

  await page.getByRole('button', { name: '以这个角色查看公会' }).click()
  await expect(page.getByRole('list', { name: '频道' }).getByText('看不到').first()).toBeVisible()
  await look(page, 'role-seen')
  await page.getByRole('button', { name: '关闭' }).click()

  await page.getByRole('button', { name: '返回' }).click()
  await expect.poll(() => order(page)).toEqual(['管理员', '主播', '禁言', '陪练', '@全体成员'])
  await page.getByRole('button', { name: '移动 陪练' }).click()
  await look(page, 'roles')
  for (const _ of [1, 2]) await page.getByRole('button', { name: '上移 陪练' }).click()
  await expect.poll(() => order(page)).toEqual(['管理员', '陪练', '主播', '禁言', '@全体成员'])
  await expect.poll(rolesNow).toEqual(['管理员', '陪练', '主播', '禁言', '@全体成员'])
})

test('on a desk the order changes by the mouse and by keys, others see it live, and a role is deleted', async () => {
  const page = await fixture.enter('owner', settings(), { isDesk: true })
  const other = await fixture.enter('admin', settings(), { isDesk: true, locale: 'en-US' })
  const before = await rolesNow()
  await expect.poll(() => order(other)).toEqual(before)
  await look(page, 'roles-desk')
  await look(other, 'roles-desk-locked')

  const last = before.at(-2)!
  const first = before[0]!
  const handle = page.getByRole('button', { name: `移动 ${last}` })
  const from = await restingBox(handle)
  const to = await restingBox(page.getByRole('button', { name: `移动 ${first}` }))
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 })
  await page.mouse.up()
  const dragged = [last, ...before.filter((name) => name !== last)]
  await expect.poll(() => order(page)).toEqual(dragged)
  await expect.poll(() => order(other)).toEqual(dragged)
  await handle.press('End')
  await expect(handle).toBeFocused()
  await expect.poll(() => order(other)).toEqual(before)

  await page.getByRole('link', { name: new RegExp(last) }).click()
  await look(page, 'role-desk')
  await page.getByRole('button', { name: '删除角色' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: '删除角色' }).click()
  const left = before.filter((name) => name !== last)
  await expect.poll(() => order(page)).toEqual(left)
  await expect.poll(() => order(other)).toEqual(left)
  await other.getByRole('link', { name: new RegExp(left[1]!) }).click()
  await look(other, 'role-desk-en')
})
