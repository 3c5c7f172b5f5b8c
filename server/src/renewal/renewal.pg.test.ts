import { dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { vipExpired, vipProducts } from '@guildhall/wire/buff/buff.ts'
import { goliveProducts } from '@guildhall/wire/golive/golive.ts'
import { closeRenewal as closeRoute, listRenewals } from '@guildhall/wire/renewal/renewal.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { payingInBrowser } from '../app/payments.ts'
import { giveBuff } from '../buff/buff.ts'
import type { PersonName } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import type { AppleFact } from '../outside/payment/apple/appleSubscriptions.ts'
import type { PayScene, PayWay } from '../outside/payment/payProvider.ts'
import { openWechatPay } from '../outside/payment/wechat/wechat.ts'
import { acceptNotification, type PayDeps, startPayment } from '../pay/pay.ts'
import { settleOpen } from '../pay/paymentPoller.ts'
import { refusalOf } from '../testing/calls.ts'
import { openPayWorld, type PayWorld } from '../testing/pay/payWorld.ts'
import { settleSubscription } from './apple.ts'
import { advanceRenewals, closeRenewal, renewalsOf, renewingOf } from './renewal.ts'

let world: PayWorld
let productId: number
const FEE = 1200

beforeAll(async () => {
  world = await openPayWorld()
  world.app.appContext.bus.subscribe((event) => {
    if (event.to === 'person' && event.kind === 'updated_renewal')
      events.push({ to: event.userId, what: (event.body as { readonly what: string }).what })
  })
  productId = await world.addProduct({ name: 'BUFF 连续包月', price: FEE, period_buy: true })
})
beforeEach(async () => {
  world.refusedFor.length = 0
  await world.control({ charges: 'pay', noticesFail: false })
  at(BEGIN)
})
afterAll(() => world?.close())

/** Noon of tomorrow in Beijing. */
const BEGIN = dayStart(dayNumber(Date.now()) + 1) + 12 * HOUR_MS
const at = (time: Millis) => world.later(time - Date.now())
const noonBefore = (endsAt: Millis, days: number): Millis => dayStart(dayNumber(endsAt) - days) + 12 * HOUR_MS
const advance = () => advanceRenewals(world.deps)
const db = () => world.database.db

const start = async (name: PersonName, way: PayWay, scene: PayScene, id = productId) => {
  const order = await world.placeOrder(name, { product_id: id })
  const data = await startPayment(world.deps, order.order_id, {
    way,
    scene,
    clientIp: '127.0.0.1',
    returnUrl: 'http://localhost/paid',
  })
  // Alipay knows an agreement once somebody has opened its page, and so does WeChat inside of itself.
  const page = data.kind === 'qr' ? data.code : data.kind === 'redirect' ? data.url : null
  if (page) {
    const headers = { 'user-agent': scene === 'inside' ? 'MicroMessenger/8.0.50' : 'Chrome/140.0.0.0' }
    expect((await fetch(page, { headers })).status).toBe(200)
  }
  return { orderId: order.order_id, data }
}
/** Somebody buys what renews itself, and signs; their contract. */
async function signed(name: PersonName, way: PayWay): Promise<string> {
  const { orderId } = await start(name, way, 'qr')
  const { contract } = await world.control({ contract: { do: 'sign' }, way })
  await advance()
  await world.work()
  expect((await world.view(name, orderId)).state).toBe('granted')
  return contract!.contractNo
}
const listed = async (name: PersonName) =>
  renewalsOf(db(), world.deps.kinds, world.idOf(name), { kind: 'buff', locale: 'zh-CN' })
const endOf = async (name: PersonName): Promise<Millis> => {
  const { rows } = await sql<{
    n: Millis
  }>`select vip_until::float8 as n from "user" where id = ${world.idOf(name)}::bigint`.execute(db())
  return rows[0]!.n
}
/** What somebody was charged, fen, and when. */
const charges = async (name: PersonName) =>
  (
    await sql<{ fee: number; at: Millis }>`
      select payment.fee::float8 as fee, payment.paid_at::float8 as at
      from payment join "order" it on it.id = payment.order_id
      where it.user_id = ${world.idOf(name)}::bigint and it.key like 'renewal-%' and payment.state = 'paid'
      order by payment.id`.execute(db())
  ).rows
/** What the devices of somebody were told of their contracts, in order. */
const notification = (name: PersonName): string[] =>
  events.filter(({ to }) => to === world.idOf(name)).map(({ what }) => what)
/** What the official account wrote to somebody. */
const written = async (name: PersonName): Promise<string[]> =>
  (
    await sql<{ content: string }>`
      select it.content from private_message it join chat_side on chat_side.chat_code = it.chat_code
      where chat_side.user_id = ${world.idOf(name)}::bigint and it.author_id <> chat_side.user_id and it.content like '%续费%'
      order by it.seq`.execute(db())
  ).rows.map(({ content }) => content)
const events: { readonly to: string; readonly what: string }[] = []
const agrees = async () => expect(await world.faults()).toEqual([])
/** Looks once an hour. */
async function liveThrough(from: Millis, to: Millis, step = HOUR_MS): Promise<void> {
  for (let now = from; now <= to; now += step) {
    at(now)
    await advance()
    await world.work()
  }
}

test('the offers say by which ways one signs in each environment of a browser', async () => {
  const { providers } = world.deps
  const both = ['wechat', 'alipay']
  expect(payingInBrowser({ inBrowser: true, providers })).toEqual({
    browser_ways: both,
    renewing_ways: { inside: both, phone: both, qr: both },
  })
  const none = { browser_ways: [], renewing_ways: { inside: [], phone: [], qr: [] } }
  expect(payingInBrowser({ inBrowser: false, providers })).toEqual(none)
  for (const route of [vipProducts, goliveProducts])
    expect(await world.as('admin').call(route, { period: 1 })).toMatchObject(none)
})

test('an order says whether it renews itself', async () => {
  const once = await world.addProduct({ name: 'BUFF 月卡', price: FEE })
  for (const [id, isRenewing] of [
    [productId, true],
    [once, false],
  ] as const) {
    const { order_id } = await world.placeOrder('admin', { product_id: id })
    expect((await world.view('admin', order_id)).period_buy).toBe(isRenewing)
  }
})

describe('nothing is signed', () => {
  test('in an environment where a provider has no signing, for a friend, or twice', async () => {
    const order = await world.placeOrder('admin', { product_id: productId })
    const start = { clientIp: '127.0.0.1', returnUrl: 'http://localhost/' }
    const wechat = openWechatPay(
      { ...world.sandbox.wechat, apiV2Key: null },
      { notifyUrl: 'http://localhost/' },
    )
    const deps: PayDeps = {
      ...world.deps,
      providers: new Map([['wechat', wechat]]),
      renewing: renewingOf(() => deps),
    }
    for (const scene of ['inside', 'phone'] as const)
      await expect(
        startPayment(deps, order.order_id, { ...start, way: 'wechat', scene }),
      ).rejects.toMatchObject({
        failure: 'pay.way',
      })
    expect(
      await refusalOf(world.placeOrder('admin', { product_id: productId, user_id: world.people.member.id })),
    ).toBe('order.receiver')
    const code = await signed('admin', 'wechat')
    const second = await world.placeOrder('admin', { product_id: productId })
    await expect(
      startPayment(world.deps, second.order_id, { ...start, way: 'alipay', scene: 'qr' }),
    ).rejects.toMatchObject({ failure: 'renewal.already' })
    await closeRenewal(world.deps, world.idOf('admin'), code)
    await agrees()
  })

  test('when nobody signs: no money is taken, and the offer ends', async () => {
    const { orderId } = await start('member', 'wechat', 'qr')
    await advance()
    expect(await listed('member')).toEqual([])
    at(BEGIN + 3 * HOUR_MS)
    await settleOpen(world.deps)
    await advance()
    await world.control({ contract: { do: 'sign' }, way: 'wechat' })
    await advance()
    const { contract } = await world.control({ contract: { do: 'look' }, way: 'wechat' })
    // Signed too late: there is nothing to renew, and the provider is told so.
    expect(contract?.state).toBe('ended')
    expect(await listed('member')).toEqual([])
    at(BEGIN)
    expect((await world.view('member', orderId)).state).toBe('closed')
    await agrees()
  })
})

describe('a subscription at Apple', () => {
  const fact = (change: Partial<AppleFact> = {}): AppleFact => ({
    subscription: '2000000000000001',
    product: `com.example.hall.buff.${productId}`,
    renews: true,
    account: `00000000-0000-4000-8000-${world.idOf('muted').padStart(12, '0')}`,
    lastsUntil: BEGIN + 20 * DAY_MS,
    notifiedAt: BEGIN,
    ...change,
  })
  const deps = () => ({
    appContext: world.deps.appContext,
    log: world.deps.log,
    counts: { refused: () => undefined },
  })
  const notifyOfApple = (change: Partial<AppleFact> = {}) => settleSubscription(deps(), fact(change))

  test('of nobody, or of no product, is not stored', async () => {
    expect(await notifyOfApple({ account: '00000000-0000-4000-8000-000000000007' })).toBe(false)
    expect(await notifyOfApple({ account: 'somebody' })).toBe(false)
    expect(await notifyOfApple({ product: 'com.example.hall.buff' })).toBe(false)
    expect(await notifyOfApple({ product: 'com.example.hall.buff.999999' })).toBe(false)
    expect(await listed('muted')).toEqual([])
  })

  test('is listed, cannot be closed here, and follows what Apple signed last', async () => {
    expect(await notifyOfApple()).toBe(true)
    expect(await notifyOfApple()).toBe(true)
    const [renewal, ...more] = await listed('muted')
    expect(more).toEqual([])
    expect(renewal).toMatchObject({ pay_info: { platform: 3 }, fee: 0, expired_time: BEGIN + 20 * DAY_MS })
    await expect(closeRenewal(world.deps, world.idOf('muted'), renewal!.code)).rejects.toMatchObject({
      failure: 'renewal.apple',
    })
    // Nothing of it is charged here.
    await liveThrough(BEGIN + 15 * DAY_MS, BEGIN + 20 * DAY_MS, 6 * HOUR_MS)
    expect(await charges('muted')).toEqual([])
    at(BEGIN)
    await notifyOfApple({ renews: false, notifiedAt: BEGIN + 2 })
    await notifyOfApple({ renews: true, notifiedAt: BEGIN + 1 })
    expect(await listed('muted')).toEqual([])
    await notifyOfApple({ renews: true, notifiedAt: BEGIN + 3 })
    expect(await listed('muted')).toHaveLength(1)
    at(BEGIN + 21 * DAY_MS)
    expect(await listed('muted')).toEqual([])
  })
})

describe.each(['wechat', 'alipay'] as const)('by %s', (way) => {
  const name = way === 'wechat' ? 'admin' : 'member'

  test('the first purchase signs, is charged once, and is listed until it is closed', async () => {
    const code = await signed(name, way)
    const call = world.as(name).call
    const { items } = await call(listRenewals, { type: 1 })
    expect(items).toMatchObject([{ code, fee: FEE, is_failed: false, product: { name: 'BUFF 连续包月' } }])
    expect(items[0]!.pay_info.platform).toBe(way === 'wechat' ? 1 : 2)
    expect(items[0]!.expired_time).toBe(await endOf(name))
    expect(items[0]!.next_time).toBe(noonBefore(await endOf(name), 1) - 5 * HOUR_MS)
    expect((await call(listRenewals, { type: 2 })).items).toEqual([])
    expect((await call(vipExpired)).has_renewal).toBe(true)
    // Not by others.
    expect(await world.as('outsider').refusal(closeRoute, { code })).toBe('renewal.unknown')
    await call(closeRoute, { code })
    await call(closeRoute, { code })
    expect((await call(listRenewals, { type: 1 })).items).toEqual([])
    expect((await call(vipExpired)).has_renewal).toBe(false)
    // The app of this world has no provider: it is told by the work of every minute.
    await advance()
    expect((await world.control({ contract: { contractNo: code, do: 'look' } })).contract?.state).toBe(
      'ended',
    )
    await agrees()
  })

  test('a period is announced, charged once on the day before its end, and extends what the person has', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    await liveThrough(noonBefore(end, 7), noonBefore(end, 1) + 10 * HOUR_MS)
    const made = (await charges(name)).slice(before)
    expect(made.map(({ fee }) => fee)).toEqual([FEE])
    expect(dayNumber(made[0]!.at)).toBe(dayNumber(end) - 1)
    expect(await endOf(name)).toBe(end + 30 * DAY_MS)
    expect(notification(name).slice(-2)).toEqual(['signed', 'announced'])
    // And the next one.
    await liveThrough(noonBefore(end + 30 * DAY_MS, 7), noonBefore(end + 30 * DAY_MS, 1) + 10 * HOUR_MS)
    expect((await charges(name)).length).toBe(before + 2)
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('a charge that fails is tried again, and never taken twice', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    await liveThrough(noonBefore(end, 5), noonBefore(end, 3))
    const day = dayStart(dayNumber(end) - 1)
    await world.control({ charges: 'refuse' })
    await liveThrough(day + 7 * HOUR_MS, day + 10 * HOUR_MS)
    await world.control({ charges: 'fail' })
    await liveThrough(day + 11 * HOUR_MS, day + 14 * HOUR_MS)
    expect((await charges(name)).length).toBe(before)
    await world.control({ charges: 'pay' })
    await liveThrough(day + 15 * HOUR_MS, day + 23 * HOUR_MS, 20 * MINUTE_MS)
    expect((await charges(name)).length).toBe(before + 1)
    expect(await endOf(name)).toBe(end + 30 * DAY_MS)
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('what never succeeds is given up: nothing is taken, and the person is told', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    await world.control({ charges: 'refuse' })
    await liveThrough(noonBefore(end, 5), noonBefore(end, 1) + 11 * HOUR_MS)
    await settleOpen(world.deps)
    expect(notification(name).at(-1)).toBe('failed')
    expect(await listed(name)).toMatchObject([{ code, is_failed: true, next_time: 0 }])
    expect(await written(name)).toEqual([expect.stringContaining('自动续费失败，没有扣款')])
    await world.control({ charges: 'pay' })
    await liveThrough(noonBefore(end, 0), end + 2 * DAY_MS, 6 * HOUR_MS)
    expect((await charges(name)).length).toBe(before)
    expect(await endOf(name)).toBe(end)
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('a notice that fails until the third day before the end means no charge', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    await world.control({ noticesFail: true })
    await liveThrough(noonBefore(end, 5), noonBefore(end, 3) + 11 * HOUR_MS)
    await world.control({ noticesFail: false })
    await liveThrough(noonBefore(end, 2), end, 3 * HOUR_MS)
    expect(notification(name).at(-1)).toBe('failed')
    expect((await charges(name)).length).toBe(before)
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('a server that was down for days charges nobody without a notice that lies far enough back', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    // It comes back on the day of the charge, untold.
    await liveThrough(noonBefore(end, 1), end + DAY_MS, HOUR_MS)
    expect((await charges(name)).length).toBe(before)
    expect(notification(name).at(-1)).toBe('failed')
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('a server that was down until after the end tells that nothing was taken', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    await liveThrough(noonBefore(end, 5), noonBefore(end, 4))
    await liveThrough(end + 3 * DAY_MS, end + 4 * DAY_MS, 6 * HOUR_MS)
    expect((await charges(name)).length).toBe(before)
    expect(notification(name).slice(-2)).toEqual(['announced', 'failed'])
    expect(await listed(name)).toMatchObject([{ expired_time: 0, next_time: 0, is_failed: true }])
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('who signs on the day before the end of what they have is not told of a failure', async () => {
    const buyer = way === 'wechat' ? 'outsider' : 'staff'
    await commit(world.app.appContext, (tx, emit) =>
      giveBuff({ tx, emit, notify: async () => undefined }, world.idOf(buyer), 1),
    )
    const { orderId } = await start(buyer, way, 'qr')
    const { contract } = await world.control({ contract: { do: 'sign' }, way })
    await advance()
    // It is paid, and not yet granted.
    at(BEGIN + 5 * MINUTE_MS)
    await advance()
    expect(notification(buyer)).toEqual(['signed'])
    await world.work()
    at(BEGIN + 20 * MINUTE_MS)
    await advance()
    expect(notification(buyer)).toEqual(['signed'])
    expect(dayNumber(await endOf(buyer))).toBe(dayNumber(BEGIN) + 31)
    expect((await listed(buyer))[0]).toMatchObject({ is_failed: false })
    at(BEGIN)
    expect((await world.view(buyer, orderId)).state).toBe('granted')
    await closeRenewal(world.deps, world.idOf(buyer), contract!.contractNo)
    await agrees()
  })

  test('several nodes at once charge once', async () => {
    const code = await signed(name, way)
    const end = await endOf(name)
    const before = (await charges(name)).length
    await liveThrough(noonBefore(end, 5), noonBefore(end, 3))
    for (let now = noonBefore(end, 1); now < noonBefore(end, 1) + 5 * HOUR_MS; now += HOUR_MS) {
      at(now)
      await Promise.all([advance(), advance(), advance(), advance()])
      await world.work()
    }
    expect((await charges(name)).length).toBe(before + 1)
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  })

  test('a contract that was ended at the provider is not charged, also when its message was lost', async () => {
    for (const lost of [false, true]) {
      const code = await signed(name, way)
      const end = await endOf(name)
      const before = (await charges(name)).length
      await liveThrough(noonBefore(end, 5), noonBefore(end, 4))
      await world.control({ contract: { contractNo: code, do: 'end' }, lost })
      expect(await listed(name)).toHaveLength(lost ? 1 : 0)
      await liveThrough(noonBefore(end, 1), noonBefore(end, 0))
      expect(await listed(name)).toEqual([])
      expect((await charges(name)).length).toBe(before)
      expect(notification(name).at(-1)).toBe('ended')
      at(BEGIN)
    }
    await agrees()
  })

  test('messages in any order and number say the same', async () => {
    const { orderId } = await start(name, way, 'qr')
    const { contract } = await world.control({ contract: { do: 'sign' }, way, lost: true })
    const contractNo = contract!.contractNo
    // Nobody told, and it is found out.
    at(BEGIN + 5 * MINUTE_MS)
    await advance()
    await advance()
    await world.work()
    expect(await listed(name)).toHaveLength(1)
    const again = await world.control({ contract: { contractNo, do: 'tell' }, times: 3 })
    expect(again.answered.every(({ status }) => status < 300)).toBe(true)
    // The end is told before a late message that it was signed.
    await world.control({ contract: { contractNo, do: 'end' } })
    await world.control({ contract: { contractNo, do: 'tell', says: 'signed' } })
    expect(await listed(name)).toEqual([])
    at(BEGIN)
    expect((await world.view(name, orderId)).state).toBe('granted')
    await agrees()
  })

  test('forged messages are refused, counted, and change nothing', async () => {
    const { orderId } = await start(name, way, 'qr')
    const forgeries = ['signature', 'body', 'serial', 'secret', 'unsigned'] as const
    for (const forge of forgeries) {
      // Alipay’s body is changed in a field that messages of agreements do not have.
      if (way === 'alipay' && forge === 'body') continue
      const { answered } = await world.control({ contract: { do: 'tell', says: 'signed' }, way, forge })
      expect(answered[0]?.status === 200 && answered[0].body === 'success').toBe(false)
      expect(answered[0]?.status).not.toBe(204)
    }
    expect(world.refusedFor.length).toBeGreaterThanOrEqual(4)
    // Genuine, and for somebody else.
    await world.control({ contract: { do: 'tell', says: 'signed' }, way, app: 'wx0000000000000000' })
    expect(world.refusedFor.at(-1)).toBe('app')
    await advance()
    expect(await listed(name)).toEqual([])
    expect((await world.view(name, orderId)).state).toBe('paying')
    await agrees()
  })

  test('in the native app one signs while paying', async () => {
    const { orderId, data } = await start(name, way, 'app')
    for (const reordered of [true]) await world.control({ open: data, way, reordered })
    await advance()
    await world.work()
    expect((await world.view(name, orderId)).state).toBe('granted')
    const [renewal] = await listed(name)
    expect(renewal).toMatchObject({ fee: FEE })
    const paid = await sql<{ n: number }>`
      select count(*)::int as n from payment where order_id = ${orderId}::bigint and state = 'paid'`.execute(
      db(),
    )
    expect(paid.rows[0]?.n).toBe(1)
    await closeRenewal(world.deps, world.idOf(name), renewal!.code)
    await agrees()
  })

  test('a provider that does not answer holds no close up, and is told later', async () => {
    const code = await signed(name, way)
    await world.control({ calls: { way, times: 3, end: 'busy' } })
    await closeRenewal(world.deps, world.idOf(name), code)
    expect(await listed(name)).toEqual([])
    await world.control({ calls: { way, times: 0 } })
    at(BEGIN + HOUR_MS)
    await advance()
    expect((await world.control({ contract: { contractNo: code, do: 'look' } })).contract?.state).toBe(
      'ended',
    )
    await agrees()
  })
})

describe.each(['inside', 'phone'] as const)('by WeChat in a browser: %s', (scene) => {
  const name = scene === 'inside' ? 'unverified' : 'outsider'
  const notify = (contractNo: string, more: object = {}) =>
    world.control({ contract: { contractNo, do: 'tell' }, ...more })
  const offered = async () => {
    const { orderId, data } = await start(name, 'wechat', scene)
    expect(data).toMatchObject({ kind: 'redirect', from: 'http://localhost/paid' })
    const { contract } = await world.control({ contract: { do: 'look' }, way: 'wechat' })
    return { orderId, code: contract!.contractNo }
  }
  const settled = async () => {
    await advance()
    await world.work()
  }
  const closeAll = async (code: string) => {
    await closeRenewal(world.deps, world.idOf(name), code)
    await agrees()
  }

  test('what is forged, what nobody has signed, and what is hostile changes nothing, and is answered FAIL', async () => {
    const { orderId, code } = await offered()
    for (const forge of ['signature', 'body', 'unsigned', 'secret'] as const) {
      const { answered } = await notify(code, { forge })
      expect(answered[0]?.body).toContain('<return_code>FAIL</return_code>')
    }
    await notify(code, { merchant: '1900000109' })
    // Messages of other contracts that were refused may come again beside them, at any moment.
    const refused = (why: string) => world.refusedFor.filter((it) => it === why).length
    expect(refused('signature')).toBe(4)
    expect(refused('form')).toBeGreaterThanOrEqual(1)
    // Genuine, and WeChat itself knows no such contract: it is to come again.
    expect((await notify(code)).answered[0]?.body).toContain('<return_code>FAIL</return_code>')
    const entities = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xml><a>&a;</a></xml>'
    for (const text of [
      entities,
      `<xml>${'<a>'.repeat(20_000)}`,
      `<xml><a>${'a'.repeat(60_000)}</a></xml>`,
      '<',
    ])
      expect(
        await acceptNotification(world.deps, 'wechat', { headers: {}, body: Buffer.from(text) }),
      ).toMatchObject({ status: 200, type: 'xml', body: expect.stringContaining('FAIL') })
    expect(refused('form')).toBeGreaterThanOrEqual(5)
    await settled()
    expect([await listed(name), (await world.view(name, orderId)).state]).toEqual([[], 'paying'])
  })

  test('a message that comes ten times at once signs and charges once', async () => {
    const { orderId, code } = await offered()
    const signing = notification(name).filter((it) => it === 'signed').length
    const { answered } = await world.control({ contract: { contractNo: code, do: 'sign' }, times: 10 })
    expect(answered.every(({ body }) => body.includes('SUCCESS'))).toBe(true)
    await settled()
    await settled()
    expect((await world.view(name, orderId)).state).toBe('granted')
    expect(notification(name).filter((it) => it === 'signed')).toHaveLength(signing + 1)
    expect(await listed(name)).toMatchObject([{ code, fee: FEE, is_failed: false }])
    await closeAll(code)
  })

  test('a message that is lost is not needed, and one that comes after everything changes nothing', async () => {
    const { orderId, code } = await offered()
    await world.control({ contract: { contractNo: code, do: 'sign' }, lost: true })
    await settled()
    expect((await world.view(name, orderId)).state).toBe('paying')
    at(BEGIN + 3 * MINUTE_MS)
    await settled()
    await settled()
    expect((await world.view(name, orderId)).state).toBe('granted')
    expect((await notify(code)).answered[0]?.body).toContain('SUCCESS')
    await closeAll(code)
    // The one that it was signed is told after its end.
    expect((await notify(code)).answered[0]?.body).toContain('SUCCESS')
    await settled()
    expect(await listed(name)).toEqual([])
  })

  test('one that was signed and ended before the server heard of it charges nothing, whichever message is first', async () => {
    const { orderId, code } = await offered()
    await world.control({ contract: { contractNo: code, do: 'sign' }, lost: true })
    await world.control({ contract: { contractNo: code, do: 'end' } })
    await notify(code)
    await settled()
    expect([await listed(name), (await world.view(name, orderId)).state]).toEqual([[], 'paying'])
  })

  test('the next period is announced and charged as that of any other contract', async () => {
    const { code } = await offered()
    await world.control({ contract: { contractNo: code, do: 'sign' } })
    await settled()
    const [end, before] = [await endOf(name), (await charges(name)).length]
    for (const days of [4, 1]) {
      at(noonBefore(end, days))
      await settled()
    }
    expect((await charges(name)).slice(before)).toMatchObject([{ fee: FEE }])
    expect(await endOf(name)).toBe(end + 30 * DAY_MS)
    await closeAll(code)
  })
})
