import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clock, replaceClock } from '@guildhall/server/kit/clock.ts'
import type { NewPayment, PayProvider } from '@guildhall/server/outside/payment/payProvider.ts'
import { openWechatPay } from '@guildhall/server/outside/payment/wechat/wechat.ts'
import { openPayServer, type PayServer } from '@guildhall/server/testing/pay/payServer.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openControl } from './control.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

let passed = 0
const restoreClock = replaceClock(() => Date.now() + passed)

let dir: string
let sandbox: Sandbox
let server: PayServer
let provider: PayProvider

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-sandbox-'))
  server = await openPayServer()
  sandbox = await openSandbox({ dir: path.join(dir, 'one'), host: '127.0.0.1', port: 0, waitFactor: 0 })
  provider = openWechatPay(sandbox.wechat, { notifyUrl: server.notifyUrl })
  server.use(provider)
})
afterAll(async () => {
  restoreClock()
  await sandbox.close()
  await server.close()
  await rm(dir, { recursive: true })
})
afterEach(() => {
  server.told.length = 0
})

let count = 0
const payment = (change: Partial<NewPayment> = {}): NewPayment => {
  count += 1
  return {
    scene: 'phone',
    tradeNo: `S${100_000 + count}`,
    fee: 1_800,
    subject: 'BUFF 会员 <30 天>',
    expiresAt: clock.now() + 15 * MINUTE_MS,
    clientIp: '203.0.113.7',
    returnUrl: 'https://hall.example/order/1?a=b&c=d',
    ...change,
  }
}
const soon = () => AbortSignal.timeout(5_000)
/** The cashier's address of a new payment. */
async function cashierOf(input: NewPayment): Promise<string> {
  const data = await provider.start(input, soon())
  if (data.kind === 'redirect') return data.url
  if (data.kind === 'qr') return data.code
  throw new Error(data.kind)
}
const read = async (answer: Response) => ({ status: answer.status, html: await answer.text() })
const show = async (address: string) => read(await fetch(address))
/** Taps a button; the page that follows. */
async function tap(address: string, action: string) {
  const { origin, pathname } = new URL(address)
  const answer = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ do: action }),
    redirect: 'manual',
  })
  if (answer.status !== 303) return read(answer)
  return show(new URL(answer.headers.get('location') ?? '', origin).href)
}
const buttonsIn = (html: string) => [...html.matchAll(/name="do" value="(\w+)"/g)].map(([, action]) => action)

describe('the control is refused', () => {
  const post = (
    body: string,
    headers: Record<string, string> = { authorization: `Bearer ${sandbox.token}` },
  ) => fetch(`${sandbox.url}/control`, { method: 'POST', body, headers })

  it('without the token', async () => {
    for (const headers of [{}, { authorization: 'Bearer other' }, { authorization: sandbox.token }])
      expect((await post('{}', headers as Record<string, string>)).status).toBe(401)
    expect((await fetch(`${sandbox.url}/control`)).status).toBe(405)
  })

  it.each([
    ['no JSON', 'what is no JSON'],
    ['what it does not know', '{"tradeNo":"G1","steal":true}'],
    ['more than it does', '{"tradeNo":"G1","times":10001}'],
    ['an amount below nothing', '{"tradeNo":"G1","fee":-1}'],
    ['a forgery that is none', '{"tradeNo":"G1","forge":"money"}'],
  ])('for %s', async (_name, body) => {
    expect((await post(body)).status).toBe(400)
  })

  it('for a trade that is not there, or cannot be paid', async () => {
    expect((await post('{"tradeNo":"G1"}')).status).toBe(409)
    expect((await post('{"open":{"kind":"qr","code":"weixin://"}}')).status).toBe(409)
    expect((await post('{"open":{"kind":"nothing"}}')).status).toBe(409)
    const it = payment()
    await provider.start(it, soon())
    await provider.close(it.tradeNo, soon())
    expect((await post(JSON.stringify({ tradeNo: it.tradeNo }))).status).toBe(409)
  })

  it('for more than a person sends', async () => {
    expect((await post(`"${'x'.repeat(300_000)}"`)).status).toBe(413)
  })
})

describe('the cashier', () => {
  it('does not open for what is not there, nor five minutes after H5 was started', async () => {
    expect((await show(`${sandbox.url}/cashier/nothing`)).status).toBe(404)
    expect((await show(`${sandbox.url}/nothing`)).status).toBe(404)
    const address = await cashierOf(payment())
    expect((await show(address.replace('prepay_id=', 'prepay_id=x'))).status).toBe(410)
    passed += 5 * MINUTE_MS + 1_000
    expect((await show(address)).status).toBe(410)
  })

  it('does nothing that is not offered', async () => {
    const address = await cashierOf(payment())
    for (const action of ['refund', 'anyway', 'steal', '', 'constructor'])
      expect((await tap(address, action)).status).toBe(409)
    expect(await provider.query(`S${100_000 + count}`, soon())).toEqual({ state: 'waiting' })
  })

  it('runs and loads nothing, and shows texts as texts', async () => {
    const answer = await fetch(await cashierOf(payment()))
    const html = await answer.text()
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect(html).not.toMatch(/<script|<img|<link|style=| on\w+=/)
    expect(html).toContain('BUFF 会员 &#60;30 天&#62;')
    expect(html).toContain('¥18.00')
  })

  it('takes the money, tells the server, and leads back', async () => {
    const it = payment()
    const address = await cashierOf(it)
    const { html } = await show(address)
    expect(buttonsIn(html)).toEqual(['pay', 'cancel', 'fail', 'twice', 'late'])
    expect(html).not.toContain('http-equiv')
    const after = await tap(address, 'pay')
    const back = it.returnUrl.replace('&', '&#38;')
    expect(after.html).toContain(`<a class="button main" href="${back}">`)
    expect(after.html).toContain(`<meta http-equiv="refresh" content="2;url=${back}">`)
    expect(after.html).toContain('已支付')
    await expect.poll(() => server.told.length).toBe(1)
    expect((await provider.query(it.tradeNo, soon())).state).toBe('paid')
    // The address of H5 is not needed for what is open.
    passed += 5 * MINUTE_MS + 1_000
    expect(buttonsIn((await tap(address, 'refund')).html)).toEqual([])
    await expect.poll(() => server.told.at(-1)).toMatchObject({ kind: 'refund', answer: { fee: 1_800 } })
    expect((await show(`${sandbox.url}/`)).html).toContain('已退款')
  })

  it('does not lead to an address that is no page', async () => {
    const address = await cashierOf(payment({ returnUrl: 'javascript:alert(1)' }))
    await show(address)
    expect((await tap(address, 'pay')).html).not.toContain('javascript')
  })

  it.each([
    ['cancel', '你取消了支付'],
    ['fail', '支付失败'],
  ])('takes no money: %s', async (action, text) => {
    const it = payment({ scene: 'qr' })
    const { html } = await tap(await cashierOf(it), action)
    expect(html).toContain(text)
    expect(await provider.query(it.tradeNo, soon())).toEqual({ state: 'waiting' })
    expect(server.told).toEqual([])
  })

  it('tells it twice, and late', async () => {
    const twice = payment({ scene: 'qr' })
    await tap(await cashierOf(twice), 'twice')
    await expect.poll(() => server.told.length).toBe(2)
    const late = payment({ scene: 'qr' })
    await tap(await cashierOf(late), 'late')
    expect((await provider.query(late.tradeNo, soon())).state).toBe('paid')
    await expect.poll(() => server.told.length).toBe(3)
  })

  it('takes money after its time, when one insists', async () => {
    const it = payment({ scene: 'qr' })
    const address = await cashierOf(it)
    passed += 15 * MINUTE_MS
    const { html } = await show(address)
    expect([buttonsIn(html), html.includes('已过期')]).toEqual([['anyway'], true])
    expect((await tap(address, 'anyway')).html).toContain('已支付')
    await expect.poll(() => server.told.length).toBe(1)
  })
})

it('the list has the newest trades first', async () => {
  const [first, second] = [payment({ subject: '先' }), payment({ subject: '后' })]
  for (const each of [first, second]) await provider.start(each, soon())
  const { status, html } = await show(`${sandbox.url}/`)
  expect(status).toBe(200)
  expect(html.indexOf('后')).toBeLessThan(html.indexOf('先'))
  expect((await fetch(`${sandbox.url}/`, { method: 'POST' })).status).toBe(405)
})

describe('a directory', () => {
  const openIn = (name: string, port = 0) =>
    openSandbox({ dir: path.join(dir, name), host: '127.0.0.1', port, waitFactor: 0 })

  it('is of one sandbox at a time', async () => {
    await expect(openIn('one')).rejects.toThrow(`process ${process.pid} has the sandbox in`)
  })

  it('is for its account alone', async () => {
    expect((await stat(path.join(dir, 'one'))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(path.join(dir, 'one')))
      if (name !== 'lock')
        expect([name, (await stat(path.join(dir, 'one', name))).mode & 0o777]).toEqual([name, 0o600])
  })

  it('may be reached under another address than where it listens', async () => {
    const url = 'http://pay.example:8081'
    const there = await openSandbox({ dir: path.join(dir, 'five'), host: '127.0.0.1', port: 0, url })
    expect([there.url, there.wechat.endpoint, there.alipay.endpoint]).toEqual([url, url, `${url}/gateway.do`])
    await there.close()
  })

  it('keeps keys, address and token', async () => {
    const before = await openIn('two')
    await before.close()
    const after = await openIn('two')
    expect([after.url, after.token, after.wechat, after.alipay, after.wechatPublicKey]).toEqual([
      before.url,
      before.token,
      before.wechat,
      before.alipay,
      before.wechatPublicKey,
    ])
    await after.close()
  })

  it('opens on another port when its own was taken meanwhile', async () => {
    const before = await openIn('three')
    await before.close()
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(Number(new URL(before.url).port), '127.0.0.1', done))
    const after = await openIn('three')
    expect(after.url).not.toBe(before.url)
    expect(after.wechat.endpoint).toBe(after.url)
    await after.close()
    // A port that is asked for is that port, or none.
    await expect(openIn('three', (taken.address() as AddressInfo).port)).rejects.toThrow('EADDRINUSE')
    taken.close()
  })
})

describe('as a process of its own', () => {
  const children: ChildProcess[] = []
  // It has a clock of its own.
  beforeAll(() => {
    passed = 0
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  async function run(...more: string[]): Promise<{ url: string; token: string; child: ChildProcess }> {
    const args = [path.join(import.meta.dirname, 'main.ts'), '--dir', path.join(dir, 'four'), ...more]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    return { ...(JSON.parse(line.toString()) as { url: string; token: string }), child }
  }

  it('says what is wrong with how it is run', async () => {
    for (const [args, text] of [
      [[], '--dir is missing'],
      [['--dir', dir, '--port', 'x'], '--port is no port'],
      [['--dir', dir, '--wait-factor', 'x'], '--wait-factor is no number'],
    ] as const) {
      const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...args], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      children.push(child)
      const [[said], [code]] = await Promise.all([once(child.stderr!, 'data'), once(child, 'exit')])
      expect([String(said).includes(text), code]).toEqual([true, 1])
    }
  })

  it('loses no payment when it is killed, and tells what the server has not taken', async () => {
    const first = await run('--wait-factor', '0.01')
    const { wechat } = await configOf(first)
    const it = payment({ scene: 'qr' })
    // Nobody hears at the address that it is told at.
    const deaf = openWechatPay(wechat, { notifyUrl: 'http://127.0.0.1:9/notify' })
    await deaf.start(it, soon())
    const { answered, trade } = await openControl(first)({ tradeNo: it.tradeNo })
    expect([answered.map(({ status }) => status), trade?.state]).toEqual([[0], 'paid'])
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')

    const second = await run('--wait-factor', '0.01')
    expect([second.url, second.token]).toEqual([first.url, first.token])
    expect(await deaf.query(it.tradeNo, soon())).toMatchObject({
      state: 'paid',
      fact: { tradeNo: it.tradeNo, providerNo: trade?.providerNo },
    })
    const sent = async () =>
      (await openControl(second)({ tradeNo: it.tradeNo, look: true })).trade?.deliveries[0]?.sent ?? 0
    const before = await sent()
    await expect.poll(sent).toBeGreaterThan(before)
    second.child.kill('SIGTERM')
    const [code] = await once(second.child, 'exit')
    expect(code).toBe(0)
  })

  /** The keys of a process, which has them in its directory. */
  async function configOf({ url }: { readonly url: string }) {
    const { openKeys, wechatConfigOf } = await import('./keys.ts')
    return { wechat: wechatConfigOf((await openKeys(path.join(dir, 'four'))).now, url) }
  }
})
