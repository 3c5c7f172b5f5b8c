/**
 * A production start as an operator makes it: a process with NODE_ENV=production behind Debian's nginx with
 * TLS, whose codes a provider of SMS sends. The provider is on this machine and verifies every request as
 * Alibaba Cloud does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestDatabase, type TestDatabase } from '../../server/src/testing/database/database.ts'
import {
  openSmsServer,
  type SmsServer,
  smsAccount,
  smsVariables,
} from '../../server/src/testing/outside/smsServer.ts'
import { freePort } from '../../server/src/testing/port.ts'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/process.ts'
import { haveNginx, startTlsProxy } from '../nginx.ts'
import { openBrowser, openPhone } from '../phone.ts'

const PORT = await freePort()
const PUBLIC_URL = `https://localhost:${PORT}`
const METRICS_TOKEN = 'a-token-of-the-operator'
const MOBILE = '13955550002'

let database: TestDatabase
let sms: SmsServer
let server: ServerProcess
let browser: Browser
let nginx: ChildProcess
let directory: string

test.beforeAll(async () => {
  expect(haveNginx()).toBe(true)
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-production-'))
  database = await openTestDatabase()
  sms = await openSmsServer()
  server = await startServerProcess({
    dataDir: path.join(directory, 'data'),
    port: await freePort(),
    databaseUrl: database.url,
    env: {
      NODE_ENV: 'production',
      DEMO: '',
      PUBLIC_URL,
      TRUSTED_PROXIES: '127.0.0.1',
      METRICS_TOKEN,
      ...smsVariables(sms.url),
    },
  })
  nginx = await startTlsProxy(directory, server.url, PORT)
  browser = await openBrowser()
})

test.afterAll(async () => {
  await browser?.close()
  nginx?.kill('SIGTERM')
  await server?.stop()
  await sms?.close()
  await database?.close()
  await rm(directory, { recursive: true, force: true })
})

test('a start without a provider of SMS ends with one line that names the variables to set', async () => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../scripts/start.ts')], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: database.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(1)
  expect(said.trim().split('\n')).toHaveLength(1)
  for (const name of ['SMS_PROVIDER=aliyun', 'ALIYUN_ACCESS_KEY_SECRET', 'TENCENT_SMS_TEMPLATE_ID'])
    expect(said).toContain(name)
})

test('a person registers through TLS and the proxy with a code that the provider sent', async () => {
  const { page, complaints } = await openPhone(browser, PUBLIC_URL, { ignoreCertificates: true })
  await page.goto('/login')
  await page.getByLabel('手机号', { exact: true }).fill(MOBILE)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  expect(sms.accepted).toMatchObject([
    { provider: 'aliyun', to: MOBILE, signName: smsAccount.aliyun.signName },
  ])
  await page.getByLabel('验证码', { exact: true }).fill(sms.codeFor(MOBILE))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL('**/channels/')
  expect(complaints).toEqual([])
  for (const url of [PUBLIC_URL, server.url]) {
    const outbox = await page.request.get(`${url}/dev/outbox?mobile=${MOBILE}`)
    expect([outbox.status(), (await outbox.text()).includes(sms.codeFor(MOBILE))]).toEqual([404, false])
  }
})

test('while the first provider is down the second one sends, and the metrics count both', async ({
  request,
}) => {
  sms.faultMode('aliyun', [{ status: 503 }], true)
  const asked = await request.post(`${server.url}/api/v3/auth/phone-verification`, {
    data: { mobile: '13955550003' },
  })
  expect(await asked.json()).toMatchObject({ code: 0 })
  expect(sms.accepted.at(-1)).toMatchObject({ provider: 'tencent', to: '+8613955550003' })
  const metrics = await request.get(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const text = await metrics.text()
  for (const line of [
    'guildhall_sms_sent_total{provider="aliyun",outcome="accepted"} 1',
    'guildhall_sms_sent_total{provider="aliyun",outcome="unreachable"} 2',
    'guildhall_sms_sent_total{provider="tencent",outcome="accepted"} 1',
    'guildhall_sms_day_messages 2',
    'guildhall_sms_day_max 10000',
  ])
    expect(text).toContain(line)
})

test('the proxy redirects to https, tells browsers to stay there, and logs no query', async ({ request }) => {
  const plain = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      socketPath: `${directory}/http.sock`,
      path: '/login?redir=%2Fchannels',
      headers: { host: 'localhost' },
    }
    get(options, resolve).on('error', reject)
  })
  plain.resume()
  expect([plain.statusCode, plain.headers.location]).toEqual([
    301,
    'https://localhost/login?redir=%2Fchannels',
  ])
  const secure = await request.get(`${PUBLIC_URL}/login?secret=in-the-query`, { ignoreHTTPSErrors: true })
  expect(secure.headers()['strict-transport-security']).toBe('max-age=31536000')
  const log = await readFile(`${directory}/access.log`, 'utf8')
  expect(log).toContain('GET /login 200')
  expect(log).not.toContain('in-the-query')
})
