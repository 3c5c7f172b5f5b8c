import { vipProducts } from '@guildhall/wire/buff/buff.ts'
import { fail } from '@guildhall/wire/failure.ts'
import {
  type BillItem,
  closeOrder,
  createOrder,
  listPayments,
  listUnpaid,
  type UnpaidItem,
  viewOrder,
} from '@guildhall/wire/order/order.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { roomStore } from '../app/composition.ts'
import { EventDispatcher } from '../app/events.ts'
import { setShell } from '../native/shell.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { billItemOf, orderOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import BillScreen from './BillScreen.tsx'

const ID = '20000000000000000001'
const HOUR = 3_600_000

let server: ReturnType<typeof fakeServer>
let ends: Set<() => void>

/** Lets the reader come near the end of the list. */
const scrollToEnd = () => act(async () => [...ends].forEach((near) => void near()))

/** An observer whose elements are seen when the test says so. */
class Observer {
  readonly #near: () => void
  constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
    this.#near = () => seen([{ isIntersecting: true }])
  }
  observe() {
    ends.add(this.#near)
  }
  disconnect() {
    ends.delete(this.#near)
  }
}

const bill = (items: readonly BillItem[], page = 1, page_total = 1) => ({
  items: [...items],
  meta: { page, page_total, page_size: 50, total: items.length },
  sort: {},
})
const offer = (...browser_ways: PayWay[]) => server.on(vipProducts, () => ({ items: [], browser_ways }))
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => billItemOf({ order_id: String(20_000_000_000 + from - at) }))
const updated = (state: 'granted' | 'closed') =>
  told('updated_order', { order_id: ID, state, pay_fee: 3000, refund_fee: 0 })
const told = (type: string, body: object) =>
  act(async () =>
    new EventDispatcher(roomStore).dispatch({
      s: 0,
      sn: 1,
      d: {
        channel_type: 'PERSON',
        type: 255,
        target_id: '7',
        author_id: '1',
        content: '',
        msg_id: 'm',
        msg_timestamp: 0,
        nonce: '',
        extra: { type, body },
      },
    }),
  )

const PaySheet = ({ pay }: { pay: { orderId: string } }) => <p>pays {pay.orderId}</p>
const show = (search = '') =>
  renderAt(
    `/account/order-list${search}`,
    '/account/order-list',
    <BillScreen PaySheet={PaySheet} />,
    sessionOf().user,
  )
const rows = () => screen.findAllByRole('button', { name: /BUFF 月卡/ })

beforeEach(() => {
  ends = new Set()
  vi.stubGlobal('IntersectionObserver', Observer)
  server = fakeServer()
  server.on(listUnpaid, () => ({ items: [] }))
  offer('wechat')
})
afterEach(() => {
  cleanup()
  // The copy of a sheet that fades away.
  document.body.replaceChildren()
  setShell(null)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the bill', () => {
  test('that the network does not carry can be asked for again', async () => {
    show()
    expect(await screen.findByRole('heading', { name: '账单加载失败' })).toBeTruthy()
    expect(screen.getByText('网络错误')).toBeTruthy()
    server.on(listPayments, () => bill([billItemOf()]))
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await rows()).toHaveLength(1)
  })

  test('says without a network that it is gone, and does not wait for it', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    show()
    expect(await screen.findByText('网络错误：网络已断开')).toBeTruthy()
  })

  test('says that there is nothing', async () => {
    server.on(listPayments, () => bill([], 1, 0))
    show()
    expect(await screen.findByRole('heading', { name: '暂无账单记录' })).toBeTruthy()
    const links = ['续费管理', '兑换码'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    )
    expect(links).toEqual(['/renewal/management?type=buff', '/cdk'])
  })

  test('has the orders by day, with sums, ways and what became of them', async () => {
    const today = new Date().setHours(12, 0, 0, 0)
    server.on(listPayments, () =>
      bill([
        billItemOf({ order_id: '20000000000000000009', order_datetime: today, usage_info: '赠送给 安然' }),
        billItemOf({
          order_id: '20000000000000000008',
          state: 'placed',
          pay_platform: 0,
          order_datetime: today,
        }),
        billItemOf({
          order_id: '20000000000000000007',
          order_datetime: today - 24 * HOUR,
          pay_platform: 2,
          pay_fee: 129_905,
          refund_fee: 1_005,
        }),
        billItemOf({
          order_id: '20000000000000000006',
          order_datetime: today - 24 * HOUR,
          state: 'refunded',
          refund_fee: 3_000,
        }),
        billItemOf({
          order_id: '20000000000000000005',
          order_datetime: today - 24 * HOUR,
          state: 'closed',
          pay_platform: 0,
        }),
      ]),
    )
    show()
    const shown = (day: string) =>
      within(screen.getByRole('region', { name: day }))
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
    await rows()
    expect(shown('今天')).toEqual([
      'BUFF 月卡赠送给 安然中午 12:00 · 微信支付¥30.00',
      'BUFF 月卡中午 12:00 · 未支付¥30.00待支付',
    ])
    expect(shown('昨天')).toEqual([
      'BUFF 月卡中午 12:00 · 支付宝¥1,299.05已退款 ¥10.05',
      'BUFF 月卡中午 12:00 · 微信支付¥30.00已退款 ¥30.00',
      'BUFF 月卡中午 12:00 · 未支付¥30.00已关闭',
    ])
    expect(screen.getByText('没有更多了')).toBeTruthy()
  })

  test('loads fifty more when the end comes near, and once at a time', async () => {
    server.on(listPayments, ({ page }) => bill(page === 1 ? many(99, 50) : many(49, 10), page, 2))
    show()
    expect(await rows()).toHaveLength(50)
    await scrollToEnd()
    await scrollToEnd()
    await screen.findByText('没有更多了')
    expect(await rows()).toHaveLength(60)
    expect(server.received(listPayments)).toEqual([
      { page: 1, page_size: 50 },
      { page: 2, page_size: 50 },
    ])
  })

  test('whose next page fails keeps what it has, and can go on', async () => {
    let isBroken = true
    server.on(listPayments, ({ page }) =>
      page === 2 && isBroken ? fail('internal') : bill(page === 1 ? many(99, 50) : many(49, 10), page, 2),
    )
    show()
    await rows()
    await scrollToEnd()
    expect(await screen.findByText(/^后面的账单加载失败：/)).toBeTruthy()
    expect(await rows()).toHaveLength(50)
    expect(ends.size).toBe(0)
    isBroken = false
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    await screen.findByText('没有更多了')
    expect(await rows()).toHaveLength(60)
  })

  test('follows an order that changed, through all pages that are shown', async () => {
    const first = many(99, 50)
    server.on(listPayments, ({ page }) => bill(page === 1 ? first : many(49, 10), page, 2))
    show()
    await rows()
    await scrollToEnd()
    await screen.findByText('没有更多了')
    first.unshift(billItemOf({ order_id: ID, state: 'refunding' }))
    await updated('granted')
    expect(await screen.findByText('退款中 ¥30.00')).toBeTruthy()
    expect(await rows()).toHaveLength(61)
  })

  test('leads back to the account', async () => {
    server.on(listPayments, () => bill([]))
    show()
    fireEvent.click(screen.getByRole('button', { name: '返回' }))
    expect(await screen.findByText('at /account')).toBeTruthy()
  })
})

describe('an order', () => {
  const open = async (more: Parameters<typeof orderOf>[0] = {}) => {
    server.on(listPayments, () => bill([billItemOf()]))
    server.on(viewOrder, () => orderOf({ usage_info: '赠送给 安然', ...more }))
    show()
    fireEvent.click((await rows())[0]!)
    return within(await screen.findByRole('dialog', { name: '订单详情' }))
  }

  test('that is not there can be asked for again', async () => {
    server.on(listPayments, () => bill([]))
    server.on(viewOrder, () => fail('order.unknown'))
    show(`?order=${ID}`)
    expect(await screen.findByText('订单不存在')).toBeTruthy()
    server.on(viewOrder, () => orderOf())
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('待支付')).toBeTruthy()
  })

  test.each(['', '?order=', '?order=7', '?order=javascript:alert(1)'])(
    'is not opened by the address %j',
    async (search) => {
      server.on(listPayments, () => bill([]))
      show(search)
      await screen.findByText('暂无账单记录')
      expect(screen.queryByRole('dialog')).toBeNull()
    },
  )

  test('that renews itself is not paid where nothing can sign it', async () => {
    const sheet = await open({ period_buy: true })
    expect(await sheet.findByText('请在 APP 内继续支付')).toBeTruthy()
    expect(sheet.queryByRole('button', { name: '继续支付' })).toBeNull()
  })

  test('that was cancelled too late says so, and shows what it became', async () => {
    const sheet = await open()
    server.on(closeOrder, () => {
      server.on(viewOrder, () => orderOf({ state: 'paid', pay_platform: 1 }))
      return fail('order.paid')
    })
    fireEvent.click(await sheet.findByRole('button', { name: '取消订单' }))
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消订单' }))
    expect(await screen.findByText('订单已支付')).toBeTruthy()
    expect(await sheet.findByText('发放中')).toBeTruthy()
  })

  test('is not cancelled without a word', async () => {
    const sheet = await open()
    server.on(closeOrder, () => ({}))
    fireEvent.click(await sheet.findByRole('button', { name: '取消订单' }))
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '再想想' }))
    expect(server.received(closeOrder)).toEqual([])
    fireEvent.click(sheet.getByRole('button', { name: '取消订单' }))
    server.on(viewOrder, () => orderOf({ state: 'closed' }))
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消订单' }))
    expect(await sheet.findByText('已关闭')).toBeTruthy()
    expect(server.received(closeOrder)).toEqual([{ order_id: ID }])
    expect(sheet.queryByRole('button', { name: '继续支付' })).toBeNull()
  })

  test('that waits is paid in the sheet', async () => {
    const sheet = await open()
    fireEvent.click(await sheet.findByRole('button', { name: '继续支付' }))
    expect(await screen.findByText(`pays ${ID}`)).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: '订单详情' })).toBeNull()
  })

  test('is not offered to be paid where the operator does not take payments in browsers', async () => {
    offer()
    const sheet = await open()
    expect(await sheet.findByText('请在 APP 内继续支付')).toBeTruthy()
    expect(sheet.queryByRole('button', { name: '继续支付' })).toBeNull()
  })

  test('is not offered to be paid inside of the app, which has no call for it', async () => {
    setShell(fakeShell().shell)
    const sheet = await open()
    expect(await sheet.findByText('请在 APP 内继续支付')).toBeTruthy()
    expect(server.received(vipProducts)).toEqual([])
  })

  test('has its lines, its refunds with their causes, and its number', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', {
      userAgent: navigator.userAgent,
      language: 'zh-CN',
      maxTouchPoints: 0,
      clipboard: { writeText: async (it: string) => void copied.push(it) },
    })
    const refund = { state: 'done', reason: '', at: Date.now() } as const
    const sheet = await open({
      state: 'granted',
      pay_platform: 2,
      pay_fee: 9_000,
      refund_fee: 1_500,
      paid_at: Date.now(),
      lines: [{ product_id: 1, name: '助力包', count: 3, price: 3_000, fee: 9_000 }],
      refunds: [
        { ...refund, fee: 1_000, cause: 'staff', reason: '多买了一个' },
        { ...refund, fee: 200, cause: 'late', state: 'waiting' },
        { ...refund, fee: 200, cause: 'twice', state: 'stuck' },
        { ...refund, fee: 100, cause: 'failed' },
      ],
    })
    expect(await sheet.findByText('部分退款')).toBeTruthy()
    expect(sheet.getByText('助力包').parentElement?.textContent).toBe('助力包¥30.00 × 3¥90.00')
    const shown = [...document.querySelectorAll('[data-part=refund]')].map(({ textContent }) => textContent)
    expect(shown.map((it) => it?.replace(/今天.*/, ''))).toEqual([
      '工作人员退款¥10.00已退回原支付账户多买了一个',
      '订单关闭后才收到付款¥2.00正在退回原支付账户',
      '重复付款¥2.00退款遇到问题，工作人员正在处理',
      '商品未能发放¥1.00已退回原支付账户',
    ])
    expect(sheet.getByText('用于').nextElementSibling?.textContent).toBe('赠送给 安然')
    expect(sheet.getByText('支付方式').nextElementSibling?.textContent).toBe(' 支付宝')
    fireEvent.click(sheet.getByRole('button', { name: '复制订单号' }))
    await waitFor(() => expect(copied).toEqual([ID]))
    expect(await screen.findByText('订单号已复制')).toBeTruthy()
  })

  test.each([
    ['paid', '发放中', '已收到付款，正在发放，通常只需几秒'],
    ['granted', '已完成', null],
    ['refunding', '退款中', '款项正在退回原支付账户'],
    ['refunded', '已退款', '款项已退回原支付账户'],
    ['stuck', '核实中', '订单遇到问题，工作人员正在核实，请不要重复支付'],
  ] as const)('that is %s is %s', async (state, text, why) => {
    const sheet = await open({ state, pay_platform: 1 })
    expect(await sheet.findByText(text)).toBeTruthy()
    if (why) expect(sheet.getByText(why)).toBeTruthy()
    expect(sheet.queryByRole('button', { name: '取消订单' })).toBeNull()
  })

  test('is followed while it is open', async () => {
    const sheet = await open()
    await sheet.findByText('待支付')
    server.on(viewOrder, () => orderOf({ state: 'granted', pay_platform: 1 }))
    await updated('granted')
    expect(await sheet.findByText('已完成')).toBeTruthy()
  })
})

describe('what waits for its payment', () => {
  const MINUTE = 60_000
  const OTHER = '20000000000000000002'
  const waiting = (more: Partial<UnpaidItem> = {}): UnpaidItem => ({
    order_id: ID,
    buy_info: '助力包 ×3',
    usage_info: '北岸',
    pay_fee: 123_450,
    left_ms: 12 * MINUTE,
    period_buy: false,
    ...more,
  })
  const open = async (...items: UnpaidItem[]) => {
    server.on(listPayments, () => bill([]))
    server.on(listUnpaid, () => ({ items }))
    show()
    return within(await screen.findByRole('region', { name: '待支付' }))
  }
  const confirm = async () =>
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消订单' }))

  test('that cannot be loaded is asked for again with the bill', async () => {
    server.on(listPayments, () => bill([]))
    server.on(listUnpaid, () => fail('internal'))
    show()
    const retry = await screen.findByRole('button', { name: '重试' })
    server.on(listUnpaid, () => ({ items: [waiting()] }))
    fireEvent.click(retry)
    expect(await screen.findByRole('region', { name: '待支付' })).toBeTruthy()
  })

  test('is only cancelled where it cannot be paid here', async () => {
    offer()
    const list = await open(waiting())
    expect(await list.findByText('请在 APP 内继续支付')).toBeTruthy()
    expect(list.queryByRole('button', { name: '继续支付' })).toBeNull()
    expect(list.getByRole('button', { name: '取消订单' })).toBeTruthy()
  })

  test('that was paid while it was cancelled stays paid, and is shown as it is', async () => {
    const list = await open(waiting())
    server.on(closeOrder, () => {
      server.on(listUnpaid, () => ({ items: [] }))
      server.on(viewOrder, () => orderOf({ state: 'paid', pay_platform: 1 }))
      return fail('order.paid')
    })
    fireEvent.click(list.getByRole('button', { name: '取消订单' }))
    await confirm()
    expect(await screen.findByText('订单已支付')).toBeTruthy()
    const sheet = within(await screen.findByRole('dialog', { name: '订单详情' }))
    expect(await sheet.findByText('发放中')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('region', { name: '待支付' })).toBeNull())
  })

  test('is kept when nobody answers, and says so', async () => {
    const list = await open(waiting())
    fireEvent.click(list.getByRole('button', { name: '取消订单' }))
    await confirm()
    expect(await screen.findByText('网络错误')).toBeTruthy()
    expect(list.getByRole('button', { name: '取消订单' }).getAttribute('aria-disabled')).toBeNull()
  })

  test('is not cancelled without a word, and once however often it is tapped', async () => {
    const list = await open(waiting(), waiting({ order_id: OTHER }))
    fireEvent.click(list.getAllByRole('button', { name: '取消订单' })[0]!)
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '再想想' }))
    expect(server.received(closeOrder)).toEqual([])
    server.on(closeOrder, () => {
      server.on(listUnpaid, () => ({ items: [waiting({ order_id: OTHER })] }))
      return {}
    })
    const [first, second] = list.getAllByRole('button', { name: '取消订单' })
    fireEvent.click(first!)
    await confirm()
    fireEvent.click(first!)
    fireEvent.click(second!)
    expect(await screen.findByText('订单已取消')).toBeTruthy()
    await waitFor(() => expect(list.getAllByRole('button', { name: '继续支付' })).toHaveLength(1))
    expect(server.received(closeOrder)).toEqual([{ order_id: ID }])
  })

  test('says what, for whom, for how much and how long by the clock of the server', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    // The device is a day late.
    vi.setSystemTime(Date.now() - 24 * HOUR)
    const list = await open(waiting())
    const row = list.getByRole('button', { name: /助力包/ })
    expect(row.textContent).toBe('助力包 ×3北岸剩余支付时间 12:00¥1,234.50')
    await act(async () => void vi.advanceTimersByTime(MINUTE))
    expect(list.getByRole('timer').textContent).toBe('剩余支付时间 11:00')
    server.on(listUnpaid, () => ({ items: [] }))
    await act(async () => void vi.advanceTimersByTime(11 * MINUTE))
    expect(await screen.findByText('暂无账单记录')).toBeTruthy()
    vi.useRealTimers()
  })

  test('is paid as the same order, also after a second tap', async () => {
    const list = await open(waiting())
    const goOn = await list.findByRole('button', { name: '继续支付' })
    fireEvent.click(goOn)
    fireEvent.click(goOn)
    expect(await screen.findAllByText(`pays ${ID}`)).toHaveLength(1)
    expect(server.received(createOrder)).toEqual([])
  })

  test('follows what happens on another device', async () => {
    const list = await open(waiting())
    expect(list.getByText('助力包 ×3')).toBeTruthy()
    server.on(listUnpaid, () => ({ items: [] }))
    server.on(listPayments, () => bill([billItemOf()]))
    await updated('granted')
    expect(await rows()).toHaveLength(1)
    expect(screen.queryByRole('region', { name: '待支付' })).toBeNull()
  })

  test('opens with its lines', async () => {
    const list = await open(waiting())
    server.on(viewOrder, () => orderOf())
    fireEvent.click(list.getByRole('button', { name: /助力包/ }))
    const sheet = within(await screen.findByRole('dialog', { name: '订单详情' }))
    expect(await sheet.findByText('剩余支付时间 15:00')).toBeTruthy()
  })
})

describe('a gift of a friend', () => {
  const gift = { user_id: '3', username: '安然', name: '助力包', count: 1 }
  test.each([
    [{}, '安然 送给你「助力包」'],
    [{ count: 5 }, '安然 送给你「助力包 × 5」'],
  ])('with %j is told', async (more, text) => {
    server.on(listPayments, () => bill([]))
    show()
    await told('received_gift', { ...gift, ...more })
    expect(await screen.findByText(text)).toBeTruthy()
  })

  test('in no shape that is known is not', async () => {
    server.on(listPayments, () => bill([]))
    show()
    await told('received_gift', { name: 7 })
    await waitFor(() => expect(server.received(listPayments).length).toBeGreaterThan(1))
    expect(screen.queryByText(/undefined|7/)).toBeNull()
  })
})
