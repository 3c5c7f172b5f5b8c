import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { exchangeCoupon, redeemCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { faultsOfMoney } from '../app/payments.ts'
import { type PersonName, personNames } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { balances } from '../ledger/ledger.ts'
import { allProducts } from '../product/product.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { batches, createCoupons, type NewBatch } from './coupon.ts'

let world: TestWorld
let monthId: number

beforeAll(async () => {
  world = await openWorld()
  monthId = (await allProducts(world.database.db)).find(({ name }) => name === 'BUFF 月卡')!.id
})
afterAll(() => world.close())
beforeEach(() => sql`delete from attempt`.execute(world.database.db))

const make = async (it: Partial<NewBatch> = {}) => {
  const batch = { productId: monthId, count: 1, perUser: 1, expiresAt: null, actor: 'operator', ...it }
  return transaction(world.database.db, (tx) => createCoupons(tx, batch))
}
const redeem = (who: PersonName, code: string) => world.as(who).call(exchangeCoupon, { code })
const buffOf = async (who: PersonName) => (await world.as(who).call(vipExpired)).vip_expired

describe('a code is refused', () => {
  test('that does not exist, and that is empty', async () => {
    expect(await refusalOf(redeem('member', 'AAAAA-BBBBB-CCCCC-DDDDD'))).toBe('coupon.unknown')
    expect(await refusalOf(redeem('member', ''))).toBe('bad_input')
    expect(await refusalOf(redeem('member', 'x'.repeat(101)))).toBe('bad_input')
  })
  test('that was used, by whomever', async () => {
    const { codes } = await make()
    await redeem('member', codes[0]!)
    expect(await refusalOf(redeem('member', codes[0]!))).toBe('coupon.used')
    expect(await refusalOf(redeem('admin', codes[0]!))).toBe('coupon.used')
  })
  test('that is over, to the millisecond', async () => {
    const { codes } = await make({ expiresAt: Date.now() + DAY_MS, count: 2, perUser: 2 })
    const stop = replaceClock(() => Date.now() + DAY_MS)
    expect(await refusalOf(redeem('member', codes[0]!))).toBe('coupon.expired')
    stop()
    expect(await refusalOf(redeem('member', codes[0]!))).toBe('none')
  })
  test('to who has used as many of its batch as one may, while others use theirs', async () => {
    const { codes } = await make({ count: 3, perUser: 2 })
    expect(await refusalOf(redeem('member', codes[0]!))).toBe('none')
    expect(await refusalOf(redeem('member', codes[1]!))).toBe('none')
    expect(await refusalOf(redeem('member', codes[2]!))).toBe('coupon.limit')
    expect(await refusalOf(redeem('admin', codes[2]!))).toBe('none')
  })
})

test('a page of the version before redeems by the path that it knows', async () => {
  expect(exchangeCoupon.path).toBe('/api/v3/coupon/exchange')
  const { codes } = await make()
  const { products } = await world.as('outsider').call(redeemCoupon, { code: codes[0]! })
  expect(products).toEqual([{ type: 'buff', id: monthId, name: 'BUFF 月卡', count: 1 }])
})

test('a code extends BUFF by its product, however it is typed', async () => {
  const { codes } = await make({ count: 2, perUser: 2 })
  const before = Math.max(await buffOf('unverified'), Date.now())
  const typed = ` ${codes[0]!.toLowerCase().replaceAll('-', ' ')} `
  const { message, products } = await redeem('unverified', typed)
  expect(message).toBe('兑换成功，获得 BUFF 月卡')
  expect(products).toEqual([{ type: 'buff', id: monthId, name: 'BUFF 月卡', count: 1 }])
  const after = await buffOf('unverified')
  expect(after - before).toBeGreaterThanOrEqual(30 * DAY_MS)
  await redeem('unverified', codes[1]!)
  expect((await buffOf('unverified')) - after).toBe(30 * DAY_MS)
})

test('one code is used once, however many people use it at once', async () => {
  const { codes } = await make()
  const tries = personNames
    .filter((who) => who !== 'outsider' && who !== 'staff')
    .flatMap((who) => [who, who, who])
  const answers = await Promise.all(tries.map((who) => refusalOf(redeem(who, codes[0]!))))
  expect(answers.filter((it) => it === 'none')).toHaveLength(1)
  expect(new Set(answers)).toEqual(new Set(['none', 'coupon.used']))
})

test('one person uses no more codes of a batch than one may, however many are used at once', async () => {
  const { codes } = await make({ count: 12, perUser: 3 })
  const answers = await Promise.all(codes.map((code) => refusalOf(redeem('muted', code))))
  expect(answers.filter((it) => it === 'none')).toHaveLength(3)
})

test('codes are in the database as hashes alone, have nothing that is confused, and are counted', async () => {
  const { batchId, codes } = await make({ count: 50 })
  for (const code of codes) expect(code).toMatch(/^(?:[2-9A-HJKMNP-Z]{5}-){3}[2-9A-HJKMNP-Z]{5}$/)
  expect(new Set(codes).size).toBe(50)
  const { rows } = await sql<{ all: string }>`
    select string_agg(coupon::text, ' ') as all from coupon where batch_id = ${batchId}`.execute(
    world.database.db,
  )
  for (const code of codes) expect(rows[0]!.all).not.toContain(code)
  await redeem('admin', codes[7]!)
  expect((await batches(world.database.db, { before: null, limit: 9 }))[0]).toMatchObject({
    id: batchId,
    count: 50,
    used: 1,
  })
})

test('what codes gave is in the ledger as vouchers, and the money balances', async () => {
  expect(await faultsOfMoney(world.database.db)).toEqual([])
  const found = await balances(world.database.db)
  const balanceOf = (name: string) => found.find(({ account }) => account === name)?.balance
  expect(balanceOf('vouchers:buff')).toBeGreaterThan(0)
  expect(balanceOf('revenue:buff')).toBe(-balanceOf('vouchers:buff')!)
})
