import type { BillItem } from '@guildhall/wire/order/order.ts'
import { expect, test } from 'vitest'
import { billDays } from './bill.ts'

const at = (day: number, hour: number) => new Date(2026, 8, day, hour).getTime()
const item = (order_id: string, order_datetime: number): BillItem => ({
  order_id,
  order_datetime,
  usage_info: '',
  buy_info: '',
  item_entities_desc: '',
  pay_fee: 1,
  pay_platform: 1,
  refund_fee: 0,
  state: 'granted',
})
const shown = (...pages: BillItem[][]) =>
  billDays(pages.map((items) => ({ items }))).map(({ items }) => items.map(({ order_id }) => order_id))

test('no page has no day', () => {
  expect(shown()).toEqual([])
  expect(shown([])).toEqual([])
})

test('an order that slid to the next page is shown once', () => {
  expect(
    shown([item('3', at(9, 9)), item('2', at(9, 8))], [item('2', at(9, 8)), item('1', at(9, 7))]),
  ).toEqual([['3', '2', '1']])
})

test('a day goes from midnight to midnight, also over the end of a page', () => {
  expect(
    shown([item('4', at(9, 0)), item('3', at(8, 23))], [item('2', at(8, 0)), item('1', at(7, 23))]),
  ).toEqual([['4'], ['3', '2'], ['1']])
})
