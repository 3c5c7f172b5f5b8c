import { expect, test } from 'vitest'
import { numbersCsv } from './csv.ts'

const day = {
  day: '2026-11-25',
  registrations: 1,
  active: 2,
  messages: 3,
  orders: 4,
  paid_orders: 5,
  gross_wechat: 1500,
  gross_alipay: 1,
  refunds_wechat: 2000,
  refunds_alipay: 0,
}

test('days are rows of numbers after a mark for UTF-8 and the headings, of which none is a formula', () => {
  expect(numbersCsv([day], ['日期', '=x', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'])).toBe(
    "\ufeff日期,'=x,c,d,e,f,g,h,i,j,k\r\n2026-11-25,1,2,3,4,5,15,0.01,20,0,-4.99\r\n",
  )
})
