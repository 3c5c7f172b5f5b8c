import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceClock } from '@guildhall/server/kit/clock.ts'
import { openAlipay } from '@guildhall/server/outside/payment/alipay/alipay.ts'
import { openAlipayGateway } from '@guildhall/server/outside/payment/alipay/gateway.ts'
import type {
  NewPayment,
  Notification,
  PayData,
  PayProvider,
  PayScene,
} from '@guildhall/server/outside/payment/payProvider.ts'
import { listenHere } from '@guildhall/server/testing/listen.ts'
import { beijingDay } from '@guildhall/wire/beijing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ControlInput, openControl } from '../control.ts'
import { openSandbox, type Sandbox } from '../sandbox.ts'
import { FORGERIES } from '../tradeStore.ts'

/** Ten in the morning of Beijing, and what a test lets pass. */
const START = Date.UTC(2026, 7, 1, 2, 0, 0)
let passed = 0
const restoreClock = replaceClock(() => START + passed)

let dir: string
let sandbox: Sandbox
let provider: PayProvider
let server: Server
let notifyUrl: string
/** What the server reads of each message, and what it answers in place of its own answer. */
const told: (Notification | string)[] = []
let answersInstead: string[] = []
const control = (input: ControlInput) => openControl(sandbox)(input)

beforeAll(async () => {
  server = createServer((request, reply) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const { headers } = request
      const message = { headers, body: Buffer.concat(parts) }
      const read = await provider
        .readNotification(message)
        .catch((error: Error & { why: string }) => `${error.name} ${error.why}`)
      told.push(read)
      const { status, body } = provider.reply(typeof read === 'string' ? 'refused' : 'taken', message)
      reply.writeHead(status).end(answersInstead.shift() ?? body)
    })()
  })
  notifyUrl = `${await listenHere(server)}/notify`
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-alipay-'))
  await open()
})
afterAll(async () => {
  restoreClock()
  await sandbox.close()
  server.close()
  server.closeAllConnections()
  await rm(dir, { recursive: true })
})
afterEach(async () => {
  // What the timer still has to tell is told within the test that it is of.
  for (const tradeNo of made.splice(0)) await expect.poll(() => isTold(tradeNo)).toBe(true)
  told.length = 0
  answersInstead = []
  await control({ calls: { way: 'alipay', times: 0 }, refundsWait: false })
})

/** Messages are repeated without a wait. */
async function open(): Promise<void> {
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  provider = openAlipay(sandbox.alipay, { notifyUrl })
}

const made: string[] = []
const isTold = (tradeNo: string): Promise<boolean> =>
  control({ tradeNo, look: true }).then(
    ({ trade }) => trade?.deliveries.every(({ nextAt }) => nextAt === null) ?? true,
    () => true,
  )

let count = 0
const payment = (change: Partial<NewPayment> = {}): NewPayment => {
  count += 1
  made.push(`T${1_000 + count}`)
  return {
    scene: 'phone',
    tradeNo: `T${1_000 + count}`,
    fee: 1_230,
    subject: '年度会员, 一年',
    expiresAt: START + passed + 15 * MINUTE_MS,
    clientIp: '203.0.113.7',
    returnUrl: 'https://hall.example/order/1?a=b&c=d',
    ...change,
  }
}
const soon = () => AbortSignal.timeout(5_000)
const start = (input: NewPayment): Promise<PayData> => provider.start(input, soon())
const query = (tradeNo: string) => provider.query(tradeNo, soon())
const pay = async (input: NewPayment, more: ControlInput = {}) => {
  const data = await start(input)
  return control({ open: data, ...more })
}
/** A payment that was made. */
async function paid(change: Partial<NewPayment> = {}) {
  const it = payment(change)
  const { trade } = await pay(it)
  return { ...it, providerNo: trade?.providerNo ?? '' }
}
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    (it) => new Error(`it went well: ${JSON.stringify(it)}`),
    (thrown: Error) => thrown,
  )
  return `${error.name}: ${error.message}`
}
const factOf = ({ tradeNo, fee, providerNo }: NewPayment & { readonly providerNo: string }) => ({
  tradeNo,
  fee,
  providerNo,
  currency: 'CNY',
  paidAt: START + passed,
  merchant: sandbox.alipay.merchant,
  app: sandbox.alipay.appId,
})

describe('what Alipay does not take', () => {
  const gatewayOf = (text: string, method = 'POST') =>
    fetch(method === 'POST' ? sandbox.alipay.endpoint! : `${sandbox.alipay.endpoint}?${text}`, {
      ...(method === 'POST' && { method, body: new URLSearchParams(text) }),
      redirect: 'manual',
    })
  const orderOf = async (input: NewPayment): Promise<URLSearchParams> => {
    const data = await start({ ...input, scene: 'app' })
    return new URLSearchParams(data.kind === 'alipay' ? data.orderStr : '')
  }
  const changed = (params: URLSearchParams, name: string, value: string | null): string => {
    const copy = new URLSearchParams(params)
    if (value === null) copy.delete(name)
    else copy.set(name, value)
    return copy.toString()
  }

  it.each([
    ['app_id', null, 'isv.missing-app-id'],
    ['sign', null, 'isv.missing-sign'],
    ['app_id', '2021', 'isv.invalid-app-id'],
    ['sign_type', 'RSA', 'isv.invalid-signature-type'],
    ['sign', 'AAAA', 'isv.invalid-signature'],
    ['method', 'alipay.trade.refund', 'isv.invalid-signature'],
    ['biz_content', '{}', 'isv.invalid-signature'],
    ['charset', 'gbk', 'isv.invalid-signature'],
    ['extra', '1', 'isv.invalid-signature'],
  ])('a call with %s %s', async (name, value, content) => {
    const answer = await gatewayOf(changed(await orderOf(payment()), name, value))
    expect(await answer.text()).toContain(`"sub_code":"${content}"`)
  })

  it('a parameter that is there twice, and a call that nobody offers', async () => {
    const order = await orderOf(payment())
    expect(await (await gatewayOf(`${order}&method=alipay.trade.query`)).text()).toContain(
      'isv.invalid-parameter',
    )
    expect(await (await gatewayOf(String(order))).text()).toContain('isv.invalid-method')
    expect((await fetch(`${sandbox.url}/alipay/bill/none`)).status).toBe(403)
    expect((await fetch(`${sandbox.url}/alipay/code/none`)).status).toBe(404)
  })

  it('the signature of another application, and says so under its own', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const other = openAlipay({ ...sandbox.alipay, privateKey }, { notifyUrl })
    expect(await failure(other.query('T1', soon()))).toBe('PayFailed: alipay answers isv.invalid-signature')
    expect(await failure(other.start(payment({ scene: 'qr' }), soon()))).toContain(
      'refuses: isv.invalid-signature',
    )
    const stranger = openAlipay({ ...sandbox.alipay, appId: '2021' }, { notifyUrl })
    expect(await failure(stranger.query('T1', soon()))).toBe(
      'PayFailed: alipay answers without a signature: isv.invalid-app-id',
    )
  })

  it('a call of a machine whose clock is wrong', async () => {
    const order = await orderOf(payment())
    passed += HOUR_MS
    const answer = await gatewayOf(String(order))
    passed -= HOUR_MS
    expect(await answer.text()).toContain('isv.invalid-timestamp')
  })

  it.each(['app', 'phone', 'inside'] as const)('an order of %s that the buyer changed', async (scene) => {
    const data = await start(payment({ scene }))
    const text = JSON.stringify(data).replace('12.30', '00.01')
    expect(text).toContain('00.01')
    const open = JSON.parse(text) as NonNullable<ControlInput['open']>
    expect(await failure(control({ open }))).toContain('there is no such trade')
    if (data.kind !== 'redirect') return
    const page = await fetch((JSON.parse(text) as { url: string }).url, { redirect: 'manual' })
    expect([page.status, await page.text()]).toEqual([400, 'Alipay sandbox: 40002 isv.invalid-signature'])
  })

  it('an order of one kind in place of another', async () => {
    const [order, page] = [await start(payment({ scene: 'app' })), await start(payment())]
    const orderStr = page.kind === 'redirect' ? new URL(page.url).search.slice(1) : ''
    expect(await failure(control({ open: { kind: 'alipay', orderStr } }))).toContain('no such trade')
    const text = order.kind === 'alipay' ? order.orderStr : ''
    const url = `${sandbox.alipay.endpoint}?${text}`
    expect(await failure(control({ open: { kind: 'redirect', url } }))).toContain('no such trade')
  })

  it('an order whose time is over, a second one of another amount, and one that is paid', async () => {
    const late = await start(payment())
    passed += HOUR_MS
    expect(await failure(control({ open: late }))).toContain('no such trade')
    const it = payment()
    await pay(it, { look: true })
    expect(await failure(pay({ ...it, fee: 1_231 }))).toContain('no such trade')
    expect(await failure(start({ ...it, fee: 1_231, scene: 'qr' }))).toContain('ACQ.CONTEXT_INCONSISTENT')
    await control({ tradeNo: it.tradeNo })
    expect(await failure(start({ ...it, scene: 'qr' }))).toBe(
      'PayRefused: alipay refuses: ACQ.TRADE_HAS_SUCCESS',
    )
  })

  it.each([{ fee: 0 }, { fee: -1 }, { tradeNo: 'T-1' }])('a payment of %j', async (change) => {
    expect(await failure(start(payment({ scene: 'qr', ...change })))).toBe(
      'PayRefused: alipay refuses: ACQ.INVALID_PARAMETER',
    )
  })
})

describe('a payment', () => {
  it.each(['inside', 'app', 'phone', 'qr'] satisfies PayScene[])('%s is told, and known', async (scene) => {
    const it = payment({ scene })
    const { trade, answered } = await pay(it)
    const fact = factOf({ ...it, providerNo: trade?.providerNo ?? '' })
    expect(told).toEqual([{ kind: 'paid', id: trade?.deliveries[0]?.id, fact }])
    expect(answered).toEqual([{ status: 200, body: 'success' }])
    expect(await query(it.tradeNo)).toEqual({ state: 'paid', fact })
  })

  it('leads the buyer’s browser to the cashier, also by a code that it scans', async () => {
    for (const scene of ['phone', 'qr'] as const) {
      const it = payment({ scene })
      const data = await start(it)
      const address = data.kind === 'redirect' ? data.url : data.kind === 'qr' ? data.code : ''
      const page = await fetch(address, { redirect: 'manual' })
      const { cashier, trade } = await control({ tradeNo: it.tradeNo, look: true })
      expect([page.status, page.headers.get('location')]).toEqual([302, cashier])
      expect(trade).toMatchObject({ subject: '年度会员 一年', fee: 1_230, state: 'waiting' })
      expect(await query(it.tradeNo)).toEqual({ state: 'waiting' })
    }
  })

  it('is unknown until the buyer opens it', async () => {
    for (const scene of ['inside', 'app', 'phone', 'qr'] as const) {
      const it = payment({ scene })
      await start(it)
      expect(await query(it.tradeNo)).toEqual({ state: 'unknown' })
    }
  })

  it('waits while the buyer goes away, or the bank refuses', async () => {
    const it = payment()
    for (const more of [{ cancel: true }, { fail: true }]) {
      await pay(it, more)
      expect(await query(it.tradeNo)).toEqual({ state: 'waiting' })
    }
    expect(told).toEqual([])
  })

  it('is closed when its time is over', async () => {
    const it = payment()
    await pay(it, { look: true })
    passed += 16 * MINUTE_MS
    expect(await query(it.tradeNo)).toEqual({ state: 'closed' })
    expect(await provider.close(it.tradeNo, soon())).toBe('closed')
    expect(await failure(control({ tradeNo: it.tradeNo }))).toContain('the store refuses: expired')
  })

  it('is known after the sandbox was ended and opened again', async () => {
    const it = await paid()
    const fact = factOf(it)
    await sandbox.close()
    await open()
    expect(await query(it.tradeNo)).toEqual({ state: 'paid', fact })
  })
})

describe('closing', () => {
  it('ends a payment that the buyer had opened, and a bank may be late all the same', async () => {
    const it = payment()
    await pay(it, { look: true })
    expect(await provider.close(it.tradeNo, soon())).toBe('closed')
    expect(await provider.close(it.tradeNo, soon())).toBe('closed')
    expect(await query(it.tradeNo)).toEqual({ state: 'closed' })
    expect(await failure(control({ tradeNo: it.tradeNo }))).toContain('the store refuses: closed')
    expect(await failure(start({ ...it, scene: 'qr' }))).toContain('ACQ.TRADE_HAS_CLOSE')
    await control({ tradeNo: it.tradeNo, anyway: true })
    expect((await query(it.tradeNo)).state).toBe('paid')
    expect(await provider.close(it.tradeNo, soon())).toBe('paid')
  })

  it('does not reach what the buyer opens later: that ends by its time', async () => {
    for (const scene of ['app', 'qr'] as const) {
      const it = payment({ scene })
      const data = await start(it)
      expect(await provider.close(it.tradeNo, soon())).toBe('closed')
      await control({ open: data })
      expect((await query(it.tradeNo)).state).toBe('paid')
    }
  })

  it('says that a payment was made', async () => {
    const it = await paid()
    expect(await provider.close(it.tradeNo, soon())).toBe('paid')
  })
})

describe('messages', () => {
  it.each(FORGERIES)('forged by %s are not believed, and not repeated', async (forge) => {
    const it = payment()
    const { answered, trade } = await pay(it, { forge, times: 3 })
    expect(told).toEqual(Array(3).fill('BadNotification signature'))
    expect(new Set(answered.map(({ body }) => body))).toEqual(new Set(['failure']))
    expect(trade?.deliveries.map(({ nextAt }) => nextAt)).toEqual([null])
    expect((await query(it.tradeNo)).state).toBe('waiting')
  })

  it('that only try the server out are not believed', async () => {
    await pay(payment(), { probe: true })
    expect(told).toEqual(['BadNotification signature'])
  })

  it.each([
    [{ fee: 1 }, { fee: 1 }],
    [{ merchant: '2088000000000000' }, { merchant: '2088000000000000' }],
    [{ app: '2021000000000000' }, { app: '2021000000000000' }],
    [{ currency: 'USD' }, { currency: 'USD' }],
  ])('that are genuine and tell %j are reported as they are', async (tamper, fact) => {
    await pay(payment(), tamper)
    expect(told).toMatchObject([{ kind: 'paid', fact }])
  })

  it('are the same however often they are sent', async () => {
    await pay(payment(), { times: 50 })
    expect(told).toHaveLength(50)
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  it('are sent again until the answer is the one word', async () => {
    answersInstead = ['failure', 'success\n', 'SUCCESS', '"success"']
    const { trade } = await pay(payment())
    const tradeNo = trade?.tradeNo ?? ''
    const delivery = async () => (await control({ tradeNo, look: true })).trade?.deliveries[0]
    await expect.poll(delivery).toMatchObject({ isTaken: true, sent: 5, nextAt: null })
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  it('that are lost are never sent: the query knows', async () => {
    const it = payment()
    await pay(it, { lost: true })
    expect(told).toEqual([])
    expect((await query(it.tradeNo)).state).toBe('paid')
  })

  it('of a payment still say so after all of it was given back', async () => {
    const it = payment()
    await pay(it, { refund: { refundNo: 'R1', fee: 1_230 }, reordered: true })
    expect(told).toMatchObject([
      { kind: 'refund', tradeNo: it.tradeNo, refundNo: 'R1', answer: { state: 'waiting' } },
      { kind: 'paid', fact: { tradeNo: it.tradeNo, fee: 1_230 } },
    ])
  })
})

describe('refunds', () => {
  const refund = (input: NewPayment & { readonly providerNo: string }, refundNo: string, fee: number) =>
    provider.refund(
      {
        tradeNo: input.tradeNo,
        providerNo: input.providerNo,
        refundNo,
        fee,
        total: input.fee,
        reason: '买错了',
      },
      soon(),
    )
  const ask = ({ tradeNo }: NewPayment, refundNo: string) =>
    provider.queryRefund({ tradeNo, refundNo }, soon())

  it('of what was not paid, of too much, and of another amount are refused', async () => {
    const waiting = payment()
    await pay(waiting, { look: true })
    const before = { ...waiting, providerNo: '' }
    expect(await refund(before, 'R1', 1)).toEqual({ state: 'refused', why: 'ACQ.TRADE_STATUS_ERROR' })
    expect(await refund({ ...payment(), providerNo: '' }, 'R1', 1)).toMatchObject({
      why: 'ACQ.TRADE_NOT_EXIST',
    })
    const it = await paid()
    expect(await refund(it, 'R1', 1_231)).toMatchObject({ why: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL' })
    await refund(it, 'R1', 1_000)
    expect(await refund(it, 'R2', 231)).toMatchObject({ why: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL' })
    expect(await refund(it, 'R1', 230)).toMatchObject({ why: 'ACQ.DISCORDANT_REPEAT_REQUEST' })
    passed += 366 * DAY_MS
    expect(await refund(it, 'R3', 230)).toMatchObject({ why: 'ACQ.TRADE_HAS_FINISHED' })
    expect((await query(it.tradeNo)).state).toBe('paid')
  })

  it('are unknown before they are made', async () => {
    expect(await ask(await paid(), 'R1')).toEqual({ state: 'unknown' })
    expect(await ask(payment(), 'R1')).toEqual({ state: 'unknown' })
  })

  it('are each of their own amount, and made once', async () => {
    const it = await paid()
    const fact = factOf(it)
    const at = START + passed
    const done = (refundNo: string, fee: number) => ({
      state: 'done',
      providerRefundNo: `${it.providerNo}-${refundNo}`,
      fee,
      at,
    })
    expect(await refund(it, 'R1', 500)).toEqual(done('R1', 500))
    expect(await refund(it, 'R1', 500)).toEqual(done('R1', 500))
    expect(await refund(it, 'R2', 730)).toEqual(done('R2', 730))
    expect(await ask(it, 'R1')).toEqual(done('R1', 500))
    expect(await query(it.tradeNo)).toEqual({ state: 'paid', fact })
    expect((await control({ tradeNo: it.tradeNo, look: true })).trade?.refunds).toHaveLength(2)
  })

  it.each([
    ['done', { state: 'done', fee: 500 }],
    ['failed', { state: 'refused', why: 'REFUND_FAIL' }],
  ] as const)('wait until they are %s', async (state, answer) => {
    const it = await paid()
    await control({ refundsWait: true })
    expect(await refund(it, 'R1', 500)).toEqual({ state: 'waiting' })
    expect(await ask(it, 'R1')).toEqual({ state: 'waiting' })
    await control({ tradeNo: it.tradeNo, settle: { refundNo: 'R1', state } })
    expect(await ask(it, 'R1')).toMatchObject(answer)
  })

  it('in the console are told and known', async () => {
    const it = await paid()
    await control({ tradeNo: it.tradeNo, refund: { refundNo: 'C1', fee: 30 } })
    expect(told.at(-1)).toMatchObject({ kind: 'refund', refundNo: 'C1', answer: { state: 'waiting' } })
    expect(await ask(it, 'C1')).toMatchObject({ state: 'done', fee: 30 })
  })

  it('that the server asked for are told as well, once', async () => {
    const it = await paid()
    for (let time = 0; time < 2; time += 1) await refund(it, 'R1', 500)
    await expect.poll(() => told.length).toBe(2)
    await expect.poll(() => isTold(it.tradeNo)).toBe(true)
    expect(told).toMatchObject([{ kind: 'paid' }, { kind: 'refund', tradeNo: it.tradeNo, refundNo: 'R1' }])
  })

  it('are made once when their answer is lost', async () => {
    const it = await paid()
    await control({ calls: { way: 'alipay', times: 1, end: 'lost answer' } })
    expect(await failure(refund(it, 'R1', 500))).toBe('PayFailed: alipay cannot be reached')
    expect(await refund(it, 'R1', 500)).toMatchObject({ state: 'done', fee: 500 })
    expect((await control({ tradeNo: it.tradeNo, look: true })).trade?.refunds).toHaveLength(1)
  })
})

describe('a bad day of Alipay', () => {
  const works = async () => {
    const it = await paid()
    return [
      () => query(it.tradeNo),
      () => provider.close(it.tradeNo, soon()),
      () => provider.queryRefund({ tradeNo: it.tradeNo, refundNo: 'R1' }, soon()),
      () => start(payment({ scene: 'qr' })),
      () => provider.bill(beijingDay(START - DAY_MS), soon()),
    ]
  }
  it.each([
    ['busy', 'PayFailed: alipay answers isp.unknow-error'],
    ['hang up', 'PayFailed: alipay cannot be reached'],
    ['lost answer', 'PayFailed: alipay cannot be reached'],
  ] as const)('ends in %s, and the next call is answered', async (end, content) => {
    for (const work of await works()) {
      await control({ calls: { way: 'alipay', times: 1, end } })
      expect(await failure(work())).toBe(content)
      expect(await failure(work())).toContain('it went well')
    }
  })

  it('is slow, and nobody waits longer than they want', async () => {
    await control({ calls: { way: 'alipay', times: 1, slowMs: 60_000 } })
    expect(await failure(provider.query('T1', AbortSignal.timeout(50)))).toBe(
      'PayFailed: alipay does not answer in time',
    )
  })
})

describe('the bill of a day', () => {
  it('is not there before the day is over, nor of a day without trade', async () => {
    passed += 10 * DAY_MS
    const today = beijingDay(START + passed)
    await paid()
    expect(await provider.bill(today, soon())).toBeNull()
    expect(await provider.bill(beijingDay(START + passed - DAY_MS), soon())).toBeNull()
  })

  it('is what is in the store, with what is kept of each', async () => {
    passed += 10 * DAY_MS
    const day = beijingDay(START + passed)
    const it = await paid({ subject: '鎏金,"年度" 会员' })
    passed += HOUR_MS
    const at = START + passed
    await provider.refund({ ...it, refundNo: 'R1', total: it.fee, fee: 500, reason: '' }, soon())
    await pay(payment(), { look: true })
    passed += DAY_MS
    const common = { tradeNo: it.tradeNo, providerNo: it.providerNo }
    expect(await provider.bill(day, soon())).toEqual([
      { ...common, kind: 'payment', refundNo: '', fee: 1_230, charge: 7, at: at - HOUR_MS },
      { ...common, kind: 'refund', refundNo: 'R1', fee: 500, charge: -3, at },
    ])
  })

  it('differs as a person wants it', async () => {
    passed += 10 * DAY_MS
    const day = beijingDay(START + passed)
    const [more, missing] = [await paid(), await paid()]
    await control({ tradeNo: more.tradeNo, bill: { fee: 1_231 } })
    await control({ tradeNo: missing.tradeNo, bill: { isMissing: true } })
    await control({ tradeNo: more.tradeNo, bill: { extra: { tradeNo: 'T9', fee: 7 } } })
    passed += DAY_MS
    const lines = (await provider.bill(day, soon())) ?? []
    expect(lines.map(({ tradeNo, fee }) => [tradeNo, fee]).sort()).toEqual([
      [more.tradeNo, 1_231],
      ['T9', 7],
    ])
  })

  it('has an address that counts for half a minute', async () => {
    passed += 10 * DAY_MS
    await paid()
    const day = beijingDay(START + passed)
    passed += DAY_MS
    const gateway = openAlipayGateway(sandbox.alipay)
    const asked = { bill_type: 'trade', bill_date: day }
    const answer = await gateway.ask('alipay.data.dataservice.bill.downloadurl.query', asked, soon())
    const address = String(answer.ok && answer.body.bill_download_url)
    expect((await gateway.download(address, soon())).length).toBeGreaterThan(100)
    passed += 31 * SECOND_MS
    expect(await failure(gateway.download(address, soon()))).toBe('PayFailed: alipay answers with status 403')
  })
})
