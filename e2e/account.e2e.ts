/** The page of one's own account: what is set there, and where it is logged in. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture, type Theme } from './phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.close()
})

async function open(
  token: string | null,
  path: string,
  options: { theme?: Theme; locale?: 'zh-CN' | 'en-US'; userAgent?: string } = {},
): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  if (token) await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(path)
  return phone.page
}

test('without a login the account leads to the login, and back after it', async () => {
  const page = await open(null, '/account/devices')
  await page.waitForURL(/\/login\?redir=%2Faccount%2Fdevices/)
})

test('the menu leads to the account, Back leads to the list', async () => {
  const page = await open(await server.login('member'), `/channels/${server.guildId}`)
  await page.getByRole('button', { name: '我的菜单' }).click()
  await page.getByRole('link', { name: '我的账号' }).click()
  await expect(page.getByRole('heading', { name: '我的账号' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/channels/${server.guildId}$`))
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a device that is signed out here is logged out there at once, also while it is open', async () => {
  const here = await server.login('owner')
  const lost = await server.login('owner')
  const there = await open(lost, `/channels/${server.guildId}/${server.channel('闲聊')}`)
  await there.locator('[data-part=message-text]').first().waitFor()
  const page = await open(here, '/account/devices')
  await expect(page.locator('[data-part=device]')).toHaveCount(2)
  await expect(page.getByText('当前设备')).toBeVisible()
  await picture(page, 'account-devices')
  await page.getByRole('button', { name: '退出其他所有设备' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(page.locator('[data-part=device]')).toHaveCount(2)
  await page.getByRole('button', { name: /^将 .* 退出登录$/ }).click()
  await dialog.getByRole('button', { name: '退出', exact: true }).click()
  await expect(page.locator('[data-part=device]')).toHaveCount(1)
  await expect(page.getByText('没有其他设备登录')).toBeVisible()
  await there.waitForURL((url) => url.pathname === '/')
  expect(new URL(there.url()).searchParams.get('redir')).toContain(`/channels/${server.guildId}`)
})

test('somebody takes their data along as a file', async () => {
  const page = await open(await server.login('member'), '/account')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载我的数据' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('guildhall-南枝.json')
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    profile: { mobile: string }
    messages: object[]
    sessions: object[]
  }
  expect(data.profile.mobile).toBe(server.person('member').mobile)
  expect(data.messages.length).toBeGreaterThan(0)
  expect(data.sessions.length).toBeGreaterThan(0)
})

test('theme and language are changed at once and kept', async () => {
  const page = await open(await server.login('member'), '/account')
  await page.getByRole('switch', { name: '深色模式' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: /语言/ }).click()
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('logging out asks first, and leads to the landing page', async () => {
  const page = await open(await server.login('muted'), '/account')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  expect(await page.evaluate(() => localStorage.getItem('authorization'))).toBe(null)
})

for (const theme of ['light', 'dark'] as const)
  for (const locale of ['zh-CN', 'en-US'] as const)
    test(`account and devices are accessible, in the ${theme} theme, in ${locale}`, async () => {
      const token = await server.login('member')
      const page = await open(token, '/account', { theme, locale })
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await expectAccessible(page)
      await picture(page, `account-${theme}-${locale}`)
      await page.goto('/account/devices')
      await page.locator('[data-part=device]').first().waitFor()
      await expectAccessible(page)
      await picture(page, `account-devices-${theme}-${locale}`)
    })
