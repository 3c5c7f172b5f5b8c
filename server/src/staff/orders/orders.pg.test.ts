import type { UserId } from '@guildhall/wire/id.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import {
  listBills,
  listDifferences,
  listDoubts,
  listOrders,
  type StaffOrder,
  viewStaffOrder,
} from '@guildhall/wire/staff/orders.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findOrder } from '../../order/order.ts'
import { keepDifferences } from '../../pay/reconcile/reconcile.ts'
import { refusalOf } from '../../testing/calls.ts'
import { openPayWorld, type PayWorld, PRICE } from '../../testing/pay/payWorld.ts'
import type { StaffActor } from '../staff.ts'
import { giveBack, tryAgain, tryRefundsAgain } from './orders.ts'

let world: PayWorld
let by: StaffActor
let other: StaffActor
beforeAll(async () => {
  world = await openPayWorld()
  by = { actor: world.people.staff.id, network: 'test' }
  other = { actor: world.people.admin.id, network: 'test' }
})
afterAll(() => world.close())

let orderId: string
/** Bought and granted. */
async function buy(it: { readonly way?: PayWay; readonly who?: 'member' | 'staff' } = {}) {
  const { order_id } = await world.placeOrder(it.who ?? 'member')
  const tradeNo = await world.start(order_id, it.way ?? 'wechat')
  await world.control({ tradeNo })
  await world.work()
  return { order_id, tradeNo }
}
afterEach(async () => {
  world.now()
  expect(await world.faults()).toEqual([])
})

/** Refunds are asked for, and the provider has told that they are done. */
async function moneyGoesBack(): Promise<void> {
  await world.work()
  await expect
    .poll(async () => (await view(orderId)).refunds.filter(({ state }) => state !== 'done'))
    .toEqual([])
}

const view = (order_id: string): Promise<StaffOrder> => world.as('staff').call(viewStaffOrder, { order_id })
const find = async (it: object = {}) => (await world.as('staff').call(listOrders, it)).items
const ids = async (it: object) => (await find(it)).map(({ id }) => id)
const refund = (it: object = {}, who = by) =>
  giveBack(world.deps, who, { order_id: orderId, left: PRICE, reason: '不想要了', ...it })
const acts = async (name: string) =>
  (await world.as('staff').call(listStaffLog, { kind: 'act', name })).items.filter(
    ({ target }) => target === orderId,
  )

describe('giving back is refused', () => {
  it('for an order that does not exist, and for more than what is left', async () => {
    orderId = (await buy()).order_id
    expect(await refusalOf(refund({ order_id: '999999999999' }))).toBe('order.unknown')
    expect(await refusalOf(refund({ fee: PRICE + 1 }))).toBe('order.too_much')
    expect(await refusalOf(refund({ left: PRICE + 1, fee: PRICE + 1 }))).toBe('order.changed')
    expect((await view(orderId)).refunds).toEqual([])
    expect(await acts('order refund')).toEqual([])
  })

  it('for an order that was not paid', async () => {
    orderId = (await world.placeOrder('member')).order_id
    expect((await view(orderId)).left).toBeNull()
    expect(await refusalOf(refund())).toBe('order.changed')
  })

  it('for what staff bought, which operators give back', async () => {
    orderId = (await buy({ who: 'staff' })).order_id
    expect((await view(orderId)).is_of_staff).toBe(true)
    expect(await refusalOf(refund())).toBe('forbidden')
    expect(await refusalOf(tryAgain(world.deps, by, { order_id: orderId, reason: 'again' }))).toBe(
      'forbidden',
    )
    expect((await view(orderId)).refunds).toEqual([])
  })
})

describe('giving back', () => {
  beforeEach(async () => {
    orderId = (await buy()).order_id
  })

  it('says before what it takes away, and does so with all of it', async () => {
    expect(await view(orderId)).toMatchObject({
      state: 'granted',
      left: { fee: PRICE, is_divisible: true, revokes: true },
      granted: [{ what: 'buff', revoked_at: 0, length: 30 * 24 * 60 * MINUTE_MS }],
      can_retry: false,
    })
    const before = await world.buffOf('member')
    await refund()
    await moneyGoesBack()
    const seen = await view(orderId)
    expect(seen).toMatchObject({ state: 'refunded', refund_fee: PRICE, left: null, is_granted: false })
    expect(seen.granted[0]?.revoked_at).toBeGreaterThan(0)
    expect(await world.buffOf('member')).toBeLessThan(before)
    expect(seen.refunds).toMatchObject([
      { fee: PRICE, reason: '不想要了', state: 'done', actor: { id: by.actor } },
    ])
    expect(seen.steps.find(({ step }) => step === 'refund')).toMatchObject({
      actor: { id: by.actor, name: world.people.staff.username },
      note: '不想要了',
    })
    expect(seen.entries.map(({ kind }) => kind)).toEqual(['receive', 'grant', 'refund', 'pay_back'])
    for (const { lines } of seen.entries) expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  })

  it('happens once, on a second tap and when two of staff do it at once', async () => {
    const all = await Promise.all([refund(), refund(), refund({}, other)].map(refusalOf))
    expect(all.sort()).toEqual(['none', 'order.changed', 'order.changed'])
    await world.work()
    expect((await view(orderId)).refunds).toHaveLength(1)
    expect(await acts('order refund')).toHaveLength(1)
  })

  it('happens once in part as well, and goes on from what is left then', async () => {
    const parts = await Promise.all([refund({ fee: 500 }), refund({ fee: 500 }, other)].map(refusalOf))
    expect(parts.sort()).toEqual(['none', 'order.changed'])
    expect(await view(orderId)).toMatchObject({ state: 'granted', left: { fee: PRICE - 500 } })
    await refund({ fee: 400, left: PRICE - 500 })
    await moneyGoesBack()
    expect(await view(orderId)).toMatchObject({ state: 'granted', refund_fee: 900, is_granted: true })
    // A part that is all of what is left takes away what was granted.
    await refund({ fee: PRICE - 900, left: PRICE - 900 })
    await moneyGoesBack()
    expect(await view(orderId)).toMatchObject({ state: 'refunded', refund_fee: PRICE, is_granted: false })
  })

  it('is in the staff log with what was before, what is after, and why', async () => {
    await refund({ fee: 500 })
    const [row] = await acts('order refund')
    expect(row).toMatchObject({
      actor: by.actor,
      user_id: world.people.member.id,
      detail: {
        reason: '不想要了',
        fee: 500,
        left_before: PRICE,
        left_after: PRICE - 500,
        revoked: false,
      },
    })
    await world.work()
  })

  it('is not done when it cannot be written down', async () => {
    const broken = { ...by, actor: null as unknown as UserId }
    await expect(refund({}, broken)).rejects.toThrow()
    expect((await view(orderId)).refunds).toEqual([])
  })
})

describe('trying again', () => {
  const again = () => tryAgain(world.deps, by, { order_id: orderId, reason: '再试' })

  it('is refused where nothing waits', async () => {
    orderId = (await buy()).order_id
    expect(await refusalOf(again())).toBe('order.nothing_waits')
    expect(await refusalOf(tryRefundsAgain(world.deps, by, { order_id: orderId, reason: '再试' }))).toBe(
      'order.nothing_waits',
    )
    expect(await acts('order retry')).toEqual([])
  })

  it('asks the provider of a payment whose message was lost', async () => {
    orderId = (await world.placeOrder('member')).order_id
    const tradeNo = await world.start(orderId, 'alipay')
    await world.control({ tradeNo, lost: true })
    expect((await view(orderId)).can_retry).toBe(true)
    await again()
    expect((await findOrder(world.database.db, orderId))?.state).toBe('paid')
    await world.work()
    expect((await view(orderId)).state).toBe('granted')
    expect((await acts('order retry'))[0]?.detail).toMatchObject({ reason: '再试' })
  })

  it('resumes what is stuck without a refund, and grants it once', async () => {
    orderId = (await buy()).order_id
    await sql`update "order" set state = 'stuck', is_granted = false where id = ${orderId}::bigint`.execute(
      world.database.db,
    )
    await sql`delete from entitlement where order_id = ${orderId}::bigint`.execute(world.database.db)
    expect(await view(orderId)).toMatchObject({ can_retry: true, trouble: 'stuck' })
    await Promise.all([again(), again()].map(refusalOf))
    await world.work()
    expect(await view(orderId)).toMatchObject({ state: 'granted', is_granted: true })
    expect((await view(orderId)).granted).toHaveLength(1)
  })

  it('asks again for a refund that the provider refused', async () => {
    orderId = (await buy()).order_id
    await refund()
    await sql`update refund set state = 'stuck', why = 'NOT_ENOUGH' where order_id = ${orderId}::bigint`.execute(
      world.database.db,
    )
    await sql`update "order" set state = 'stuck' where id = ${orderId}::bigint`.execute(world.database.db)
    expect(await view(orderId)).toMatchObject({ can_retry: false, can_retry_refunds: true, left: null })
    await tryRefundsAgain(world.deps, by, { order_id: orderId, reason: '商户号已充值' })
    await moneyGoesBack()
    expect(await view(orderId)).toMatchObject({ state: 'refunded', can_retry_refunds: false })
    expect((await view(orderId)).refunds).toHaveLength(1)
  })
})

describe('orders are found', () => {
  it('by every number that is known of one, and by no part of it', async () => {
    const { order_id, tradeNo } = await buy()
    orderId = order_id
    await refund({ fee: 100 })
    await moneyGoesBack()
    const seen = await view(orderId)
    const [payment] = seen.payments
    const [back] = seen.refunds
    const numbers = [order_id, tradeNo, tradeNo.toLowerCase(), payment!.provider_no, back!.refund_no]
    for (const number of [...numbers, back!.provider_no, ` ${order_id} `])
      expect(await ids({ number })).toEqual([order_id])
    expect(await ids({ number: world.people.member.id })).toContain(order_id)
    expect(await ids({ number: world.people.outsider.id })).toEqual([])
    for (const number of [tradeNo.slice(0, -1), order_id.slice(0, -1), '%', "'", 'x'.repeat(64)])
      expect(await ids({ number })).toEqual([])
  })

  it('page by page, the newest first, by state and kind', async () => {
    const granted = await find({ state: 'granted', kind: 'buff' })
    expect(granted.length).toBeGreaterThan(0)
    for (const it of granted) expect(it).toMatchObject({ state: 'granted', kinds: ['buff'] })
    expect(await ids({ kind: 'golive' })).toEqual([])
    const all = await ids({})
    expect(all).toEqual(all.toSorted((a, b) => Number(b) - Number(a)))
    expect(await ids({ before: all[2] })).toEqual(all.slice(3))
    expect(await ids({ number: world.people.member.id, before: all[0] })).not.toContain(all[0])
    const buff = await ids({ kind: 'buff' })
    expect(await ids({ kind: 'buff', before: buff[1] })).toEqual(buff.slice(2))
    const both = { state: 'granted', kind: 'buff' }
    expect(await ids(both)).toEqual((await ids({ state: 'granted' })).filter((id) => buff.includes(id)))
    expect(await ids({ ...both, before: (await ids(both))[0] })).toEqual((await ids(both)).slice(1))
    const some = { number: world.people.member.id, state: 'granted' }
    expect(await ids({ ...some, kind: 'buff' })).toEqual((await ids(some)).filter((id) => buff.includes(id)))
    expect(await ids({ ...both, kind: 'golive' })).toEqual([])
    expect(await ids({ ...some, kind: 'golive' })).toEqual([])
    expect(await ids({ ...some, before: (await ids(some))[0] })).toEqual((await ids(some)).slice(1))
  })

  it('when somebody must look at them, and why', async () => {
    const open = (await world.placeOrder('member')).order_id
    const paying = (await world.placeOrder('member')).order_id
    await world.start(paying, 'wechat')
    orderId = (await buy()).order_id
    await refund()
    const paid = (await world.placeOrder('member')).order_id
    await world.control({ tradeNo: await world.start(paid, 'wechat') })
    const reasons = async () =>
      new Map((await find({ trouble: 1 })).map(({ id, trouble }) => [id, trouble] as const))
    expect([...(await reasons()).keys()].filter((id) => [open, paying, paid, orderId].includes(id))).toEqual(
      [],
    )
    // Logins of the test end before long.
    const shift = (column: string, table: string, id: string, key = 'order_id') =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - ${60 * MINUTE_MS}
        where ${sql.ref(key)} = ${id}::bigint`.execute(world.database.db)
    await shift('expires_at', 'order', open, 'id')
    await shift('expires_at', 'order', paying, 'id')
    await shift('at', 'order_step', paid)
    await shift('created_at', 'refund', orderId)
    const now = await reasons()
    expect([open, paying, paid, orderId].map((id) => now.get(id))).toEqual([
      'provider',
      'provider',
      'ungranted',
      'refund',
    ])
    for (const [id, trouble] of now) expect((await view(id)).trouble).toBe(trouble)
    const shown = new Map((await find()).map(({ id, trouble }) => [id, trouble] as const))
    for (const [id, trouble] of now) expect(shown.get(id)).toBe(trouble)
    await world.work()
    expect((await reasons()).get(paid)).toBeUndefined()
  })
})

describe('what bills and providers say otherwise', () => {
  it('is listed by day, with its order, and says when it is settled', async () => {
    const { order_id, tradeNo } = await buy()
    const { db } = world.database
    await sql`insert into bill_day (way, day, compared_at, lines) values ('wechat', '2026-11-01', 1, 2)`.execute(
      db,
    )
    await sql`
      insert into bill_line (way, day, kind, trade_no, refund_no, provider_no, fee, charge, at) values
        ('wechat', '2026-11-01', 'payment', ${tradeNo}, '', '4200', ${PRICE + 1}, 0, 1),
        ('wechat', '2026-11-01', 'payment', 'PUNKNOWN', '', '4201', 100, 0, 1)`.execute(db)
    const bills = () => world.as('staff').call(listBills)
    expect((await bills()).items).toMatchObject([{ day: '2026-11-01', lines: 2, differences: -1 }])
    await keepDifferences(db)
    expect((await bills()).items).toMatchObject([{ day: '2026-11-01', differences: 2 }])
    const list = (it = {}) => world.as('staff').call(listDifferences, it)
    const { items } = await list({ day: '2026-11-01' })
    expect(items.find((it) => it.trade_no === tradeNo)).toMatchObject({
      what: 'other_sum',
      there: PRICE + 1,
      here: PRICE,
      order_id,
      is_settled: false,
    })
    expect(items.find((it) => it.trade_no === 'PUNKNOWN')).toMatchObject({
      what: 'unknown_here',
      there: 100,
      here: -1,
      order_id: '',
    })
    expect((await list({ before_day: items[0]!.day, before: items[0]!.id })).items).toHaveLength(1)
    expect((await list({ day: '2026-11-02' })).items).toEqual([])
    await sql`update bill_line set fee = ${PRICE} where trade_no = ${tradeNo}`.execute(db)
    await sql`update bill_difference set there = ${PRICE} where trade_no = ${tradeNo}`.execute(db)
    expect((await list()).items.find((it) => it.trade_no === tradeNo)?.is_settled).toBe(true)
    await sql`delete from bill_day`.execute(db)
  })

  it('is on the order and in a list, and grants nothing', async () => {
    orderId = (await world.placeOrder('member')).order_id
    const tradeNo = await world.start(orderId, 'wechat')
    await world.control({ tradeNo, fee: 1 })
    const seen = await view(orderId)
    expect(seen).toMatchObject({ state: 'paying', doubts: [{ why: 'amount', trade_no: tradeNo }] })
    const { items } = await world.as('staff').call(listDoubts)
    expect(items[0]).toMatchObject({ trade_no: tradeNo, order_id: orderId })
    expect((await world.as('staff').call(listDoubts, { before: items[0]!.id })).items).toEqual([])
  })
})
