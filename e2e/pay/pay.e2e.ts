/** Buying, as people do it: against the sandbox of both providers, with the real adapters and signatures. */
import { closeOrder, viewOrder } from '@guildhall/wire/order/order.ts'
import { expect, type Page, test } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
import { openControl } from '../../server/src/testing/pay/sandbox.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture([], { PAY_SANDBOX: '1', PURCHASE_IN_BROWSER: '1' })

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

const pay = (order: string, way: string, more = '') =>
  fixture.server.command<{ state: string }>(`sandbox pay --order ${order} --way ${way}${more}`)
/** The newest order of all. */
const newest = async () => {
  const [order] = await fixture.server.command<{ id: string; state: string }[]>('order list --limit 1')
  return order!
}
const sheetOf = (page: Page) => page.getByRole('dialog', { name: '支付订单' })
const openSheet = async (page: Page) => {
  await page.getByRole('button', { name: /开通 BUFF|续费 BUFF/ }).click()
  await page.getByRole('button', { name: '继续开通' }).click()
  await expect(sheetOf(page)).toBeVisible()
}

test('at a desk BUFF is paid by a code; the sheet follows without asking again and again', async () => {
  const { page } = await fixture.open('member', { isDesk: true })
  let looks = 0
  page.on('request', (it) => {
    if (it.url().includes('/order/view')) looks += 1
  })
  await page.goto('/account/buff')
  await expect(page.getByText('尚未开通 BUFF')).toBeVisible()
  await openSheet(page)
  await page.getByRole('radio', { name: /微信/ }).check()
  await page.getByRole('button', { name: '支付 ¥18.00' }).click()
  await expect(page.getByRole('img', { name: /二维码|微信/ })).toBeVisible()
  await expectAccessible(page)
  const { id } = await newest()
  expect((await pay(id, 'wechat')).state).toBe('paid')
  await expect(sheetOf(page).getByText('支付成功')).toBeVisible()
  await expect(page.getByText(/有效期至/)).toBeVisible()
  expect(looks).toBeLessThan(12)
  await expect.poll(async () => (await newest()).state).toBe('granted')
})

test('a second tap on the confirmation writes one order, and a reload finds it again', async () => {
  const before = (await fixture.server.command<unknown[]>('order list')).length
  const { page } = await fixture.open('admin', { isDesk: true })
  await page.goto('/account/buff')
  await page.getByRole('button', { name: /开通 BUFF|续费 BUFF/ }).click()
  await page.getByRole('button', { name: '继续开通' }).dblclick()
  await expect(sheetOf(page)).toBeVisible()
  await expect(page.getByRole('radio', { name: /微信/ })).toBeVisible()
  expect((await fixture.server.command<unknown[]>('order list')).length).toBe(before + 1)
  await page.reload()
  await openSheet(page)
  await expect(page.getByRole('radio', { name: /微信/ })).toBeVisible()
  expect((await fixture.server.command<unknown[]>('order list')).length).toBe(before + 1)
})

test('on a phone Alipay is paid at its cashier, which leads back to the words of success', async () => {
  const { page } = await fixture.open('muted', { userAgent: ANDROID })
  await page.goto('/account/buff')
  await openSheet(page)
  await page.getByRole('radio', { name: /支付宝/ }).check()
  await page.getByRole('button', { name: '支付 ¥18.00' }).click()
  await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
  await page.getByRole('button', { name: '立即支付', exact: true }).click()
  await page.waitForURL(/\/payment\/successful/)
  await expect(page.getByText('支付成功')).toBeVisible()
  await expect.poll(async () => (await newest()).state).toBe('granted')
})

test('what was paid and given back is in the bill', async () => {
  const { id } = await newest()
  await fixture.server.command(`order refund --id ${id} --reason test`)
  await expect
    .poll(async () => (await fixture.server.command<{ state: string }>(`order show --id ${id}`)).state, {
      timeout: 60_000,
    })
    .toBe('refunded')
  const page = await fixture.enter('muted', '/account/order-list')
  await expect(page.getByText('BUFF 月卡').first()).toBeVisible()
  await expect(page.getByText(/退款/).first()).toBeVisible()
  await expectAccessible(page)
})

test('on a phone WeChat’s cashier is left without paying: the page says so, and the order is paid after all, in the dark', async () => {
  const { page } = await fixture.open('owner', { userAgent: ANDROID, theme: 'dark' })
  await page.goto('/account/buff')
  await openSheet(page)
  await page.getByRole('radio', { name: /微信/ }).check()
  await expectAccessible(page)
  await picture(page, 'pay-sheet-phone-dark')
  await page.getByRole('button', { name: '支付 ¥18.00' }).click()
  await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
  await page.getByRole('button', { name: '取消支付', exact: true }).click()
  await page.waitForURL(/\/payment\/successful/)
  await expect(page.getByText('正在确认支付结果')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'payment-waiting-dark')
  const { id } = await newest()
  expect((await pay(id, 'wechat')).state).toBe('paid')
  await expect(page.getByText('支付成功')).toBeVisible()
  await picture(page, 'payment-successful-dark')
  await expect.poll(async () => (await newest()).state).toBe('granted')
})

test('at a desk an order that ends while its code is shown says so, and is ordered again, in the dark', async () => {
  const { page } = await fixture.open('unverified', { isDesk: true, theme: 'dark' })
  await page.goto('/account/buff')
  await openSheet(page)
  await page.getByRole('radio', { name: /支付宝/ }).check()
  await page.getByRole('button', { name: '支付 ¥18.00' }).click()
  await expect(page.getByRole('img', { name: /二维码/ })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'pay-code-desk-dark')
  const { id } = await newest()
  await fixture.server.as('unverified').call(closeOrder, { order_id: id })
  const sheet = sheetOf(page)
  await expect(sheet.getByText('订单已关闭')).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: '重新下单' }).click()
  await expect(sheet.getByRole('radio', { name: /支付宝/ })).toBeVisible()
  await expect.poll(async () => (await newest()).id).not.toBe(id)
})

test('a phone that asks for pages as a desk does saves the code, and opens the app, with one order', async () => {
  const { page } = await fixture.open('outsider', {
    userAgent: ANDROID.replace(/Linux; .*?\)/, 'X11; Linux x86_64)'),
  })
  await page.goto('/account/buff')
  await openSheet(page)
  await page.getByRole('radio', { name: /微信/ }).check()
  await page.getByRole('button', { name: '支付 ¥18.00' }).click()
  const code = page.getByRole('img', { name: '微信支付二维码' })
  await expect(code).toBeVisible()
  await look(page, 'pay-code-phone')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '保存二维码' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('wechat-pay.png')
  const { data, info } = await sharp(await saved.path())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = { width: info.width, height: info.height, data: new Uint8Array(data) }
  expect(decodeQR(pixels)).toContain(`${fixture.server.sandbox!.url}/cashier/`)
  const { id } = await newest()
  await page.getByRole('button', { name: '打开微信' }).click()
  await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
  expect((await newest()).id).toBe(id)
  await page.getByRole('button', { name: '立即支付', exact: true }).click()
  await page.waitForURL(/\/payment\/successful/)
  await expect(page.getByText('支付成功')).toBeVisible()
  await expect(page.getByText('BUFF 月卡 · 30 天')).toBeVisible()
  await look(page, 'payment-successful')
  await page.getByRole('link', { name: '返回购买页面' }).click()
  await expect(page).toHaveURL(/\/account\/buff$/)
})

test('the money balances after all of it, and nobody’s order is shown to others', async () => {
  const { id } = await newest()
  const check = await fixture.server.command<{ ok: boolean; differences: string[] }>('ledger check')
  expect(check.differences).toEqual([])
  expect(await fixture.server.as('admin').refusal(viewOrder, { order_id: id })).toBe('order.unknown')
  const control = openControl({ url: fixture.server.sandbox!.url, token: 'not the token' })
  await expect(control({})).rejects.toThrow('401')
})
