import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { refundStaffOrder, type StaffOrder, viewStaffOrder } from '@guildhall/wire/staff/orders.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { Self } from '../self.ts'
import OrdersSection from './OrdersSection.tsx'

const ID = '100000000001'
const person = { id: '100000002' as UserId, username: '小林', identify_num: '1234' }
const order = (change: Partial<StaffOrder> = {}): StaffOrder => ({
  id: ID,
  buyer: person,
  receiver: null,
  guild_id: '',
  guild_name: '',
  what: 'BUFF 月卡',
  kinds: ['buff'],
  state: 'granted',
  pay_fee: 1500,
  refund_fee: 0,
  way: 'wechat',
  created_at: 1,
  expires_at: 2,
  trouble: '',
  is_granted: true,
  grant_tries: 0,
  lines: [],
  steps: [],
  payments: [],
  refunds: [],
  entries: [],
  doubts: [],
  granted: [{ what: 'buff', granted_at: 1, revoked_at: 0, length: 30 * DAY_MS, count: 0, used: 0 }],
  left: { fee: 1500, is_divisible: true, revokes: true },
  can_retry: false,
  can_retry_refunds: false,
  is_of_staff: false,
  ...change,
})

let server: ReturnType<typeof fakeServer>
const show = (rights: readonly StaffRight[] = ['order', 'refund']) => {
  const self = { ...person, avatar: '', role: '' as const, rights: [...rights], ends_at: 0 }
  return renderAt(
    `/staff/orders/${ID}`,
    '/staff/orders/*',
    <Self value={self}>
      <OrdersSection />
    </Self>,
  )
}
beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
const button = (name: string) => screen.queryByRole('button', { name })

test.each([
  ['without the right to refund', order(), ['order'] as StaffRight[]],
  ['when nothing is left', order({ left: null }), ['order', 'refund'] as StaffRight[]],
  [
    'of what staff bought',
    order({ is_of_staff: true, can_retry: true }),
    ['order', 'refund'] as StaffRight[],
  ],
])('giving back is not offered %s', async (_why, of, rights) => {
  server.on(viewStaffOrder, () => of)
  show(rights)
  await screen.findByRole('heading', { name: `订单 ${ID}` })
  expect(button('退款')).toBeNull()
  expect(button('重试')).toBeNull()
})

test('an order that does not exist is said, and can be asked for again', async () => {
  server.on(viewStaffOrder, () => fail('order.unknown'))
  show()
  expect(await screen.findByText('订单不存在')).toBeTruthy()
})

test('the dialog says what all of it takes away, and that a part takes nothing', async () => {
  server.on(viewStaffOrder, () => order())
  show()
  fireEvent.click(await screen.findByRole('button', { name: '退款' }))
  const dialog = screen.getByRole('alertdialog')
  expect(dialog.textContent).toContain('会收回：BUFF 会员 30 天')
  fireEvent.click(within(dialog).getByRole('radio', { name: '部分' }))
  expect(dialog.textContent).toContain('部分退款不会收回')
  fill(within(dialog).getByLabelText('金额（元）'), { value: '15' })
  expect(dialog.textContent).toContain('会收回：BUFF 会员 30 天')
})

test('a sum that is none, or more than what is left, is not sent; nor is a refund without a reason', async () => {
  server.on(viewStaffOrder, () => order())
  server.on(refundStaffOrder, () => ({}))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '退款' }))
  const dialog = screen.getByRole('alertdialog')
  const confirm = () => fireEvent.click(within(dialog).getByRole('button', { name: '退款' }))
  confirm()
  expect(within(dialog).getByRole('alert').textContent).toBe('请填写原因')
  fill(within(dialog).getByLabelText(/^原因/), { value: '不想要了' })
  fireEvent.click(within(dialog).getByRole('radio', { name: '部分' }))
  for (const wrong of ['', '0', '15.01', 'x']) {
    fill(within(dialog).getByLabelText('金额（元）'), { value: wrong })
    confirm()
    expect(within(dialog).getByRole('alert').textContent).toContain('0.01 到 15.00')
  }
  expect(server.received(refundStaffOrder)).toEqual([])
  fill(within(dialog).getByLabelText('金额（元）'), { value: '5' })
  confirm()
  confirm()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.received(refundStaffOrder)).toEqual([
    { order_id: ID, left: 1500, fee: 500, reason: '不想要了' },
  ])
})

test('who was slower than somebody else reads that the order has changed', async () => {
  server.on(viewStaffOrder, () => order())
  server.on(refundStaffOrder, () => fail('order.changed'))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '退款' }))
  const dialog = screen.getByRole('alertdialog')
  fill(within(dialog).getByLabelText(/^原因/), { value: '不想要了' })
  fireEvent.click(within(dialog).getByRole('button', { name: '退款' }))
  expect((await within(dialog).findByRole('alert')).textContent).toContain('订单已有变化')
})

test('packs that are in use are said to end at once', async () => {
  const granted = [{ what: 'boost', granted_at: 1, revoked_at: 0, length: 0, count: 5, used: 2 }]
  server.on(viewStaffOrder, () => order({ granted }))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '退款' }))
  expect(screen.getByRole('alertdialog').textContent).toContain('5 个助力包（其中 2 个已用于公会')
})
