import { fail } from '@guildhall/wire/failure.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { createOrder, viewOrder } from '@guildhall/wire/order/order.ts'
import type { Product } from '@guildhall/wire/product/product.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setShell } from '../native/shell.ts'
import { ShellFailure } from '../native/shellFailure.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { friendsOf, orderOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import GoliveScreen from './GoliveScreen.tsx'

type Offer = AnswerOf<typeof goliveProducts>

const productOf = (id: number, group_id: number, name: string, price = 900): Product => ({
  id,
  name,
  price,
  origin_price: 0,
  discount_label: '',
  buy_tip: '',
  period_buy: false,
  group_id,
})
const NORMAL = productOf(1, 10_015, '标准 30 天')
const NORMAL_LONG = productOf(2, 10_015, '标准 90 天', 2_400)
const PRO = productOf(3, 10_016, '专业 30 天', 1_800)
const PRO_LONG = productOf(4, 10_016, '专业 90 天', 4_800)

let server: ReturnType<typeof fakeServer>
const offer = (more: Partial<Offer> = {}) =>
  server.on(goliveProducts, () => ({
    ability: [{ title: '高清画质', desc: '最高 1080P', image: '' }],
    compare: [{ title: '分辨率', desc: '画面的清晰程度', normal_v: '720P', pro_v: '1080P' }],
    video: { cover: '', url: '' },
    items: [{ expire_time: 0 }, { expire_time: 0 }],
    products: [NORMAL, NORMAL_LONG, PRO, PRO_LONG],
    browser_ways: [],
    ...more,
  }))
const has = (type: 'none' | 'normal' | 'pro', expire_time = 0) =>
  server.on(goliveInfo, () => ({ type, expire_time, has_renewal: expire_time > 0 }))
const show = (query = '') =>
  renderAt(`/account/golive${query}`, '/account/golive', <GoliveScreen />, sessionOf().user)
const press = async (name: RegExp = /立即开通|立即续费/) =>
  fireEvent.click(await screen.findByRole('button', { name }))
const chosen = async () =>
  (await screen.findAllByRole('radio')).find((it) => (it as HTMLInputElement).checked)?.getAttribute('value')

beforeEach(() => {
  sessionStorage.clear()
  server = fakeServer()
  has('none')
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

test('the page that is not loaded can be asked for again', async () => {
  server.on(goliveProducts, () => fail('product.market'))
  show()
  expect(await screen.findByRole('heading', { name: '加载失败' })).toBeTruthy()
  offer()
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findAllByRole('radio')).toHaveLength(2)
})

test('what renews itself and codes are found from here', async () => {
  offer()
  show()
  const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
  expect(await href('续费管理')).toBe('/renewal/management?type=other')
  expect(await href('兑换码')).toBe('/cdk')
})

test('a version without products offers nothing to buy; the other one does', async () => {
  offer({ products: [PRO] })
  show()
  expect(await screen.findByRole('heading', { name: '暂无可购买的套餐' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /立即/ })).toBeNull()
  fireEvent.click(screen.getByRole('tab', { name: '专业版' }))
  expect(await screen.findByRole('button', { name: '立即开通 ¥18.00' })).toBeTruthy()
})

describe('the state', () => {
  const END = new Date(2090, 2, 9).getTime()
  test.each([
    ['none', 0, '未开通', '立即开通 ¥9.00'],
    ['normal', END, '标准版已开通', '立即续费 ¥9.00'],
    ['pro', END, '专业版已开通', '立即续费 ¥18.00'],
  ] as const)('%s until %i is: %s, and what is had is renewed', async (type, until, text, button) => {
    has(type, until)
    offer({
      items: [{ expire_time: type === 'normal' ? until : 0 }, { expire_time: type === 'pro' ? until : 0 }],
    })
    show()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(await screen.findByRole('button', { name: button })).toBeTruthy()
    expect(screen.queryAllByText('有效期至 2090年3月9日')).toHaveLength(until > 0 ? 2 : 0)
  })

  test('that renews itself leads to where that is closed', async () => {
    has('pro', END)
    offer()
    show()
    const manage = await screen.findByRole('link', { name: '管理自动续费' })
    expect(manage.getAttribute('href')).toBe('/renewal/management?type=other')
  })

  test('of each version stands on its tab', async () => {
    has('pro', END)
    offer({ items: [{ expire_time: 0 }, { expire_time: END }] })
    show()
    expect(await screen.findByRole('tab', { name: '专业版 有效期至 2090年3月9日' })).toBeTruthy()
    expect(screen.getByRole('tab', { name: '标准版' })).toBeTruthy()
  })
})

describe('the choice', () => {
  test.each([
    ['', 'normal', '1'],
    ['?version=pro', 'pro', '3'],
    ['?version=1', 'pro', '3'],
    ['?version=0&goodsId=2', 'normal', '2'],
    ['?goodsId=4', 'pro', '4'],
    ['?version=pro&goodsId=2', 'pro', '3'],
    ['?version=ultra&goodsId=99', 'normal', '1'],
  ])('of %s is %s with product %s', async (query, version, product) => {
    offer()
    show(query)
    expect(await chosen()).toBe(product)
    expect(screen.getByRole('tab', { selected: true }).id).toBe(`golive-${version}`)
  })

  test('of another version begins with its first product, also by the arrow keys', async () => {
    offer()
    show('?goodsId=2')
    expect(await chosen()).toBe('2')
    fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowRight' })
    expect(await chosen()).toBe('3')
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: '专业版' }))
    fireEvent.click(screen.getByRole('tab', { name: '标准版' }))
    expect(await chosen()).toBe('1')
  })
})

test('the standard version is not sold to who has the professional one, which they are told; they may give it', async () => {
  has('pro', new Date(2090, 2, 9).getTime())
  offer({ items: [{ expire_time: 0 }, { expire_time: new Date(2090, 2, 9).getTime() }] })
  show('?version=normal')
  expect(await screen.findByText('你已开通专业版，无需再购买标准版')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /立即/ })).toBeNull()
  expect(screen.getByRole('button', { name: '赠送好友' })).toBeTruthy()
})

test('the versions are compared in a table with headings', async () => {
  offer()
  show()
  const table = await screen.findByRole('table', { name: '版本对比' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['功能', '标准版', '专业版'])
  const row = within(table).getByRole('row', { name: /分辨率/ })
  expect(within(row).getByRole('rowheader')).toBeTruthy()
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['720P', '1080P'])
})

test('the video is shown by its cover, and not at all without one to play', async () => {
  offer()
  show()
  await screen.findByRole('table')
  expect(screen.queryByLabelText('屏幕分享演示视频')).toBeNull()
  cleanup()
  offer({ video: { cover: '/cover.png', url: '/video.mp4' } })
  show()
  const video = await screen.findByLabelText('屏幕分享演示视频')
  expect(video.getAttribute('poster')).toBe('/cover.png')
  expect(video.getAttribute('preload')).toBe('none')
})

describe('buying in a browser', () => {
  test('is done in the app where the operator takes no payments in browsers; so is giving', async () => {
    offer()
    show()
    await press()
    expect(await screen.findByText('请在 APP 内打开')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '赠送好友' }))
    expect(screen.getByText('请在 APP 内打开')).toBeTruthy()
    expect(server.received(createOrder)).toEqual([])
  })

  test('leads to the pay sheet, and what was bought shows', async () => {
    offer({ browser_ways: ['wechat', 'alipay'] })
    show('?version=pro')
    await screen.findAllByRole('radio')
    server.on(viewOrder, () => orderOf({ state: 'granted', pay_platform: 1 }))
    has('pro', new Date(2090, 2, 9).getTime())
    await press()
    expect(await screen.findByRole('heading', { name: '支付成功' })).toBeTruthy()
    expect(server.received(createOrder)).toMatchObject([{ product_id: 3, count: 1 }])
    fireEvent.click(screen.getByRole('button', { name: '完成' }))
    expect(await screen.findByText('专业版已开通')).toBeTruthy()
  })

  test('as a gift leads to the friends', async () => {
    offer({ browser_ways: ['wechat'] })
    show()
    await press(/赠送好友/)
    expect(
      await screen.findByText(
        'at /select-friend?from=%2Faccount%2Fgolive&action=present_golive&produce_id=1',
      ),
    ).toBeTruthy()
  })

  test('for the friend who was picked is confirmed, and ordered for them', async () => {
    offer({ browser_ways: ['wechat'] })
    server.on(listFriends, () => friendsOf([{ id: '9', username: '安然' }]))
    show('?user_id=9&produce_id=3')
    const dialog = within(await screen.findByRole('alertdialog', { name: '赠送好友' }))
    expect(dialog.getByText(/把「专业 30 天」赠送给 安然，需支付 ¥18.00/)).toBeTruthy()
    expect(server.received(createOrder)).toEqual([])
    fireEvent.click(dialog.getByRole('button', { name: '去支付' }))
    await waitFor(() => expect(server.received(createOrder)).toMatchObject([{ product_id: 3, user_id: '9' }]))
  })

  test.each([
    ['a stranger', '?user_id=8&produce_id=3'],
    ['somebody who has it', '?user_id=10&produce_id=3'],
    ['a friend, of what is not sold', '?user_id=9&produce_id=77'],
  ])('for %s is nothing', async (_whom, query) => {
    offer({ browser_ways: ['wechat'] })
    server.on(listFriends, () =>
      friendsOf([
        { id: '9', username: '安然' },
        { id: '10', username: '有了', own: true },
      ]),
    )
    show(query)
    await screen.findAllByRole('radio')
    await waitFor(() => expect(server.received(listFriends)).not.toEqual([]))
    await new Promise((done) => setTimeout(done, 0))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.received(createOrder)).toEqual([])
  })
})

test('what renews itself is sold in a browser where it is signed, after an agreement', async () => {
  const RENEWING = { ...productOf(5, 10_015, '标准 连续包月', 700), period_buy: true }
  offer({ products: [NORMAL, RENEWING], browser_ways: ['wechat'] })
  show()
  expect(await screen.findAllByRole('radio')).toHaveLength(1)
  cleanup()
  const renewing_ways = { inside: [], phone: [], qr: ['wechat' as const] }
  offer({ products: [NORMAL, RENEWING], browser_ways: ['wechat'], renewing_ways })
  show('?goodsId=5')
  await press()
  expect(await screen.findByText('请先阅读并同意《自动续费服务协议》')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '赠送好友' })).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: '我已阅读并同意' }))
  await press()
  await waitFor(() => expect(server.received(createOrder)).toMatchObject([{ product_id: 5 }]))
  expect(server.received(goliveProducts)[0]).toEqual({ market: 0, period: 1 })
})

describe('buying in the app', () => {
  const inApp = (answer: unknown, config = {}) => {
    const it = fakeShell(config, { buy_produce_golive: answer })
    setShell(it.shell)
    return it
  }

  test.each([
    [new ShellFailure('refused', '余额不足', 'declined'), '余额不足'],
    [new ShellFailure('timeout'), 'APP 没有回应，请稍后再试'],
    [new ShellFailure('unsupported'), '请在 APP 内使用该功能'],
  ])('that fails says why', async (failure, text) => {
    inApp(failure)
    offer()
    show()
    await press()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(await screen.findByRole('button', { name: '立即开通 ¥9.00' })).toBeTruthy()
  })

  test('hands the product on and changes nothing when it is given up', async () => {
    const { calls } = inApp({ status: 'cancel' })
    offer({ browser_ways: ['wechat'] })
    show('?goodsId=4')
    await press()
    await waitFor(() =>
      expect(calls).toEqual([['buy_produce_golive', { produce: { ...PRO_LONG, id: '4' } }]]),
    )
    expect(screen.queryByText('支付成功')).toBeNull()
    expect(server.received(createOrder)).toEqual([])
  })

  test('shows what was bought, of the market of the app', async () => {
    inApp({ status: 'success' }, { app_plantform: 'IOS' })
    offer()
    show()
    await screen.findAllByRole('radio')
    has('normal', new Date(2090, 2, 9).getTime())
    await press()
    expect(await screen.findByText('支付成功')).toBeTruthy()
    expect(await screen.findByText('标准版已开通')).toBeTruthy()
    expect(server.received(goliveProducts)[0]).toEqual({ market: 1, period: 0 })
  })

  test('elsewhere meanwhile shows when the web view is shown again', async () => {
    const { tell } = inApp({})
    offer()
    show()
    expect(await screen.findByText('未开通')).toBeTruthy()
    has('pro', new Date(2090, 2, 9).getTime())
    tell('on_webview_show')
    expect(await screen.findByText('专业版已开通')).toBeTruthy()
  })
})
