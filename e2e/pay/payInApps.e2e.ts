/**
 * A code that is scanned with WeChat or Alipay: the pages inside of them, every end of their bridges, and
 * orders that cannot be paid.
 */
import { randomUUID } from 'node:crypto'
import { closeOrder, createOrder } from '@guildhall/wire/order/order.ts'
import { expect, type Page, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible } from '../phone.ts'

const fixture = useFixture(['Content Security Policy'], { PAY_SANDBOX: '1', PURCHASE_IN_BROWSER: '1' })

const inApp = (app: string) =>
  `Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 ${app}`
const ALIPAY = inApp('AliApp(AP/10.2.59.8000) AlipayClient/10.2.59.8000 Language/zh-Hans')
const WECHAT = inApp('MicroMessenger/8.0.50.2701(0x28003253) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN')

interface Placed {
  readonly order_id: string
  readonly code: string
}

/** An order of BUFF by somebody of the demo world. */
async function placed(who: 'member' | 'admin' = 'member'): Promise<Placed> {
  const products =
    await fixture.server.command<{ id: number; kind: string; market: number }[]>('product list')
  const product = products.find(({ kind, market }) => kind === 'buff' && market === 0)!
  return fixture.server.as(who).call(createOrder, {
    product_id: product.id,
    count: 1,
    key: randomUUID(),
  })
}
const close = async ({ order_id }: Placed, who: 'member' | 'admin' = 'member') =>
  void (await fixture.server.as(who).call(closeOrder, { order_id }))

/** A page inside of Alipay; `codes` are what its bridge answers, one after the other. */
async function enterAlipay(path: string, codes: readonly string[]): Promise<Page> {
  const { page, context } = await fixture.open(undefined, { userAgent: ALIPAY })
  await context.addInitScript(
    ({ left }) => {
      Object.assign(window, {
        AlipayJSBridge: {
          call(name: string, _params: object, done?: (answer: object) => void) {
            if (name === 'tradePay') done?.({ resultCode: left.shift() })
          },
        },
      })
    },
    { left: [...codes] },
  )
  await page.goto(path)
  return page
}

test.describe('in Alipay', () => {
  for (const [code, text] of [
    ['8000', '订单正在处理中'],
    ['4000', '订单支付失败'],
    ['6001', '用户取消支付'],
    ['6002', '网络连接出错'],
    ['99', '用户点击了忘记密码'],
    ['6004', '订单支付失败，错误码：6004'],
  ] as const)
    test(`a payment that ends with ${code} says ${text}`, async () => {
      const order = await placed()
      const page = await enterAlipay(`/pay?id=${order.code}`, [code, '9000'])
      await expect(page.getByRole('heading', { name: text, exact: true })).toBeVisible()
      await look(page, `pay-alipay-${code}`)
      await page.getByRole('button', { name: '重新支付' }).click()
      await page.waitForURL(/\/payment\/successful/)
      await close(order)
    })

  test('without its bridge the page says so', async () => {
    const order = await placed()
    const { page } = await fixture.open(undefined, { userAgent: ALIPAY })
    await page.goto(`/pay?id=${order.code}`)
    await expect(page.getByRole('heading', { name: '支付宝 JSAPI 加载失败' })).toBeVisible()
    await close(order)
  })

  test('an order that is closed is refused with the words of the server', async () => {
    const order = await placed()
    await close(order)
    const page = await enterAlipay(`/pay?id=${order.code}`, [])
    const dialog = page.getByRole('alertdialog', { name: '订单创建失败' })
    await expect(dialog.getByText('订单已关闭')).toBeVisible()
    await dialog.getByRole('button', { name: '知道了' }).click()
    await expect(page.getByRole('button', { name: '重试' })).toHaveCount(0)
  })

  test('a code that nobody was given is refused as unknown, and so is what is no code', async () => {
    const page = await enterAlipay(`/pay?id=${'0'.repeat(32)}`, [])
    const refused = page.getByRole('alertdialog', { name: '订单创建失败' }).getByText('订单不存在')
    await expect(refused).toBeVisible()
    await page.goto('/pay?id=111')
    await expect(refused).toBeVisible()
  })
})

test('in another app, and on a desk, the page names the apps that can pay', async () => {
  const order = await placed()
  for (const options of [{ userAgent: inApp('QQ/9.0.0') }, { isDesk: true }]) {
    const { page } = await fixture.open(undefined, options)
    await page.goto(`/pay?id=${order.code}`)
    await expect(
      page.getByRole('heading', { name: '当前应用不支持扫码支付，请使用微信或支付宝' }),
    ).toBeVisible()
    await expectAccessible(page)
  }
  await close(order)
})

test.describe('in WeChat', () => {
  for (const [message, text] of [
    ['get_brand_wcpay_request:cancel', '用户取消支付'],
    ['get_brand_wcpay_request:fail', '支付失败'],
    ['system:access_denied', '支付失败：system:access_denied'],
  ] as const)
    test(`a payment that ends with ${message} says ${text}, and may be tried again`, async () => {
      const order = await placed('admin')
      const { page, context } = await fixture.open(undefined, { userAgent: WECHAT })
      await context.addInitScript(
        (left) =>
          Object.assign(window, {
            WeixinJSBridge: {
              on: () => undefined,
              call: () => undefined,
              invoke(name: string, _params: object, done?: (answer: object) => void) {
                done?.({ err_msg: name === 'getBrandWCPayRequest' ? left.shift() : `${name}:ok` })
              },
            },
          }),
        [message, 'get_brand_wcpay_request:ok'],
      )
      await page.goto(`/pay?id=${order.code}`)
      await page.getByRole('button', { name: '同意' }).click()
      const dialog = page.getByRole('alertdialog', { name: '微信支付失败' })
      await expect(dialog.getByText(text, { exact: true })).toBeVisible()
      await dialog.getByRole('button', { name: '知道了' }).click()
      await expect(page.getByText('¥18.00')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: '重新支付' }).click()
      await expect(page.getByRole('alertdialog', { name: '微信支付成功' })).toBeVisible()
      await page.getByRole('button', { name: '完成' }).click()
      await page.waitForURL(/\/payment\/successful/)
      await close(order, 'admin')
    })
})
