import {
  changeStaffProduct,
  listProductChanges,
  listStaffProducts,
  type ProductChange,
  type StaffProduct,
} from '@guildhall/wire/staff/products.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fill, type } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import ProductsSection from './ProductsSection.tsx'
import { productAt } from './productParts.tsx'

const plan = (fields: object, valid_from: number): ProductChange => ({
  id: '2',
  product_id: 1001,
  fields: { ...fields },
  valid_from,
  at: 1,
  actor: '1',
  actor_name: '小林',
  reason: '活动',
  state: 'planned',
  withdrawn_at: 0,
  withdrawn_by: '',
  withdrawn_why: '',
})
const product = (change: Partial<StaffProduct> = {}): StaffProduct => ({
  id: 1001,
  kind: 'buff',
  name: 'BUFF 月卡',
  price: 1800,
  origin_price: 0,
  discount_label: '',
  buy_tip: '',
  translations: {},
  market: 0,
  group_id: 0,
  period_buy: false,
  details: { days: 30 },
  on_sale: true,
  planned: [],
  ...change,
})

let server: ReturnType<typeof fakeServer>
const show = (of = product()) => {
  server.on(listStaffProducts, () => ({ items: [of] }))
  server.on(listProductChanges, () => ({ items: [], has_more: false }))
  server.on(changeStaffProduct, () => ({ change_id: '3', approval_id: '' }))
  return renderAt('/staff/products/1001', '/staff/products/*', <ProductsSection />)
}
beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
const submit = () => fireEvent.click(screen.getAllByRole('button', { name: '提交修改' })[0]!)

test('a form without a difference, with a wrong price, an empty name or a past moment is not sent', async () => {
  show()
  await screen.findByLabelText('价格（元）')
  submit()
  expect(screen.getByText('没有任何改动')).toBeTruthy()
  type('价格（元）', '0')
  submit()
  expect(screen.getByText(/0.01 到 100000/)).toBeTruthy()
  type('价格（元）', '18.00')
  type('名称', ' ')
  submit()
  expect(screen.getByText('名称不能为空')).toBeTruthy()
  type('名称', '月卡')
  type('生效时间', '2020-01-01T00:00')
  submit()
  expect(screen.getByText('生效时间不能早于现在')).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a change that waits for somebody else is said to wait, and where, and is not said to be done', async () => {
  show()
  server.on(changeStaffProduct, () => ({ change_id: '', approval_id: '7' }))
  await screen.findByLabelText('价格（元）')
  type('价格（元）', '0.01')
  submit()
  const dialog = screen.getByRole('alertdialog')
  fill(within(dialog).getByLabelText(/^原因/), { value: '清仓' })
  fireEvent.click(within(dialog).getByRole('button', { name: '提交修改' }))
  const waits = await screen.findByRole('alertdialog', { name: '已提交，等待批准' })
  expect(waits.textContent).toContain('编号 7')
  expect(within(waits).getByRole('link', { name: '在“待批”中查看' }).getAttribute('href')).toBe(
    '/staff/approvals',
  )
  fireEvent.click(within(waits).getByRole('button', { name: '知道了' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.queryByText('已完成')).toBeNull()
})

test('what differs is said before, and sent with a reason and its moment', async () => {
  show()
  await screen.findByLabelText('价格（元）')
  type('价格（元）', '15')
  type('角标', '限时')
  type('生效时间', '2090-01-01T00:00')
  submit()
  const dialog = screen.getByRole('alertdialog')
  expect(dialog.textContent).toContain('2090-01-01 00:00:00 起生效：价格 ¥18.00 → ¥15.00；角标 （空） → 限时')
  fill(within(dialog).getByLabelText(/^原因/), { value: '元旦' })
  fireEvent.click(within(dialog).getByRole('button', { name: '提交修改' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.received(changeStaffProduct)).toEqual([
    {
      product_id: 1001,
      price: 1500,
      discount_label: '限时',
      reason: '元旦',
      valid_from: new Date(2090, 0, 1).getTime(),
    },
  ])
})

test('what it is called in English is changed as a whole, and nothing is sent where nothing differs', async () => {
  const en = { name: 'BUFF, 1 month', discount_label: '', buy_tip: 'For 30 days' }
  show(product({ translations: { en } }))
  await screen.findByLabelText('英文名称')
  type('英文名称', ' BUFF, 1 month ')
  submit()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  type('英文角标', 'Save ¥3')
  submit()
  const dialog = screen.getByRole('alertdialog')
  expect(dialog.textContent).toContain(
    '英文 BUFF, 1 month · For 30 days → BUFF, 1 month · Save ¥3 · For 30 days',
  )
  fill(within(dialog).getByLabelText(/^原因/), { value: '英文' })
  fireEvent.click(within(dialog).getByRole('button', { name: '提交修改' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.received(changeStaffProduct)).toEqual([
    { product_id: 1001, translations: { en: { ...en, discount_label: 'Save ¥3' } }, reason: '英文' },
  ])
})

test('a change after a planned one is compared with what will be then', async () => {
  const start = new Date(2089, 11, 1).getTime()
  show(product({ planned: [plan({ price: 900 }, start)] }))
  await screen.findByLabelText('价格（元）')
  type('生效时间', '2090-01-01T00:00')
  expect((screen.getByLabelText('价格（元）') as HTMLInputElement).value).toBe('9.00')
  type('价格（元）', '18.00')
  submit()
  expect(screen.getByRole('alertdialog').textContent).toContain('价格 ¥9.00 → ¥18.00')
})

test('a product at a moment is what is planned until then, in its order', () => {
  const of = product({ planned: [plan({ price: 900 }, DAY_MS), plan({ price: 100 }, 2 * DAY_MS)] })
  expect([0, DAY_MS - 1, DAY_MS, 2 * DAY_MS].map((at) => productAt(of, at).price)).toEqual([
    1800, 1800, 900, 100,
  ])
})
