/**
 * The pay benchmark: a thousand genuine notifications of payment providers at once, of one order and of a
 * thousand orders, against the whole server with the limits of production; and how long the grants take that
 * follow. fsync is on; the clients run in a separate process on the same processors.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { openControl } from '../../sandbox/src/control.ts'
import { openSandbox, type Sandbox } from '../../sandbox/src/sandbox.ts'
import type { Trade } from '../../sandbox/src/tradeStore.ts'
import { openPayProviders } from '../../server/src/app/adapters/payProviders.ts'
import { startApp } from '../../server/src/app/app.ts'
import { faultsOfMoney, kindsOf } from '../../server/src/app/payments.ts'
import { readConfig } from '../../server/src/config.ts'
import { type Database, type Db, transaction } from '../../server/src/kit/database/db.ts'
import { openStore } from '../../server/src/kit/database/store.ts'
import { noopBus } from '../../server/src/kit/events/bus.ts'
import { openLog } from '../../server/src/kit/log.ts'
import { PAY_WAYS, type PayProvider, type PayWay } from '../../server/src/outside/payment/payProvider.ts'
import type { PayDeps } from '../../server/src/pay/pay.ts'
import { notifyPath } from '../../server/src/pay/pay.ts'
import { putProduct } from '../../server/src/product/product.ts'
import { openFakePresence } from '../../server/src/testing/fakePresence.ts'
import { KEYS_SECRET } from '../../server/src/testing/keys.ts'
import {
  insertBuyers,
  openSigner,
  paidTrades,
  type Shop,
  type SignedNotification,
} from '../../server/src/testing/pay/payFlood.ts'
import type { Answers, Flood } from './pay/flood.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 1_000)
const ROUNDS = 3
/** Each has few orders open at a time. */
const BUYERS = 200
const DRAINED_WITHIN_MS = 120_000

export async function run(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(directory, 0o711)
  const store = await openStore({ dataDir: path.join(directory, 'data'), databaseUrl: null })
  const sandbox = await openSandbox({ dir: path.join(directory, 'sandbox'), host: '127.0.0.1', port: 0 })
  const client = fork(path.join(import.meta.dirname, 'pay/flood.ts'), { execArgv: [] })
  try {
    const sign = await openSigner(path.join(directory, 'sandbox'))
    await measure(store.database, { client, sandbox, sign })
  } finally {
    client.disconnect()
    await sandbox.close()
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
}

interface Bench {
  readonly client: ChildProcess
  readonly sandbox: Sandbox
  readonly sign: (trade: Trade) => SignedNotification
}

async function measure(database: Database, bench: Bench): Promise<void> {
  const { db } = database
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const config = readConfig({ KEYS_SECRET, PORT: String(port), DEMO: '0', PAY_SANDBOX: '0' }, '/')
  const app = await startApp({
    config,
    database,
    sandbox: bench.sandbox,
    checkAnswers: false,
    webDir: '/nowhere',
    // As in production, every request is logged; the log is discarded.
    log: openLog('json', createWriteStream('/dev/null')),
  })
  try {
    await app.listen()
    const shop = await openShop(db, bench.sandbox, await openPayProviders(config, bench.sandbox))
    const flood = (requests: readonly string[]) => ask(bench.client, { port, requests })
    const requestOf = (trade: Trade) => request(notifyPath(trade.way), bench.sign(trade))
    // The first ones load and plan.
    await flood((await paidTrades(shop, 50)).map(requestOf))
    await drained(db)
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const way of PAY_WAYS) {
        const [trade] = await paidTrades(shop, 1, way)
        const copies = Array.from({ length: MESSAGES }, () => requestOf(trade!))
        await report(`round ${round}, one order, ${way}`, db, () => flood(copies))
      }
      const many = (await paidTrades(shop, MESSAGES)).map(requestOf)
      await report(`round ${round}, ${MESSAGES} orders`, db, () => flood(many))
    }
    const faults = await faultsOfMoney(db)
    if (faults.length > 0) throw new Error(`the money does not balance: ${faults.join('; ')}`)
  } finally {
    await app.close()
  }
}

async function report(name: string, db: Db, act: () => Promise<Answers>): Promise<void> {
  const held = monitorEventLoopDelay({ resolution: 1 })
  held.enable()
  const began = performance.now()
  const cpu = process.cpuUsage()
  const { statuses, p50, p99, worst } = await act()
  const { user, system } = process.cpuUsage(cpu)
  await drained(db)
  const grantedMs = performance.now() - began
  held.disable()
  const told = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`)
  console.log(
    `${name.padEnd(28)} answered ${told.join(', ')}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)}, worst ${worst.toFixed(0)}; all granted after ${grantedMs.toFixed(0)}; held ${(held.max / 1e6).toFixed(0)}; ${((user + system) / 1000 / MESSAGES).toFixed(2)} ms of this process for each`,
  )
}

/** Waits until everything that was paid is granted. */
async function drained(db: Db): Promise<void> {
  for (const since = performance.now(); ; ) {
    const { rows } = await sql`select 1 from "order" where state <> 'granted' limit 1`.execute(db)
    if (rows.length === 0) return
    if (performance.now() - since > DRAINED_WITHIN_MS) throw new Error('orders stay without their grants')
    await new Promise((again) => setTimeout(again, 20))
  }
}

async function openShop(
  db: Db,
  sandbox: Sandbox,
  providers: ReadonlyMap<PayWay, PayProvider>,
): Promise<Shop> {
  const month = {
    kind: 'buff',
    name: 'BUFF 月卡',
    price: 1500,
    origin_price: 1800,
    discount_label: '',
    buy_tip: '',
    market: 0,
    group_id: 0,
    period_buy: false,
    details: { days: 30 },
    place: 0,
  }
  const product = await transaction(db, (tx) => putProduct(tx, null, month))
  const appContext = { db, bus: noopBus, presence: openFakePresence(), publicUrl: 'http://bench' }
  const jobs = { send: async () => undefined, wake: () => undefined }
  const deps: PayDeps = {
    appContext,
    jobs,
    providers,
    kinds: kindsOf({ appContext, jobs }),
    log: openLog('quiet'),
    renewing: null,
    counts: { refused: () => undefined, settled: () => undefined },
  }
  return {
    deps,
    control: openControl(sandbox),
    productId: product!.id,
    buyers: await insertBuyers(db, BUYERS),
  }
}

/** A whole request as the client writes it. */
function request(at: string, input: SignedNotification): string {
  const head = Object.entries({ ...input.headers, 'content-length': Buffer.byteLength(input.body) })
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `POST ${at} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}\r\n${input.body}`
}

function ask(client: ChildProcess, order: Flood): Promise<Answers> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the client ended with code ${code}`))
    client.once('exit', onExit)
    client.once('message', (answers) => {
      client.off('exit', onExit)
      resolve(answers as Answers)
    })
    client.send(order)
  })
}
