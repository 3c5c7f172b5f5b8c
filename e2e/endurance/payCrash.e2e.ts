/**
 * Repeated `kill -9` of the server while people buy at the sandbox, which is a process of its own: what was
 * paid there is granted or given back here, once, and the ledger balances. `PAY_ROUNDS`: how often it is
 * killed.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import {
  type ControlInput,
  findSandbox,
  openBuyers,
  openControl,
  type SandboxAccess,
} from '../../server/src/testing/pay/sandbox.ts'
import { freePort } from '../../server/src/testing/port.ts'
import {
  command,
  inspect,
  type ServerLocation,
  type ServerProcess,
  startServerProcess,
} from '../../server/src/testing/process.ts'
import { numbersFrom } from '../random.ts'
import { tryCall } from '../tryCall.ts'

const ROUNDS = Number(process.env.PAY_ROUNDS ?? 5)
const BUYERS = 50
const SEED = Number(process.env.PAY_SEED ?? 1)
/** A call that is not answered after so long is stuck, ms. */
const STUCK_MS = 300_000
const CALL_WITHIN_MS = 10_000
/** The poller runs every minute. */
const QUIET_WITHIN_MS = 240_000
const DAY_MS = 86_400_000

const cleanUp: (() => Promise<unknown>)[] = []
test.afterAll(async () => {
  for (const each of cleanUp.reverse()) await each()
})

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * Opens the sandbox as a process; a missed message is repeated after a hundredth of the providers' pauses.
 */
async function openSandboxProcess(dir: string): Promise<SandboxAccess> {
  const main = path.join(import.meta.dirname, '../../sandbox/src/main.ts')
  const child: ChildProcess = spawn(process.execPath, [main, '--dir', dir, '--wait-factor', '0.01'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUp.push(async () => {
    const ended = new Promise((done) => child.once('close', done))
    child.kill('SIGTERM')
    await ended
  })
  await new Promise<void>((ready, failed) => {
    createInterface({ input: child.stdout! }).once('line', () => ready())
    child.once('close', () => failed(new Error('the sandbox ended')))
  })
  return (await findSandbox(dir))!
}

const variablesOf = ({ wechat, alipay, wechatPublicKey }: SandboxAccess): Record<string, string> => ({
  WECHAT_APP_ID: wechat.appId,
  WECHAT_APP_SECRET: 'nobody logs in by it',
  WECHAT_PAY_MERCHANT: wechat.merchant,
  WECHAT_PAY_SERIAL: wechat.serial,
  WECHAT_PAY_PRIVATE_KEY: wechat.privateKey,
  WECHAT_PAY_API_V3_KEY: wechat.apiV3Key,
  WECHAT_PAY_PUBLIC_KEY_ID: wechatPublicKey.id,
  WECHAT_PAY_PUBLIC_KEY: wechatPublicKey.pem,
  WECHAT_PAY_ENDPOINT: wechat.endpoint!,
  ALIPAY_APP_ID: alipay.appId,
  ALIPAY_SELLER_ID: alipay.merchant,
  ALIPAY_PRIVATE_KEY: alipay.privateKey,
  ALIPAY_PUBLIC_KEY: alipay.alipayPublicKey,
  ALIPAY_ENDPOINT: alipay.endpoint!,
  PURCHASE_IN_BROWSER: '1',
})

interface Answer {
  readonly code: number
  readonly data: Record<string, unknown>
}

test('everything that is paid while a server is killed again and again is granted or given back, once', async () => {
  test.setTimeout(1_200_000)
  const dir = await mkdtemp(path.join(tmpdir(), 'guildhall-pay-crash-'))
  // For root the database runs under another account, which needs access.
  await chmod(dir, 0o755)
  cleanUp.push(() => rm(dir, { recursive: true, force: true }))
  const sandbox = await openSandboxProcess(path.join(dir, 'sandbox'))
  const control = openControl(sandbox)
  const location: ServerLocation = {
    dataDir: path.join(dir, 'data'),
    port: await freePort(),
    databaseUrl: null,
    env: variablesOf(sandbox),
  }
  let server: ServerProcess = await startServerProcess(location)
  const buyers = await inspect(location, (db) => openBuyers(db, BUYERS))
  const products = await command<{ id: number; kind: string; market: number }[]>(location, 'product', 'list')
  const product = products.find(({ kind, market }) => kind === 'buff' && market === 0)!
  const random = numbersFrom(SEED)
  console.log(`pay crash: PAY_SEED=${SEED}`)

  let isOver = false
  let paid = 0
  /** key → the order that it was acknowledged with. */
  const placed = new Map<string, string>()

  /** Repeats a call until it is answered. */
  const answered = async (token: string, at: string, body?: object): Promise<Answer> => {
    for (const since = Date.now(); ; ) {
      const answer = await tryCall(server.url, token, at, body, CALL_WITHIN_MS)
      if (answer) return answer.body as unknown as Answer
      if (Date.now() - since > STUCK_MS) throw new Error(`${at} is stuck`)
      await pause(50)
    }
  }
  /** What the buyer does at the provider; the sandbox refuses a trade that is closed there. */
  const act = async (open: unknown, input: ControlInput) => {
    await control({ open: open as NonNullable<ControlInput['open']>, ...input }).then(
      () => {
        if (!input.look && !input.cancel) paid += 1
      },
      () => undefined,
    )
  }
  /** What the provider's book says of a trade; null: it does not know it. */
  const tradeOf = async (it: { trade_no: string; way: PayWay }) =>
    (await control({ tradeNo: it.trade_no, way: it.way, look: true }).catch(() => null))?.trade ?? null
  const buyOnce = async (token: string, key: string) => {
    const order = await answered(token, '/api/v3/order/create', { product_id: product.id, count: 1, key })
    if (order.code !== 0) return void (await pause(200))
    placed.set(key, String(order.data.order_id))
    const start = (way: string) =>
      answered(token, '/api/v3/order/pay', { order_id: order.data.order_id, way, scene: 'qr' })
    const wish = random()
    const ways = random() < 0.5 ? ['wechat', 'alipay'] : ['alipay', 'wechat']
    const first = await start(ways[0]!)
    if (first.code !== 0) return
    if (wish < 0.12) {
      await act(first.data, { cancel: true })
      await answered(token, '/api/v3/order/close', { order_id: order.data.order_id })
      if (wish < 0.06) await act(first.data, { anyway: true })
      return
    }
    const second = wish < 0.3 ? await start(ways[1]!) : null
    await act(first.data, wish > 0.9 ? { lost: true } : wish > 0.8 ? { times: 3 } : {})
    if (second?.code === 0) await act(second.data, { anyway: true })
    await answered(token, `/api/v3/order/view?order_id=${order.data.order_id}`)
  }
  const buying = buyers.map(async (token, who) => {
    for (let n = 0; !isOver; n += 1) await buyOnce(token, `${who}-${n}`)
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = paid
    for (const since = Date.now(); paid === before && Date.now() - since < 30_000; ) await pause(5)
    await pause(Math.floor(random() * 400))
    await server.kill(false)
    server = await startServerProcess(location)
  }
  isOver = true
  await Promise.all(buying)

  /**
   * What is still on its way. A trade that its provider does not know stays begun until its time is over,
   * because a call of a killed server may still make it; one that is paid there may not.
   */
  const open = async () => {
    const { moving, begun } = await inspect(location, async (db) => {
      const { rows } = await sql<{ n: number }>`
        select (select count(*)::int from "order" where state in ('paid', 'refunding', 'stuck'))
          + (select count(*)::int from refund where state <> 'done') as n`.execute(db)
      const trades = await sql<{ trade_no: string; way: PayWay }>`
        select trade_no, way from payment where state = 'begun'`.execute(db)
      return { moving: rows[0]!.n, begun: trades.rows }
    })
    const paidThere = await Promise.all(begun.map(async (it) => (await tradeOf(it))?.state === 'paid'))
    return moving + paidThere.filter(Boolean).length
  }
  // Orders that nobody pays are given up, so that their payments end too.
  for (const [key, order_id] of placed)
    await answered(buyers[Number(key.split('-')[0])]!, '/api/v3/order/close', { order_id })
  await expect.poll(open, { timeout: QUIET_WITHIN_MS, intervals: [2_000] }).toBe(0)
  await server.stop()

  expect(paid).toBeGreaterThan(ROUNDS)
  const check = await command<{ differences: string[] }>(location, 'ledger', 'check')
  expect(check.differences).toEqual([])
  await inspect(location, async (db) => {
    const orders = await sql<{ id: string; key: string; state: string; buyer: string }>`
      select id::text, key, state, (select username from "user" where id = it.user_id) as buyer
      from "order" it`.execute(db)
    // Acknowledged orders exist, once per key.
    const byKey = new Map(orders.rows.map((it) => [it.key, it.id]))
    for (const [key, id] of placed) expect(byKey.get(key)).toBe(id)
    expect(new Set(orders.rows.map(({ state }) => state))).toEqual(new Set(['granted', 'closed', 'refunded']))

    // Every trade that the provider says is paid stands for an order here, or went back there.
    const payments = await sql<{
      trade_no: string
      way: PayWay
      state: string
      is_main: boolean
      order: string
      fee: number
    }>`
      select payment.trade_no, payment.way, payment.state, payment.is_main, it.state as order, payment.fee::int as fee
      from payment join "order" it on it.id = payment.order_id`.execute(db)
    for (const it of payments.rows) {
      const trade = await tradeOf(it)
      const back = (trade?.refunds ?? []).reduce(
        (sum, { fee, state }) => sum + (state === 'done' ? fee : 0),
        0,
      )
      const isPaidThere = trade?.state === 'paid'
      expect([it.trade_no, it.state === 'paid']).toEqual([it.trade_no, isPaidThere])
      if (isPaidThere)
        expect([it.trade_no, back]).toEqual([it.trade_no, it.is_main && it.order === 'granted' ? 0 : it.fee])
    }
    // Nobody has more days, or fewer, than what they paid for.
    const days = await sql<{ id: string; granted: number; has: number }>`
      select person.id::text, count(distinct it.id)::int as granted,
        coalesce((select sum(length) from entitlement where user_id = person.id and revoked_at is null), 0)::float8 as has
      from "user" person left join "order" it on it.user_id = person.id and it.state = 'granted'
      where person.username like 'buyer %' group by person.id`.execute(db)
    for (const it of days.rows) expect([it.id, it.has]).toEqual([it.id, it.granted * 30 * DAY_MS])
  })
})
