/** The staff console: products and prices. Decision 84. */
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture([], { PAY_SANDBOX: '1', PURCHASE_IN_BROWSER: '1' })

test('a price changes at once for the shop, and a planned one is withdrawn', async () => {
  const page = await openConsole(fixture, '/staff/products')
  await expect(page.getByRole('link', { name: /BUFF 月卡/ }).first()).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-products-desk')
  await page
    .getByRole('row', { name: /BUFF 月卡.*通用/ })
    .getByRole('link', { name: /BUFF 月卡/ })
    .click()

  await page.getByLabel('价格（元）', { exact: true }).fill('16.50')
  await page.getByLabel('角标', { exact: true }).fill('双十二')
  await page.getByRole('button', { name: '提交修改' }).click()
  const dialog = page.getByRole('alertdialog', { name: '确认修改？' })
  await expect(dialog).toContainText('立即生效：价格 ¥18.00 → ¥16.50')
  await dialog.getByLabel('原因').fill('双十二活动')
  await expectAccessible(page)
  await picture(page, 'staff-product-change-desk')
  await dialog.getByRole('button', { name: '提交修改' }).click()
  await expect(page.getByText('双十二活动')).toBeVisible()
  const shop = await fixture.enter('member', '/account/buff')
  await expect(shop.getByText('¥16.50').first()).toBeVisible()

  await page.getByLabel('生效时间').fill('2090-01-01T00:00')
  await page.getByLabel('价格（元）', { exact: true }).fill('18')
  await page.getByRole('button', { name: '提交修改' }).click()
  await expect(dialog).toContainText('2090-01-01 00:00:00 起生效')
  await dialog.getByLabel('原因').fill('活动结束')
  await dialog.getByRole('button', { name: '提交修改' }).click()
  await expect(page.getByText('计划中')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-product-desk', 'page')
  await page.getByRole('button', { name: '撤销' }).click()
  const withdraws = page.getByRole('alertdialog', { name: '撤销这个计划？' })
  await withdraws.getByLabel('原因').fill('延长活动')
  await withdraws.getByRole('button', { name: '撤销' }).click()
  await expect(page.getByText(/撤销：延长活动/)).toBeVisible()
  await shop.reload()
  await expect(shop.getByText('¥16.50').first()).toBeVisible()
})

test('on a phone, in the dark and in English, products are cards', async () => {
  const page = await openConsole(fixture, '/staff/products', {
    isDesk: false,
    theme: 'dark',
    locale: 'en-US',
  })
  await page
    .getByRole('link', { name: /BUFF 月卡/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-product-phone-dark', 'page')
})
