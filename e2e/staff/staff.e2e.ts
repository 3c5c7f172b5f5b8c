/** The staff console: logging in, who may, the frame and the staff log. Decision 80. */
import { expect, test } from '@playwright/test'
import { STAFF_IDLE_MS } from '../../wire/src/staff/session.ts'
import { restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { logIn, openConsole } from '../staff.ts'

const fixture = useFixture()

test('nobody who is no staff gets in, and staff without a second factor are told how to set it', async () => {
  const { page } = await fixture.open(undefined, { isDesk: true })
  await page.goto('/staff/log')
  await expect(page.getByRole('heading', { name: '登录工作台' })).toBeVisible()
  await logIn(page, fixture, { ...fixture.server.person('staff'), password: 'wrong-1' })
  await expect(page.locator('[name=password]')).toHaveAttribute('aria-invalid', 'true')
  await logIn(page, fixture, fixture.server.person('member'))
  await expect(page.getByRole('alert').filter({ hasText: '未授权' })).toBeVisible()
  await fixture.server.command(`staff role --user ${fixture.server.person('admin').id} --role support`)
  await logIn(page, fixture, fixture.server.person('admin'))
  await expect(page.getByRole('link', { name: '去开启' })).toHaveAttribute('href', '/account/second-factor')
  await expectAccessible(page)
  await picture(page, 'staff-login-refused')
})

for (const [theme, locale] of [
  ['light', 'zh-CN'],
  ['dark', 'en-US'],
] as const)
  test(`staff log in on a phone and on a desk and read the log, ${theme}, ${locale}`, async () => {
    for (const isDesk of [false, true]) {
      const page = await openConsole(fixture, '/staff/log', { theme, locale, isDesk })
      await expect(page.getByRole('table', { name: /^(操作日志|Staff log)$/ })).toBeVisible()
      await expect(page.getByText(fixture.server.person('staff').username).first()).toBeVisible()
      await expectAccessible(page)
      await picture(page, `staff-log-${isDesk ? 'desk' : 'phone'}-${theme}`)
    }
  })

test('a session that is over leads to the login, and nothing of it stays on the screen', async () => {
  const page = await openConsole(fixture, '/staff/log')
  await expect(page.getByRole('table', { name: '操作日志' })).toBeVisible()
  fixture.server.moveClock(Date.now() + STAFF_IDLE_MS + 60_000)
  await page.getByRole('button', { name: '查询' }).waitFor()
  await page.getByLabel('操作人 ID').fill('1')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(page.getByText('登录已失效')).toBeVisible()
  await expect(page.locator('table')).toHaveCount(0)
  fixture.server.moveClock(Date.now())
  await logIn(page, fixture, fixture.server.person('staff'))
  await expect(page).toHaveURL(/\/staff\/log/)
  await page.getByRole('button', { name: '退出工作台' }).click()
  await expect(page.getByRole('heading', { name: '登录工作台' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: '登录工作台' })).toBeVisible()
})

for (const [theme, locale] of [
  ['dark', 'zh-CN'],
  ['light', 'en-US'],
] as const)
  test(`a phone begins with what waits, high on the screen, and folds the sections, ${theme}, ${locale}`, async () => {
    const page = await openConsole(fixture, '/staff', { theme, locale, isDesk: false })
    await expect(page.getByText(/^(都处理完了|All done)$/)).toBeVisible()
    const title = await restingBox(page.getByRole('heading', { name: /^(.+，你好|Hello, .+)$/ }))
    expect(title.y).toBeLessThanOrEqual(130)
    await expectAccessible(page)
    await picture(page, `staff-start-phone-${theme}`)
    await page.getByRole('button', { name: /^(菜单|Menu)$/ }).click()
    await expectAccessible(page)
    await picture(page, `staff-menu-phone-${theme}`)
    const menu = page.getByRole('dialog', { name: /^(工作台导航|Sections of the console)$/ })
    await menu.getByRole('link', { name: /^(操作日志|Staff log)$/ }).click()
    await expect(menu).toHaveCount(0)
    await expect(page).toHaveURL(/\/staff\/log$/)
    await page.goBack()
    await expect(page.getByText(/^(都处理完了|All done)$/)).toBeVisible()
  })

test('a role opens its sections alone', async () => {
  const { id } = fixture.server.person('staff')
  const page = await openConsole(fixture, '/staff')
  const nav = page.getByRole('navigation', { name: '工作台导航' })
  await expect(nav.getByRole('link', { name: '操作日志' })).toBeVisible()
  await fixture.server.command(`staff role --user ${id} --role finance`)
  await page.reload()
  await expect(page.getByRole('link', { name: '操作日志' })).toHaveCount(0)
  await page.goto('/staff/log')
  await expect(page.getByText('没有这个页面')).toBeVisible()
  await fixture.server.command(`staff role --user ${id} --role administrator`)
})
