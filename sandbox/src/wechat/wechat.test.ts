import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { WechatPayConfig } from '@guildhall/server/config/pay.ts'
import { clock, replaceClock } from '@guildhall/server/kit/clock.ts'
import type {
  NewPayment,
  PayData,
  PayProvider,
  PayScene,
} from '@guildhall/server/outside/payment/payProvider.ts'
import { wechatAuthorization } from '@guildhall/server/outside/payment/wechat/crypto.ts'
import { openWechatPay } from '@guildhall/server/outside/payment/wechat/wechat.ts'
import { openPayServer, type PayServer } from '@guildhall/server/testing/pay/payServer.ts'
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
let server: PayServer
let provider: PayProvider
const control = (input: ControlInput) => openControl(sandbox)(input)
const open = (change: Partial<WechatPayConfig> = {}): PayProvider =>
  openWechatPay({ ...sandbox.wechat, ...change }, { notifyUrl: server.notifyUrl })

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-wechat-'))
  server = await openPayServer()
  // Messages are repeated without a wait.
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  provider = open()
  server.use(provider)
})
afterAll(async () => {
  restoreClock()
  await sandbox.close()
  await server.close()
  await rm(dir, { recursive: true })
})
afterEach(async () => {
  // What the timer still has to tell is told within the test that it is of.
  for (const tradeNo of made.splice(0)) await expect.poll(() => isTold(tradeNo)).toBe(true)
  server.told.length = 0
  server.answers.length = 0
  server.use(provider)
  await control({ calls: { way: 'wechat', times: 0 }, refundsWait: false })
})

const made: string[] = []
const isTold = (tradeNo: string): Promise<boolean> =>
  control({ tradeNo, look: true }).then(
    ({ trade }) => trade?.deliveries.every(({ nextAt }) => nextAt === null) ?? true,
    () => true,
  )

let count = 0
const payment = (change: Partial<NewPayment> = {}): NewPayment => {
  count += 1
  made.push(`G${100_000 + count}`)
  return {
    scene: 'inside',
    tradeNo: `G${100_000 + count}`,
    fee: 1_800,
    subject: 'BUFF 会员, 30 天',
    payer: 'oBuyer',
    expiresAt: clock.now() + 15 * MINUTE_MS,
    clientIp: '203.0.113.7',
    returnUrl: 'https://hall.example/order/1?a=b&c=d',
    ...change,
  }
}
const soon = () => AbortSignal.timeout(5_000)
const query = (tradeNo: string) => provider.query(tradeNo, soon())
/** A payment that was made. */
async function paid(change: Partial<NewPayment> = {}) {
  const it = payment(change)
  const { trade } = await control({ open: await provider.start(it, soon()) })
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
  merchant: sandbox.wechat.merchant,
  app: sandbox.wechat.appId,
  currency: 'CNY',
  paidAt: START + passed,
})

describe('a caller that is not the merchant', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

  it.each([
    ['with another key', () => open({ privateKey: other })],
    ['with another certificate', () => open({ serial: 'F5765756002FDD77' })],
    ['of another number', () => open({ merchant: '1600000000' })],
  ])('%s gets nothing', async (_name, stranger) => {
    expect(await failure(stranger().query('G1', soon()))).toBe(
      'PayFailed: wechat answers SIGN_ERROR without a signature',
    )
  })

  it('with another APIv3 key cannot verify the answers', async () => {
    expect(await failure(open({ apiV3Key: 'x'.repeat(32) }).query('G1', soon()))).toBe(
      'PayFailed: wechat answers with certificates for another APIv3 key',
    )
  })

  it.each([
    ['without a signature', ''],
    ['signed in another way', 'WECHATPAY2-SM2-WITH-SM3 mchid="1"'],
  ])('%s gets nothing', async (_name, authorization) => {
    const answer = await fetch(`${sandbox.url}/v3/certificates`, { headers: { authorization } })
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'SIGN_ERROR' }])
    expect(answer.headers.get('wechatpay-signature')).toBeNull()
  })

  const signedCall = (at: number, nonce: string) =>
    fetch(`${sandbox.url}/v3/certificates`, {
      headers: {
        authorization: wechatAuthorization(
          { ...sandbox.wechat, key: createPrivateKey(sandbox.wechat.privateKey) },
          { method: 'GET', target: '/v3/certificates', at, nonce, body: '' },
        ),
      },
    })

  it.each([-6, 6])('whose clock is %d minutes off gets nothing', async (minutes) => {
    expect((await signedCall(clock.now() + minutes * MINUTE_MS, `off${minutes + 9}`)).status).toBe(401)
  })

  it('that repeats a call of the merchant gets nothing', async () => {
    expect((await signedCall(clock.now(), 'once')).status).toBe(200)
    expect((await signedCall(clock.now(), 'once')).status).toBe(401)
  })
})

describe('WeChat does not start a payment', () => {
  it.each([
    [
      'of another app',
      () => open({ appId: 'wx0000000000000000' }).start(payment(), soon()),
      'APPID_MCHID_NOT_MATCH',
    ],
    ['after its time', () => provider.start(payment({ expiresAt: clock.now() }), soon()), 'PARAM_ERROR'],
    ['of nothing', () => provider.start(payment({ fee: 0 }), soon()), 'PARAM_ERROR'],
    [
      'with a number that is too short',
      () => provider.start(payment({ tradeNo: 'G1' }), soon()),
      'PARAM_ERROR',
    ],
  ])('%s', async (_name, start, code) => {
    expect(await failure(start())).toBe(`PayRefused: wechat refuses: ${code}`)
  })

  it('whose number was of another one, paid, or closed', async () => {
    const it = payment()
    const again = (change: Partial<NewPayment> = {}) => failure(provider.start({ ...it, ...change }, soon()))
    await provider.start(it, soon())
    expect(await again({ fee: 1 })).toBe('PayRefused: wechat refuses: OUT_TRADE_NO_USED')
    await control({ tradeNo: it.tradeNo })
    expect(await again()).toBe('PayRefused: wechat refuses: ORDERPAID')
    const other = payment()
    await provider.start(other, soon())
    await provider.close(other.tradeNo, soon())
    expect(await failure(provider.start(other, soon()))).toBe('PayRefused: wechat refuses: ORDER_CLOSED')
  })
})

describe('WeChat’s app opens nothing', () => {
  it.each([
    ['that another key signed', { paySign: Buffer.alloc(256).toString('base64') }],
    ['of another payment', { package: 'prepay_id=wx1' }],
    ['of another app', { appId: 'wx0000000000000000' }],
    ['signed in another way', { signType: 'MD5' }],
  ])('%s', async (_name, change) => {
    const data = await provider.start(payment(), soon())
    if (data.kind !== 'weixin') throw new Error(data.kind)
    const params = { ...data.params, ...change }
    expect(await failure(control({ open: { ...data, params } }))).toContain('there is no such trade')
  })

  it('two hours later, and no page of H5 five minutes later', async () => {
    const until = clock.now() + DAY_MS
    const inside = await provider.start(payment({ expiresAt: until }), soon())
    const phone = await provider.start(payment({ scene: 'phone', expiresAt: until }), soon())
    passed += 5 * MINUTE_MS + SECOND_MS
    expect((await control({ open: inside, look: true })).trade?.state).toBe('waiting')
    expect(await failure(control({ open: phone, look: true }))).toContain('there is no such trade')
    passed += 2 * HOUR_MS
    expect(await failure(control({ open: inside, look: true }))).toContain('there is no such trade')
  })
})

describe('a payment', () => {
  it.each(['inside', 'phone', 'qr', 'app'] satisfies PayScene[])('is made: %s', async (scene) => {
    const it = payment({ scene })
    const data: PayData = await provider.start(it, soon())
    const { trade, told, answered } = await control({ open: data })
    const app = scene === 'app' ? sandbox.wechat.openAppId : sandbox.wechat.appId
    const fact = { ...factOf({ ...it, providerNo: trade?.providerNo ?? '' }), app }
    expect(server.told).toEqual([{ kind: 'paid', id: trade?.deliveries[0]?.id, fact }])
    expect([told.length, answered]).toEqual([1, [{ status: 204, body: '' }]])
    expect(await query(it.tradeNo)).toEqual({ state: 'paid', fact })
    if (scene === 'phone') expect(trade?.returnUrl).toBe(it.returnUrl)
  })

  it('that the buyer cancels, or the bank refuses, waits', async () => {
    const it = payment()
    await provider.start(it, soon())
    await control({ tradeNo: it.tradeNo, cancel: true })
    await control({ tradeNo: it.tradeNo, fail: true })
    expect([await query(it.tradeNo), server.told]).toEqual([{ state: 'waiting' }, []])
  })

  it('may be started again, and has a new prepay id', async () => {
    const it = payment()
    const before = await provider.start(it, soon())
    const after = await provider.start(it, soon())
    expect(await failure(control({ open: before, look: true }))).toContain('there is no such trade')
    expect((await control({ open: after, look: true })).trade?.tradeNo).toBe(it.tradeNo)
  })

  it('is unknown before it was started', async () => {
    expect(await query('G999999')).toEqual({ state: 'unknown' })
    expect(await provider.close('G999999', soon())).toBe('closed')
  })

  it('is over with its time', async () => {
    const it = payment()
    await provider.start(it, soon())
    passed += 15 * MINUTE_MS
    expect(await query(it.tradeNo)).toEqual({ state: 'closed' })
    expect(await failure(control({ tradeNo: it.tradeNo }))).toContain('the store refuses: expired')
  })

  it('is closed, again and again, and then not paid', async () => {
    const it = payment()
    await provider.start(it, soon())
    expect(await provider.close(it.tradeNo, soon())).toBe('closed')
    expect(await provider.close(it.tradeNo, soon())).toBe('closed')
    expect(await query(it.tradeNo)).toEqual({ state: 'closed' })
    expect(await failure(control({ tradeNo: it.tradeNo }))).toContain('the store refuses: closed')
  })

  it('that was made cannot be closed', async () => {
    const { tradeNo } = await paid()
    expect(await provider.close(tradeNo, soon())).toBe('paid')
  })

  it('may be made after it was closed, as when the bank took long', async () => {
    const it = payment()
    await provider.start(it, soon())
    await provider.close(it.tradeNo, soon())
    const { trade } = await control({ tradeNo: it.tradeNo, anyway: true })
    expect(await query(it.tradeNo)).toEqual({
      state: 'paid',
      fact: factOf({ ...it, providerNo: trade?.providerNo ?? '' }),
    })
  })
})

describe('what is told', () => {
  it.each(FORGERIES)('and forged is refused, and no payment: %s', async (forge) => {
    const it = payment()
    await provider.start(it, soon())
    const { answered, trade } = await control({ tradeNo: it.tradeNo, forge })
    const why = { signature: 'signature', body: 'signature', serial: 'serial', stale: 'stale' }
    expect(server.told).toEqual([{ ...why, secret: 'secret', unsigned: 'form' }[forge]])
    expect([answered.map(({ status }) => status), trade?.state]).toEqual([[401], 'waiting'])
    expect(trade?.deliveries.map(({ nextAt, isTaken }) => [nextAt, isTaken])).toEqual([[null, false]])
  })

  it('as a probe must not be taken', async () => {
    const { tradeNo } = await paid()
    server.told.length = 0
    const { answered } = await control({ tradeNo, probe: true })
    expect([server.told, answered.map(({ status }) => status)]).toEqual([['probe'], [401]])
  })

  it.each([{ fee: 1 }, { merchant: '1600000000' }, { app: 'wx0000000000000000' }, { currency: 'USD' }])(
    'may be genuine and wrong: %j',
    async (tamper) => {
      const it = payment()
      await provider.start(it, soon())
      const { trade } = await control({ tradeNo: it.tradeNo, ...tamper })
      const fact = factOf({ ...it, providerNo: trade?.providerNo ?? '' })
      expect(server.told).toEqual([
        { kind: 'paid', id: trade?.deliveries[0]?.id, fact: { ...fact, ...tamper } },
      ])
      expect(await query(it.tradeNo)).toEqual({ state: 'paid', fact })
    },
  )

  it('a thousand times is the same each time', async () => {
    const it = payment()
    await provider.start(it, soon())
    const { told, answered, trade } = await control({ tradeNo: it.tradeNo, times: 1_000 })
    expect([told.length, answered.length, server.told.length]).toEqual([1_000, 1_000, 1_000])
    expect(new Set(server.told.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(new Set(told.map(({ headers }) => headers['wechatpay-nonce'])).size).toBe(1_000)
    expect(trade?.deliveries.map(({ sent, isTaken }) => [sent, isTaken])).toEqual([[1_000, true]])
  })

  it('is told again until it is taken', async () => {
    const it = payment()
    await provider.start(it, soon())
    server.answers.push(500, 401)
    const { answered } = await control({ tradeNo: it.tradeNo })
    expect(answered.map(({ status }) => status)).toEqual([500])
    await expect.poll(() => isTold(it.tradeNo)).toBe(true)
    expect(server.told.length).toBe(3)
    expect(new Set(server.told.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  it('is given up after fifteen more times', async () => {
    const it = payment()
    await provider.start(it, soon())
    server.answers.push(...Array.from({ length: 20 }, () => 500))
    await control({ tradeNo: it.tradeNo })
    await expect.poll(() => isTold(it.tradeNo)).toBe(true)
    const { trade } = await control({ tradeNo: it.tradeNo, look: true })
    expect(trade?.deliveries.map(({ sent, isTaken }) => [sent, isTaken])).toEqual([[16, false]])
  })

  it('may be lost, and is then asked for', async () => {
    const it = payment()
    await provider.start(it, soon())
    const { told } = await control({ tradeNo: it.tradeNo, lost: true })
    expect([told, server.told]).toEqual([[], []])
    expect((await query(it.tradeNo)).state).toBe('paid')
  })

  it('may come late', async () => {
    const it = payment()
    await provider.start(it, soon())
    const { told } = await control({ tradeNo: it.tradeNo, lateSeconds: 600 })
    expect(told).toEqual([])
    await expect.poll(() => server.told.length).toBe(1)
  })

  it('may come in another order: the refund before the payment', async () => {
    const it = payment()
    await provider.start(it, soon())
    await control({ tradeNo: it.tradeNo, refund: { refundNo: `R${it.tradeNo}`, fee: 100 }, reordered: true })
    expect(server.told.map((each) => (typeof each === 'string' ? each : each.kind))).toEqual([
      'refund',
      'paid',
    ])
  })
})

describe('a refund', () => {
  const refundOf = (input: { tradeNo: string; providerNo: string }, fee: number, number = 'A') => ({
    tradeNo: input.tradeNo,
    providerNo: input.providerNo,
    refundNo: `${number}${input.tradeNo}`,
    fee,
    total: 1_800,
    reason: '不想要了',
  })

  it('of what is not there, or not paid, or of more than that is refused', async () => {
    const it = payment()
    await provider.start(it, soon())
    const nothing = { tradeNo: it.tradeNo, providerNo: '' }
    expect(await provider.refund(refundOf(nothing, 1), soon())).toEqual({
      state: 'refused',
      why: 'INVALID_REQUEST',
    })
    expect(await provider.refund(refundOf({ ...nothing, tradeNo: 'G999999' }, 1), soon())).toEqual({
      state: 'refused',
      why: 'RESOURCE_NOT_EXISTS',
    })
    const made = await paid()
    expect(await provider.refund({ ...refundOf(made, 1), total: 1 }, soon())).toEqual({
      state: 'refused',
      why: 'INVALID_REQUEST',
    })
    expect(await provider.refund(refundOf(made, 1_801), soon())).toEqual({
      state: 'refused',
      why: 'NOT_ENOUGH',
    })
    await provider.refund(refundOf(made, 1_000), soon())
    expect(await provider.refund(refundOf(made, 999), soon())).toEqual({
      state: 'refused',
      why: 'INVALID_REQUEST',
    })
    expect(await provider.refund(refundOf(made, 801, 'B'), soon())).toEqual({
      state: 'refused',
      why: 'NOT_ENOUGH',
    })
    const other = await paid()
    expect(
      await provider.refund({ ...refundOf(other, 1_000), refundNo: `A${made.tradeNo}` }, soon()),
    ).toEqual({
      state: 'refused',
      why: 'INVALID_REQUEST',
    })
  })

  it('that is unknown is unknown', async () => {
    expect(await provider.queryRefund({ tradeNo: 'G1', refundNo: 'nothing' }, soon())).toEqual({
      state: 'unknown',
    })
  })

  it('gives back once by each number, and is told', async () => {
    const it = await paid()
    const refund = refundOf(it, 600)
    expect(await provider.refund(refund, soon())).toEqual({ state: 'waiting' })
    const done = { state: 'done', fee: 600, at: START + passed }
    expect(await provider.refund(refund, soon())).toMatchObject(done)
    expect(await provider.queryRefund(refund, soon())).toMatchObject(done)
    await provider.refund(refundOf(it, 1_200, 'B'), soon())
    const { trade } = await control({ tradeNo: it.tradeNo, look: true })
    expect(trade?.refunds.map(({ fee }) => fee)).toEqual([600, 1_200])
    await expect.poll(() => server.told.length).toBe(3)
    expect(server.told[1]).toMatchObject({
      kind: 'refund',
      tradeNo: it.tradeNo,
      refundNo: refund.refundNo,
      answer: done,
    })
    // It was paid all the same.
    expect(await query(it.tradeNo)).toMatchObject({ state: 'paid', fact: { fee: 1_800 } })
  })

  it.each([
    ['done', { state: 'done', fee: 600 }],
    ['closed', { state: 'refused', why: 'CLOSED' }],
    ['failed', { state: 'refused', why: 'ABNORMAL' }],
  ] as const)('may take its time, and then is %s', async (state, answer) => {
    await control({ refundsWait: true })
    const it = await paid()
    const refund = refundOf(it, 600)
    expect(await provider.refund(refund, soon())).toEqual({ state: 'waiting' })
    expect(await provider.queryRefund(refund, soon())).toEqual({ state: 'waiting' })
    await control({ tradeNo: it.tradeNo, settle: { refundNo: refund.refundNo, state } })
    expect(server.told.at(-1)).toMatchObject({ kind: 'refund', refundNo: refund.refundNo, answer })
    expect(await provider.queryRefund(refund, soon())).toMatchObject(answer)
  })
})

describe('a bad day of WeChat', () => {
  const calls = (calls: Omit<NonNullable<ControlInput['calls']>, 'way' | 'times'>) =>
    control({ calls: { way: 'wechat', times: 1, ...calls } })

  it.each([
    ['busy', 'answers SYSTEM_ERROR'],
    ['hang up', 'cannot be reached'],
  ] as const)('is no answer: %s', async (end, text) => {
    await calls({ end })
    expect(await failure(query('G999999'))).toBe(`PayFailed: wechat ${text}`)
    expect(await query('G999999')).toEqual({ state: 'unknown' })
  })

  it('is slower than the caller waits', async () => {
    await calls({ slowMs: 2_000 })
    expect(await failure(provider.query('G999999', AbortSignal.timeout(50)))).toBe(
      'PayFailed: wechat does not answer in time',
    )
  })

  it('loses the answer to what it did', async () => {
    const it = payment()
    await calls({ end: 'lost answer' })
    expect(await failure(provider.start(it, soon()))).toBe('PayFailed: wechat cannot be reached')
    expect(await query(it.tradeNo)).toEqual({ state: 'waiting' })
    await control({ open: await provider.start(it, soon()) })
    const { providerNo } = (await control({ tradeNo: it.tradeNo, look: true })).trade!
    const refund = {
      tradeNo: it.tradeNo,
      providerNo,
      refundNo: `A${it.tradeNo}`,
      fee: 600,
      total: 1_800,
      reason: '',
    }
    await calls({ end: 'lost answer' })
    expect(await failure(provider.refund(refund, soon()))).toBe('PayFailed: wechat cannot be reached')
    expect(await provider.refund(refund, soon())).toMatchObject({ state: 'done', fee: 600 })
  })
})

describe('WeChat’s keys', () => {
  it('change in the middle', async () => {
    const it = payment()
    const data = await provider.start(it, soon())
    passed += MINUTE_MS
    await control({ newKeys: 'wechat' })
    const { told } = await control({ open: data })
    expect(server.told).toMatchObject([{ kind: 'paid' }])
    expect(told[0]?.headers['wechatpay-serial']).toMatch(/^4[0-9A-F]{39}$/)
    expect((await query(it.tradeNo)).state).toBe('paid')
    expect(await failure(control({ newKeys: 'alipay' }))).toContain('409')
  })

  it('may be one public key, of calls and of what is told', async () => {
    const keyed = open({ publicKey: sandbox.wechatPublicKey })
    server.use(keyed)
    const it = payment()
    const { told } = await control({ open: await keyed.start(it, soon()) })
    expect(told[0]?.headers['wechatpay-serial']).toBe(sandbox.wechatPublicKey.id)
    expect(server.told).toMatchObject([{ kind: 'paid' }])
    expect((await keyed.query(it.tradeNo, soon())).state).toBe('paid')
    // Nothing but it is needed.
    const other = createPublicKey(sandbox.wechat.privateKey)
      .export({ type: 'spki', format: 'pem' })
      .toString()
    const wrong = open({ publicKey: { ...sandbox.wechatPublicKey, pem: other } })
    expect(await failure(wrong.query(it.tradeNo, soon()))).toBe(
      'PayFailed: wechat answers with a signature that is not its own',
    )
  })
})

describe('a bill', () => {
  it('is made the day after, and not for a day without trade', async () => {
    passed += DAY_MS
    const day = beijingDay(clock.now())
    expect(await provider.bill(day, soon())).toBeNull()
    passed += DAY_MS
    expect(await provider.bill(day, soon())).toBeNull()
    expect(await failure(provider.bill('2026-01-01', soon()))).toBe('PayFailed: wechat answers PARAM_ERROR')
  })

  it('has what was paid and given back, and may differ', async () => {
    const [first, second] = [await paid({ subject: '会员,`一年`' }), await paid({ fee: 500, scene: 'qr' })]
    const refund = { ...first, refundNo: `A${first.tradeNo}`, fee: 600, total: 1_800, reason: '' }
    await provider.refund(refund, soon())
    const [day, at] = [beijingDay(clock.now()), clock.now()]
    passed += DAY_MS
    const ofDay = async () =>
      [...((await provider.bill(day, soon())) ?? [])].sort(
        (a, b) => a.tradeNo.localeCompare(b.tradeNo) || a.kind.localeCompare(b.kind),
      )
    const line = { kind: 'payment', refundNo: '', at } as const
    const lines = [
      { ...line, tradeNo: first.tradeNo, providerNo: first.providerNo, fee: 1_800, charge: 11 },
      {
        kind: 'refund',
        tradeNo: first.tradeNo,
        providerNo: first.providerNo,
        at,
        refundNo: refund.refundNo,
        fee: 600,
        charge: -4,
      },
      { ...line, tradeNo: second.tradeNo, providerNo: second.providerNo, fee: 500, charge: 3 },
    ]
    expect(await ofDay()).toEqual(lines)

    await control({ tradeNo: first.tradeNo, bill: { fee: 1_799 } })
    await control({ tradeNo: second.tradeNo, bill: { isMissing: true } })
    expect(await ofDay()).toEqual([{ ...lines[0], fee: 1_799 }, lines[1]])
    await control({ tradeNo: first.tradeNo, bill: { extra: { tradeNo: 'X999999', fee: 1 } } })
    const today = beijingDay(clock.now())
    passed += DAY_MS
    expect(await provider.bill(today, soon())).toMatchObject([
      { tradeNo: 'X999999', fee: 1, kind: 'payment' },
    ])
  })
})
