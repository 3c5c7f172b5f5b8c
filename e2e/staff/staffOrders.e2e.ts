/** The staff console: orders, giving back, what waits, differences of bills. Decision 84. */
import { createOrder } from '@guildhall/wire/order/order.ts'
import { payOrder } from '@guildhall/wire/pay/pay.ts'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture([], { PAY_SANDBOX: '1', PURCHASE_IN_BROWSER: '1' })

let keys = 0
/** Buys a month of BUFF as somebody of the demo world, up to a payment by a code. */
async function placeOrder(who: 'member' | 'admin'): Promise<string> {
  const products =
    await fixture.server.command<{ id: number; kind: string; market: number; period_buy: boolean }[]>(
      'product list',
    )
  const { id } = products.find((it) => it.kind === 'buff' && it.market === 0 && !it.period_buy)!
  const { call } = fixture.server.as(who)
  const { order_id } = await call(createOrder, { product_id: id, key: `journey-${++keys}` })
  await call(payOrder, { order_id, way: 'wechat', scene: 'qr' })
  return order_id
}
async function buy(who: 'member' | 'admin'): Promise<string> {
  const id = await placeOrder(who)
  await fixture.server.command(`sandbox pay --order ${id} --way wechat`)
  await expect.poll(() => stateOf(id)).toBe('granted')
  return id
}
const stateOf = async (id: string) =>
  (await fixture.server.command<{ state: string }>(`order show --id ${id}`)).state

test('an order is found by a number of its payment, looked at, and given back in part and whole', async () => {
  const id = await buy('member')
  const page = await openConsole(fixture, '/staff/orders')
  await expect(page.getByRole('link', { name: id })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-orders-desk')
  const payments = await fixture.server.database.db
    .selectFrom('payment')
    .select(['trade_no', 'provider_no'])
    .where('order_id', '=', id)
    .execute()
  await page.getByLabel('任意编号').fill(payments[0]!.provider_no!)
  await page.getByRole('button', { name: '查询' }).click()
  await expect(page.getByRole('table', { name: '订单' }).locator('tr')).toHaveCount(2)
  await page.getByRole('link', { name: id }).click()
  await expect(page.getByRole('heading', { name: `订单 ${id}` })).toBeVisible()
  await expect(page.getByText(payments[0]!.trade_no).first()).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-order-desk', 'page')

  await page.getByRole('button', { name: '退款' }).click()
  const dialog = page.getByRole('alertdialog', { name: '确认退款？' })
  await expect(dialog).toContainText('会收回：BUFF 会员 30 天')
  await dialog.getByRole('radio', { name: '部分' }).check()
  await dialog.getByLabel('金额（元）').fill('5')
  await dialog.getByLabel('原因').fill('客服补偿')
  await expectAccessible(page)
  await picture(page, 'staff-refund-desk')
  await dialog.getByRole('button', { name: '退款' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('table', { name: '退款' }).locator('tr')).toHaveCount(2)
  await expect
    .poll(
      async () => (await fixture.server.command<{ refund_fee: number }>(`order show --id ${id}`)).refund_fee,
    )
    .toBe(500)

  await page.reload()
  await page.getByRole('button', { name: '退款' }).click()
  await dialog.getByLabel('原因').fill('用户要求')
  await dialog.getByRole('button', { name: '退款' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => stateOf(id)).toBe('refunded')
  await page.reload()
  await expect(page.getByText('用户要求').first()).toBeVisible()
  await expect(page.getByRole('button', { name: '退款' })).toHaveCount(0)
  expect(await fixture.server.command('ledger check')).toMatchObject({ ok: true })
  await page.goto('/staff/log')
  await expect(page.getByRole('row', { name: /已执行 退款/ }).first()).toBeVisible()
})

test('what waits is first, and is tried again; bills that differ lead to their order, on a phone in the dark', async () => {
  const { db } = fixture.server.database
  const id = await buy('admin')
  // As after a grant that failed and could not be given back.
  await sql`update "order" set state = 'stuck', is_granted = false where id = ${id}::bigint`.execute(db)
  await sql`delete from entitlement where order_id = ${id}::bigint`.execute(db)
  const page = await openConsole(fixture, '/staff/orders?first=trouble', { theme: 'dark', isDesk: false })
  const troubled = page.getByRole('table', { name: '待处理' })
  await expect(troubled.getByText('卡住')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-orders-phone-dark', 'page')
  await troubled.getByRole('link', { name: id }).click()
  await page.getByRole('button', { name: '重试' }).click()
  const dialog = page.getByRole('alertdialog', { name: '重试这个订单？' })
  await dialog.getByRole('button', { name: '重试' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: '请填写原因' })).toBeVisible()
  await dialog.getByLabel('原因').fill('配置已修复')
  await dialog.getByRole('button', { name: '重试' }).click()
  await expect.poll(() => stateOf(id)).toBe('granted')

  const paid = await buy('admin')
  const [payment] = await db.selectFrom('payment').select('trade_no').where('order_id', '=', paid).execute()
  await sql`insert into bill_day (way, day, compared_at, lines, looked_at) values ('wechat', '2026-11-01', 1, 1, 1)`.execute(
    db,
  )
  await sql`insert into bill_difference (way, day, what, kind, trade_no, refund_no, there, here, found_at)
    values ('wechat', '2026-11-01', 'other_sum', 'payment', ${payment!.trade_no}, '', 1900, 1800, 1)`.execute(
    db,
  )
  await page.goto('/staff/orders/bills')
  await expect(page.getByText('支付 · 金额不同')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-bills-phone-dark', 'page')
  await page.getByRole('link', { name: paid }).click()
  await expect(page.getByRole('heading', { name: `订单 ${paid}` })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-order-phone-dark', 'page')
  await sql`delete from bill_difference`.execute(db)
  await sql`delete from bill_day`.execute(db)
})

test('support looks orders up and gives nothing back; in English', async () => {
  const { id: staff } = fixture.server.person('staff')
  const id = await buy('admin')
  await fixture.server.command(`staff role --user ${staff} --role support`)
  const page = await openConsole(fixture, `/staff/orders/${id}`, { locale: 'en-US' })
  await expect(page.getByRole('heading', { name: `Order ${id}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Products' })).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'staff-order-desk-en')
  await fixture.server.command(`staff role --user ${staff} --role administrator`)
})
