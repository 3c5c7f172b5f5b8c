/**
 * Signing a contract in a browser, by version 2 of WeChat Pay: what the sandbox refuses, and its dialogue
 * with the adapter.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceClock } from '@guildhall/server/kit/clock.ts'
import type { ContractFact, Contracts } from '@guildhall/server/outside/payment/payProvider.ts'
import { openWechatPay } from '@guildhall/server/outside/payment/wechat/wechat.ts'
import { openPayServer, type PayServer } from '@guildhall/server/testing/pay/payServer.ts'
import { dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { HOUR_MS, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openControl } from '../control.ts'
import { openSandbox, type Sandbox } from '../sandbox.ts'

/** Noon of a day in Beijing. */
const NOON = dayStart(dayNumber(Date.now())) + 12 * HOUR_MS
const WECHAT = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari/537.36 MicroMessenger/8.0.50'
const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/140.0.0.0 Mobile Safari/537.36'
const BACK = 'https://hall.example/payment/successful?order_id=1'
let dir: string
let sandbox: Sandbox
let server: PayServer
let control: ReturnType<typeof openControl>
let contracts: Contracts
let now: Millis
let restore: () => void
let numbers = 0
const soon = () => AbortSignal.timeout(5_000)
const newNo = () => `V${String(++numbers).padStart(10, '0')}`

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-version2-'))
  sandbox = await openSandbox({ dir, host: '127.0.0.1', port: 0, waitFactor: 0 })
  server = await openPayServer()
  control = openControl(sandbox)
  const provider = openWechatPay(sandbox.wechat, server)
  server.use(provider)
  contracts = provider.contracts!
})
beforeEach(() => {
  now = NOON
  restore = replaceClock(() => now)
  server.told.length = 0
})
afterEach(() => restore())
afterAll(async () => {
  await sandbox.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const sign = (scene: 'inside' | 'phone', contractNo: string, from = contracts) =>
  from.sign(
    {
      contractNo,
      serial: '7',
      fee: 1200,
      days: 30,
      account: '小满 a+b',
      scene,
      returnUrl: BACK,
      clientIp: '127.0.0.1',
    },
    soon(),
  )
/** The address that somebody's browser is led to. */
async function addressOf(scene: 'inside' | 'phone', contractNo: string): Promise<string> {
  const data = await sign(scene, contractNo)
  if (data.kind !== 'redirect') throw new Error(data.kind)
  expect(data.from).toBe(BACK)
  return data.url
}
/** A browser at an address, which comes from a page. */
async function visit(url: string, { agent = WECHAT, referer = BACK, body = '' } = {}) {
  const headers = { 'user-agent': agent, ...(referer && { referer }) }
  const first = await fetch(url, { headers, redirect: 'manual', ...(body && { method: 'POST', body }) })
  const location = first.headers.get('location')
  // A browser tells each page of a redirect where it began.
  const page = location ? await fetch(new URL(location, url), { headers }) : first
  return { status: page.status, url: page.url, text: await page.text() }
}
/** What the person presses on a contract's page. */
const press = (page: { url: string }, action: string) =>
  visit(page.url, { agent: PHONE, referer: '', body: `do=${action}` })
/** An address with other fields, whose signature is of before. */
function changed(url: string, change: Record<string, string | null>): string {
  const it = new URL(url)
  for (const [name, value] of Object.entries(change))
    value === null ? it.searchParams.delete(name) : it.searchParams.set(name, value)
  return it.href
}
const facts = (): ContractFact[] =>
  server.told.flatMap((it) => (typeof it !== 'string' && it.kind === 'contract' ? [it.fact] : []))
const look = async (contractNo: string) => (await control({ contract: { contractNo, do: 'look' } })).contract

describe('the page inside of WeChat', () => {
  test.each([
    [{ sign: 'C380BEC2BFD727A4B6845133519F3AD6' }, '签名错误'],
    [{ contract_display_account: '小' }, '签名错误'],
    [{ sign: null }, '参数错误：sign'],
    [{ request_serial: '07' }, '参数错误：request_serial'],
    [{ notify_url: 'https://hall.example/?a=1' }, '参数错误：notify_url'],
    [{ version: '2.0' }, '参数错误：version'],
    [{ sign_type: 'MD5' }, '参数错误'],
    [{ mch_id: '1900000109' }, '商户号不存在'],
    [{ appid: 'wx00000000000000a1' }, 'appid和mch_id不匹配'],
  ])('is refused with %o', async (change, text) => {
    const contractNo = newNo()
    const page = await visit(changed(await addressOf('inside', contractNo), change))
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(text)])
    await expect(look(contractNo)).rejects.toThrow('no such contract')
  })

  test('opens in WeChat alone', async () => {
    const page = await visit(await addressOf('inside', newNo()), { agent: PHONE })
    expect(page.text).toContain('请在微信客户端打开链接')
  })

  test('offers nothing that was signed before', async () => {
    const contractNo = newNo()
    const address = await addressOf('inside', contractNo)
    await press(await visit(address), 'sign')
    expect((await visit(address)).text).toContain('签约协议号重复')
  })

  test('leads back to the page before it, with a mark; to a site alone it does not', async () => {
    const page = await visit(await addressOf('inside', newNo()))
    expect(page.text).toContain('/payment/successful?order_id=1&#38;from_wxpay=1')
    expect(page.text).toContain('小满 a+b')
    const bare = await visit(await addressOf('inside', newNo()), { referer: 'https://hall.example/' })
    expect([bare.status, bare.text.includes('返回商户')]).toEqual([200, false])
  })

  test('that is left without signing signs nothing, and nobody is told', async () => {
    const contractNo = newNo()
    const page = await visit(await addressOf('inside', contractNo))
    expect((await press(page, 'decline')).text).toContain('你没有签约')
    expect(await contracts.query(contractNo, soon())).toBeNull()
    expect(server.told).toEqual([])
  })
})

describe('from a phone’s browser', () => {
  test('a wrong key, a used number and a busy provider are refused in XML', async () => {
    const other = openWechatPay({ ...sandbox.wechat, apiV2Key: 'k'.repeat(32) }, server).contracts!
    await expect(sign('phone', newNo(), other)).rejects.toThrow('wechat refuses: FAIL')
    const contractNo = newNo()
    await press(await visit(await addressOf('phone', contractNo), { agent: PHONE }), 'sign')
    await expect(sign('phone', contractNo)).rejects.toThrow('wechat refuses: INVALID_REQUEST')
    await control({ calls: { way: 'wechat', times: 1, end: 'busy' } })
    await expect(sign('phone', newNo())).rejects.toThrow('wechat answers SYSTEMERROR')
    await control({ calls: { way: 'wechat', times: 1, end: 'hang up' } })
    await expect(sign('phone', newNo())).rejects.toThrow('wechat cannot be reached')
  })

  test('the address opens outside of WeChat, and for ten minutes', async () => {
    const address = await addressOf('phone', newNo())
    expect((await visit(address)).text).toContain('发起签约页面非法')
    now += 11 * MINUTE_MS
    expect((await visit(address, { agent: PHONE })).status).toBe(410)
  })

  test('it leads back to the page before it', async () => {
    const page = await visit(await addressOf('phone', newNo()), { agent: PHONE })
    expect(page.text).toContain('href="https://hall.example/payment/successful?order_id=1"')
    const told = await visit(page.url, { agent: PHONE, referer: '' })
    expect(told.text).toContain('href="https://hall.example/payment/successful?order_id=1"')
  })
})

describe.each(['inside', 'phone'] as const)('a contract that was signed %s', (scene) => {
  const agent = scene === 'inside' ? WECHAT : PHONE
  const offered = async () => {
    const contractNo = newNo()
    return { contractNo, page: await visit(await addressOf(scene, contractNo), { agent }) }
  }

  test('is told once it is signed and once it ends, in XML, and is known by API v3', async () => {
    const { contractNo, page } = await offered()
    expect(await contracts.query(contractNo, soon())).toBeNull()
    await press(page, 'sign')
    await expect.poll(facts).toHaveLength(1)
    const fact = await contracts.query(contractNo, soon())
    expect(fact).toMatchObject({ contractNo, state: 'signed', app: sandbox.wechat.appId })
    expect(facts()).toEqual([fact])
    const { told, answered } = await control({ contract: { contractNo, do: 'tell' } })
    expect(told[0]?.body).toMatch(/^<xml>/)
    expect(answered[0]?.body).toContain('SUCCESS')
    await press(page, 'end')
    await expect.poll(facts).toContainEqual({ ...fact, state: 'ended' })
    // What was signed is told again after the end: it is over all the same.
    await control({ contract: { contractNo, do: 'tell', says: 'signed' } })
    expect(facts().at(-1)?.state).toBe('ended')
  })

  test('is announced, charged and ended by API v3', async () => {
    const { contractNo, page } = await offered()
    await press(page, 'sign')
    const { providerNo, app } = (await contracts.query(contractNo, soon()))!
    const charge = { providerNo, app, tradeNo: newNo(), fee: 1200, subject: 'BUFF 连续包月' }
    expect((await contracts.charge(charge, soon())).is).toBe('taken')
    await contracts.end({ contractNo, providerNo }, soon())
    await expect.poll(() => facts().at(-1)?.state).toBe('ended')
  })

  test('is told late, ten times, or not at all, as the provider feels', async () => {
    const [late, often, never] = [await offered(), await offered(), await offered()]
    await control({ contract: { contractNo: never.contractNo, do: 'sign' }, lost: true })
    await control({ contract: { contractNo: late.contractNo, do: 'sign' }, lateSeconds: 60 })
    await control({ contract: { contractNo: often.contractNo, do: 'sign' }, times: 10 })
    const numbersTold = () => facts().map((it) => it.contractNo)
    await expect.poll(() => new Set(numbersTold())).toEqual(new Set([late.contractNo, often.contractNo]))
    expect(numbersTold().filter((it) => it === often.contractNo)).toHaveLength(10)
    expect(await contracts.query(never.contractNo, soon())).toMatchObject({ state: 'signed' })
  })

  test('is told again when the server fails, and when it answers in another form', async () => {
    const { contractNo } = await offered()
    server.answers.push(500)
    await control({ contract: { contractNo, do: 'sign' } })
    await expect.poll(() => facts().length).toBe(2)
  })

  test.each(['signature', 'body', 'serial', 'secret', 'unsigned'] as const)(
    'is not told by a message with another %s',
    async (forge) => {
      const { contractNo } = await offered()
      await control({ contract: { contractNo, do: 'sign' }, lost: true })
      const { answered } = await control({ contract: { contractNo, do: 'tell' }, forge })
      // Messages of tests before that were refused are sent again beside it.
      expect(server.told).toContain('signature')
      expect(facts().filter((it) => it.contractNo === contractNo)).toEqual([])
      expect(answered).toEqual([
        { status: 200, body: '<xml><return_code>FAIL</return_code><return_msg>验签失败</return_msg></xml>' },
      ])
    },
  )

  test('is not told by a genuine message of another merchant', async () => {
    const { contractNo } = await offered()
    await control({ contract: { contractNo, do: 'tell' }, merchant: '1900000109' })
    expect(server.told).toContain('form')
    expect(facts().filter((it) => it.contractNo === contractNo)).toEqual([])
  })
})
