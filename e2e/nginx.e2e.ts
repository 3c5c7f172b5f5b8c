/** The story once more, behind TLS: the nginx configuration of docs/operations.md, run by Debian's nginx. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ensurePackages } from '../scripts/packages.ts'
import { type House, openHouse } from '../server/src/testing/house.ts'
import { openBrowser, openPhone } from './phone.ts'

const PORT = 33_000 + (process.pid % 2_000)
const PUBLIC_URL = `https://localhost:${PORT}`

let house: House
let browser: Browser
let nginx: ChildProcess
let directory: string

/** The configuration as the page prints it, with this run's addresses and files in place of the example's. */
async function configuration(): Promise<string> {
  const page = await readFile(path.join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const block = /```nginx\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const replaced: [string, string][] = [
    ['server 127.0.0.1:8080;', `server ${new URL(house.url).host};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${PORT} ssl http2;`],
    ['server_name guildhall.example.com;', 'server_name localhost;'],
    ['/etc/ssl/guildhall.pem', `${directory}/cert.pem`],
    ['/etc/ssl/guildhall.key', `${directory}/key.pem`],
  ]
  let text = block
  for (const [from, to] of replaced) {
    expect(text).toContain(from)
    text = text.replace(from, () => to)
  }
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${directory}/${each};`,
  )
  return `daemon off; error_log ${directory}/error.log; pid ${directory}/pid;
events {} http { access_log off; ${own.join(' ')} ${text} }`
}

beforeAll(async () => {
  expect(
    ensurePackages('nginx behind which the story is lived', ['nginx', 'openssl'], ['nginx-light', 'openssl']),
  ).toBe(true)
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-nginx-'))
  house = await openHouse({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-keyout', `${directory}/key.pem`, '-out', `${directory}/cert.pem`],
    ],
    { stdio: 'ignore' },
  )
  await writeFile(`${directory}/nginx.conf`, await configuration())
  nginx = spawn('nginx', ['-p', directory, '-c', `${directory}/nginx.conf`], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  await vi.waitUntil(() => canConnect(PORT), { timeout: 10_000 })
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  nginx?.kill('SIGTERM')
  await house?.close()
  await rm(directory, { recursive: true, force: true })
})

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

it('behind nginx a guest joins, speaks over the encrypted line, and is heard', async () => {
  const guest = await openPhone(browser, PUBLIC_URL, { ignoreCertificates: true })
  const friend = await openPhone(browser, PUBLIC_URL, { ignoreCertificates: true })
  const lines: string[] = []
  friend.page.on('websocket', (line) => lines.push(line.url()))
  const token = await house.login('member')
  await friend.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await friend.page.goto(`/channels/${house.guildId}/${house.channel('闲聊')}`)
  await friend.page.getByPlaceholder('发送消息到').waitFor()

  await guest.page.goto(`/invite/${house.invite}`)
  expect(await guest.page.locator('meta[property="og:url"]').getAttribute('content')).toBe(
    `${PUBLIC_URL}/invite/${house.invite}`,
  )
  await guest.page.getByRole('button', { name: '接受邀请' }).click()
  await guest.page.getByLabel('手机号码').fill('13955550001')
  await guest.page.getByRole('button', { name: '获取验证码' }).click()
  await guest.page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await guest.page.getByLabel('验证码', { exact: true }).fill(await house.codeFor('13955550001'))
  await guest.page.getByRole('button', { name: '注册并加入' }).click()
  await guest.page.getByPlaceholder('发送消息到').fill('隔着 nginx 也听得到')
  await guest.page.getByRole('button', { name: '发送', exact: true }).click()
  await friend.page.locator('.message-words', { hasText: '隔着 nginx 也听得到' }).waitFor()
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^wss:/)
  expect([...guest.complaints, ...friend.complaints]).toEqual([])
})
