import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { leaveFor } from './openApp/leaveFor.ts'
import { BRIDGE_WAIT_MS, canCloseHost, closeHost, payInAlipay, payInWeixin } from './payBridge.ts'

const PARAMS = { appId: 'wx1', package: 'prepay_id=1' }
const weixin = (answer: unknown) => ({
  invoke: vi.fn((_call: string, _params: object, done: (it: unknown) => void) => done(answer)),
  call: vi.fn(),
})
const alipay = (answer: unknown) => ({
  call: vi.fn((_call: string, _params?: object, done?: (it: unknown) => void) => done?.(answer)),
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a bridge that does not come', () => {
  test('is waited for, and then there is none', async () => {
    const paid = Promise.all([payInWeixin(PARAMS), payInAlipay('order')])
    await vi.advanceTimersByTimeAsync(BRIDGE_WAIT_MS.WeixinJSBridge)
    expect(await paid).toEqual([{ end: 'absent' }, null])
    expect(canCloseHost()).toBe(false)
    closeHost()
  })

  test('may come late', async () => {
    const paid = Promise.all([payInWeixin(PARAMS), payInAlipay('order')])
    vi.stubGlobal('WeixinJSBridge', weixin({ err_msg: 'get_brand_wcpay_request:ok' }))
    vi.stubGlobal('AlipayJSBridge', alipay({ resultCode: '9000' }))
    document.dispatchEvent(new Event('WeixinJSBridgeReady'))
    document.dispatchEvent(new Event('AlipayJSBridgeReady'))
    expect(await paid).toEqual([{ end: 'ok' }, '9000'])
  })
})

describe('WeChat', () => {
  test.each([
    [{ err_msg: 'get_brand_wcpay_request:ok' }, { end: 'ok' }],
    [{ err_msg: 'get_brand_wcpay_request:cancel' }, { end: 'cancel' }],
    [{ err_msg: 'get_brand_wcpay_request:fail' }, { end: 'fail' }],
    [{ err_msg: 'system:access_denied' }, { end: 'other', message: 'system:access_denied' }],
    [{ err_msg: 'get_brand_wcpay_request:okay' }, { end: 'other', message: 'get_brand_wcpay_request:okay' }],
    [{}, { end: 'other', message: '' }],
    [undefined, { end: 'other', message: '' }],
  ])('answers %j, which is %j', async (answer, end) => {
    const bridge = weixin(answer)
    vi.stubGlobal('WeixinJSBridge', bridge)
    expect(await payInWeixin(PARAMS)).toEqual(end)
    expect(bridge.invoke.mock.calls[0]?.slice(0, 2)).toEqual(['getBrandWCPayRequest', PARAMS])
  })

  test('that throws ends in its own words', async () => {
    const invoke = () => {
      throw new Error('not allowed')
    }
    vi.stubGlobal('WeixinJSBridge', { ...weixin({}), invoke })
    expect(await payInWeixin(PARAMS)).toEqual({ end: 'other', message: 'not allowed' })
  })

  test('closes its page', () => {
    const bridge = weixin({})
    vi.stubGlobal('WeixinJSBridge', bridge)
    expect(canCloseHost()).toBe(true)
    closeHost()
    expect(bridge.call).toHaveBeenCalledWith('closeWindow')
  })
})

describe('Alipay', () => {
  test.each([
    [{ resultCode: '6001' }, '6001'],
    [{ resultCode: 99 }, '99'],
    [{}, ''],
    [undefined, ''],
  ])('answers %j, which is the code %j', async (answer, code) => {
    const bridge = alipay(answer)
    vi.stubGlobal('AlipayJSBridge', bridge)
    expect(await payInAlipay('app_id=1&sign=2')).toBe(code)
    expect(bridge.call.mock.calls[0]?.slice(0, 2)).toEqual(['tradePay', { orderStr: 'app_id=1&sign=2' }])
  })

  test('closes its page', () => {
    const bridge = alipay({})
    vi.stubGlobal('AlipayJSBridge', bridge)
    closeHost()
    expect(bridge.call).toHaveBeenCalledWith('exitApp')
  })
})

describe('leaving for a provider', () => {
  test.each(['javascript:alert(1)', 'weixin://pay', '/account', '', 'https://'])(
    'does not follow %j',
    (address) => {
      const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
      expect(leaveFor(address)).toBe(false)
      expect(click).not.toHaveBeenCalled()
    },
  )

  test('tells it the site, and nothing else', () => {
    let link: HTMLAnchorElement | undefined
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      link = this
    })
    expect(leaveFor('https://wx.tenpay.com/pay?x=1')).toBe(true)
    expect([link?.href, link?.referrerPolicy]).toEqual(['https://wx.tenpay.com/pay?x=1', 'origin'])
    expect(document.querySelector('a')).toBeNull()
    // One that leads back to the page has to know it.
    expect(leaveFor('https://api.mch.weixin.qq.com/papay', { isBack: true })).toBe(true)
    expect(link?.referrerPolicy).toBe('no-referrer-when-downgrade')
  })
})
