import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import { listPayments, listUnpaid } from '@guildhall/wire/order/order.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { DeskContext } from '../ui/page/desk.ts'
import AccountPages from './AccountPages.tsx'

const show = (path: string) =>
  renderAt(
    path,
    '/*',
    <Suspense>
      <AccountPages />
    </Suspense>,
    sessionOf().user,
  )

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each(['/account/nowhere', '/account/order-list/1', '/guild/nowhere', '/account/constructor'])(
  '%s is no page of the account',
  async (path) => {
    show(path)
    expect(await screen.findByRole('heading', { name: '页面不存在' })).toBeTruthy()
  },
)

test.each([
  ['/account/', '我的账号'],
  ['/account/order-list', '账单'],
  ['/account/buff/', 'BUFF 会员'],
])('%s is %s', async (path, title) => {
  const server = fakeServer()
  server.on(listUnpaid, () => ({ items: [] }))
  server.on(listPayments, () => ({
    items: [],
    meta: { page: 1, page_total: 0, page_size: 50, total: 0 },
    sort: {},
  }))
  server.on(vipProducts, () => ({ items: [], browser_ways: [] }))
  server.on(vipExpired, () => ({ vip_expired: 0, has_renewal: false }))
  show(path)
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
})

test.each(['/account/buff', '/account/golive', '/account/boost', '/guild/boost/10'])(
  '%s says in its bar what waits for its payment',
  async (path) => {
    const server = fakeServer()
    const order = {
      order_id: '2',
      buy_info: '',
      usage_info: '',
      pay_fee: 1,
      left_ms: 60_000,
      period_buy: false,
    }
    server.on(listUnpaid, () => ({ items: [order] }))
    show(path)
    const bar = within(await screen.findByRole('banner'))
    expect(await bar.findByRole('link', { name: /^1 笔订单待支付/ })).toBeTruthy()
  },
)

test('at a desk all pages stand beside the open one, which is marked', async () => {
  const desk = { addGuild() {}, hasMembers: false, toggleMembers() {}, SettingRows: () => null }
  renderAt(
    '/account/name',
    '/*',
    <DeskContext value={desk}>
      <Suspense>
        <AccountPages />
      </Suspense>
    </DeskContext>,
    sessionOf().user,
  )
  const list = within(await screen.findByRole('navigation', { name: '我的账号' }))
  const open = list.getAllByRole('link').filter((it) => it.hasAttribute('aria-current'))
  expect(open.map((it) => it.textContent)).toEqual([expect.stringContaining('用户名')])
  expect(await screen.findByRole('heading', { level: 1, name: '修改用户名' })).toBeTruthy()
  expect(list.getByRole('link', { name: '通用' }).getAttribute('href')).toBe('/account')
})

test.each([
  '/guild/boost-status/',
  '/guild/boost-status',
  '/guild/boost/',
  '/guild/profile/',
  '/guild/boost/x',
])('%s says that it names no server, and leads to those that one has', async (path) => {
  show(path)
  expect(await screen.findByRole('heading', { level: 1, name: '没有服务器 ID' })).toBeTruthy()
  expect(screen.getByRole('link', { name: '回到我的公会' })).toBeTruthy()
})
