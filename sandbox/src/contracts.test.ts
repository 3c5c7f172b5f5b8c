import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceClock } from '@guildhall/server/kit/clock.ts'
import { openAlipay } from '@guildhall/server/outside/payment/alipay/alipay.ts'
import type {
  Contracts,
  Notification,
  PayProvider,
  PayWay,
} from '@guildhall/server/outside/payment/payProvider.ts'
import { openWechatPay } from '@guildhall/server/outside/payment/wechat/wechat.ts'
import { openPayServer, type PayServer } from '@guildhall/server/testing/pay/payServer.ts'
import { dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openControl } from './control.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

/** Noon of a day in Beijing. */
const NOON = dayStart(dayNumber(Date.now())) + 12 * HOUR_MS
let dir: string
let sandbox: Sandbox
let server: PayServer
let control: ReturnType<typeof openControl>
let now: Millis
let restore: () => void
let numbers = 0
const soon = () => AbortSignal.timeout(5_000)

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-contracts-'))
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  server = await openPayServer()
  control = openControl(sandbox)
})
beforeEach(async () => {
  now = NOON
  restore = replaceClock(() => now)
  server.told.length = 0
  await control({ charges: 'pay', noticesFail: false })
})
afterEach(() => restore())
afterAll(async () => {
  await sandbox.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const open = (way: PayWay): PayProvider => {
  const { notifyUrl } = server
  const provider =
    way === 'wechat'
      ? openWechatPay(sandbox.wechat, { notifyUrl })
      : openAlipay(sandbox.alipay, { notifyUrl })
  server.use(provider)
  return provider
}
const contractOf = (contractNo: string) => ({
  contractNo,
  serial: '7',
  fee: 1200,
  days: 30,
  account: '小满😀',
})
const newNo = (prefix: string) => `${prefix}${String(++numbers).padStart(10, '0')}`
async function offer(contracts: Contracts): Promise<string> {
  const contractNo = newNo('N')
  const data = await contracts.sign(
    { ...contractOf(contractNo), scene: 'qr', clientIp: '127.0.0.1', returnUrl: 'https://hall.example/' },
    soon(),
  )
  expect(data.kind).toBe('qr')
  if (data.kind === 'qr') expect((await fetch(data.code)).status).toBe(200)
  return contractNo
}
async function signed(contracts: Contracts) {
  const contractNo = await offer(contracts)
  await control({ contract: { contractNo, do: 'sign' } })
  const fact = await contracts.query(contractNo, soon())
  return fact!
}
const lastFact = () => {
  const told = server.told.at(-1) as Notification | undefined
  return told && typeof told !== 'string' && told.kind === 'contract' ? told.fact : null
}

describe.each(['wechat', 'alipay'] as const)('a contract at %s', (way) => {
  const contracts = () => open(way).contracts!
  const charge = (input: { providerNo: string; app: string }, fee = 1200, tradeNo = newNo('P')) =>
    contracts().charge({ ...input, tradeNo, fee, subject: 'BUFF 连续包月' }, soon())

  test('is known once it is signed, and its end is told', async () => {
    const no = await offer(contracts())
    expect(await contracts().query(no, soon())).toBeNull()
    expect(await contracts().query('N0', soon())).toBeNull()
    await control({ contract: { contractNo: no, do: 'sign' } })
    const fact = await contracts().query(no, soon())
    expect(fact).toMatchObject({ contractNo: no, state: 'signed' })
    expect(lastFact()).toEqual(fact)
    await contracts().end(fact!, soon())
    await contracts().end(fact!, soon())
    await expect.poll(lastFact).toMatchObject({ contractNo: no, state: 'ended' })
    expect(await contracts().query(no, soon())).toMatchObject({ state: 'ended' })
    expect((await charge(fact!)).is).toBe('refused')
    // What nobody knows is over.
    await contracts().end({ contractNo: 'N0', providerNo: '' }, soon())
  })

  test('is charged once for one number, whoever asks how often', async () => {
    const fact = await signed(contracts())
    const tradeNo = newNo('P')
    expect((await charge(fact, 1200, tradeNo)).is).toBe('taken')
    expect((await charge(fact, 1200, tradeNo)).is).toBe('taken')
    expect(await open(way).query(tradeNo, soon())).toMatchObject({ state: 'paid', fact: { fee: 1200 } })
  })

  test('whose charge fails is charged later by the same number', async () => {
    const fact = await signed(contracts())
    const tradeNo = newNo('P')
    await control({ charges: 'refuse' })
    expect((await charge(fact, 1200, tradeNo)).is).toBe('refused')
    await control({ charges: 'fail' })
    expect((await charge(fact, 1200, tradeNo)).is).toBe('taken')
    expect((await open(way).query(tradeNo, soon())).state).toBe('waiting')
    await control({ charges: 'pay' })
    expect((await charge(fact, 1200, tradeNo)).is).toBe('taken')
    expect((await open(way).query(tradeNo, soon())).state).toBe('paid')
  })

  test('is told by genuine messages alone', async () => {
    const no = await offer(contracts())
    for (const forge of ['signature', 'secret', 'unsigned'] as const)
      await control({ contract: { contractNo: no, do: 'tell', says: 'signed' }, forge })
    expect(server.told.every((it) => typeof it === 'string')).toBe(true)
    expect(server.told).toHaveLength(3)
  })
})

describe('WeChat’s rules', () => {
  const contracts = () => open('wechat').contracts!
  const charge = (input: { providerNo: string; app: string }, fee = 1200) =>
    contracts().charge({ ...input, tradeNo: newNo('P'), fee, subject: 'BUFF' }, soon())
  const announce = (input: { providerNo: string; app: string }) =>
    contracts().announce({ ...input, fee: 1200, chargeAt: now + 2 * DAY_MS }, soon())

  test('nothing is announced at night, or twice at once', async () => {
    const fact = await signed(contracts())
    now = NOON + 11 * HOUR_MS
    expect((await announce(fact)).is).toBe('refused')
    now = NOON + 20 * HOUR_MS
    expect((await announce(fact)).is).toBe('taken')
    expect((await announce(fact)).is).toBe('refused')
  })

  test('nothing is charged before the waiting time, after the days for it, at night, above the sum, or twice', async () => {
    const fact = await signed(contracts())
    now = NOON + 20 * DAY_MS
    expect((await charge(fact)).is).toBe('refused')
    expect((await announce(fact)).is).toBe('taken')
    now += DAY_MS
    expect((await charge(fact)).is).toBe('refused')
    now += DAY_MS
    expect((await charge(fact, 1201)).is).toBe('refused')
    now += 11 * HOUR_MS
    expect((await charge(fact)).is).toBe('refused')
    now += 13 * HOUR_MS
    expect((await charge(fact)).is).toBe('taken')
    expect((await charge(fact)).is).toBe('refused')
    expect((await announce(fact)).is).toBe('taken')
    now += 9 * DAY_MS
    expect((await charge(fact)).is).toBe('refused')
  })

  test('within twelve hours after signing a charge needs no notice', async () => {
    const fact = await signed(contracts())
    now += 12 * HOUR_MS - MINUTE_MS
    expect((await charge(fact)).is).toBe('taken')
    now += 2 * MINUTE_MS
    expect((await charge(fact)).is).toBe('refused')
  })
})

test('a sandbox that was killed knows its contracts, and tells what was not taken', async () => {
  const { contracts } = open('wechat')
  const no = await offer(contracts!)
  server.answers.push(500)
  await control({ contract: { contractNo: no, do: 'sign' } })
  await sandbox.close()
  const before = server.told.length
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  control = openControl(sandbox)
  expect((await control({ contract: { contractNo: no, do: 'look' } })).contract?.state).toBe('signed')
  await expect.poll(() => server.told.length).toBeGreaterThan(before)
  expect(lastFact()).toMatchObject({ contractNo: no, state: 'signed' })
})

test('in another browser of a phone Alipay’s page opens its app with what the merchant signed', async () => {
  const { contracts } = openAlipay({ ...sandbox.alipay, endpoint: null }, { notifyUrl: server.notifyUrl })
  const it = {
    ...contractOf('N1'),
    scene: 'phone',
    clientIp: '127.0.0.1',
    returnUrl: 'https://hall.example/',
  } as const
  const data = await contracts!.sign(it, soon())
  const opener = new URL(data.kind === 'redirect' ? data.url : '')
  expect(opener.origin).toBe('https://ds.alipay.com')
  const app = new URL(opener.searchParams.get('scheme') ?? '')
  expect(app.protocol).toBe('alipays:')
  const signedParams = new URLSearchParams(app.searchParams.get('sign_params') ?? '')
  expect(signedParams.get('method')).toBe('alipay.user.agreement.page.sign')
  expect(JSON.parse(signedParams.get('biz_content') ?? '{}')).toMatchObject({
    external_agreement_no: 'N1',
    sign_scene: 'INDUSTRY|SOCIALIZATION',
    period_rule_params: { period_type: 'DAY', period: '30', single_amount: '12.00' },
  })
})
