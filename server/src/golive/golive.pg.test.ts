import { exchangeCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { goliveGroup, goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { createOrder } from '@guildhall/wire/order/order.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KINDS } from '../app/payments.ts'
import { createCoupons } from '../coupon/coupon.ts'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { giveGolive, type Version } from './golive.ts'

const NOW = Date.parse('2026-11-24T04:00:00Z')
let now = NOW
let world: TestWorld
let stopClock: () => void

beforeAll(async () => {
  world = await openWorld()
  stopClock = replaceClock(() => now)
})
afterEach(() => {
  now = NOW
})
afterAll(async () => {
  stopClock()
  await world.close()
})

const infoOf = async (who: PersonName) => {
  const { type, expire_time } = await world.as(who).call(goliveInfo)
  return { type, expire_time }
}
const give = (who: PersonName, type: Version, days: number) =>
  commit(world.app.appContext, (tx, emit) =>
    giveGolive({ tx, emit, notify: async () => undefined }, world.people[who].id, { type, days }),
  )

test('a product that is neither version, or of no days, is none', () => {
  for (const it of [{}, { type: 'ultra', days: 30 }, { type: 'pro', days: 0 }, { type: 'pro', days: 1.5 }])
    expect(KINDS.get('golive')?.details.safeParse(it).success).toBe(false)
})

test('who has neither version has none; the better one counts while it lasts, then the other', async () => {
  expect(await infoOf('member')).toEqual({ type: 'none', expire_time: 0 })
  await give('member', 'normal', 30)
  expect(await infoOf('member')).toEqual({ type: 'normal', expire_time: NOW + 30 * DAY_MS })
  await give('member', 'pro', 10)
  expect(await infoOf('member')).toEqual({ type: 'pro', expire_time: NOW + 10 * DAY_MS })
  now = NOW + 10 * DAY_MS
  expect(await infoOf('member')).toEqual({ type: 'normal', expire_time: NOW + 30 * DAY_MS })
  now = NOW + 30 * DAY_MS
  expect(await infoOf('member')).toEqual({ type: 'none', expire_time: 0 })
})

test('more of a version begins where it ends', async () => {
  await give('admin', 'normal', 30)
  expect(await give('admin', 'normal', 30)).toBe(NOW + 60 * DAY_MS)
})

test('the page has both versions’ products, what they bring and until when the caller has them', async () => {
  await give('muted', 'pro', 5)
  const page = await world.as('muted').call(goliveProducts)
  expect(page.items).toEqual([{ expire_time: 0 }, { expire_time: NOW + 5 * DAY_MS }])
  expect(new Set(page.products.map(({ group_id }) => group_id))).toEqual(new Set(Object.values(goliveGroup)))
  expect(page.ability.length).toBeGreaterThan(0)
  expect(page.compare[0]).toMatchObject({ normal_v: '720P', pro_v: '1080P' })
})

test('a friend who has it is shown as its owner and is not given it; a better one is welcome', async () => {
  await world.befriend('owner', 'unverified')
  await give('unverified', 'normal', 30)
  const { products } = await world.as('owner').call(goliveProducts)
  const [normal, pro] = [goliveGroup.normal, goliveGroup.pro].map(
    (group) => products.find(({ group_id }) => group_id === group)!.id,
  )
  const ownOf = async (product_id: number | undefined) =>
    (await world.as('owner').call(listFriends, { type: 'friend', product_id, count: 1 })).friend[0]?.own
  expect(await ownOf(normal)).toBe(true)
  expect(await ownOf(pro)).toBe(false)
  const order = (product_id: number | undefined) =>
    world.as('owner').refusal(createOrder, {
      product_id,
      count: 1,
      key: `gift ${product_id}`,
      user_id: world.idOf('unverified'),
    })
  expect(await order(normal)).toBe('order.owned')
  expect(await order(pro)).toBe('none')
})

test('the standard version beside the professional one is refused, bought or by a code that stays good; renewing is not, nor the better one', async () => {
  await give('outsider', 'pro', 10)
  const { products } = await world.as('outsider').call(goliveProducts)
  const idOf = (group: number) => products.find(({ group_id }) => group_id === group)!.id
  const order = (product_id: number, key: string) =>
    world.as('outsider').refusal(createOrder, { product_id, count: 1, key })
  expect(await order(idOf(goliveGroup.normal), 'lower')).toBe('order.lower')
  expect(await order(idOf(goliveGroup.pro), 'same')).toBe('none')
  const { codes } = await transaction(world.database.db, (tx) =>
    createCoupons(tx, {
      productId: idOf(goliveGroup.normal),
      count: 1,
      perUser: 1,
      expiresAt: null,
      actor: 'operator',
    }),
  )
  const redeem = () => world.as('outsider').refusal(exchangeCoupon, { code: codes[0]! })
  expect(await redeem()).toBe('order.lower')
  now = NOW + 10 * DAY_MS
  expect(await order(idOf(goliveGroup.normal), 'afterwards')).toBe('none')
  expect(await redeem()).toBe('none')
  expect(await order(idOf(goliveGroup.pro), 'better')).toBe('none')
})
