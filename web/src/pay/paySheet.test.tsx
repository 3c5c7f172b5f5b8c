import { vipProducts } from '@guildhall/wire/buff/buff.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { createOrder, type Order, viewOrder } from '@guildhall/wire/order/order.ts'
import { type PayData, payOrder } from '@guildhall/wire/pay/pay.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { orderChanged } from '../order/order.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { orderOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { PaySheet, type PaySheetProps } from './lazyPaySheet.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36'
const WECHAT = `${ANDROID} MicroMessenger/8.0.50`
const ALIPAY = `${ANDROID} AlipayClient/10.5`
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36'
const ID = '20000000000000000001'
const BOTH: readonly PayWay[] = ['wechat', 'alipay']
const MINUTE = 60_000

let server: ReturnType<typeof fakeServer>
/** What the server has of the order. */
let order: Order
let left: string[]
/** What the sheet told. */
let told: string[]

const useAgent = (agent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
const show = (more: Partial<PaySheetProps> = {}) =>
  renderAt(
    '/account/buff',
    '/account/buff',
    <Suspense>
      <PaySheet
        pay={{ productId: 1 }}
        ways={BOTH}
        onPaid={() => void told.push('paid')}
        onClose={() => void told.push('closed')}
        {...more}
      />
    </Suspense>,
    sessionOf().user,
  )
/** The sheet is closed; the copy of it that fades away is gone at once. */
const leave = () => {
  cleanup()
  document.body.replaceChildren()
}
/** The order becomes this, and the server says so. */
const becomes = (more: Partial<Order>) =>
  act(async () => {
    order = { ...order, ...more }
    orderChanged()
  })
const answer = (...data: PayData[]) =>
  server.on(payOrder, ({ way }) => data[way === 'wechat' ? 0 : data.length - 1]!)
const pay = async () => fireEvent.click(await screen.findByRole('button', { name: /^支付 ¥/ }))
const choose = async (name: string) => fireEvent.click(await screen.findByRole('radio', { name }))
const radios = () => screen.getAllByRole('radio').map((it) => (it as HTMLInputElement).value)
const keys = () => server.received(createOrder).map(({ key }) => key)

beforeEach(() => {
  sessionStorage.clear()
  order = orderOf()
  left = []
  told = []
  useAgent(ANDROID)
  server = fakeServer()
  server.on(createOrder, () => order)
  server.on(viewOrder, () => order)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    left.push(this.href)
  })
})
afterEach(() => {
  leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('placing the order', () => {
  test.each([
    ['product.retired', '商品已下架'],
    ['order.owned', '已拥有该物品'],
    ['order.receiver', '只能赠送给好友'],
  ] as const)('that the server refuses with %s says why: %s', async (name, text) => {
    server.on(createOrder, () => fail(name))
    show()
    expect(await screen.findByRole('heading', { name: '订单创建失败' })).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
    expect(screen.queryByRole('radio')).toBeNull()
  })

  test('with too many that wait leads to the bill, where they can be paid or given up', async () => {
    server.on(createOrder, () => fail('order.too_many', { most: 20 }))
    show()
    const bill = await screen.findByRole('link', { name: '查看账单' })
    expect(bill.getAttribute('href')).toBe('/account/order-list')
  })

  test('whose answer was lost is tried again with the same key', async () => {
    let isLost = true
    server.on(createOrder, () => {
      if (isLost) throw new TypeError('lost')
      return order
    })
    show()
    const retry = await screen.findByRole('button', { name: '重试' })
    isLost = false
    fireEvent.click(retry)
    expect(await screen.findByText('¥30.00')).toBeTruthy()
    const [first, second] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
  })

  test('opened again finds the order that waits, and that of another purchase is another', async () => {
    show()
    await screen.findByText('¥30.00')
    leave()
    show()
    await screen.findByText('¥30.00')
    leave()
    show({ pay: { productId: 1, count: 2 } })
    await screen.findByText('¥30.00')
    const [first, second, third] = keys()
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(server.received(createOrder)[2]).toMatchObject({ product_id: 1, count: 2 })
  })

  test.each([
    ['that was closed meanwhile', () => orderOf({ state: 'closed' })],
    ['of another purchase', () => fail('order.key_used')],
  ])('does not stop at an order %s', async (_, first) => {
    server.on(createOrder, () => (keys().length === 1 ? first() : order))
    show()
    expect(await screen.findByText('¥30.00')).toBeTruthy()
    expect(new Set(keys()).size).toBe(2)
  })

  test('shows an order that was paid meanwhile, so that nobody pays twice', async () => {
    order = orderOf({ state: 'granted', pay_platform: 1 })
    show()
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
    leave()
    order = orderOf()
    show()
    await screen.findByRole('radio', { name: '微信支付' })
    expect(new Set(keys()).size).toBe(2)
  })

  test('says for which guild and friend it is', async () => {
    show({ pay: { productId: 3, count: 4, guildId: '10' as never, userId: '3' as never } })
    await screen.findByText('¥30.00')
    expect(server.received(createOrder)).toEqual([
      { product_id: 3, count: 4, guild_id: '10', user_id: '3', key: expect.any(String) },
    ])
  })

  test('is not done for an order that exists', async () => {
    show({ pay: { orderId: ID } })
    expect(await screen.findByText('¥30.00')).toBeTruthy()
    expect(server.received(createOrder)).toEqual([])
  })
})

describe('the ways', () => {
  test('are none where the operator takes no payments in browsers', async () => {
    server.on(vipProducts, () => ({ items: [], browser_ways: [] }))
    show({ ways: undefined })
    expect(await screen.findByRole('heading', { name: '请在 APP 内打开' })).toBeTruthy()
  })

  test('are all where nobody knows what the operator offers: the server says more', async () => {
    server.on(vipProducts, () => fail('internal'))
    show({ ways: undefined })
    await screen.findByRole('radio', { name: '支付宝' })
    expect(radios()).toEqual(['wechat', 'alipay'])
  })

  test('of an order that renews itself are those that sign it here', async () => {
    order = orderOf({ period_buy: true })
    const renewing_ways = { inside: [], phone: ['alipay' as const], qr: [] }
    server.on(vipProducts, () => ({ items: [], browser_ways: [...BOTH], renewing_ways }))
    show({ pay: { orderId: ID }, ways: undefined })
    await screen.findByText('¥30.00')
    expect(radios()).toEqual(['alipay'])
  })

  test('are none inside of the other app', async () => {
    useAgent(WECHAT)
    show({ ways: ['alipay'] })
    expect(await screen.findByRole('heading', { name: '当前应用无法完成支付' })).toBeTruthy()
  })

  test.each([
    [ANDROID, ['wechat', 'alipay']],
    [DESK, ['wechat', 'alipay']],
    [WECHAT, ['wechat']],
    [ALIPAY, ['alipay']],
  ])('in %s are %j', async (agent, ways) => {
    useAgent(agent)
    show()
    await screen.findByText('¥30.00')
    expect(radios()).toEqual(ways)
  })
})

describe('paying', () => {
  test('that is refused says why, and the other way may be taken', async () => {
    const redirect: PayData = { kind: 'redirect', url: 'https://openapi.alipay.example/pay' }
    server.on(payOrder, ({ way }) => (way === 'wechat' ? fail('pay.way') : redirect))
    show()
    await pay()
    expect(await screen.findByText('暂不支持该支付方式')).toBeTruthy()
    await choose('支付宝')
    fireEvent.click(screen.getByRole('button', { name: '重新支付' }))
    await waitFor(() => expect(left).toEqual(['https://openapi.alipay.example/pay']))
    expect(server.received(payOrder)).toEqual([
      { order_id: ID, way: 'wechat', scene: 'phone' },
      { order_id: ID, way: 'alipay', scene: 'phone' },
    ])
  })

  test('an order that was closed meanwhile says so, and a new one may be placed', async () => {
    server.on(payOrder, () => {
      order = orderOf({ state: 'closed' })
      return fail('order.closed')
    })
    show()
    await pay()
    expect(await screen.findByRole('heading', { name: '订单已关闭' })).toBeTruthy()
    order = orderOf({ order_id: '20000000000000000002', pay_fee: 2_900 })
    fireEvent.click(screen.getByRole('button', { name: '重新下单' }))
    expect(await screen.findByText('¥29.00')).toBeTruthy()
    expect(new Set(keys()).size).toBe(2)
  })

  test.each(['javascript:alert(1)', 'weixin://pay'])('leaves for no address %j', async (url) => {
    answer({ kind: 'redirect', url })
    show()
    await pay()
    expect(await screen.findByText('未知错误')).toBeTruthy()
    expect(left).toEqual([])
  })

  const from = 'https://hall.example/payment/successful?order_id=7'
  test.each([
    ['javascript:alert(1)', from],
    ['weixin://pay', from],
    ['https://api.mch.weixin.example/sign', 'nonsense'],
  ])('signs at no address %j from %j', async (url, page) => {
    answer({ kind: 'redirect', url, from: page })
    show()
    await pay()
    expect(await screen.findByText('未知错误')).toBeTruthy()
    expect(left).toEqual([])
  })

  test('that is signed at the provider leaves from the page to which that leads back', async () => {
    answer({ kind: 'redirect', url: 'https://api.mch.weixin.example/sign', from })
    show()
    await pay()
    expect(await screen.findByText('at /payment/successful?order_id=7')).toBeTruthy()
    expect(left).toEqual(['https://api.mch.weixin.example/sign'])
  })

  test('is begun once, however often it is tapped', async () => {
    answer({ kind: 'redirect', url: 'https://wx.tenpay.example/h5' })
    show()
    await pay()
    fireEvent.click(screen.getByRole('button', { name: '正在支付' }))
    await waitFor(() => expect(left).toHaveLength(1))
    expect(server.received(payOrder)).toHaveLength(1)
  })

  test('on a phone leaves for the provider, and shows on return what became of the order', async () => {
    answer({ kind: 'redirect', url: 'https://wx.tenpay.example/h5' })
    show()
    await pay()
    expect(await screen.findByText('正在打开微信支付')).toBeTruthy()
    const before = server.received(viewOrder).length
    await act(async () => void window.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(server.received(viewOrder)).toHaveLength(before + 1))
    order = orderOf({ state: 'granted', pay_platform: 1 })
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
    expect(told).toEqual(['paid'])
  })

  test('on a phone can be begun anew after coming back without having paid', async () => {
    answer({ kind: 'redirect', url: 'https://wx.tenpay.example/h5' })
    show()
    await pay()
    const done = await screen.findByRole('button', { name: '我已完成支付' })
    const before = server.received(viewOrder).length
    fireEvent.click(done)
    await waitFor(() => expect(server.received(viewOrder)).toHaveLength(before + 1))
    fireEvent.click(screen.getByRole('button', { name: '重新支付' }))
    expect(await screen.findByRole('radio', { name: '支付宝' })).toBeTruthy()
  })

  test('on a desk shows a code, follows the order, and leads on when it is paid', async () => {
    useAgent(DESK)
    answer({ kind: 'qr', code: 'weixin://wxpay/bizpayurl?pr=1' })
    show()
    await pay()
    expect(await screen.findByRole('img', { name: '微信支付二维码' })).toBeTruthy()
    expect(server.received(payOrder)).toEqual([{ order_id: ID, way: 'wechat', scene: 'qr' }])
    await becomes({ state: 'paid', pay_platform: 1 })
    expect(await screen.findByText('已收到付款，正在发放，通常只需几秒')).toBeTruthy()
    await becomes({ state: 'granted' })
    expect(await screen.findByText('你购买的商品已到账')).toBeTruthy()
    expect(screen.getByRole('link', { name: '查看账单' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '完成' }))
    expect(told).toEqual(['paid', 'closed'])
    leave()
    order = orderOf()
    show()
    await screen.findByRole('radio', { name: '支付宝' })
    expect(new Set(keys()).size).toBe(2)
  })

  test('on a desk another way may be chosen', async () => {
    useAgent(DESK)
    answer({ kind: 'qr', code: 'weixin://1' }, { kind: 'qr', code: 'https://qr.alipay.example/1' })
    show()
    await pay()
    fireEvent.click(await screen.findByRole('button', { name: '更换支付方式' }))
    await choose('支付宝')
    await pay()
    expect(await screen.findByRole('img', { name: '支付宝二维码' })).toBeTruthy()
  })

  test.each([
    ['ahead', -24 * 60 * MINUTE],
    ['late', 24 * 60 * MINUTE],
  ])('does not believe a clock that is %s', async (_, by) => {
    useAgent(DESK)
    order = orderOf({ expires_at: Date.now() + by, left_ms: 10 * MINUTE })
    answer({ kind: 'qr', code: 'weixin://1' })
    show()
    expect(await screen.findByText('剩余支付时间 10:00')).toBeTruthy()
    await pay()
    expect(await screen.findByText(/请用微信扫码支付/)).toBeTruthy()
  })

  test('in WeChat goes to where WeChat tells who pays', async () => {
    useAgent(WECHAT)
    answer({ kind: 'redirect', url: 'https://open.weixin.example/authorize' })
    show()
    await pay()
    await waitFor(() => expect(left).toEqual(['https://open.weixin.example/authorize']))
    expect(server.received(payOrder)).toEqual([{ order_id: ID, way: 'wechat', scene: 'inside' }])
  })

  const alipay = (code: string) => {
    useAgent(ALIPAY)
    answer({ kind: 'alipay', order_str: 'app_id=1' })
    vi.stubGlobal('AlipayJSBridge', {
      call: (_: string, params: object, done: (it: object) => void) =>
        done({ resultCode: JSON.stringify(params) === '{"orderStr":"app_id=1"}' ? code : 'wrong' }),
    })
  }

  test('in Alipay that is cancelled can be tried again', async () => {
    alipay('6001')
    show()
    await pay()
    expect(await screen.findByText('用户取消支付')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重新支付' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '刷新状态' })).toBeNull()
  })

  test('in Alipay that may have been paid offers to look first', async () => {
    alipay('6002')
    show()
    await pay()
    expect(await screen.findByText('网络连接出错')).toBeTruthy()
    order = orderOf({ state: 'granted', pay_platform: 2 })
    fireEvent.click(screen.getByRole('button', { name: '刷新状态' }))
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
  })

  test('in Alipay that was paid waits for the server to know', async () => {
    alipay('9000')
    show()
    await pay()
    expect(await screen.findByText('正在确认支付结果')).toBeTruthy()
    expect(screen.queryByText('支付成功')).toBeNull()
    await becomes({ state: 'granted', pay_platform: 2 })
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
  })

  test.each([
    ['refunding', '款项正在退回'],
    ['refunded', '款项已退回'],
    ['stuck', '订单正在核实'],
  ] as const)('an order that becomes %s says so', async (state, text) => {
    show()
    await screen.findByText('¥30.00')
    const refunds = [{ fee: 3000, state: 'waiting', cause: 'late', reason: '', at: 1 } as const]
    await becomes({ state, refunds: state === 'stuck' ? [] : refunds })
    expect(await screen.findByRole('heading', { name: text })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '重新下单' })).toBeNull()
    expect(told).toEqual([])
  })

  test('asks for the order when its time is over, and hides the code', async () => {
    useAgent(DESK)
    answer({ kind: 'qr', code: 'weixin://1' })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    order = orderOf({ left_ms: MINUTE })
    show()
    await pay()
    await screen.findByRole('img', { name: '微信支付二维码' })
    expect(screen.getByText('剩余支付时间 1:00')).toBeTruthy()
    const before = server.received(viewOrder).length
    order = orderOf({ left_ms: 0 })
    // The sum's and the code's: an effect may start its timer after its step is shown.
    await expect.poll(() => vi.getTimerCount()).toBe(2)
    await act(async () => void vi.advanceTimersByTime(MINUTE))
    expect(screen.getByText(/二维码已过期/)).toBeTruthy()
    expect(server.received(viewOrder)).toHaveLength(before + 1)
    server.on(payOrder, () => {
      order = orderOf({ state: 'closed' })
      return fail('order.closed')
    })
    fireEvent.click(screen.getByRole('button', { name: '刷新二维码' }))
    expect(await screen.findByRole('heading', { name: '订单已关闭' })).toBeTruthy()
  })
})

describe('a code on a screen that is touched', () => {
  const CODE = 'weixin://wxpay/bizpayurl?pr=1'
  const QR_ALIPAY = 'https://qr.alipay.example/1'
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1'
  let saved: string[]
  /** What the server answers for phones; by default it has no page for them. */
  let onPhone: () => PayData | ReturnType<typeof fail>

  beforeEach(() => {
    saved = []
    onPhone = () => fail('pay.failed')
    useAgent(DESK)
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('coarse') }))
    // There is nothing to draw on here: how the code looks is seen in a browser.
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
      fillRect: () => undefined,
    } as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/png;base64,iVBORw==')
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined }),
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (this.download) saved.push(this.download)
      else left.push(this.href)
    })
    server.on(payOrder, ({ way, scene }) =>
      scene === 'phone'
        ? onPhone()
        : ({ kind: 'qr', code: way === 'wechat' ? CODE : QR_ALIPAY } satisfies PayData),
    )
  })
  const scenes = () => server.received(payOrder).map(({ scene }) => scene)
  const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  const open = async (name = '打开微信') => fireEvent.click(await screen.findByRole('button', { name }))
  const showCode = async (way = '微信支付') => {
    show()
    await choose(way)
    await pay()
    return screen.findByRole('img', { name: `${way}二维码` })
  }

  test('is a picture with the app, its saving and what to do next, though the browser calls itself a desk', async () => {
    expect((await showCode()).getAttribute('src')).toMatch(/^data:image\/png/)
    expect(steps()).toEqual([
      '点「保存二维码」，图片会存到手机里',
      '打开微信，点「扫一扫」',
      '从「相册」里选择这张图片，然后付款',
      '付款后回到这里，页面会自动更新',
    ])
    fireEvent.click(screen.getByRole('button', { name: '保存二维码' }))
    await waitFor(() => expect(saved).toEqual(['wechat-pay.png']))
    expect(left).toEqual([])
  })

  test('opens the app by the provider’s page for phones, with the same order', async () => {
    onPhone = () => ({ kind: 'redirect', url: 'https://wx.tenpay.example/h5' })
    await showCode()
    await open()
    expect(await screen.findByText('正在打开微信支付')).toBeTruthy()
    expect(left).toEqual(['https://wx.tenpay.example/h5'])
    fireEvent.click(screen.getByRole('button', { name: '用二维码支付' }))
    await screen.findByRole('img', { name: '微信支付二维码' })
    // The page did not help: the app is opened by its own address.
    await open()
    await waitFor(() => expect(left.slice(1)).toEqual(['weixin://']))
    expect(scenes()).toEqual(['qr', 'phone', 'qr'])
    expect(server.received(createOrder)).toHaveLength(1)
  })

  test.each([
    ['微信支付', '打开微信', 'weixin://'],
    [
      '支付宝',
      '打开支付宝',
      'alipays://platformapi/startapp?saId=10000007&qrcode=https%3A%2F%2Fqr.alipay.example%2F1',
    ],
  ])('opens the app of %s where there is no page for phones', async (way, button, address) => {
    await showCode(way)
    await open(button)
    await waitFor(() => expect(left).toEqual([address]))
    expect(screen.getByRole('img', { name: `${way}二维码` })).toBeTruthy()
  })

  test('stays when the network does not carry the tap, and the next tap asks again', async () => {
    onPhone = () => {
      throw new TypeError('lost')
    }
    await showCode()
    await open()
    expect(await screen.findByText('网络错误')).toBeTruthy()
    expect(left).toEqual([])
    onPhone = () => ({ kind: 'redirect', url: 'https://wx.tenpay.example/h5' })
    await open()
    await waitFor(() => expect(left).toEqual(['https://wx.tenpay.example/h5']))
  })

  test('of an order that was paid meanwhile opens nothing and says so', async () => {
    onPhone = () => {
      order = orderOf({ state: 'granted', pay_platform: 1 })
      return fail('order.paid')
    }
    await showCode()
    await open()
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
    expect(left).toEqual([])
  })

  test('is held in a chat app, which saves nothing', async () => {
    useAgent(`${ANDROID} QQ/9.0`)
    show()
    await pay()
    fireEvent.click(await screen.findByRole('button', { name: '用二维码支付' }))
    await screen.findByRole('img', { name: '微信支付二维码' })
    expect(steps()[0]).toBe('长按上方的二维码，保存到相册')
    expect(screen.queryByRole('button', { name: '保存二维码' })).toBeNull()
  })

  test.each([
    ['AbortError', true],
    ['NotAllowedError', false],
  ])('is shared into the album of an iPhone; with %s it %s offered again', async (name, isAgain) => {
    const shared: string[] = []
    vi.stubGlobal('navigator', {
      userAgent: IPHONE,
      language: 'zh-CN',
      onLine: true,
      maxTouchPoints: 5,
      canShare: () => true,
      async share({ files }: { files: File[] }) {
        shared.push(...files.map(({ name }) => name))
        throw Object.assign(new Error(), { name })
      },
    })
    show()
    await pay()
    fireEvent.click(await screen.findByRole('button', { name: '用二维码支付' }))
    await screen.findByRole('img', { name: '微信支付二维码' })
    fireEvent.click(screen.getByRole('button', { name: '保存二维码' }))
    await waitFor(() => expect(shared).toEqual(['wechat-pay.png']))
    await waitFor(() => expect(screen.queryByRole('button', { name: '保存二维码' }) !== null).toBe(isAgain))
  })
})

describe('the keyboard', () => {
  test('stays in the sheet when a step replaces another', async () => {
    useAgent(DESK)
    answer({ kind: 'qr', code: 'weixin://1' })
    show()
    const button = await screen.findByRole('button', { name: /^支付 ¥/ })
    button.focus()
    fireEvent.click(button)
    await screen.findByRole('img', { name: '微信支付二维码' })
    const sheet = screen.getByRole('dialog', { name: '支付订单' })
    expect(sheet.contains(document.activeElement)).toBe(true)
  })

  test('closes the sheet by Escape', async () => {
    show()
    await screen.findByText('¥30.00')
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(told).toEqual(['closed'])
  })
})
