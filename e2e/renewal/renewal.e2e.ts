/**
 * What renews itself: signed with the first purchase, announced, charged on the day before the end, and
 * closed. Against the sandbox, whose page goes back by itself two seconds after its button: nobody taps its
 * link, which may be gone by then.
 */

import { dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { createOrder } from '@guildhall/wire/order/order.ts'
import { listRenewals } from '@guildhall/wire/renewal/renewal.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { expect, type Page, test } from '@playwright/test'
import { openControl } from '../../server/src/testing/pay/sandbox.ts'
import { clickAway } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { expectAccessible, goBack, picture } from '../phone.ts'

// While the server stops, connections are refused or reset.
const fixture = useFixture(['ERR_CONNECTION_REFUSED', 'ERR_CONNECTION_RESET'], {
  PAY_SANDBOX: '1',
  PURCHASE_IN_BROWSER: '1',
})

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const WECHAT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.50.2701(0x28003253) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN'
const NAME = 'BUFF 连续包月'

/** Noon of Beijing, so many days before the one that a time is on. */
const noonBefore = (time: number, days: number): number => dayStart(dayNumber(time) - days) + 12 * HOUR_MS

const renewals = async (token: string) =>
  (await fixture.server.as({ token }).call(listRenewals, { type: 1 })).items
/** An order of the demo's package that renews itself. */
async function placeOrder(token: string, key: string): Promise<string> {
  return (await placed(token, key)).order_id
}
async function placed(token: string, key: string): Promise<AnswerOf<typeof createOrder>> {
  const products = await fixture.server.command<{ id: number; name: string }[]>('product list')
  const { id } = products.find(({ name }) => name === NAME)!
  return fixture.server.as({ token }).call(createOrder, { product_id: id, key })
}
/** Opens the pay sheet of an order. */
async function payLater(page: Page, orderId: string): Promise<void> {
  await page.goto(`/account/order-list?order=${orderId}`)
  await page.getByRole('dialog', { name: '订单详情' }).getByRole('button', { name: '继续支付' }).click()
}

test('at a desk one signs by a code; the next period is announced and charged; then it is closed', async () => {
  const token = await fixture.server.login('member')
  const control = openControl(fixture.server.sandbox!)
  const orderId = await placeOrder(token, 'renewal-desk-1')
  const { page } = await fixture.open('member', { isDesk: true })
  await payLater(page, orderId)
  await page.getByRole('radio', { name: /微信/ }).check()
  await page.getByRole('button', { name: '支付 ¥15.00', exact: true }).click()
  await expect(page.getByRole('img', { name: /二维码/ })).toBeVisible()
  await control({ contract: { do: 'sign' }, way: 'wechat' })
  await expect(page.getByRole('dialog', { name: '支付订单' }).getByText('支付成功')).toBeVisible()
  await expect.poll(async () => (await renewals(token))[0]?.expired_time ?? 0).toBeGreaterThan(0)
  const [before] = await renewals(token)
  const end = before!.expired_time

  // The server sleeps until the fourth day before the end, and then until the day before it.
  for (const days of [4, 1]) {
    await fixture.server.stop()
    fixture.server.moveClock(noonBefore(end, days))
    await fixture.server.start()
    if (days === 4)
      await expect
        .poll(async () => (await control({ contract: { do: 'look' }, way: 'wechat' })).contract?.notice?.fee)
        .toBe(1500)
  }
  const later = await fixture.server.login('member')
  await expect.poll(async () => (await renewals(later))[0]?.expired_time).toBe(end + 30 * DAY_MS)
  expect((await fixture.server.command<{ state: string }[]>('order list'))[0]?.state).toBe('granted')

  const own = await fixture.enter('member', '/renewal/management?type=buff')
  await expect(own.getByRole('listitem', { name: NAME })).toContainText('¥15.00')
  await expectAccessible(own)
  await picture(own, 'renewal-light')
  await own.getByRole('button', { name: '关闭自动续费' }).click()
  const asks = own.getByRole('alertdialog', { name: '确定关闭自动续费吗？' })
  await expect(asks).toContainText('关闭后不再扣款')
  await expectAccessible(own)
  await picture(own, 'renewal-close')
  await asks.getByRole('button', { name: '关闭自动续费' }).click()
  await expect(own.getByText('已关闭自动续费')).toBeVisible()
  await expect(own.getByText('暂无自动续费')).toBeVisible()
  expect((await control({ contract: { do: 'look' }, way: 'wechat' })).contract?.state).toBe('ended')
  expect((await fixture.server.command<{ differences: string[] }>('ledger check')).differences).toEqual([])
})

test('on a phone one signs on Alipay’s page, in the dark theme; what is ended there is gone here', async () => {
  const token = await fixture.server.login('admin')
  const orderId = await placeOrder(token, 'renewal-phone-1')
  const { page } = await fixture.open('admin', { userAgent: ANDROID, theme: 'dark' })
  await payLater(page, orderId)
  await page.getByRole('radio', { name: /支付宝/ }).check()
  await page.getByRole('button', { name: '支付 ¥15.00', exact: true }).click()
  await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
  await picture(page, 'renewal-sandbox')
  await page.getByRole('button', { name: '同意协议并签约' }).click()
  await page.waitForURL(/\/payment\/successful/)
  await expect(page.getByText('支付成功')).toBeVisible()
  await page.goto('/renewal/management?type=buff')
  await expect(page.getByRole('listitem', { name: NAME })).toContainText('支付宝')
  await expectAccessible(page)
  await picture(page, 'renewal-dark')
  const ended = await fixture.server.command<{ state: string }>('sandbox sign --way alipay --end')
  expect(ended.state).toBe('ended')
  // The page follows by itself.
  await expect(page.getByText('暂无自动续费')).toBeVisible()
  await picture(page, 'renewal-none')
})

for (const [where, userAgent, who, theme] of [
  ['inside of WeChat', WECHAT, 'muted', 'light'],
  ['in a phone’s browser', ANDROID, 'outsider', 'dark'],
] as const)
  test.describe(`${where} one signs on WeChat’s page`, () => {
    const name = userAgent === WECHAT ? 'wechat' : 'phone'
    const control = () => openControl(fixture.server.sandbox!)
    const orderOf = async (id: string) =>
      (await fixture.server.command<{ state: string }>(`order show --id ${id}`)).state
    /** Somebody pays an order by WeChat, and is on its page. */
    async function leave(key: string): Promise<{ page: Page; orderId: string }> {
      const orderId = await placeOrder(await fixture.server.login(who), key)
      const { page } = await fixture.open(who, { userAgent, theme })
      await payLater(page, orderId)
      await page.getByRole('radio', { name: /微信/ }).check()
      await page.getByRole('button', { name: '支付 ¥15.00', exact: true }).click()
      await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
      await expect(page.getByRole('heading', { name: '微信支付自动续费（沙盒）' })).toBeVisible()
      return { page, orderId }
    }
    const back = (page: Page, orderId: string) =>
      page.waitForURL(
        (url) => url.pathname === '/payment/successful' && url.searchParams.get('order_id') === orderId,
      )

    test('who refuses, or goes back without a word, has nothing and pays nothing, and may begin anew', async () => {
      const { page, orderId } = await leave(`renewal-${name}-refused`)
      await page.getByRole('button', { name: '暂不签约' }).click()
      await back(page, orderId)
      await expect(page.getByRole('heading', { name: '正在确认支付结果' })).toBeVisible()
      await expectAccessible(page)
      await picture(page, `renewal-${name}-refused`)
      await page.getByRole('link', { name: '重新支付' }).click()
      await page.getByRole('dialog', { name: '订单详情' }).getByRole('button', { name: '继续支付' }).click()
      await page.getByRole('radio', { name: /微信/ }).check()
      await page.getByRole('button', { name: '支付 ¥15.00', exact: true }).click()
      await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
      await goBack(page)
      await back(page, orderId)
      await expect(page.getByRole('heading', { name: '正在确认支付结果' })).toBeVisible()
      await expect.poll(() => orderOf(orderId)).toBe('paying')
      // The same order is signed after all, while its page is open and nobody tells the server.
      await control()({ contract: { do: 'sign' }, way: 'wechat', times: 3 })
      // The page also looks by itself, so that the button may be gone.
      const paid = page.getByRole('heading', { name: '支付成功' }).waitFor()
      await clickAway(page.getByRole('button', { name: '刷新状态' }), paid)
      await expect.poll(() => orderOf(orderId)).toBe('granted')
      await fixture.server.command('sandbox sign --way wechat --end')
    })

    test('who signs is charged at once, sees it, and is told of it by one contract', async () => {
      const { page, orderId } = await leave(`renewal-${name}-signed`)
      await picture(page, `renewal-${name}-sandbox`)
      await page.getByRole('button', { name: '同意协议并签约' }).click()
      await back(page, orderId)
      await expect(page.getByRole('heading', { name: '支付成功' })).toBeVisible()
      await picture(page, `renewal-${name}-signed`)
      await page.goto('/renewal/management?type=buff')
      await expect(page.getByRole('listitem', { name: NAME })).toContainText('微信支付')
      // Who has a contract cannot sign a second one.
      const second = await placeOrder(await fixture.server.login(who), `renewal-${name}-second`)
      await payLater(page, second)
      await page.getByRole('radio', { name: /微信/ }).check()
      await page.getByRole('button', { name: '支付 ¥15.00', exact: true }).click()
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
      await expect(page).toHaveURL(/\/account\/order-list/)
      await fixture.server.command('sandbox sign --way wechat --end')
      await page.goto('/renewal/management?type=buff')
      await expect(page.getByText('暂无自动续费')).toBeVisible()
      expect((await fixture.server.command<{ differences: string[] }>('ledger check')).differences).toEqual(
        [],
      )
    })
  })

test('a code of what renews itself is scanned in WeChat: it leads to signing, by whoever scanned it', async () => {
  const token = await fixture.server.login('unverified')
  const { order_id: orderId, code } = await placed(token, 'renewal-scanned-1')
  const { page } = await fixture.open(undefined, { userAgent: WECHAT })
  await page.goto(`/pay?id=${code}`)
  await page.waitForURL((url) => url.origin === fixture.server.sandbox!.url)
  await page.getByRole('button', { name: '同意协议并签约' }).click()
  await expect(page.getByRole('heading', { name: '请回到下单的页面' })).toBeVisible()
  await expect
    .poll(async () => (await fixture.server.command<{ state: string }>(`order show --id ${orderId}`)).state)
    .toBe('granted')
  await fixture.server.command('sandbox sign --way wechat --end')
})
