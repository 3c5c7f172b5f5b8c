import { fail } from '@guildhall/wire/failure.ts'
import { createOrder, viewOrder } from '@guildhall/wire/order/order.ts'
import { createByCode, wxJsapi } from '@guildhall/wire/pay/pay.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { writeStored } from '../kit/browser/storage.ts'
import { BRIDGE_WAIT_MS } from '../native/payBridge.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { orderOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import PaidScreen from './PaidScreen.tsx'
import PaySheet from './PaySheet.tsx'
import ScanPayScreen from './ScanPayScreen.tsx'
import WechatPayScreen from './WechatPayScreen.tsx'

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36'
const WECHAT = `${ANDROID} MicroMessenger/8.0.50`
const ALIPAY = `${ANDROID} AlipayClient/10.5`
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36'
const CODE = '0123456789abcdef0123456789abcdef'

let server: ReturnType<typeof fakeServer>
let replaced: string[]
const useAgent = (agent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)

/** What WeChat was asked to pay, and what answers each. */
const weixinBridge = () => {
  const asked: { params: object; answer: (message: string) => Promise<void> }[] = []
  const call = vi.fn()
  vi.stubGlobal('WeixinJSBridge', {
    call,
    invoke: (_: string, params: object, done: (it: object) => void) =>
      void asked.push({ params, answer: (err_msg) => act(async () => done({ err_msg })) }),
  })
  return { asked, call }
}
const alipayBridge = (...codes: string[]) => {
  const paid: unknown[] = []
  vi.stubGlobal('AlipayJSBridge', {
    call(_: string, params?: object, done?: (it: object) => void) {
      if (!done) return
      paid.push(params)
      done({ resultCode: codes[paid.length - 1] })
    },
  })
  return paid
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  localStorage.setItem('locale', 'zh-CN')
  replaced = []
  server = fakeServer()
  vi.spyOn(location, 'replace').mockImplementation((address) => void replaced.push(String(address)))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a scanned code', () => {
  const show = (search: string) => renderAt(`/pay${search}`, '/pay', <ScanPayScreen />)
  const answer = (mobile_pay: string, pay_way: PayWay) =>
    server.on(createByCode, () => ({ pay_data: { mobile_pay, pay_way } }))
  const dialog = async () => within(await screen.findByRole('alertdialog', { name: '订单创建失败' }))

  test('is not shown bare by a phone that asks for pages as a desk does', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('coarse') }))
    useAgent(DESK)
    show(`?id=${CODE}`)
    expect(await screen.findByRole('button', { name: '复制链接' })).toBeTruthy()
    expect(screen.queryByRole('img', { name: '本页面的二维码' })).toBeNull()
  })

  test.each([ANDROID, `${ANDROID} QQ/9.0`, DESK])('is not paid in %s', async (agent) => {
    useAgent(agent)
    show(`?id=${CODE}`)
    expect(screen.getByRole('heading', { name: '当前应用不支持扫码支付，请使用微信或支付宝' })).toBeTruthy()
    expect(server.received(createByCode)).toEqual([])
  })

  test('is shown on a desk to be scanned by a phone', async () => {
    useAgent(DESK)
    show(`?id=${CODE}`)
    expect(await screen.findByRole('img', { name: '本页面的二维码' })).toBeTruthy()
  })

  test('of WeChat is not paid elsewhere', () => {
    useAgent(ALIPAY)
    show(`?code=wx&state=${CODE}`)
    expect(screen.getByRole('heading', { name: '支付链接无效' })).toBeTruthy()
  })

  test.each(['', '?id='])('of the address %j is none', (search) => {
    useAgent(WECHAT)
    show(search)
    expect(screen.getByRole('heading', { name: '支付链接无效' })).toBeTruthy()
    expect(server.received(createByCode)).toEqual([])
  })

  test.each(['1', '订单', `${CODE}0`, CODE.toUpperCase(), CODE])(
    'of no order, %s, is refused with the words of the server',
    async (id) => {
      useAgent(ALIPAY)
      server.on(createByCode, () => fail('order.unknown'))
      show(`?id=${encodeURIComponent(id)}`)
      expect((await dialog()).getByText('订单不存在')).toBeTruthy()
      fireEvent.click((await dialog()).getByRole('button', { name: '知道了' }))
      expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
    },
  )

  test('that the server refuses says why, and is not tried in vain', async () => {
    useAgent(WECHAT)
    server.on(createByCode, () => fail('order.closed'))
    show(`?id=${CODE}`)
    expect((await dialog()).getByText('订单已关闭，请重新下单')).toBeTruthy()
    fireEvent.click((await dialog()).getByRole('button', { name: '知道了' }))
    expect(screen.getByRole('heading', { name: '订单创建失败' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
    expect(screen.getByRole('link', { name: '前往公会厅' })).toBeTruthy()
  })

  test('that the provider refuses for now may be tried again', async () => {
    useAgent(WECHAT)
    server.on(createByCode, () => fail('pay.failed'))
    show(`?id=${CODE}`)
    fireEvent.click((await dialog()).getByRole('button', { name: '知道了' }))
    answer('https://open.weixin.example/authorize', 'wechat')
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    await waitFor(() => expect(replaced).toEqual(['https://open.weixin.example/authorize']))
  })

  test('without the network says so', async () => {
    useAgent(WECHAT)
    show(`?id=${CODE}`)
    expect((await dialog()).getByText('网络错误')).toBeTruthy()
  })

  test.each(['', 'javascript:alert(1)', '//evil.example', '/account'])(
    'leads to no address %j',
    async (address) => {
      useAgent(WECHAT)
      answer(address, 'wechat')
      show(`?id=${CODE}`)
      expect((await dialog()).getByText('未知错误')).toBeTruthy()
      expect(replaced).toEqual([])
    },
  )

  test('in WeChat leads on to who pays, and Back does not begin anew', async () => {
    useAgent(WECHAT)
    answer('https://open.weixin.example/authorize', 'wechat')
    show(`?id=${CODE}`)
    await waitFor(() => expect(replaced).toEqual(['https://open.weixin.example/authorize']))
    expect(server.received(createByCode)).toEqual([{ id: CODE, platform: 1 }])
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('in WeChat leads on to sign from the page that WeChat leads back to, and to no other address', async () => {
    useAgent(WECHAT)
    const left: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      left.push(this.href)
    })
    const from = 'https://hall.example/payment/successful?order_id=7'
    const sign = (mobile_pay: string) =>
      server.on(createByCode, () => ({ pay_data: { mobile_pay, pay_way: 'wechat' as const, from } }))
    sign('javascript:alert(1)')
    show(`?id=${CODE}`)
    fireEvent.click((await dialog()).getByRole('button', { name: '知道了' }))
    sign('https://api.mch.weixin.example/sign')
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('at /payment/successful?order_id=7')).toBeTruthy()
    expect([left, replaced]).toEqual([['https://api.mch.weixin.example/sign'], []])
  })

  test('in WeChat goes on with the code that WeChat gave', () => {
    useAgent(WECHAT)
    show(`?code=wx1&state=${CODE}`)
    expect(screen.getByText(`at /payment/wechat?code=wx1&state=${CODE}`)).toBeTruthy()
  })

  test('in Alipay is paid there', async () => {
    useAgent(ALIPAY)
    const paid = alipayBridge('9000')
    answer('app_id=1&sign=2', 'alipay')
    show(`?id=${CODE}`)
    expect(await screen.findByText('at /payment/successful')).toBeTruthy()
    expect(server.received(createByCode)).toEqual([{ id: CODE, platform: 2 }])
    expect(paid).toEqual([{ orderStr: 'app_id=1&sign=2' }])
  })

  test('in an Alipay without its bridge says so', async () => {
    useAgent(ALIPAY)
    answer('app_id=1', 'alipay')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    show(`?id=${CODE}`)
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(screen.getByRole('heading', { name: '支付宝 JSAPI 加载失败' })).toBeTruthy()
  })

  test.each([
    ['4000', '订单支付失败', '没有扣款，你可以重新支付'],
    ['6001', '用户取消支付', '没有扣款，你可以重新支付'],
    ['99', '用户点击了忘记密码', '找回支付密码后，可以重新支付'],
  ])('that ends with %s: %s', async (code, text, why) => {
    useAgent(ALIPAY)
    const paid = alipayBridge(code, '9000')
    answer('app_id=1', 'alipay')
    show(`?id=${CODE}`)
    expect(await screen.findByRole('heading', { name: text })).toBeTruthy()
    expect(screen.getByText(why)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '重新支付' }))
    expect(await screen.findByText('at /payment/successful')).toBeTruthy()
    expect(paid).toHaveLength(2)
  })

  test.each([
    ['8000', '订单正在处理中'],
    ['6002', '网络连接出错'],
    ['6004', '订单支付失败，错误码：6004'],
    ['', '订单支付失败，错误码：'],
  ])('that ends with %j may have been paid: %s', async (code, text) => {
    useAgent(ALIPAY)
    alipayBridge(code)
    answer('app_id=1', 'alipay')
    show(`?id=${CODE}`)
    expect(await screen.findByRole('heading', { name: text })).toBeTruthy()
    expect(screen.getByText(/不要重复支付/)).toBeTruthy()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['完成', '重新支付'])
  })
})

describe('the payment in WeChat', () => {
  const PAYMENT = {
    pay: { appId: 'wx1', paySign: 'x' },
    user: { avatar: '', name: '微信里的小满' },
    order: { product: 'BUFF 月卡 × 2', pay_fee: 6_005 },
  }
  const show = (search = `?code=wx1&state=${CODE}`) => {
    useAgent(WECHAT)
    return renderAt(`/payment/wechat${search}`, '/payment/wechat', <WechatPayScreen />)
  }
  const failed = async () => within(await screen.findByRole('alertdialog', { name: '微信支付失败' }))

  test.each(['', '?code=1', '?code=1&state=2', `?code=1&state=${CODE}x`])(
    'of the address %j is none',
    (search) => {
      show(search)
      expect(screen.getByRole('heading', { name: '支付链接无效' })).toBeTruthy()
      expect(server.received(wxJsapi)).toEqual([])
    },
  )

  test('of somebody who refused to say who they are can be begun anew', () => {
    show(`?state=${CODE}`)
    expect(screen.getByRole('link', { name: '重新打开支付页面' }).getAttribute('href')).toBe(
      `/pay?id=${CODE}`,
    )
    expect(server.received(wxJsapi)).toEqual([])
  })

  test('whose code was used, as by a reload, has a way on', async () => {
    server.on(wxJsapi, () => fail('auth.third_part_refused'))
    show()
    expect(await screen.findByRole('heading', { name: '页面已失效' })).toBeTruthy()
    fireEvent.click(screen.getByRole('link', { name: '重新打开支付页面' }))
    expect(await screen.findByText(`at /pay?id=${CODE}`)).toBeTruthy()
    expect(server.received(wxJsapi)).toHaveLength(1)
  })

  test('of an order that was paid is not begun anew', async () => {
    server.on(wxJsapi, () => fail('order.paid'))
    show()
    expect(await screen.findByText('订单已支付')).toBeTruthy()
    expect(screen.queryByRole('link', { name: '重新打开支付页面' })).toBeNull()
  })

  test('without the network can be begun anew', async () => {
    show()
    expect(await screen.findByText('网络错误')).toBeTruthy()
    expect(screen.getByRole('link', { name: '重新打开支付页面' })).toBeTruthy()
    expect(server.received(wxJsapi)).toHaveLength(0)
  })

  test.each([
    ['get_brand_wcpay_request:cancel', '用户取消支付'],
    ['get_brand_wcpay_request:fail', '支付失败'],
    ['system:access_denied', '支付失败：system:access_denied'],
  ])('that ends with %s says %s, and can be tried again', async (message, text) => {
    const { asked } = weixinBridge()
    server.on(wxJsapi, () => PAYMENT)
    show()
    await waitFor(() => expect(asked).toHaveLength(1))
    await asked[0]!.answer(message)
    expect((await failed()).getByText(text)).toBeTruthy()
    fireEvent.click((await failed()).getByRole('button', { name: '知道了' }))
    expect(screen.getByText(text)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '重新支付' }))
    await waitFor(() => expect(asked).toHaveLength(2))
    await asked[1]!.answer('get_brand_wcpay_request:ok')
    expect(await screen.findByRole('alertdialog', { name: '微信支付成功' })).toBeTruthy()
  })

  test('without the bridge of WeChat says so', async () => {
    server.on(wxJsapi, () => PAYMENT)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    show()
    await act(() => vi.advanceTimersByTimeAsync(0))
    await act(() => vi.advanceTimersByTimeAsync(BRIDGE_WAIT_MS.WeixinJSBridge))
    expect(within(screen.getByRole('alertdialog')).getByText(/^微信支付未能加载/)).toBeTruthy()
  })

  test('shows who pays, for what and how much, and asks once however often it is tapped', async () => {
    const { asked } = weixinBridge()
    server.on(wxJsapi, () => PAYMENT)
    show()
    expect(await screen.findByRole('heading', { name: 'BUFF 月卡 × 2' })).toBeTruthy()
    expect(screen.getByText('¥60.05')).toBeTruthy()
    expect(screen.getByText('微信里的小满')).toBeTruthy()
    await waitFor(() => expect(asked.map(({ params }) => params)).toEqual([PAYMENT.pay]))
    const button = await screen.findByRole('button', { name: '正在支付' })
    fireEvent.click(button)
    fireEvent.click(button)
    expect(asked).toHaveLength(1)
    await asked[0]!.answer('get_brand_wcpay_request:ok')
    const dialog = within(await screen.findByRole('alertdialog', { name: '微信支付成功' }))
    fireEvent.click(dialog.getByRole('button', { name: '完成' }))
    expect(await screen.findByText('at /payment/successful')).toBeTruthy()
    expect(server.received(wxJsapi)).toEqual([{ code: 'wx1', state: CODE }])
  })
})

describe('the end of a payment', () => {
  const ID = '20000000000000000001'
  const show = (search = '') =>
    renderAt(`/payment/successful${search}`, '/payment/successful', <PaidScreen />, sessionOf().user)

  test.each([
    [null, '支付成功'],
    [{ product: '助力包 ×3', pay_fee: 123_400 }, '支付成功¥1,234.00助力包 ×3'],
  ])('inside of WeChat says what its page handed on: %j', (state, shown) => {
    const address = { pathname: '/payment/successful', state }
    renderAt(address, '/payment/successful', <PaidScreen />, sessionOf().user)
    expect(screen.getByRole('heading').parentElement?.textContent).toBe(shown)
  })

  test('of an order that nobody is logged in for is told elsewhere', () => {
    show(`?order_id=${ID}`)
    expect(screen.getByRole('heading', { name: '请回到下单的页面' })).toBeTruthy()
    expect(screen.queryByText('支付成功')).toBeNull()
  })

  test('of an order that was not paid does not say that it was', async () => {
    writeStored('authorization', 'tok')
    server.on(viewOrder, () => orderOf({ state: 'paying' }))
    show(`?order_id=${ID}`)
    expect(await screen.findByRole('heading', { name: '正在确认支付结果' })).toBeTruthy()
    server.on(viewOrder, () => orderOf({ state: 'granted' }))
    fireEvent.click(screen.getByRole('button', { name: '刷新状态' }))
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
    expect(screen.getByText('¥30.00')).toBeTruthy()
    expect(server.received(viewOrder)).toHaveLength(2)
  })

  test('is looked at again when the person comes back to the page', async () => {
    writeStored('authorization', 'tok')
    server.on(viewOrder, () => orderOf({ state: 'paying' }))
    show(`?order_id=${ID}`)
    await screen.findByRole('heading', { name: '正在确认支付结果' })
    server.on(viewOrder, () => orderOf({ state: 'closed' }))
    window.dispatchEvent(new Event('visibilitychange'))
    expect(await screen.findByRole('heading', { name: '订单已关闭' })).toBeTruthy()
  })

  test('is asked for a few times more after that, and the order can be paid anew in the bill', async () => {
    writeStored('authorization', 'tok')
    server.on(viewOrder, () => orderOf({ state: 'paying' }))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const looks = () => server.received(viewOrder).length
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    show(`?order_id=${ID}`)
    await pass(0)
    await pass(60_000)
    expect(looks()).toBe(6)
    await act(async () => void window.dispatchEvent(new Event('pageshow')))
    await pass(60_000)
    expect(looks()).toBe(11)
    const again = screen.getByRole('link', { name: '重新支付' })
    expect(again.getAttribute('href')).toBe(`/account/order-list?order=${ID}`)
    server.on(viewOrder, () => orderOf({ state: 'granted' }))
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    await pass(2_000)
    expect(screen.getByRole('heading', { name: '支付成功' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: '重新支付' })).toBeNull()
  })

  test('leads back to the page on which one bought', async () => {
    writeStored('authorization', 'tok')
    server.on(viewOrder, () => orderOf({ state: 'paying' }))
    server.on(createOrder, () => orderOf({ state: 'paying' }))
    renderAt(
      '/guild/boost/10?user_id=9',
      '/guild/boost/10',
      <PaySheet pay={{ productId: 1 }} ways={['wechat']} onClose={() => undefined} />,
      sessionOf().user,
    )
    await waitFor(() => expect(server.received(createOrder)).toHaveLength(1))
    cleanup()
    for (const search of ['', `?order_id=${ID}`]) {
      server.on(viewOrder, () => orderOf({ state: 'granted' }))
      show(search)
      const back = await screen.findByRole('link', { name: '返回公会助力' })
      expect(back.getAttribute('href')).toBe('/guild/boost/10')
      cleanup()
    }
  })

  test.each([
    [{}, ['BUFF 月卡 · 30 天', '自己']],
    [{ user_id: '3', usage_info: '赠送给 安然#0001' }, ['BUFF 月卡 · 30 天', '赠送给 安然#0001']],
    [
      {
        guild_id: '10',
        usage_info: '北岸',
        lines: [{ product_id: 3, name: '助力包', count: 4, price: 750, fee: 3000, packs: 5 }],
      },
      ['助力包 × 4 · 共 20 个', '公会「北岸」'],
    ],
  ])('says what was bought and for whom: %#', async (more, shown) => {
    writeStored('authorization', 'tok')
    const line = { product_id: 1, name: 'BUFF 月卡', count: 1, price: 3000, fee: 3000, days: 30 }
    server.on(viewOrder, () => orderOf({ state: 'granted', lines: [line], ...more }))
    show(`?order_id=${ID}`)
    await screen.findByRole('heading', { name: '支付成功' })
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(shown)
    // A tab that does not know where one bought leads to the guild that it was for.
    expect(screen.queryByRole('link', { name: '返回公会助力' })?.getAttribute('href')).toBe(
      'guild_id' in more ? '/guild/boost/10' : undefined,
    )
  })

  test.each(['closed', 'refunding', 'stuck', 'paying'] as const)(
    'that is %s is no moment to enjoy, and says nothing was bought',
    async (state) => {
      writeStored('authorization', 'tok')
      server.on(viewOrder, () => orderOf({ state }))
      show(`?order_id=${ID}`)
      await screen.findByRole('heading')
      expect(screen.queryByRole('definition')).toBeNull()
      expect(document.querySelector('[data-festive]')).toBeNull()
    },
  )

  test('of an order that cannot be loaded can be asked for again', async () => {
    writeStored('authorization', 'tok')
    server.on(viewOrder, () => fail('order.unknown'))
    show(`?order_id=${ID}`)
    expect(await screen.findByText('订单不存在')).toBeTruthy()
    expect(screen.getByRole('link', { name: '查看账单' }).getAttribute('href')).toBe('/account/order-list')
  })

  test.each([
    ['late', '付款时订单已关闭，款项会退回原支付账户'],
    ['twice', '这笔订单被重复支付，多付的款项会退回原支付账户'],
    ['failed', '商品未能发放，款项会退回原支付账户'],
    ['staff', '款项会退回原支付账户'],
  ] as const)('that goes back because of %s says so', async (cause, text) => {
    writeStored('authorization', 'tok')
    const refunds = [{ fee: 3000, state: 'waiting', cause, reason: '', at: 1 } as const]
    server.on(viewOrder, () => orderOf({ state: 'refunding', refunds }))
    show(`?order_id=${ID}`)
    expect(await screen.findByRole('heading', { name: '款项正在退回' })).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
  })

  test('closes the page inside of WeChat, and leads on elsewhere', async () => {
    const { call } = weixinBridge()
    show()
    expect(screen.getByRole('heading', { name: '支付成功' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '完成' }))
    expect(call).toHaveBeenCalledWith('closeWindow')
    cleanup()
    vi.unstubAllGlobals()
    show('?order_id=nonsense')
    expect(screen.getByRole('heading', { name: '支付成功' })).toBeTruthy()
    fireEvent.click(screen.getByRole('link', { name: '前往公会厅' }))
    expect(await screen.findByText('at /')).toBeTruthy()
  })
})
