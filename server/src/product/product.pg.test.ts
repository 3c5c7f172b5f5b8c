import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import {
  allProducts,
  changeProduct,
  changesOf,
  findProduct,
  plannedChanges,
  productForSale,
  productOf,
  productsForSale,
  putProduct,
  retireProduct,
  withdrawChange,
} from './product.ts'

const MONTH = {
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
  place: 0,
}
const NOW = Date.UTC(2026, 10, 25)
const DAY = 86_400_000
const BY = { actor: '100000001', reason: 'a test' }

let database: TestDatabase
let id: number
let now = NOW
const stopClock = replaceClock(() => now)
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  stopClock()
  await database.close()
})
beforeEach(async () => {
  now = NOW
  id = (await transaction(database.db, (tx) => putProduct(tx, null, MONTH)))!.id
})
afterEach(() => {
  now = NOW
})

const change = (fields: object, by: object = {}) =>
  transaction(database.db, (tx) => changeProduct(tx, id, fields, { ...BY, ...by }))
const withdraw = (changeId: string | null) =>
  transaction(database.db, (tx) => withdrawChange(tx, changeId ?? '0', BY))
const price = async () => (await findProduct(database.db, id))!.price

describe('a change is refused', () => {
  it('of a product that does not exist, without a difference, and from a moment that has passed', async () => {
    await expect(
      transaction(database.db, (tx) => changeProduct(tx, 1, { price: 1 }, BY)),
    ).rejects.toMatchObject({ failure: 'product.unknown' })
    await expect(change({ price: 1800, name: MONTH.name, retired_at: null })).rejects.toMatchObject({
      failure: 'product.unchanged',
    })
    await expect(change({ price: 1 }, { validFrom: NOW - 1 })).rejects.toMatchObject({
      failure: 'product.past',
    })
    expect(await changesOf(database.db, id, { before: null, limit: 10 })).toHaveLength(1)
  })

  it('the second time, at once and for the same day', async () => {
    const both = await Promise.allSettled([change({ price: 1500 }), change({ price: 1500 })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await change({ price: 1200 }, { validFrom: NOW + DAY })
    await expect(change({ price: 1200 }, { validFrom: NOW + DAY })).rejects.toMatchObject({
      failure: 'product.unchanged',
    })
  })
})

it('a product says how many days it lasts, where it lasts for days', async () => {
  const packs = { ...MONTH, kind: 'boost', details: { packs: 1 } }
  const other = await transaction(database.db, (tx) => putProduct(tx, null, packs))
  expect(productOf(await productForSale(database.db, id), 'zh-CN')).toMatchObject({ days: 30 })
  expect(productOf(other!, 'zh-CN')).not.toHaveProperty('days')
})

it('a product is called as its buyer’s language says, and in the default language where that says nothing', async () => {
  const en = { name: 'BUFF, a month', discount_label: '', buy_tip: 'For 30 days' }
  await change({ discount_label: '限时', buy_tip: '有效期 30 天', translations: { en } })
  const sold = await productForSale(database.db, id)
  expect(productOf(sold, 'en')).toMatchObject({ ...en, discount_label: '限时' })
  expect(productOf(sold, 'zh-CN')).toMatchObject({ name: MONTH.name, buy_tip: '有效期 30 天' })
})

describe('a change', () => {
  it('is valid from its moment on, wherever the product is read, and not before', async () => {
    await change({ price: 900, discount_label: '双十二' }, { validFrom: NOW + DAY })
    await change({ price: 1800, discount_label: '' }, { validFrom: NOW + 2 * DAY })
    const read = async () => {
      const [sold] = (await productsForSale(database.db, 'buff', 0)).filter((it) => it.id === id)
      const [listed] = (await allProducts(database.db)).filter((it) => it.id === id)
      expect(sold).toEqual(listed)
      expect(await productForSale(database.db, id, 0)).toEqual(sold)
      return `${sold?.price} ${sold?.discount_label}`
    }
    now = NOW + DAY - 1
    expect(await read()).toBe('1800 ')
    now = NOW + DAY
    expect(await read()).toBe('900 双十二')
    now = NOW + 2 * DAY
    expect(await read()).toBe('1800 ')
  })

  it('that is made later and valid at once counts until the planned one', async () => {
    await change({ price: 900 }, { validFrom: NOW + DAY })
    now += 1
    await change({ price: 1700 })
    expect(await price()).toBe(1700)
    now = NOW + DAY
    expect(await price()).toBe(900)
    now += 1
    await change({ price: 1600 })
    expect(await price()).toBe(1600)
  })

  it('takes a product off sale and puts it on sale again', async () => {
    await change({ retired_at: NOW + DAY }, { validFrom: NOW + DAY })
    await change({ retired_at: null }, { validFrom: NOW + 2 * DAY })
    now = NOW + DAY
    await expect(productForSale(database.db, id)).rejects.toMatchObject({ failure: 'product.retired' })
    now = NOW + 2 * DAY
    await expect(productForSale(database.db, id)).resolves.toMatchObject({ id, retired_at: null })
  })
})

describe('a planned change', () => {
  it('is taken back once, and not when it is valid', async () => {
    const { changeId } = await change({ price: 900 }, { validFrom: NOW + DAY })
    expect((await plannedChanges(database.db, 100)).map((it) => it.id)).toContain(changeId)
    expect(await withdraw(changeId)).toMatchObject({ planned: { fields: { price: 900 } } })
    await expect(withdraw(changeId)).rejects.toMatchObject({ failure: 'product.no_plan' })
    await expect(withdraw('999999')).rejects.toMatchObject({ failure: 'product.no_plan' })
    const second = await change({ price: 800 }, { validFrom: NOW + DAY })
    now = NOW + DAY
    expect(await price()).toBe(800)
    await expect(withdraw(second.changeId)).rejects.toMatchObject({ failure: 'product.no_plan' })
    const history = await changesOf(database.db, id, { before: null, limit: 10 })
    expect(history.map((it) => [it.fields.price, it.withdrawn_by])).toEqual([
      [800, null],
      [900, BY.actor],
      [1800, null],
    ])
  })
})

describe('the history', () => {
  it('has what operators did by command as well', async () => {
    await transaction(database.db, (tx) => putProduct(tx, id, { price: 1000 }))
    await transaction(database.db, (tx) => retireProduct(tx, id))
    await transaction(database.db, (tx) => putProduct(tx, id, {}))
    const history = await changesOf(database.db, id, { before: null, limit: 10 })
    expect(history.map(({ actor, fields }) => [actor, Object.keys(fields)])).toEqual([
      ['operator', ['retired_at']],
      ['operator', ['retired_at']],
      ['operator', ['price']],
      ['operator', expect.arrayContaining(['name', 'price'])],
    ])
  })

  it('is not changed, not even by a statement', async () => {
    const { changeId } = await change({ price: 900 }, { validFrom: NOW + DAY })
    await withdraw(changeId)
    for (const table of ['product_change', 'product_withdrawal'])
      for (const statement of [
        `update ${table} set reason = ''`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('append-only')
  })
})
