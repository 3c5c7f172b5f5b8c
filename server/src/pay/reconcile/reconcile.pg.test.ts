import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openControl } from '@guildhall/sandbox/control.ts'
import { openSandbox, type Sandbox } from '@guildhall/sandbox/sandbox.ts'
import { beijingDay } from '@guildhall/wire/beijing.ts'
import { createOrder } from '@guildhall/wire/order/order.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOfMoney, kindsOf } from '../../app/payments.ts'
import { replaceClock } from '../../kit/clock.ts'
import { openLog } from '../../kit/log.ts'
import { balances } from '../../ledger/ledger.ts'
import { openAlipay } from '../../outside/payment/alipay/alipay.ts'
import { PAY_WAYS, PayFailed, type PayProvider, type PayWay } from '../../outside/payment/payProvider.ts'
import { openWechatPay } from '../../outside/payment/wechat/wechat.ts'
import { allProducts } from '../../product/product.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { grantOrder } from '../grant.ts'
import type { PayDeps } from '../payContext.ts'
import { refundOrder } from '../refund/refund.ts'
import { refundPayment } from '../refund/refundSettle.ts'
import { settle } from '../settle.ts'
import * as rows from '../sql.ts'
import { startPayment } from '../start.ts'
import { foundDifferences } from './providerBillSql.ts'
import {
  type Difference,
  differencesOf,
  isBillReady,
  keepDifferences,
  reconcileDay,
  reconcileDue,
} from './reconcile.ts'

let world: TestWorld
let sandbox: Sandbox
let dir: string
let deps: PayDeps
let control: ReturnType<typeof openControl>
let productId: number
/** Noon in Beijing. */
const NOON = Date.parse('2026-11-24T04:00:00Z')
let now = NOON
let stopClock: () => void

beforeAll(async () => {
  stopClock = replaceClock(() => now)
  world = await openWorld({}, undefined, { scheduledWork: false })
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-bills-'))
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  control = openControl(sandbox)
  const nowhere = { notifyUrl: 'http://127.0.0.1:9/' }
  const providers: PayProvider[] = [
    openWechatPay(sandbox.wechat, nowhere),
    openAlipay(sandbox.alipay, nowhere),
  ]
  const { appContext } = world.app
  const jobs = { send: async () => undefined, wake: () => undefined }
  deps = {
    appContext,
    jobs,
    kinds: kindsOf({ appContext, jobs }),
    log: openLog('quiet'),
    renewing: null,
    providers: new Map(providers.map((it) => [it.way, it])),
    counts: { refused: () => undefined, settled: () => undefined },
  }
  productId = (await allProducts(world.database.db)).find(({ name }) => name === 'BUFF 月卡')!.id
})
afterAll(async () => {
  stopClock()
  await sandbox.close()
  await world.close()
  await rm(dir, { recursive: true, force: true })
})

let keys = 0
/** Buys something, as far as the server hears of it; the number of the trade. */
async function buy(way: PayWay) {
  const { order_id } = await world
    .as('member')
    .call(createOrder, { product_id: productId, key: `k${++keys}` })
  const start = { way, scene: 'qr', clientIp: '127.0.0.1', returnUrl: 'http://localhost/' } as const
  const open = await startPayment(deps, order_id, start)
  await control({ open, lost: true })
  const tradeNo = (await rows.ofOrder(world.database.db, order_id)).at(-1)!.trade_no
  const answer = await deps.providers.get(way)!.query(tradeNo, AbortSignal.timeout(5_000))
  if (answer.state !== 'paid') throw new Error(`the trade is ${answer.state}`)
  await settle(deps, way, answer.fact)
  await grantOrder(deps, order_id)
  return { order_id, tradeNo }
}
const short = ({ way, what, kind, trade_no, there, here }: Difference) => ({
  way,
  what,
  kind,
  trade_no,
  there,
  here,
})
/** The differences as they are computed from everything, which are those that are kept by day. */
const found = async () => {
  const { db } = world.database
  const all = await differencesOf(db, 100)
  await keepDifferences(db)
  const kept = await foundDifferences(db, { day: null, before: null, limit: 100 })
  const key = (input: Difference) => `${input.day} ${input.kind} ${input.trade_no} ${input.refund_no}`
  expect(kept.map((it) => `${key(it)} ${it.what}`).sort()).toEqual(
    all.map((it) => `${key(it)} ${it.what}`).sort(),
  )
  expect(kept.filter(({ is_settled }) => is_settled)).toEqual([])
  return all.map(short)
}

test('a bill is not ready before ten in the morning of the next day, in Beijing', () => {
  expect(isBillReady('2026-11-24')).toBe(false)
  expect(isBillReady('2026-11-23')).toBe(true)
  now = Date.parse('2026-11-24T01:59:59Z')
  expect(isBillReady('2026-11-23')).toBe(false)
  now = NOON
  expect(isBillReady('yesterday')).toBe(false)
  expect(isBillReady('2026-02-30')).toBe(false)
})

test.each(PAY_WAYS)(
  '%s: what agrees is no difference; each sort of difference is found, and goes when it is mended',
  async (way) => {
    const day = beijingDay(now)
    const fee = 1800
    const [same, other, missing] = [await buy(way), await buy(way), await buy(way)]
    now += DAY_MS
    expect(await reconcileDay(deps, way, day)).toBe(3)
    expect(await found()).toEqual([])

    await control({ tradeNo: other.tradeNo, bill: { fee: fee - 1 } })
    await control({ tradeNo: missing.tradeNo, bill: { isMissing: true } })
    now -= DAY_MS
    await control({
      tradeNo: same.tradeNo,
      bill: { extra: { tradeNo: `PEXTRA${way.toUpperCase()}`, fee: 77 } },
    })
    now += DAY_MS
    await reconcileDay(deps, way, day)
    expect((await found()).sort((a, b) => (a.what < b.what ? -1 : 1))).toEqual([
      { way, what: 'other_sum', kind: 'payment', trade_no: other.tradeNo, there: fee - 1, here: fee },
      {
        way,
        what: 'unknown_here',
        kind: 'payment',
        trade_no: `PEXTRA${way.toUpperCase()}`,
        there: 77,
        here: null,
      },
      { way, what: 'unknown_there', kind: 'payment', trade_no: missing.tradeNo, there: null, here: fee },
    ])
    // The same again finds the same, once.
    await reconcileDay(deps, way, day)
    expect(await found()).toHaveLength(3)
    expect(await faultsOfMoney(world.database.db)).toEqual([])

    const mended = deps.providers.get(way)!
    const lines = (await mended.bill(day, AbortSignal.timeout(5_000)))!
    const right = [same, other, missing].map(({ tradeNo }) => ({ ...lines[0]!, tradeNo, fee, charge: 0 }))
    const providers = new Map([[way, { ...mended, bill: async () => right }]])
    await reconcileDay({ ...deps, providers }, way, day)
    expect(await found()).toEqual([])
  },
)

test.each(PAY_WAYS)(
  '%s: a refund on another day than its payment is compared on its own day',
  async (way) => {
    const day = beijingDay(now)
    const { order_id } = await buy(way)
    now += DAY_MS
    const next = beijingDay(now)
    await refundOrder(deps, order_id, { fee: null, reason: 'test', actor: 'staff:operator' })
    // A provider may work on it first.
    for (let minute = 0; minute < 3; minute++) {
      for (const id of await rows.dueRefunds(world.database.db, way, now, 10)) await refundPayment(deps, id)
      now += MINUTE_MS
    }
    now += 2 * DAY_MS
    await reconcileDay(deps, way, day)
    await reconcileDay(deps, way, next)
    expect(await found()).toEqual([])
    const refunds = (await deps.providers.get(way)!.bill(next, AbortSignal.timeout(5_000)))!
    expect(refunds.filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  },
)

test('what a provider keeps is in the ledger once, however often its bill is compared, and the money balances', async () => {
  const day = beijingDay(now)
  const { tradeNo } = await buy('wechat')
  now += DAY_MS
  const charge = 11
  const provider = deps.providers.get('wechat')!
  const lines = (await provider.bill(day, AbortSignal.timeout(5_000)))!.map((it) => ({
    ...it,
    charge: it.tradeNo === tradeNo ? charge : 0,
  }))
  const before = await feesOf('wechat')
  const providers = new Map([['wechat' as const, { ...provider, bill: async () => lines }]])
  for (let twice = 0; twice < 2; twice++) await reconcileDay({ ...deps, providers }, 'wechat', day)
  expect((await feesOf('wechat')) - before).toBe(charge)
  expect(await faultsOfMoney(world.database.db)).toEqual([])
})
const feesOf = async (way: PayWay) =>
  (await balances(world.database.db)).find(({ account }) => account === `fees:${way}`)?.balance ?? 0

test('a server fetches the bills of the last days once; one provider that fails does not hold the other up', async () => {
  now += 30 * DAY_MS
  const asked: string[] = []
  const watched = (way: PayWay, fails: boolean): PayProvider => ({
    ...deps.providers.get(way)!,
    bill: async (day) => {
      asked.push(`${way} ${day}`)
      if (fails) throw new PayFailed(way, 'is away')
      return null
    },
  })
  const providers = new Map([
    ['wechat', watched('wechat', true)],
    ['alipay', watched('alipay', false)],
  ] as const)
  await reconcileDue({ ...deps, providers })
  expect(asked.filter((it) => it.startsWith('wechat'))).toHaveLength(1)
  expect(asked.filter((it) => it.startsWith('alipay'))).toHaveLength(7)
  await reconcileDue({ ...deps, providers })
  expect(asked.filter((it) => it.startsWith('alipay'))).toHaveLength(7)
  // A day later, at nine: the bill is not there yet. At eleven it is.
  now += 21 * HOUR_MS
  await reconcileDue({ ...deps, providers })
  expect(asked.filter((it) => it.startsWith('alipay'))).toHaveLength(7)
  now += 2 * HOUR_MS
  await reconcileDue({ ...deps, providers })
  expect(asked.filter((it) => it.startsWith('alipay'))).toHaveLength(8)
})

test('the ledger is exported as a table in which debits and credits are equal', async () => {
  const file = path.join(dir, 'ledger.csv')
  const { rows: count } = await world.command<{ rows: number }>('ledger', 'export', '--file', file)
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(count)
  expect(count).toBeGreaterThan(10)
  const sum = (column: number) =>
    lines.reduce((all, line) => all + Math.round(Number(line.split(',')[column] || 0) * 100), 0)
  expect(sum(7)).toBe(sum(8))
  expect(sum(7)).toBeGreaterThan(0)
})
