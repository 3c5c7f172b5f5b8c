import { closeOrder } from '@guildhall/wire/order/order.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findOrder } from '../order/order.ts'
import { PAY_WAYS, PayFailed, type PayProvider, type PayWay } from '../outside/payment/payProvider.ts'
import { openPayWorld, type PayWorld, PRICE } from '../testing/pay/payWorld.ts'
import { grantOrder } from './grant.ts'
import type { PayDeps } from './payContext.ts'
import { settleOpen } from './paymentPoller.ts'
import { refundOrder } from './refund/refund.ts'
import { refundPayment } from './refund/refundSettle.ts'
import { settle } from './settle.ts'
import * as rows from './sql.ts'
import { startPayment } from './start.ts'

let world: PayWorld
beforeAll(async () => {
  world = await openPayWorld()
})
beforeEach(() => world.now())
afterAll(() => world?.close())

const BUYER = 'admin'
const placeOrder = async () => (await world.placeOrder(BUYER)).order_id
const stateOf = async (orderId: string) => (await findOrder(world.database.db, orderId))?.state
const START = { scene: 'qr', clientIp: '127.0.0.1', returnUrl: 'http://localhost/' } as const
const ALL = { fee: null, reason: 'test', actor: 'staff:operator' } as const

/** The server with another provider of a way. */
const withProvider = (way: PayWay, change: Partial<PayProvider>): PayDeps => {
  const changed = { ...world.deps.providers.get(way)!, ...change }
  return { ...world.deps, providers: new Map(world.deps.providers).set(way, changed) }
}
/** Pays at the provider. */
const pay = (tradeNo: string, way: PayWay, more: object = {}) => world.control({ tradeNo, way, ...more })
/** An order that was paid, whatever became of the message. */
async function bought(way: PayWay, more: object = {}) {
  const orderId = await placeOrder()
  const tradeNo = await world.start(orderId, way)
  await pay(tradeNo, way, more)
  return { orderId, tradeNo }
}
const granted = async (way: PayWay) => {
  const it = await bought(way)
  await grantOrder(world.deps, it.orderId)
  return it
}
const refundsOf = (orderId: string) => rows.refundsOf(world.database.db, [orderId])
/** The money goes back at last: providers may work on it, and tell of it a moment later. */
const refundsEnd = (orderId: string, state: string) =>
  expect
    .poll(async () => {
      await world.work()
      return stateOf(orderId)
    })
    .toBe(state)
const agrees = async () => expect(await world.faults()).toEqual([])

describe.each(PAY_WAYS)('%s', (way) => {
  test('a trade that is made while its order is closed is found, though nobody tells of its payment', async () => {
    const orderId = await placeOrder()
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { start } = world.deps.providers.get(way)!
    const slow = withProvider(way, {
      async start(it, signal) {
        begun.resolve()
        await gate.promise
        return start(it, signal)
      },
    })
    const starting = startPayment(slow, orderId, { ...START, way })
    await begun.promise
    await world.as(BUYER).call(closeOrder, { order_id: orderId })
    await settleOpen(world.deps)
    gate.resolve()
    await world.control({ open: await starting, lost: true })
    world.later(11 * MINUTE_MS)
    await settleOpen(world.deps)
    // The provider may have told that the money is back before this is read.
    expect(await stateOf(orderId)).toMatch(/^refund(?:ing|ed)$/)
    await settleOpen(world.deps)
    await expect.poll(() => stateOf(orderId)).toBe('refunded')
    await agrees()
  })

  test('a trade that was never made is let go when nobody can make it any more', async () => {
    const orderId = await placeOrder()
    const failing = withProvider(way, { start: () => Promise.reject(new PayFailed(way, 'hangs up')) })
    await expect(startPayment(failing, orderId, { ...START, way })).rejects.toThrow('pay.failed')
    const [payment] = await rows.ofOrder(world.database.db, orderId)
    world.later(32 * MINUTE_MS)
    await settleOpen(world.deps)
    expect(await stateOf(orderId)).toBe('closed')
    world.later(45 * MINUTE_MS)
    await settleOpen(world.deps)
    expect(await rows.byId(world.database.db, payment!.id)).toMatchObject({ state: 'closed' })
  })

  test('what was paid in time is granted, though its order is over before somebody asks', async () => {
    const orderId = await placeOrder()
    const tradeNo = await world.start(orderId, way)
    await sql`update payment set queries = 20 where trade_no = ${tradeNo}`.execute(world.database.db)
    world.later(25 * MINUTE_MS)
    await settleOpen(world.deps)
    await pay(tradeNo, way, { lost: true })
    world.later(30 * MINUTE_MS + 40 * SECOND_MS)
    await settleOpen(world.deps)
    await world.work()
    expect(await stateOf(orderId)).toBe('granted')
    await agrees()
  })

  test.each([
    ['granted once', 'in time', 5 * MINUTE_MS, 'paying', 'granted'],
    ['given back once', 'after its order is over', 32 * MINUTE_MS, 'closed', 'refunded'],
  ])(
    'what was paid, and nobody told, is %s when an answer can be read %s',
    async (_end, _when, ms, before, after) => {
      const { orderId } = await bought(way, { lost: true })
      const unread = () => Promise.reject(new PayFailed(way, 'answers with something else than an answer'))
      const garbled = withProvider(way, { query: unread, close: unread })
      world.later(ms)
      await settleOpen(garbled)
      expect(await stateOf(orderId)).toBe(before)
      world.later(ms + 20 * MINUTE_MS)
      await settleOpen(world.deps)
      await settleOpen(world.deps)
      await refundsEnd(orderId, after)
      expect(await refundsOf(orderId)).toHaveLength(after === 'refunded' ? 1 : 0)
      await agrees()
    },
  )

  test.each([
    ['ahead', 5 * DAY_MS],
    ['behind', -DAY_MS],
  ])('what happened while the clock was %s goes on when it is right', async (_, ahead) => {
    world.later(ahead)
    const lost = await bought(way, { lost: true })
    const ungranted = await bought(way)
    const refunded = await granted(way)
    // The provider does not answer, so that it is for later.
    const deaf = withProvider(way, { refund: () => Promise.reject(new PayFailed(way, 'does not answer')) })
    await refundOrder(deaf, refunded.orderId, ALL)
    const [refund] = await refundsOf(refunded.orderId)
    await expect(refundPayment(deaf, refund!.id)).rejects.toThrow('does not answer')
    world.now()
    await settleOpen(world.deps)
    await settleOpen(world.deps, { isStart: true })
    expect(await stateOf(lost.orderId)).toBe('granted')
    expect(await stateOf(ungranted.orderId)).toBe('granted')
    await refundsEnd(refunded.orderId, 'refunded')
    await agrees()
  })

  test('a refund of which the answer was lost is not asked for again', async () => {
    const { orderId } = await granted(way)
    await refundOrder(world.deps, orderId, ALL)
    const { refund } = world.deps.providers.get(way)!
    let asked = 0
    const forgetful = withProvider(way, {
      async refund(it, signal) {
        asked += 1
        if (asked > 1) return { state: 'refused', why: 'it was given back' }
        await refund(it, signal)
        throw new PayFailed(way, 'hangs up')
      },
    })
    const [known] = await refundsOf(orderId)
    await expect(refundPayment(forgetful, known!.id)).rejects.toThrow('hangs up')
    world.later(5 * MINUTE_MS)
    await settleOpen(forgetful)
    world.now()
    expect(await stateOf(orderId)).toBe('refunded')
    expect(asked).toBe(1)
    await agrees()
  })

  test('a refund on which the provider works for long is asked about until it is done', async () => {
    const { orderId, tradeNo } = await granted(way)
    await world.control({ refundsWait: true })
    await refundOrder(world.deps, orderId, ALL)
    for (let minute = 0; minute < 4; minute += 1) {
      world.later(minute * 10 * MINUTE_MS)
      await settleOpen(world.deps)
    }
    expect(await stateOf(orderId)).toBe('refunding')
    await world.control({ refundsWait: false })
    const [refund] = await refundsOf(orderId)
    await pay(tradeNo, way, { settle: { refundNo: refund!.refund_no, state: 'done' }, lost: true })
    world.later(120 * MINUTE_MS)
    await settleOpen(world.deps)
    expect(await stateOf(orderId)).toBe('refunded')
    expect(await refundsOf(orderId)).toMatchObject([{ state: 'done', fee: PRICE }])
    await agrees()
  })

  test('a refund of a provider that is not configured any more waits its turn, and is made when it is there again', async () => {
    const { orderId } = await granted(way)
    await refundOrder(world.deps, orderId, ALL)
    const without = new Map(world.deps.providers)
    without.delete(way)
    await settleOpen({ ...world.deps, providers: without })
    expect(await rows.dueRefunds(world.database.db, way, Date.now(), 10)).toEqual([])
    expect(await stateOf(orderId)).toBe('refunding')
    world.later(2 * MINUTE_MS)
    await refundsEnd(orderId, 'refunded')
    await agrees()
  })

  test('a second payment that cannot go back holds neither the grant up nor the order', async () => {
    const orderId = await placeOrder()
    const [first, second] = [await world.start(orderId, way), await world.start(orderId, way)]
    await pay(first, way)
    await pay(second, way)
    const refusing = withProvider(way, { refund: async () => ({ state: 'refused', why: 'NOT_ENOUGH' }) })
    const [surplus] = await refundsOf(orderId)
    await refundPayment(refusing, surplus!.id)
    expect((await refundsOf(orderId))[0]).toMatchObject({ state: 'stuck', why: 'NOT_ENOUGH' })
    await grantOrder(world.deps, orderId)
    expect(await stateOf(orderId)).toBe('granted')
    await refundOrder(world.deps, orderId, ALL)
    await expect
      .poll(async () => {
        await world.work()
        return (await refundsOf(orderId)).map(({ cause, state }) => ({ cause, state }))
      })
      .toEqual([{ cause: 'twice', state: 'done' }])
    expect(await stateOf(orderId)).toBe('granted')
    await agrees()
  })

  test('one payment that a provider reports under two numbers counts once, and the other report is kept', async () => {
    const { tradeNo, orderId } = await bought(way, { lost: true })
    const answer = await world.deps.providers.get(way)!.query(tradeNo, AbortSignal.timeout(5_000))
    if (answer.state !== 'paid') throw new Error(`the trade is ${answer.state}`)
    const { fact } = answer
    const received = [fact, { ...fact, providerNo: `${fact.providerNo}9` }].map((it) =>
      settle(world.deps, way, it),
    )
    expect((await Promise.all(received)).toSorted()).toEqual([false, true])
    expect(await rows.mismatches(world.database.db, 5)).toEqual(
      expect.arrayContaining([expect.objectContaining({ why: 'number', trade_no: tradeNo })]),
    )
    await world.work()
    expect(await stateOf(orderId)).toBe('granted')
    await agrees()
  })

  test('closing while the money arrives ends in a grant or in a refund', async () => {
    for (let round = 0; round < 12; round += 1) {
      const orderId = await placeOrder()
      const tradeNo = await world.start(orderId, way)
      const closing = world
        .as(BUYER)
        .call(closeOrder, { order_id: orderId })
        .catch(() => null)
      await Promise.all([closing, pay(tradeNo, way)])
      await expect
        .poll(async () => {
          await world.work()
          return stateOf(orderId)
        })
        .toMatch(/^(granted|refunded)$/)
    }
    await agrees()
  })

  test('refunds of staff that come at once give back no more than there is', async () => {
    const { orderId } = await granted(way)
    const part = { ...ALL, fee: 1_000 }
    const asked = await Promise.allSettled(
      [part, part, ALL].map((it) => refundOrder(world.deps, orderId, it)),
    )
    expect(asked.some(({ status }) => status === 'rejected')).toBe(true)
    expect((await refundsOf(orderId)).reduce((sum, { fee }) => sum + fee, 0)).toBeLessThanOrEqual(PRICE)
    await refundOrder(world.deps, orderId, ALL).catch(() => undefined)
    await refundsEnd(orderId, 'refunded')
    expect((await refundsOf(orderId)).reduce((sum, { fee }) => sum + fee, 0)).toBe(PRICE)
    await agrees()
  })
})

/** An order whose refund WeChat has been asked for and has not made yet. */
async function waitingRefund() {
  const { orderId, tradeNo } = await granted('wechat')
  await world.control({ refundsWait: true })
  await refundOrder(world.deps, orderId, ALL)
  const [refund] = await refundsOf(orderId)
  await refundPayment(world.deps, refund!.id)
  await world.control({ refundsWait: false })
  return { orderId, tradeNo, refundNo: refund!.refund_no }
}

test('a refund that WeChat closed is made with another number', async () => {
  const { orderId, tradeNo, refundNo } = await waitingRefund()
  await pay(tradeNo, 'wechat', { settle: { refundNo, state: 'closed' } })
  expect(await stateOf(orderId)).toBe('stuck')
  await refundOrder(world.deps, orderId, ALL)
  await refundsEnd(orderId, 'refunded')
  const { trade } = await pay(tradeNo, 'wechat', { look: true })
  expect(trade?.refunds.map(({ state, fee }) => ({ state, fee }))).toEqual([
    { state: 'closed', fee: PRICE },
    { state: 'done', fee: PRICE },
  ])
  await agrees()
})

test('a refund that a person made possible at the provider ends by the provider’s message', async () => {
  const { orderId, tradeNo, refundNo } = await waitingRefund()
  await pay(tradeNo, 'wechat', { settle: { refundNo, state: 'failed' } })
  expect(await stateOf(orderId)).toBe('stuck')
  await pay(tradeNo, 'wechat', { settle: { refundNo, state: 'done' } })
  expect(await stateOf(orderId)).toBe('refunded')
  await agrees()
})

test('a provider that does not answer holds up neither the other one nor what needs none', async () => {
  const hung: string[] = []
  for (let n = 0; n < 6; n += 1) hung.push(await placeOrder())
  for (const orderId of hung) await world.start(orderId, 'wechat')
  const [other, paid] = [await bought('alipay', { lost: true }), await bought('alipay')]
  const returned = await granted('alipay')
  await refundOrder(world.deps, returned.orderId, ALL)
  const over = await placeOrder()
  await sql`update "order" set expires_at = 1 where id = ${over}::bigint`.execute(world.database.db)
  const gate = Promise.withResolvers<never>()
  const hanging = withProvider('wechat', { query: () => gate.promise })
  world.later(2 * MINUTE_MS)
  const running = settleOpen(hanging)
  await expect.poll(() => stateOf(other.orderId)).toBe('paid')
  expect(await stateOf(paid.orderId)).toBe('granted')
  await expect.poll(() => stateOf(returned.orderId)).toBe('refunded')
  gate.reject(new PayFailed('wechat', 'does not answer'))
  await running
  expect(await stateOf(over)).toBe('closed')
  for (const orderId of hung) await world.as(BUYER).call(closeOrder, { order_id: orderId })
  await world.work()
  await agrees()
})

test('orders that cannot be granted do not hold up the one after them', async () => {
  const many: string[] = []
  for (let n = 0; n < 51; n += 1) many.push((await bought('alipay')).orderId)
  const last = many.at(-1)
  const buff = world.deps.kinds.get('buff')!
  const picky = new Map(world.deps.kinds).set('buff', {
    ...buff,
    async grants(tx, emit, line) {
      if (line.orderId !== last) throw new Error('not today')
      await buff.grants(tx, emit, line)
    },
  })
  await settleOpen({ ...world.deps, kinds: picky }, { isStart: true })
  expect(await stateOf(last!)).toBe('granted')
  expect(await stateOf(many[0]!)).toBe('paid')
  await settleOpen(world.deps, { isStart: true })
  expect(await stateOf(many[0]!)).toBe('granted')
  await agrees()
})

test('while the database is away no attempt to grant is counted', async () => {
  const { orderId } = await bought('wechat')
  const away = new Map(world.deps.kinds).set('buff', {
    ...world.deps.kinds.get('buff')!,
    grants: () => Promise.reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' })),
  })
  for (let tries = 0; tries < 10; tries += 1)
    await expect(grantOrder({ ...world.deps, kinds: away }, orderId)).rejects.toThrow('cut')
  expect(await stateOf(orderId)).toBe('paid')
  await grantOrder(world.deps, orderId)
  expect(await stateOf(orderId)).toBe('granted')
  await agrees()
})
