import { closeOrder, listPayments, listUnpaid, OPEN_ORDERS_MAX } from '@guildhall/wire/order/order.ts'
import { createByCode, payOrder } from '@guildhall/wire/pay/pay.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { KINDS } from '../app/payments.ts'
import { transaction } from '../kit/database/db.ts'
import { balances } from '../ledger/ledger.ts'
import { retireProduct } from '../product/product.ts'
import { refusalOf } from '../testing/calls.ts'
import { openPayWorld, type PayWorld } from '../testing/pay/payWorld.ts'
import { moneyFaults } from './faults/faults.ts'
import { grantOrder } from './grant.ts'
import { settleOpen } from './paymentPoller.ts'
import { closeOrder as closeRule } from './query.ts'
import { refundOrder } from './refund/refund.ts'
import * as rows from './sql.ts'

let world: PayWorld
beforeAll(async () => {
  world = await openPayWorld()
})
beforeEach(() => {
  world.now()
  world.refusedFor.length = 0
})
afterAll(() => world?.close())

/** A provider may tell of a refund a moment later. */
const settled = (orderId: string, wanted: object) =>
  expect.poll(() => world.view('admin', orderId)).toMatchObject(wanted)
const agrees = async () => expect(await world.faults()).toEqual([])

describe('an order is refused', () => {
  test('for what is not sold, and writes nothing', async () => {
    const gone = await world.addProduct({ name: '旧卡' })
    await transaction(world.database.db, (tx) => retireProduct(tx, gone))
    const count = async () => (await sql`select 1 from "order"`.execute(world.database.db)).rows.length
    const before = await count()
    expect(await refusalOf(world.placeOrder('admin', { product_id: 999_999 }))).toBe('product.unknown')
    expect(await refusalOf(world.placeOrder('admin', { product_id: gone }))).toBe('product.retired')
    expect(await refusalOf(world.placeOrder('admin', { market: 7 }))).toBe('product.market')
    expect(await refusalOf(world.placeOrder('admin', { market: 1 }))).toBe('product.market')
    for (const count of [0, -1, 2, 1_000_000_000])
      expect(await refusalOf(world.placeOrder('admin', { count }))).toBe('order.count')
    expect(await refusalOf(world.placeOrder('admin', { guild_id: world.guilds[0]!.id }))).toBe(
      'order.subject',
    )
    expect(await refusalOf(world.placeOrder('admin', { user_id: world.people.outsider.id }))).toBe(
      'order.receiver',
    )
    expect(await count()).toBe(before)
  })

  test('to everybody but its buyer, with an id or with a code', async () => {
    const order = await world.placeOrder('admin')
    expect(await refusalOf(world.view('member', order.order_id))).toBe('order.unknown')
    expect(await world.as('member').refusal(closeOrder, { order_id: order.order_id })).toBe('order.unknown')
    const code = { id: order.code, platform: 2 }
    expect(await world.as('member').refusal(createByCode, code)).toBe('order.not_own')
    for (const id of ['0'.repeat(32), '111', '订单'])
      expect(await world.as(null).refusal(createByCode, { ...code, id }), id).toBe('order.unknown')
    const inBrowser = { order_id: order.order_id, way: 'wechat', scene: 'qr' }
    expect(await world.as('admin').refusal(payOrder, inBrowser)).toBe('pay.in_app')
  })
})

describe.each(['wechat', 'alipay'] as const)('paid by %s, an order', (way) => {
  test('is granted once, however often it is told, and refunds take it back', async () => {
    const before = await world.buffOf('admin')
    const key = `again-${way}`
    const order = await world.placeOrder('admin', { key })
    expect((await world.placeOrder('admin', { key })).order_id).toBe(order.order_id)
    const tradeNo = await world.start(order.order_id, way)
    const { answered } = await world.control({ tradeNo, way, times: 5 })
    expect(answered.map(({ status }) => status >= 200 && status < 300)).toEqual(Array(5).fill(true))
    expect((await world.view('admin', order.order_id)).state).toBe('paid')
    await world.work()
    await world.work()
    expect(await world.view('admin', order.order_id)).toMatchObject({
      state: 'granted',
      pay_fee: 1500,
      refund_fee: 0,
    })
    const until = await world.buffOf('admin')
    expect(until).toBeGreaterThan(Math.max(before, Date.now()) + 29 * DAY_MS)
    await agrees()

    const wish = { reason: '不满意', actor: 'staff:operator' } as const
    await refundOrder(world.deps, order.order_id, { ...wish, fee: 500 })
    await world.work()
    await settled(order.order_id, { state: 'granted', refund_fee: 500 })
    expect(await world.buffOf('admin')).toBe(until)
    await agrees()
    await refundOrder(world.deps, order.order_id, { ...wish, fee: null })
    await world.work()
    await settled(order.order_id, { state: 'refunded', refund_fee: 1500 })
    expect(await world.buffOf('admin')).toBe(before)
    await expect(refundOrder(world.deps, order.order_id, { ...wish, fee: 1 })).rejects.toThrow('bad_input')
    await agrees()
    const { items } = await world.as('admin').call(listPayments, {})
    expect(items[0]).toMatchObject({ order_id: order.order_id, pay_fee: 1500, refund_fee: 1500 })
  })

  test('is not granted for a forged message, another sum or another merchant', async () => {
    const order = await world.placeOrder('admin')
    const tradeNo = await world.start(order.order_id, way)
    const forged = await world.control({ tradeNo, way, forge: 'signature' })
    for (const { status, body } of forged.answered) expect(status >= 400 || body === 'failure').toBe(true)
    const wrong = await world.placeOrder('admin')
    const wrongNo = await world.start(wrong.order_id, way)
    await world.control({ tradeNo: wrongNo, way, fee: 1 })
    expect(world.refusedFor).toEqual(expect.arrayContaining(['signature', 'amount']))
    await sql`update payment set next_query_at = 9e15::bigint where order_id = ${wrong.order_id}::bigint`.execute(
      world.database.db,
    )
    expect((await rows.byTradeNo(world.database.db, wrongNo))?.state).toBe('begun')
    expect(await rows.mismatches(world.database.db, 10)).toEqual(
      expect.arrayContaining([expect.objectContaining({ why: 'amount', trade_no: wrongNo })]),
    )
    await agrees()
  })

  test('whose message was lost is settled by asking', async () => {
    const order = await world.placeOrder('admin')
    const tradeNo = await world.start(order.order_id, way)
    await world.control({ tradeNo, way, lost: true })
    world.later(MINUTE_MS)
    await settleOpen(world.deps)
    expect((await world.view('admin', order.order_id)).state).toMatch(/paid|granted/)
    await world.work()
    expect((await world.view('admin', order.order_id)).state).toBe('granted')
    await agrees()
  })

  test('that nobody pays is closed, and money that comes later goes back', async () => {
    const order = await world.placeOrder('admin')
    const tradeNo = await world.start(order.order_id, way)
    await world.as('admin').call(closeOrder, { order_id: order.order_id })
    expect((await world.view('admin', order.order_id)).state).toBe('closed')
    await world.control({ tradeNo, way, anyway: true })
    expect((await world.view('admin', order.order_id)).state).toBe('refunding')
    await world.work()
    await settled(order.order_id, {
      state: 'refunded',
      refunds: [{ cause: 'late', fee: 1500, state: 'done' }],
    })
    await agrees()
  })
})

describe('orders that wait', () => {
  // Nobody else in this file is the buyer of these.
  const listed = async (who: 'owner' | 'admin' | 'member' = 'owner') =>
    (await world.as(who).call(listUnpaid, {})).items
  const idsOf = async () => (await listed()).map(({ order_id }) => order_id)
  const close = (order_id: string) => world.as('owner').call(closeOrder, { order_id })
  afterEach(async () => {
    world.now()
    for (const id of await idsOf()) await close(id)
  })

  test('are shown to nobody but their buyer, and to nobody without a login', async () => {
    const { order_id } = await world.placeOrder('owner')
    for (const who of ['admin', 'member'] as const)
      expect((await listed(who)).map((it) => it.order_id)).not.toContain(order_id)
    expect(await world.as(null).refusal(listUnpaid, {})).toBe('not_logged_in')
  })

  test('are not those that were paid, closed, or whose time is over', async () => {
    const [paid, closed, over] = [
      await world.placeOrder('owner'),
      await world.placeOrder('owner'),
      await world.placeOrder('owner'),
    ]
    await world.control({ tradeNo: await world.start(paid.order_id, 'wechat'), way: 'wechat' })
    await close(closed.order_id)
    expect(await idsOf()).toEqual([over.order_id])
    world.later(30 * MINUTE_MS + 1)
    expect(await listed()).toEqual([])
    expect(await world.view('owner', over.order_id)).toMatchObject({ state: 'placed', left_ms: 0 })
    const again = { order_id: over.order_id, way: 'wechat', scene: 'app' }
    expect(await world.as('owner').refusal(payOrder, again)).toBe('order.closed')
    await world.work()
    await agrees()
  })

  test('are not those that a contract is charged for', async () => {
    const { order_id } = await world.placeOrder('owner')
    await world.start(order_id, 'wechat')
    expect(await idsOf()).toEqual([order_id])
    const { db } = world.database
    await sql`update payment set scene = 'contract' where order_id = ${order_id}::bigint`.execute(db)
    expect(await idsOf()).toEqual([])
    await close(order_id)
  })

  test('say what is bought for whom, what it costs, and how long it can be paid by the server’s clock', async () => {
    await world.befriend('owner', 'member')
    const friend = world.people.member
    const first = await world.placeOrder('owner', { user_id: friend.id })
    const second = await world.placeOrder('owner')
    world.later(10 * MINUTE_MS)
    const [newer, older] = await listed()
    expect(newer).toMatchObject({ order_id: second.order_id, usage_info: '', buy_info: 'BUFF 月卡' })
    expect(older).toMatchObject({
      order_id: first.order_id,
      usage_info: `赠送给 ${friend.username}#${friend.identify_num}`,
      pay_fee: 1500,
      period_buy: false,
    })
    // What passed of the time before the clock was set adds to the ten minutes.
    expect(older!.left_ms).toBeLessThanOrEqual(20 * MINUTE_MS)
    expect(older!.left_ms).toBeGreaterThan(19 * MINUTE_MS)
    expect(await world.view('owner', first.order_id)).toMatchObject({
      usage_info: older!.usage_info,
      left_ms: older!.left_ms,
      lines: [{ days: 30, count: 1, fee: 1500 }],
    })
  })

  test('are as many as one may have, the newest first', async () => {
    const placed: string[] = []
    while (placed.length < OPEN_ORDERS_MAX) placed.unshift((await world.placeOrder('owner')).order_id)
    expect(await refusalOf(world.placeOrder('owner'))).toBe('order.too_many')
    expect(await idsOf()).toEqual(placed)
  })

  test('cannot be given up once they are paid, also when nobody has told of the payment', async () => {
    const { order_id } = await world.placeOrder('owner')
    const tradeNo = await world.start(order_id, 'alipay')
    await world.control({ tradeNo, way: 'alipay', lost: true })
    expect(await idsOf()).toEqual([order_id])
    // The rule itself: the test's server knows no providers.
    const owner = world.people.owner.id
    await expect(closeRule(world.deps, owner, order_id)).rejects.toMatchObject({ failure: 'order.paid' })
    expect(await listed()).toEqual([])
    await world.work()
    expect((await world.view('owner', order_id)).state).toBe('granted')
    expect(await world.as('owner').refusal(closeOrder, { order_id })).toBe('order.paid')
    await agrees()
  })

  test('that are gone on with are the same order: each attempt costs the same, and one of them counts', async () => {
    const { order_id } = await world.placeOrder('owner')
    const tradeNos = [await world.start(order_id, 'wechat'), await world.start(order_id, 'wechat')]
    expect(await idsOf()).toEqual([order_id])
    const attempts = await rows.ofOrder(world.database.db, order_id)
    expect(attempts.map(({ fee }) => fee)).toEqual([1500, 1500])
    for (const tradeNo of tradeNos) await world.control({ tradeNo, way: 'wechat' })
    await world.work()
    expect((await world.view('owner', order_id)).state).toBe('granted')
    expect((await world.as('owner').call(listPayments, {})).items[0]).toMatchObject({ order_id })
    await agrees()
  })
})

test('paid by two ways, an order is granted once and the second payment goes back', async () => {
  const order = await world.placeOrder('admin')
  const first = await world.start(order.order_id, 'wechat')
  const second = await world.start(order.order_id, 'alipay')
  await Promise.all([
    world.control({ tradeNo: first, way: 'wechat' }),
    world.control({ tradeNo: second, way: 'alipay' }),
  ])
  await world.work()
  await world.work()
  await settled(order.order_id, {
    state: 'granted',
    refund_fee: 0,
    refunds: [{ cause: 'twice', fee: 1500, state: 'done' }],
  })
  await agrees()
  const [owed] = (await balances(world.database.db)).filter(({ account }) => account === 'owed')
  expect(Math.abs(owed!.balance)).toBe(0)
})

test('what cannot be granted is given back', async () => {
  const broken = await world.addProduct({ name: '坏卡', details: { days: 0 } })
  const order = await world.placeOrder('admin', { product_id: broken })
  await world.control({ tradeNo: await world.start(order.order_id, 'wechat'), way: 'wechat' })
  for (let tries = 0; tries < 6; tries++) await grantOrder(world.deps, order.order_id).catch(() => undefined)
  await world.work()
  await settled(order.order_id, { state: 'refunded', refunds: [{ cause: 'failed' }] })
  await agrees()
})

test('the ledger is not changed and not deleted, and takes no entry that does not balance', async () => {
  const { db } = world.database
  await expect(sql`update ledger_line set amount = amount + 1`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`delete from ledger_entry`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`truncate ledger_entry, ledger_line`.execute(db)).rejects.toThrow('append-only')
  const lonely = sql`with it as (insert into ledger_entry (kind, ref, at) values ('fee', 'x', 1) returning id)
    insert into ledger_line (entry_id, account, amount) select id, 'owed', 5 from it`
  await expect(lonely.execute(db)).rejects.toThrow('does not balance')
})

test('a grant that was lost, and a payment without its entry, are found', async () => {
  const { db } = world.database
  const order = await world.placeOrder('admin')
  await world.control({ tradeNo: await world.start(order.order_id, 'wechat'), way: 'wechat' })
  await world.work()
  await agrees()
  await sql`delete from entitlement where order_id = ${order.order_id}::bigint`.execute(db)
  expect(await moneyFaults(db, KINDS)).toEqual([
    `order ${order.order_id} is granted and has lost what buff granted`,
  ])
  await sql`insert into payment (trade_no, order_id, way, scene, fee, state, provider_no, created_at, paid_at, next_query_at)
    values ('PLOST1', ${order.order_id}::bigint, 'wechat', 'qr', 7, 'paid', 'x', 1, 1, 1)`.execute(db)
  expect((await moneyFaults(db, KINDS)).join('; ')).toContain(
    'payment PLOST1 is paid with 7 fen, and the ledger received 0',
  )
})
