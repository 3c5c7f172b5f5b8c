/**
 * The roles of a guild in its settings, as somebody with a phone and somebody with a desk look after them.
 */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { expect, type Page, test } from '@playwright/test'
import { restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

/** The names of the roles as they stand in the list. */
const order = (page: Page) => page.locator('[data-part=role-name]')
const settings = () => `/guild/settings/${fixture.server.world.guilds[0]!.id}/roles`
const rolesNow = async () => {
  const { roles } = await fixture.server
    .as('owner')
    .call(viewGuild, { id: fixture.server.world.guilds[0]!.id })
  return roles.map(({ name }) => name)
}

/** A finger rests on the row of one role and then moves onto that of another. */
async function dragByFinger(page: Page, name: string, onto: string): Promise<void> {
  const from = await restingBox(order(page).getByText(name, { exact: true }))
  const to = await restingBox(order(page).getByText(onto, { exact: true }))
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x: from.x + 8, y })) })
  await touch('touchStart', from.y + 8)
  await expect(page.locator('li[data-held]')).toBeVisible()
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from.y + 8 + (to.y - from.y) * share)
  await touch('touchEnd')
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
  await page.getByLabel('搜索成员，添加到这个角色').fill('南枝')
  await page.getByRole('button', { name: '添加 南枝' }).click()
  await expect(page.getByRole('button', { name: '移除 南枝' })).toBeVisible()
  await look(page, 'role-members')
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByRole('button', { name: '成员 1 人' })).toBeVisible()

  await page.getByRole('button', { name: '以这个角色查看公会' }).click()
  await expect(page.getByRole('list', { name: '频道' }).getByText('看不到').first()).toBeVisible()
  await look(page, 'role-seen')
  await page.getByRole('button', { name: '关闭' }).click()

  await page.getByRole('button', { name: '返回' }).click()
  await expect(order(page)).toHaveText(['管理员', '主播', '禁言', '陪练', '@全体成员'])
  await page.getByRole('button', { name: '移动 陪练' }).click()
  await look(page, 'roles')
  for (const _ of [1, 2]) await page.getByRole('button', { name: '上移 陪练' }).click()
  await expect(order(page)).toHaveText(['管理员', '陪练', '主播', '禁言', '@全体成员'])
  await expect.poll(rolesNow).toEqual(['管理员', '陪练', '主播', '禁言', '@全体成员'])

  await dragByFinger(page, '主播', '管理员')
  await expect(order(page)).toHaveText(['主播', '管理员', '陪练', '禁言', '@全体成员'])
  await expect.poll(rolesNow).toEqual(['主播', '管理员', '陪练', '禁言', '@全体成员'])
})

test('on a desk the order changes by the mouse and by keys, others see it live, and a role is deleted', async () => {
  const page = await fixture.enter('owner', settings(), { isDesk: true })
  const other = await fixture.enter('admin', settings(), { isDesk: true, locale: 'en-US' })
  const before = await rolesNow()
  await expect(order(other)).toHaveText(before)
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
  await expect(order(page)).toHaveText(dragged)
  await expect(order(other)).toHaveText(dragged)

  const inHand = page.getByRole('button', { name: `移动 ${first}` })
  const at = await restingBox(inHand)
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2, { steps: 6 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(order(page)).toHaveText(dragged)

  await handle.press('End')
  await expect(handle).toBeFocused()
  await expect(order(other)).toHaveText(before)

  await order(page).getByText(last, { exact: true }).click()
  await look(page, 'role-desk')
  await page.getByRole('button', { name: '删除角色' }).click()
  const question = page.getByRole('alertdialog', { name: /^确定要删除/ })
  await question.getByRole('button', { name: '删除角色' }).click()
  const left = before.filter((name) => name !== last)
  await expect(order(page)).toHaveText(left)
  await expect(order(other)).toHaveText(left)
  await order(other).getByText(left[1]!, { exact: true }).click()
  await look(other, 'role-desk-en')
})
