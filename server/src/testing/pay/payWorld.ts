/**
 * A world whose people pay: the real adapters against a sandbox, whose messages arrive. Jobs run when a test
 * says so.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openControl } from '@guildhall/sandbox/control.ts'
import { openSandbox, type Sandbox } from '@guildhall/sandbox/sandbox.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { createOrder, type Order, viewOrder } from '@guildhall/wire/order/order.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { type Fen, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { faultsOfMoney, kindsOf } from '../../app/payments.ts'
import type { PersonName } from '../../demo/world.ts'
import { replaceClock } from '../../kit/clock.ts'
import { transaction } from '../../kit/database/db.ts'
import { openLog } from '../../kit/log.ts'
import { openAlipay } from '../../outside/payment/alipay/alipay.ts'
import { PAY_WAYS, type PayProvider, type PayWay } from '../../outside/payment/payProvider.ts'
import { openWechatPay } from '../../outside/payment/wechat/wechat.ts'
import { acceptNotification, grantOrder, type PayDeps, refundPayment, startPayment } from '../../pay/pay.ts'
import * as rows from '../../pay/sql.ts'
import { putProduct } from '../../product/product.ts'
import { renewingOf } from '../../renewal/renewal.ts'
import { listenHere } from '../listen.ts'
import { openWorld, type TestWorld } from '../world.ts'

const MONTH = {
  kind: 'buff',
  name: 'BUFF 月卡',
  price: 1500,
  origin_price: 1800,
  discount_label: '',
  buy_tip: '',
  translations: {},
  market: 0,
  group_id: 0,
  period_buy: false,
  details: { days: 30 },
  place: 0,
}
/** What the product costs. */
export const PRICE: Fen = MONTH.price

export interface PayWorld extends TestWorld {
  readonly sandbox: Sandbox
  /** Where the sandbox keeps its keys. */
  readonly sandboxDir: string
  readonly control: ReturnType<typeof openControl>
  readonly deps: PayDeps
  /** Thirty days of BUFF. */
  readonly productId: number
  /** Why messages were refused, in order. */
  readonly refusedFor: string[]
  /** Adds a product that differs from the other one in this; its id. */
  addProduct(it: object): Promise<number>
  /** Places an order of the product, each time a new one. */
  placeOrder(name: PersonName, it?: object): Promise<AnswerOf<typeof createOrder>>
  view(name: PersonName, orderId: string): Promise<Order>
  /** Begins a payment by a code; its number at the provider. */
  start(orderId: string, way: PayWay): Promise<string>
  /** Until when somebody has BUFF, ms. */
  buffOf(name: PersonName): Promise<Millis>
  /** The server's clock is this much ahead from now on, ms, and stands still. */
  later(ms: number): void
  /** The clock goes again, and is right. */
  now(): void
  /** Does what the jobs of grants and refunds do. */
  work(): Promise<void>
  /** What orders, payments, grants and the ledger say that does not agree. */
  faults(): Promise<readonly string[]>
}

export async function openPayWorld(): Promise<PayWorld> {
  const world = await openWorld({}, undefined, { scheduledWork: false })
  const { db } = world.database
  const dir = await mkdtemp(path.join(tmpdir(), 'guildhall-pay-'))
  const sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  const refusedFor: string[] = []
  const { server, url } = await openNotified(() => deps)
  const providers: PayProvider[] = [
    openWechatPay(sandbox.wechat, { notifyUrl: `${url}/wechat` }),
    openAlipay(sandbox.alipay, { notifyUrl: `${url}/alipay` }),
  ]
  const { appContext } = world.app
  const jobs = { send: async () => undefined, wake: () => undefined }
  const deps: PayDeps = {
    appContext,
    jobs,
    kinds: kindsOf({ appContext, jobs }),
    log: openLog('quiet'),
    renewing: renewingOf(() => deps),
    providers: new Map(providers.map((it) => [it.way, it])),
    counts: { refused: (_way, why) => void refusedFor.push(why), settled: () => undefined },
  }
  const addProduct = async (it: object) =>
    (await transaction(db, (tx) => putProduct(tx, null, { ...MONTH, ...it })))!.id
  const productId = await addProduct({})
  let stopClock: (() => void) | null = null
  const now = () => {
    stopClock?.()
    stopClock = null
  }
  let keys = 0
  return {
    ...world,
    sandbox,
    sandboxDir: dir,
    deps,
    productId,
    refusedFor,
    addProduct,
    now,
    control: openControl(sandbox),
    placeOrder: (name, it = {}) =>
      world.as(name).call(createOrder, { product_id: productId, key: `test-key-${++keys}`, ...it }),
    view: (name, order_id) => world.as(name).call(viewOrder, { order_id }),
    async start(orderId, way) {
      const start = { way, scene: 'qr', clientIp: '127.0.0.1', returnUrl: 'http://localhost/' } as const
      await startPayment(deps, orderId, start)
      return (await rows.ofOrder(db, orderId)).at(-1)!.trade_no
    },
    buffOf: async (name) => (await world.as(name).call(vipExpired)).vip_expired,
    later(ms) {
      now()
      const at = Date.now() + ms
      stopClock = replaceClock(() => at)
    },
    async work() {
      const paid = await sql<{ id: string }>`select id::text from "order" where state = 'paid'`.execute(db)
      for (const { id } of paid.rows) await grantOrder(deps, id)
      for (const way of PAY_WAYS)
        for (const id of await rows.dueRefunds(db, way, Date.now() + MINUTE_MS, 100))
          await refundPayment(deps, id)
    },
    faults: () => faultsOfMoney(db),
    async close() {
      now()
      await sandbox.close()
      await new Promise((done) => server.close(done))
      await world.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A server to which the providers send their messages: the path names the way. */
async function openNotified(deps: () => PayDeps): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, reply) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const message = { headers: request.headers, body: Buffer.concat(parts) }
      const { status, body } = await acceptNotification(deps(), request.url?.slice(1) as PayWay, message)
      reply.writeHead(status).end(body)
    })()
  })
  return { server, url: await listenHere(server) }
}
