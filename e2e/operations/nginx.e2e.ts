/**
 * Registration and messages behind TLS, with the nginx configuration of docs/operations.md in Debian's nginx.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { freePort } from '../../server/src/testing/port.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { haveNginx, startTlsProxy } from '../nginx.ts'
import { openBrowser, openPhone } from '../phone.ts'

const PORT = await freePort()
const PUBLIC_URL = `https://localhost:${PORT}`

let server: TestServer
let browser: Browser
let nginx: ChildProcess
let directory: string

test.beforeAll(async () => {
  expect(haveNginx()).toBe(true)
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-nginx-'))
  server = await openTestServer({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })
  nginx = await startTlsProxy(directory, server.url, PORT)
  browser = await openBrowser()
})

test.afterAll(async () => {
  await browser?.close()
  nginx?.kill('SIGTERM')
  await server?.close()
  await rm(directory, { recursive: true, force: true })
})

test('behind nginx a guest joins and sends a message over an encrypted connection', async () => {
  const guest = await openPhone(browser, PUBLIC_URL, { ignoreCertificates: true })
  const friend = await openPhone(browser, PUBLIC_URL, { ignoreCertificates: true })
  const socketUrls: string[] = []
  friend.page.on('websocket', (socket) => socketUrls.push(socket.url()))
  const token = await server.login('member')
  await friend.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await friend.page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
  await friend.page.getByPlaceholder('发送消息到').waitFor()

  await guest.page.goto(`/invite/${server.invite}`)
  await expect(guest.page.locator('meta[property="og:url"]')).toHaveAttribute(
    'content',
    `${PUBLIC_URL}/invite/${server.invite}`,
  )
  await guest.page.getByRole('button', { name: '接受邀请' }).click()
  await guest.page.getByLabel('手机号码').fill('13955550001')
  await guest.page.getByRole('button', { name: '获取验证码' }).click()
  await guest.page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await guest.page.getByLabel('验证码', { exact: true }).fill(await server.codeFor('13955550001'))
  await guest.page.getByRole('button', { name: '注册并加入' }).click()
  await guest.page.getByPlaceholder('发送消息到').fill('隔着 nginx 也听得到')
  await guest.page.getByRole('button', { name: '发送', exact: true }).click()
  await friend.page.locator('[data-part=message-text]', { hasText: '隔着 nginx 也听得到' }).waitFor()
  expect(socketUrls.length).toBeGreaterThan(0)
  for (const each of socketUrls) expect(each).toMatch(/^wss:/)
  expect([...guest.complaints, ...friend.complaints]).toEqual([])
})
