import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { closeOrder, createOrder, listPayments, type Order, viewOrder } from '@guildhall/wire/order/order.ts'
import { createByCode, payOrder } from '@guildhall/wire/pay/pay.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { KINDS } from '../app/payments.ts'
import type { CastName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/db.ts'
import { openLog } from '../kit/log.ts'
import { balances, ledgerFaults } from '../ledger/ledger.ts'
import { openAlipay } from '../outside/payAlipay.ts'
import type { PayProvider, PayWay } from '../outside/payProvider.ts'
import { openWechatPay } from '../outside/payWechat.ts'
import { putProduct, retireProduct } from '../product/product.ts'
import { openControl } from '../sandbox/control.ts'
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { openWorld, Refused, type TestWorld } from '../testing/world.ts'
import { settleOpen } from './janitor.ts'
import {
  grantOrder,
  moneyFaults,
  type PayDeps,
  refundOrder,
  refundPayment,
  startPayment,
  takeNotification,
} from './pay.ts'
import * as rows from './sql.ts'

let world: TestWorld
let sandbox: Sandbox
let dir: string
let notify: Server
let deps: PayDeps
let control: ReturnType<typeof openControl>
let productId: number
let stopClock: (() => void) | null = null
const refusedFor: string[] = []

const month = {
  ...{ kind: 'buff', name: 'BUFF 月卡', price: 1500, origin_price: 1800, discount_label: '', buy_tip: '' },
  ...{ market: 0, group_id: 0, period_buy: false, details: { days: 30 }, place: 0 },
}
const put = (it: object) => transaction(world.database.db, (tx) => putProduct(tx, null, { ...month, ...it }))

beforeAll(async () => {
  world = await openWorld()
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-pay-'))
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  control = openControl(sandbox)
  notify = createServer((request, reply) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const way = request.url?.slice(1) as PayWay
      const answer = await takeNotification(deps, way, {
        headers: request.headers,
        body: Buffer.concat(parts),
      })
      reply.writeHead(answer.status).end(answer.body)
    })()
  })
  await new Promise<void>((done) => notify.listen(0, '127.0.0.1', done))
  const at = `http://127.0.0.1:${(notify.address() as AddressInfo).port}`
  const providers: PayProvider[] = [
    openWechatPay(sandbox.wechat, { notifyUrl: `${at}/wechat` }),
    openAlipay(sandbox.alipay, { notifyUrl: `${at}/alipay` }),
  ]
  deps = {
    live: world.app.live,
    kinds: KINDS,
    providers: new Map(providers.map((it) => [it.way, it])),
    log: openLog('quiet'),
    // Jobs run when a test says so.
    jobs: { send: async () => undefined, wake: () => undefined },
    counts: { refused: (_way, why) => void refusedFor.push(why), settled: () => undefined },
  }
  productId = (await put({}))!.id
})
beforeEach(() => {
  stopClock?.()
  stopClock = null
  refusedFor.length = 0
})
afterAll(async () => {
  stopClock?.()
  await sandbox.close()
  await new Promise((done) => notify.close(done))
  await world.close()
  await rm(dir, { recursive: true, force: true })
})

const later = (ms: number) => {
  const from = Date.now() + ms
  stopClock?.()
  stopClock = replaceClock(() => from)
}
let keys = 0
const place = (name: CastName, it: object = {}) =>
  world.callAs(name)(createOrder, { product_id: productId, key: `test-key-${++keys}`, ...it })
const view = (name: CastName, order_id: string): Promise<Order> => world.callAs(name)(viewOrder, { order_id })
const begin = async (orderId: string, way: PayWay) => {
  await startPayment(deps, orderId, {
    way,
    scene: 'qr',
    clientIp: '127.0.0.1',
    returnUrl: 'http://localhost/',
  })
  return (await rows.ofOrder(world.database.db, orderId)).at(-1)!.trade_no
}
/** Everything that jobs and the janitor do. */
const work = async () => {
  const open = await sql<{ id: string }>`select id::text from "order" where state = 'paid'`.execute(
    world.database.db,
  )
  for (const { id } of open.rows) await grantOrder(deps, id)
  for (const id of await rows.dueRefunds(world.database.db, Date.now() + MINUTE_MS, 100))
    await refundPayment(deps, id)
}
/** A provider may tell of a refund a moment later. */
const settled = (orderId: string, wanted: object) =>
  expect.poll(() => view('admin', orderId), { timeout: 10_000 }).toMatchObject(wanted)
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'granted',
    (error: unknown) => {
      if (error instanceof Refused) return error.failure
      throw error
    },
  )
const agrees = async () => {
  expect(await ledgerFaults(world.database.db)).toEqual([])
  expect(await moneyFaults(world.database.db, KINDS)).toEqual([])
}
const buffOf = async (name: CastName) => (await world.callAs(name)(vipExpired)).vip_expired

describe('an order is refused', () => {
  test('for what is not sold, and writes nothing', async () => {
    const gone = (await put({ name: '旧卡' }))!.id
    await transaction(world.database.db, (tx) => retireProduct(tx, gone))
    const count = async () => (await sql`select 1 from "order"`.execute(world.database.db)).rows.length
    const before = await count()
    expect(await refusalOf(place('admin', { product_id: 999_999 }))).toBe('product.unknown')
    expect(await refusalOf(place('admin', { product_id: gone }))).toBe('product.retired')
    expect(await refusalOf(place('admin', { market: 7 }))).toBe('product.market')
    expect(await refusalOf(place('admin', { market: 1 }))).toBe('product.market')
    for (const count of [0, -1, 2, 1_000_000_000])
      expect(await refusalOf(place('admin', { count }))).toBe('order.count')
    expect(await refusalOf(place('admin', { guild_id: world.guilds[0]!.id }))).toBe('order.subject')
    expect(await refusalOf(place('admin', { user_id: world.cast.outsider.id }))).toBe('order.receiver')
    expect(await count()).toBe(before)
  })

  test('to everybody but its buyer, with an id or with a code', async () => {
    const order = await place('admin')
    expect(await refusalOf(view('member', order.order_id))).toBe('order.unknown')
    expect(await refusalOf(world.callAs('member')(closeOrder, { order_id: order.order_id }))).toBe(
      'order.unknown',
    )
    const code = { id: order.code, platform: 2 }
    expect(await refusalOf(world.callAs('member')(createByCode, code))).toBe('order.not_own')
    expect(await refusalOf(world.callAs(null)(createByCode, { ...code, id: '0'.repeat(32) }))).toBe(
      'order.unknown',
    )
    const inBrowser = { order_id: order.order_id, way: 'wechat', scene: 'qr' }
    expect(await refusalOf(world.callAs('admin')(payOrder, inBrowser))).toBe('pay.in_app')
  })
})

describe.each(['wechat', 'alipay'] as const)('paid by %s, an order', (way) => {
  test('is granted once, however often it is told, and refunds take it back', async () => {
    const before = await buffOf('admin')
    const order = await place('admin')
    expect((await place('admin', { key: `test-key-${keys--}` })).order_id).toBe(order.order_id)
    keys++
    const tradeNo = await begin(order.order_id, way)
    const { answered } = await control({ tradeNo, way, times: 5 })
    expect(answered.map(({ status }) => status >= 200 && status < 300)).toEqual(Array(5).fill(true))
    expect((await view('admin', order.order_id)).state).toBe('paid')
    await work()
    await work()
    expect(await view('admin', order.order_id)).toMatchObject({
      state: 'granted',
      pay_fee: 1500,
      refund_fee: 0,
    })
    const until = await buffOf('admin')
    expect(until).toBeGreaterThan(Math.max(before, Date.now()) + 29 * DAY_MS)
    await agrees()

    const wish = { reason: '不满意', actor: 'staff:operator' } as const
    await refundOrder(deps, order.order_id, { ...wish, fee: 500 })
    await work()
    await settled(order.order_id, { state: 'granted', refund_fee: 500 })
    expect(await buffOf('admin')).toBe(until)
    await agrees()
    await refundOrder(deps, order.order_id, { ...wish, fee: null })
    await work()
    await settled(order.order_id, { state: 'refunded', refund_fee: 1500 })
    expect(await buffOf('admin')).toBe(before)
    await expect(refundOrder(deps, order.order_id, { ...wish, fee: 1 })).rejects.toThrow('bad_input')
    await agrees()
    const { items } = await world.callAs('admin')(listPayments, {})
    expect(items[0]).toMatchObject({ order_id: order.order_id, pay_fee: 1500, refund_fee: 1500 })
  })

  test('is not granted for a forged message, another sum or another merchant', async () => {
    const order = await place('admin')
    const tradeNo = await begin(order.order_id, way)
    const forged = await control({ tradeNo, way, forge: 'signature' })
    for (const { status, body } of forged.answered) expect(status >= 400 || body === 'failure').toBe(true)
    const wrong = await place('admin')
    const wrongNo = await begin(wrong.order_id, way)
    await control({ tradeNo: wrongNo, way, fee: 1 })
    expect(refusedFor).toEqual(expect.arrayContaining(['signature', 'amount']))
    await sql`update payment set next_query_at = 9e15::bigint where order_id = ${wrong.order_id}::bigint`.execute(
      world.database.db,
    )
    expect((await rows.byTradeNo(world.database.db, wrongNo))?.state).toBe('begun')
    expect(await rows.doubts(world.database.db, 10)).toEqual(
      expect.arrayContaining([expect.objectContaining({ why: 'amount', trade_no: wrongNo })]),
    )
    await agrees()
  })

  test('whose message was lost is settled by asking', async () => {
    const order = await place('admin')
    const tradeNo = await begin(order.order_id, way)
    await control({ tradeNo, way, lost: true })
    later(MINUTE_MS)
    await settleOpen(deps)
    expect((await view('admin', order.order_id)).state).toMatch(/paid|granted/)
    await work()
    expect((await view('admin', order.order_id)).state).toBe('granted')
    await agrees()
  })

  test('that nobody pays is closed, and money that comes later goes back', async () => {
    const order = await place('admin')
    const tradeNo = await begin(order.order_id, way)
    await world.callAs('admin')(closeOrder, { order_id: order.order_id })
    expect((await view('admin', order.order_id)).state).toBe('closed')
    await control({ tradeNo, way, anyway: true })
    expect((await view('admin', order.order_id)).state).toBe('refunding')
    await work()
    await settled(order.order_id, {
      state: 'refunded',
      refunds: [{ cause: 'late', fee: 1500, state: 'done' }],
    })
    await agrees()
  })
})

test('paid by two ways, an order is granted once and the second payment goes back', async () => {
  const order = await place('admin')
  const first = await begin(order.order_id, 'wechat')
  const second = await begin(order.order_id, 'alipay')
  await Promise.all([control({ tradeNo: first, way: 'wechat' }), control({ tradeNo: second, way: 'alipay' })])
  await work()
  await work()
  await settled(order.order_id, {
    ...{ state: 'granted', refund_fee: 0 },
    refunds: [{ cause: 'twice', fee: 1500, state: 'done' }],
  })
  await agrees()
  const [owed] = (await balances(world.database.db)).filter(({ account }) => account === 'owed')
  expect(Math.abs(owed!.balance)).toBe(0)
})

test('what cannot be granted is given back', async () => {
  const broken = (await put({ name: '坏卡', details: { days: 0 } }))!.id
  const order = await place('admin', { product_id: broken })
  await control({ tradeNo: await begin(order.order_id, 'wechat'), way: 'wechat' })
  for (let tries = 0; tries < 6; tries++) await grantOrder(deps, order.order_id).catch(() => undefined)
  await work()
  await settled(order.order_id, { state: 'refunded', refunds: [{ cause: 'failed' }] })
  await agrees()
})

test('the ledger is not changed and not deleted, and takes no entry that does not balance', async () => {
  const { db } = world.database
  await expect(sql`update ledger_line set amount = amount + 1`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`delete from ledger_entry`.execute(db)).rejects.toThrow('append-only')
  const lonely = sql`with it as (insert into ledger_entry (kind, ref, at) values ('fee', 'x', 1) returning id)
    insert into ledger_line (entry_id, account, amount) select id, 'owed', 5 from it`
  await expect(lonely.execute(db)).rejects.toThrow('does not balance')
})

test('a grant that was lost, and a payment without its entry, are found', async () => {
  const { db } = world.database
  const order = await place('admin')
  await control({ tradeNo: await begin(order.order_id, 'wechat'), way: 'wechat' })
  await work()
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
