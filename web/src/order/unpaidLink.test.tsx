import { fail } from '@guildhall/wire/failure.ts'
import { listUnpaid, type UnpaidItem } from '@guildhall/wire/order/order.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import UnpaidLink from './UnpaidLink.tsx'

let server: ReturnType<typeof fakeServer>
const waiting = (left_ms: number): UnpaidItem => ({
  order_id: '20000000000000000001',
  buy_info: '助力包 ×3',
  usage_info: '',
  pay_fee: 3_000,
  left_ms,
  period_buy: false,
})
const show = () => renderAt('/account/buff', '/account/buff', <UnpaidLink />, sessionOf().user)
const asked = (times: number) =>
  waitFor(() => expect(server.received(listUnpaid).length).toBeGreaterThanOrEqual(times))

beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  setLocale('zh-CN')
  vi.unstubAllGlobals()
})

test.each([
  ['nothing waits', () => ({ items: [] })],
  ['it is not known', () => fail('internal')],
])('nothing is shown where %s', async (_, answer) => {
  server.on(listUnpaid, answer)
  show()
  await asked(1)
  expect(screen.queryByRole('link')).toBeNull()
})

test('it says how many orders wait and how long the first one does, and leads to the bill', async () => {
  server.on(listUnpaid, () => ({ items: [waiting(12 * MINUTE_MS), waiting(3 * MINUTE_MS)] }))
  show()
  const link = await screen.findByRole('link', { name: /^2 笔订单待支付/ })
  expect(link.getAttribute('href')).toBe('/account/order-list')
  expect(screen.getByRole('timer').textContent).toMatch(/^(3:00|2:\d\d)$/)
})

test('it says so in English', async () => {
  setLocale('en')
  server.on(listUnpaid, () => ({ items: [waiting(12 * MINUTE_MS)] }))
  show()
  expect(await screen.findByRole('link', { name: /^1 order to pay/ })).toBeTruthy()
})

test('it goes when the time of the order is over', async () => {
  server.on(listUnpaid, () => ({ items: [waiting(1)] }))
  show()
  await screen.findByRole('link')
  server.on(listUnpaid, () => ({ items: [] }))
  await waitFor(() => expect(screen.queryByRole('link')).toBeNull())
})
