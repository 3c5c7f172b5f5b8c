/** The bill, and orders that cannot be placed, as people meet them. commerce.md §2, §8. */
import { randomUUID } from 'node:crypto'
import { createOrder } from '@guildhall/wire/order/order.ts'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { connects, expectAccessible, picture } from '../phone.ts'

const fixture = useFixture(['Failed to load resource', 'ERR_INTERNET_DISCONNECTED'], {
  PAY_SANDBOX: '1',
  PURCHASE_IN_BROWSER: '1',
})

interface Sold {
  readonly id: number
  readonly kind: string
  readonly market: number
  readonly name: string
}

const firstBuff = async () => {
  const products = await fixture.server.command<Sold[]>('product list')
  return products.find(({ kind, market }) => kind === 'buff' && market === 0)!
}

/** Orders that the member paid for, one after the other, by turns with both providers. */
async function paid(count: number): Promise<void> {
  const { id } = await firstBuff()
  for (let n = 0; n < count; n += 1) {
    const order = { product_id: id, count: 1, key: randomUUID() }
    const { order_id } = await fixture.server.as('member').call(createOrder, order)
    await fixture.server.command(`sandbox pay --order ${order_id} --way ${n % 2 ? 'alipay' : 'wechat'}`)
  }
}

test('nobody sees a bill without a login', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/account/order-list')
  await expect(page).toHaveURL(/\/login/)
})

test('a bill without lines says so; without network it says so, and loads again when asked', async () => {
  const { page, context } = await fixture.open('outsider')
  await page.goto('/account/order-list')
  await expect(page.getByText('暂无账单记录')).toBeVisible()
  await expectAccessible(page)
  await context.route('**/api/v3/order/payments*', (route) => route.abort('internetdisconnected'))
  const connected = connects(page)
  await page.reload()
  await connected
  await expect(page.getByText('账单加载失败')).toBeVisible()
  await expectAccessible(page)
  await context.unroute('**/api/v3/order/payments*')
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('暂无账单记录')).toBeVisible()
})

test('a long bill loads its pages while it is scrolled, and each line once', async () => {
  await paid(60)
  const { page, context } = await fixture.open('member')
  await page.goto('/account/order-list')
  const lines = page.locator('[data-part=bill-row]')
  await expect(lines).toHaveCount(50)
  await context.route('**/api/v3/order/payments*', (route) => route.abort('internetdisconnected'))
  await lines.last().scrollIntoViewIfNeeded()
  await expect(page.getByText(/后面的账单加载失败/)).toBeVisible()
  await context.unroute('**/api/v3/order/payments*')
  await page.getByRole('button', { name: '重试' }).click()
  await expect(lines).toHaveCount(60)
  await expect(page.getByText('没有更多了')).toBeVisible()
  await lines.last().click()
  const details = page.getByRole('dialog', { name: '订单详情' })
  await expect(details).toContainText('已完成')
  const orders = await fixture.server.command<{ id: string }[]>('order list --limit 200')
  await expect(details).toContainText(orders.at(-1)!.id)
})

for (const [locale, text] of [
  ['zh-CN', '没有更多了'],
  ['en-US', 'That is all'],
] as const)
  test(`the bill is accessible, in ${locale}`, async () => {
    const page = await fixture.enter('member', '/account/order-list', { locale })
    await page.locator('[data-part=bill-row]').last().scrollIntoViewIfNeeded()
    await expect(page.getByText(text)).toBeVisible()
    await look(page, `bill-${locale}`)
  })

test('what waits for its payment is in the bill: gone on with as the same order, and given up', async () => {
  const { id } = await firstBuff()
  const order = () =>
    fixture.server.as('muted').call(createOrder, { product_id: id, count: 1, key: randomUUID() })
  const given = await order()
  const kept = await order()
  const page = await fixture.enter('muted', '/account/order-list')
  const waiting = page.locator('[data-part=unpaid]')
  await expect(waiting).toHaveCount(2)
  await expect(waiting.first()).toContainText(/剩余支付时间 \d\d:\d\d/)
  await look(page, 'bill-unpaid')
  await waiting.last().getByRole('button', { name: '取消订单' }).click()
  await page
    .getByRole('alertdialog', { name: '确定要取消这个订单吗？' })
    .getByRole('button', { name: '取消订单' })
    .click()
  await expect(waiting).toHaveCount(1)
  await waiting.getByRole('button', { name: '继续支付' }).click()
  const sheet = page.getByRole('dialog', { name: '支付订单' })
  await expect(sheet.getByRole('radio', { name: /微信/ })).toBeVisible()
  await fixture.server.command(`sandbox pay --order ${kept.order_id} --way wechat`)
  await expect(sheet.getByRole('heading', { name: '支付成功' })).toBeVisible()
  await sheet.getByRole('button', { name: '完成' }).click()
  await expect(waiting).toHaveCount(0)
  await expect(page.locator('[data-part=bill-row]')).toHaveCount(1)
  const orders = await fixture.server.command<{ id: string; state: string }[]>('order list --limit 200')
  const stateOf = (wanted: string) => orders.find((it) => it.id === wanted)?.state
  expect([stateOf(given.order_id), stateOf(kept.order_id)]).toEqual(['closed', 'granted'])
})

test('a product that is retired while its page is open is refused with the reason, and nothing is written', async () => {
  const { id } = await fixture.server.command<{ id: number }>(
    'product put --kind buff --name 绝版卡 --price 900 --details {"days":30}',
  )
  const page = await fixture.enter('admin', '/account/buff')
  await page.getByText('绝版卡').click()
  await fixture.server.command(`product retire --id ${id}`)
  await page.getByRole('button', { name: /开通 BUFF|续费 BUFF/ }).click()
  await page.getByRole('button', { name: '继续开通' }).click()
  const sheet = page.getByRole('dialog', { name: '支付订单' })
  await expect(sheet.getByRole('heading', { name: '订单创建失败' })).toBeVisible()
  await expect(sheet).toContainText('已下架')
  await expectAccessible(page)
  await picture(page, 'order-refused')
  await sheet.getByRole('button', { name: '知道了' }).click()
  await expect(sheet).toBeHidden()
  const orders = await fixture.server.command<{ lines: string }[]>('order list --limit 200')
  expect(JSON.stringify(orders)).not.toContain('绝版卡')
})

test('without network an order is not placed, and the next try places one', async () => {
  const { page, context } = await fixture.open('admin')
  await page.goto('/account/buff')
  await expect(page.locator('[data-part=package]').first()).toBeVisible()
  await context.route('**/api/v3/order/create', (route) => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: /开通 BUFF|续费 BUFF/ }).click()
  await page.getByRole('button', { name: '继续开通' }).click()
  const sheet = page.getByRole('dialog', { name: '支付订单' })
  await expect(sheet.getByRole('heading', { name: '订单创建失败' })).toBeVisible()
  const before = (await fixture.server.command<unknown[]>('order list --limit 200')).length
  await context.unroute('**/api/v3/order/create')
  await sheet.getByRole('button', { name: '重试' }).click()
  await expect(sheet.getByRole('radio', { name: /微信/ })).toBeVisible()
  expect((await fixture.server.command<unknown[]>('order list --limit 200')).length).toBe(before + 1)
})
