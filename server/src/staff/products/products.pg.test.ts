import { goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { createOrder, viewOrder } from '@guildhall/wire/order/order.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import {
  changeStaffProduct,
  listProductChanges,
  listStaffProducts,
  withdrawProductChange,
} from '@guildhall/wire/staff/products.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, replaceClock } from '../../kit/clock.ts'
import { findProduct } from '../../product/product.ts'
import { refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let id: number
let price: number
let moveBack: (() => void) | null = null
beforeAll(async () => {
  world = await openWorld({ STAFF_PRICE_CHANGE_PERCENT: '1000000' })
  const { items } = await world.as('staff').call(listStaffProducts)
  const product = items.find((it) => it.kind === 'golive' && it.market === 0 && !it.period_buy)!
  id = product.id
  price = product.price
})
afterAll(() => world.close())
afterEach(() => {
  moveBack?.()
  moveBack = null
})

const at = (time: number) => {
  moveBack?.()
  moveBack = replaceClock(() => time)
}
const change = (it: object) =>
  world.as('staff').call(changeStaffProduct, { product_id: id, reason: '活动', ...it })
const withdraw = (change_id: string) =>
  world.as('staff').call(withdrawProductChange, { change_id: Number(change_id), reason: '取消活动' })
const history = async () => (await world.as('staff').call(listProductChanges, { product_id: id })).items
const product = async () =>
  (await world.as('staff').call(listStaffProducts)).items.find((it) => it.id === id)!
const shown = async () =>
  (await world.as('member').call(goliveProducts, { market: 0, period: 0 })).products.find(
    (it) => it.id === id,
  )?.price

describe('a change of a product is refused', () => {
  it('without a reason, a product or a difference, with a price of nothing, and from the past', async () => {
    expect(await refusalOf(change({ price: 1, reason: ' ' }))).toBe('bad_input')
    expect(await refusalOf(change({ price: 0 }))).toBe('bad_input')
    expect(await refusalOf(change({ price: 10_000_001 }))).toBe('bad_input')
    expect(await refusalOf(change({ name: '' }))).toBe('bad_input')
    const tooLong = { name: 'x'.repeat(61), discount_label: '', buy_tip: '' }
    expect(await refusalOf(change({ translations: { en: tooLong } }))).toBe('bad_input')
    expect(await refusalOf(change({ product_id: 7, price: 1 }))).toBe('product.unknown')
    expect(await refusalOf(change({}))).toBe('product.unchanged')
    expect(await refusalOf(change({ price }))).toBe('product.unchanged')
    expect(await refusalOf(change({ price: 1, valid_from: clock.now() - MINUTE_MS }))).toBe('product.past')
    expect(await history()).toHaveLength(1)
    expect(await world.as('staff').refusal(listProductChanges, { product_id: 7 })).toBe('product.unknown')
  })
})

describe('a change of a product', () => {
  it('is for the shop and for new orders at once, and orders that were placed keep their price', async () => {
    const order = (key: string) =>
      world
        .as('member')
        .call(createOrder, { product_id: id, key })
        .then(({ pay_fee }) => pay_fee)
    expect(await order('before')).toBe(price)
    await change({ price: price - 100, origin_price: price, discount_label: '限时' })
    expect(await shown()).toBe(price - 100)
    expect(await order('after')).toBe(price - 100)
    expect(await order('before')).toBe(price)
    await change({ price, origin_price: 0, discount_label: '' })
  })

  it('gives it words in English, which orders keep as they keep its name', async () => {
    const english = world.as('member', { language: 'en' })
    const sold = async () =>
      (await english.call(goliveProducts, { market: 0, period: 0 })).products.find((it) => it.id === id)
    const en = { name: 'Screen sharing, 30 days', discount_label: 'New', buy_tip: '' }
    await change({ translations: { en } })
    expect(await sold()).toMatchObject({ name: en.name, discount_label: 'New' })
    const { order_id } = await english.call(createOrder, { product_id: id, key: 'in English' })
    await change({ translations: {} })
    const { name } = await product()
    expect(await sold()).toMatchObject({ name })
    expect((await english.call(viewOrder, { order_id })).lines).toMatchObject([{ name: en.name }])
    expect((await world.as('member').call(viewOrder, { order_id })).lines).toMatchObject([{ name }])
  })

  it('that is planned is shown, counts from its moment on, and goes back by another one', async () => {
    const start = clock.now() + DAY_MS
    const { change_id } = await change({ price: 100, valid_from: start })
    await change({ price, valid_from: start + MINUTE_MS })
    expect((await product()).planned).toMatchObject([
      { id: change_id, fields: { price: 100 }, state: 'planned', reason: '活动' },
      { fields: { price } },
    ])
    expect(await shown()).toBe(price)
    const { db } = world.database
    at(start - 1)
    expect((await findProduct(db, id))?.price).toBe(price)
    at(start)
    expect((await findProduct(db, id))?.price).toBe(100)
    at(start + MINUTE_MS)
    expect((await findProduct(db, id))?.price).toBe(price)
  })

  it('is withdrawn once before it is valid, and stays in the history', async () => {
    const { change_id } = await change({ on_sale: false, valid_from: clock.now() + DAY_MS })
    const both = await Promise.all([withdraw(change_id), withdraw(change_id)].map(refusalOf))
    expect(both.sort()).toEqual(['none', 'product.no_plan'])
    expect((await history())[0]).toMatchObject({
      id: change_id,
      state: 'withdrawn',
      fields: { on_sale: false },
      withdrawn_why: '取消活动',
      withdrawn_by: world.people.staff.username,
    })
    expect((await history())[0]?.actor_name).toBe(world.people.staff.username)
  })

  it('by command is part of the same history, with when and why', async () => {
    await world.command('product', 'put', '--id', String(id), '--price', '999', '--reason', '测试')
    expect(await shown()).toBe(999)
    const from = new Date(clock.now() + DAY_MS).toISOString()
    await world.command('product', 'put', '--id', String(id), '--price', String(price), '--from', from)
    const [planned, put] = await history()
    expect(planned).toMatchObject({ actor: 'operator', state: 'planned', valid_from: Date.parse(from) })
    expect(put).toMatchObject({ actor: 'operator', fields: { price: 999 }, reason: '测试', state: 'valid' })
    await withdraw(planned!.id)
    await change({ price })
  })

  it('takes a product off sale and puts it on sale again', async () => {
    await change({ on_sale: false })
    expect(await shown()).toBeUndefined()
    expect((await product()).on_sale).toBe(false)
    await change({ on_sale: true })
    expect(await shown()).toBe(price)
  })

  it('is in the staff log with what was before and after', async () => {
    const { items } = await world.as('staff').call(listStaffLog, { kind: 'act', name: 'product change' })
    expect(items[0]).toMatchObject({
      actor: world.people.staff.id,
      target: String(id),
      detail: { reason: '活动', before: { on_sale: false }, after: { on_sale: true } },
    })
    const gone = await world.as('staff').call(listStaffLog, { kind: 'act', name: 'product withdraw' })
    expect(gone.items[0]?.detail).toMatchObject({ reason: '取消活动' })
  })
})
