import { userState } from '@guildhall/wire/auth/userState.ts'
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { createOrder, viewOrder } from '@guildhall/wire/order/order.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { Product } from '@guildhall/wire/product/product.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setShell } from '../native/shell.ts'
import { ShellFailure } from '../native/shellFailure.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { orderOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import BuffScreen from './BuffScreen.tsx'

const productOf = (id: number, name: string, more: Partial<Product> = {}): Product => ({
  id,
  name,
  price: 3_000,
  origin_price: 0,
  discount_label: '',
  buy_tip: '',
  period_buy: false,
  group_id: 0,
  ...more,
})
const MONTH = productOf(1, '30 天', { buy_tip: '购买后立即生效' })
const YEAR = productOf(3, '365 天', { price: 29_805, origin_price: 36_000, discount_label: '最划算' })

let server: ReturnType<typeof fakeServer>
const offer = (browser_ways: PayWay[], items = [MONTH, YEAR]) =>
  server.on(vipProducts, () => ({ items, browser_ways }))
const show = (is_vip = false) =>
  renderAt('/account/buff', '/account/buff', <BuffScreen />, sessionOf({ is_vip }).user)
const press = async (name: RegExp | string = /开通 BUFF/) =>
  fireEvent.click(await screen.findByRole('button', { name }))
const packages = async () =>
  within(await screen.findByRole('group', { name: '选择套餐' })).findAllByRole('radio')
const confirm = async (name: string) =>
  fireEvent.click(
    within(await screen.findByRole('alertdialog', { name: '确认开通' })).getByRole('button', { name }),
  )

beforeEach(() => {
  sessionStorage.clear()
  server = fakeServer()
  server.on(vipExpired, () => ({ vip_expired: 0, has_renewal: false }))
  server.on(createOrder, () => orderOf())
  server.on(viewOrder, () => orderOf())
})
afterEach(() => {
  cleanup()
  // The copy of a sheet that fades away.
  document.body.replaceChildren()
  setShell(null)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the packages', () => {
  test('that are not loaded can be asked for again', async () => {
    server.on(vipProducts, () => fail('product.market'))
    show()
    expect(await screen.findByRole('heading', { name: '套餐加载失败' })).toBeTruthy()
    offer([])
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await packages()).toHaveLength(2)
  })

  test('may be none', async () => {
    offer(['wechat'], [])
    show()
    expect(await screen.findByRole('heading', { name: '暂无可购买的套餐' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /BUFF/ })).toBeNull()
  })

  test('begin with the first one, and have their prices before and after', async () => {
    offer([])
    show()
    const [month, year] = (await screen.findAllByRole('radio')) as HTMLInputElement[]
    expect([month?.checked, year?.checked]).toEqual([true, false])
    const shown = [...document.querySelectorAll('[data-part=package]')].map((it) => it.textContent)
    expect(shown).toEqual(['30 天¥30.00', '最划算365 天¥298.05原价 ¥360.00'])
    expect(document.querySelector('s')?.textContent).toBe('¥360.00')
    expect(screen.getByText('购买后立即生效')).toBeTruthy()
    fireEvent.click(year!)
    expect(screen.getByRole('button', { name: '开通 BUFF ¥298.05' })).toBeTruthy()
    expect(screen.queryByText('购买后立即生效')).toBeNull()
  })
})

test.each([
  ['something', [MONTH]],
  ['nothing', []],
])('where %s is sold one finds what renews itself, and where codes are redeemed', async (_, items) => {
  offer([], items)
  show()
  const links = within(await screen.findByRole('navigation', { name: '更多' })).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['续费管理', '/renewal/management?type=buff'],
    ['兑换码', '/cdk'],
  ])
})

test('a package says what it comes to in a month, unless its length is not known', async () => {
  offer([], [MONTH, { ...YEAR, days: 365 }])
  show()
  const year = await screen.findByRole('radio', { name: /365 天/ })
  expect(year.closest('label')?.textContent).toContain('¥24.50/月')
  expect(screen.getByRole('radio', { name: /30 天/ }).closest('label')?.textContent).not.toContain('/月')
})

describe('the membership', () => {
  const DAY = 86_400_000
  test.each([
    [false, 0, '尚未开通 BUFF', '开通 BUFF'],
    [false, new Date(2020, 0, 5).getTime(), '已于 2020年1月5日 到期', '开通 BUFF'],
    [true, new Date(2090, 2, 9).getTime(), '有效期至 2090年3月9日', '续费 BUFF'],
  ])('of somebody with %s until %i is: %s', async (isVip, vip_expired, text, button) => {
    server.on(vipExpired, () => ({ vip_expired, has_renewal: false }))
    offer([])
    show(isVip)
    expect(await screen.findByText(text)).toBeTruthy()
    expect(await screen.findByRole('button', { name: `${button} ¥30.00` })).toBeTruthy()
  })

  test('says that it renews itself, and leads to where that is closed', async () => {
    server.on(vipExpired, () => ({ vip_expired: Date.now() + DAY, has_renewal: true }))
    offer([])
    show(true)
    const manage = await screen.findByRole('link', { name: '管理自动续费' })
    expect(manage.getAttribute('href')).toBe('/renewal/management?type=buff')
  })
})

describe('buying in a browser', () => {
  test('is done in the app where the operator takes no payments in browsers', async () => {
    offer([])
    show()
    await press()
    expect(await screen.findByText('请在 APP 内打开')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.received(createOrder)).toEqual([])
  })

  test('is confirmed first, and can be given up', async () => {
    offer(['wechat'])
    show()
    await press()
    expect(within(await screen.findByRole('alertdialog')).getByText('30 天，需支付 ¥30.00')).toBeTruthy()
    await confirm('取消')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.received(createOrder)).toEqual([])
  })

  test('leads to the pay sheet, and what was bought shows', async () => {
    offer(['wechat', 'alipay'])
    server.on(userState, () => sessionOf({ is_vip: true }))
    show()
    fireEvent.click((await screen.findAllByRole('radio'))[1]!)
    await press()
    server.on(viewOrder, () => orderOf({ state: 'granted', pay_platform: 1 }))
    server.on(vipExpired, () => ({ vip_expired: new Date(2090, 2, 9).getTime(), has_renewal: false }))
    await confirm('继续开通')
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
    expect(server.received(createOrder)).toMatchObject([{ product_id: 3, count: 1 }])
    fireEvent.click(screen.getByRole('button', { name: '完成' }))
    expect(await screen.findByText('有效期至 2090年3月9日')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('what the membership brings, and how it is counted, is told', async () => {
  offer([])
  show()
  for (const right of ['100M 文件上传', '动态头像', '公会表情', '自定义编号'])
    expect(await screen.findByText(right)).toBeTruthy()
  expect(screen.getByText(/月卡有效期为 30 天/)).toBeTruthy()
})

describe('buying in the app', () => {
  const inApp = (answer: unknown, config = {}) => {
    const it = fakeShell(config, { buy_produce_vip: answer })
    setShell(it.shell)
    return it.calls
  }

  test.each([
    [new ShellFailure('refused', '余额不足', 'declined'), '余额不足'],
    [new ShellFailure('timeout'), 'APP 没有回应，请稍后再试'],
  ])('that fails says why', async (failure, text) => {
    inApp(failure)
    offer([])
    show()
    await press()
    await confirm('继续开通')
    expect(await screen.findByText(text)).toBeTruthy()
    expect(await screen.findByRole('button', { name: '开通 BUFF ¥30.00' })).toBeTruthy()
  })

  test('in a version without the call says so', async () => {
    inApp({}, { calls: [] })
    offer([])
    show()
    await press()
    await confirm('继续开通')
    expect(await screen.findByText('请在 APP 内使用该功能')).toBeTruthy()
  })

  test('that is given up changes nothing', async () => {
    const calls = inApp({ status: 'cancel' })
    offer([])
    show()
    await press()
    await confirm('继续开通')
    await waitFor(() =>
      expect(calls).toEqual([['buy_produce_vip', { produce_id: '1', produce_info: MONTH }]]),
    )
    expect(screen.queryByText('支付成功')).toBeNull()
    expect(server.received(createOrder)).toEqual([])
  })

  test('shows what was bought, and asks for the packages of its market', async () => {
    inApp({ status: 'success', order_id: '9' }, { app_plantform: 'IOS' })
    offer(['wechat'])
    show()
    await press()
    server.on(vipExpired, () => ({ vip_expired: new Date(2090, 2, 9).getTime(), has_renewal: false }))
    await confirm('继续开通')
    expect(await screen.findByText('支付成功')).toBeTruthy()
    expect(await screen.findByText('有效期至 2090年3月9日')).toBeTruthy()
    expect(server.received(vipProducts)).toEqual([{ market: 1, period: 0 }])
    expect(server.received(createOrder)).toEqual([])
  })
})

describe('a package that renews itself', () => {
  const RENEWING = productOf(5, '连续包月', { price: 1_500, period_buy: true })
  const offerIn = (renewing_ways: AnswerOf<typeof vipProducts>['renewing_ways']) =>
    server.on(vipProducts, () => ({
      items: [MONTH, RENEWING],
      browser_ways: ['wechat' as const, 'alipay' as const],
      renewing_ways,
    }))

  test('is not sold in a browser where no way signs it', async () => {
    offerIn({ inside: ['wechat'], phone: ['wechat'], qr: [] })
    show()
    expect(await packages()).toHaveLength(1)
    expect(server.received(vipProducts)).toEqual([{ market: 0, period: 1 }])
  })

  test('is sold in a browser by the ways that sign it', async () => {
    offerIn({ inside: [], phone: [], qr: ['alipay'] })
    show()
    fireEvent.click(await screen.findByRole('radio', { name: /连续包月/ }))
    fireEvent.click(screen.getByRole('checkbox', { name: '我已阅读并同意' }))
    await press()
    expect(await screen.findByRole('radio', { name: '支付宝' })).toBeTruthy()
    expect(screen.queryByRole('radio', { name: '微信支付' })).toBeNull()
    expect(server.received(createOrder)).toMatchObject([{ product_id: 5 }])
  })

  const bridge = () => {
    const it = fakeShell(
      { app_plantform: 'Android', version: '1.42.0' },
      { buy_produce_vip: { status: 'success' } },
    )
    setShell(it.shell)
    return it.calls
  }

  test('is not bought before its agreement is ticked, which can be read', async () => {
    const calls = bridge()
    offer([], [RENEWING, MONTH])
    show()
    await press()
    expect(await screen.findByText('请先阅读并同意《自动续费服务协议》')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('checkbox'))
    expect(calls).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: '《自动续费服务协议》' }))
    expect(within(await screen.findByRole('alertdialog')).getByText(/到期前一天/)).toBeTruthy()
  })

  test('is bought without a confirmation once it is ticked, and is no gift', async () => {
    const calls = bridge()
    offer([], [RENEWING, MONTH])
    show()
    fireEvent.click(await screen.findByRole('checkbox', { name: '我已阅读并同意' }))
    expect(screen.queryByRole('button', { name: '赠送好友' })).toBeNull()
    await press()
    expect(await screen.findByText('支付成功')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(calls).toEqual([['buy_produce_vip', { produce_id: '5', produce_info: RENEWING }]])
    expect(server.received(vipProducts)[0]).toEqual({ market: 0, period: 1 })
  })

  test('leaves the others as they are: no agreement, a confirmation, and a gift', async () => {
    bridge()
    offer([], [RENEWING, MONTH])
    show()
    fireEvent.click((await screen.findAllByRole('radio'))[1]!)
    expect(screen.queryByRole('checkbox')).toBeNull()
    await press()
    expect(await screen.findByRole('alertdialog', { name: '确认开通' })).toBeTruthy()
    await confirm('取消')
    await press('赠送好友')
    expect(
      await screen.findByText('at /select-friend?from=%2Faccount%2Fbuff&action=buy_produce_vip&produce_id=1'),
    ).toBeTruthy()
  })
})
