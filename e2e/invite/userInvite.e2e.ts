/**
 * A personal invite: who opens the link registers, and the inviter is credited once. chat.md §2, §4 and §5.
 */
import { logout } from '@guildhall/wire/auth/auth.ts'
import { myInviteCodes } from '@guildhall/wire/invite/referral.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectStored } from '../ask.ts'
import { look } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
let code: string
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT_SCALE: '1000', CAPTCHA: 'never' })
  browser = await openBrowser()
  code = (await codes())[0]!.code
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  const complaints = phones.flatMap((phone) => phone.complaints)
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

const codes = async () => (await server.as('owner').call(myInviteCodes)).items

async function open(path = `/user-invite/${code}`, options?: Parameters<typeof openPhone>[2]): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  await phone.page.goto(path)
  return phone.page
}
const submit = (page: Page) => page.locator('form button[type=submit]')

/** What a script of the page can do with the stored code and its key: use the key, not take it away. */
async function readSealed(): Promise<{ code: string; exported: string }> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('guildhall-keys')
    opening.onsuccess = () => resolve(opening.result)
  })
  const key = await new Promise<CryptoKey>((resolve) => {
    const reading = db.transaction('keys').objectStore('keys').get('invite code')
    reading.onsuccess = () => resolve(reading.result)
  })
  db.close()
  const bytes = Uint8Array.from(atob(localStorage.getItem('invite_code') ?? ''), (it) => it.charCodeAt(0))
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.slice(0, 12) },
    key,
    bytes.slice(12),
  )
  const exported = await crypto.subtle.exportKey('raw', key).then(
    () => 'exported',
    (error: Error) => error.name,
  )
  return { code: new TextDecoder().decode(opened), exported }
}

test('every refusal says what to do, in its own words', async () => {
  const page = await open()
  await page.getByRole('heading', { name: /邀请你使用公会厅$/ }).waitFor()
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByText('请输入手机号码').waitFor()
  await submit(page).click()
  await page.getByText('请输入手机号码').waitFor()
  await page.getByText('请输入验证码').waitFor()
  await page.getByLabel('手机号码').fill('12345678901'.replace('1', '2'))
  await page.getByLabel('验证码', { exact: true }).fill('000000')
  await submit(page).click()
  await page.getByText('手机号码不正确').waitFor()
  await picture(page, 'user-invite-refused')
  await page.getByLabel('手机号码').fill('13811110001')
  await submit(page).click()
  await page.getByText(/验证码已失效|验证码错误/).waitFor()
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await page.reload()
  // The countdown and the number outlive a reload.
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await expect(page.getByLabel('手机号码')).toHaveValue('13811110001')
  const right = await server.codeFor('13811110001')
  await page.getByLabel('验证码', { exact: true }).fill(right === '111111' ? '222222' : '111111')
  await submit(page).click()
  await page.getByText('验证码错误').waitFor()
  await page.context().setOffline(true)
  await submit(page).click()
  await page.getByText('网络错误：网络已断开').waitFor()
  await page.context().setOffline(false)
  expect((await codes())[0]?.count).toBe(0)
})

test('somebody registers, and a second tap, a reload and the way back credit nobody again', async () => {
  const page = await open()
  const logins: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v3/auth/mobile-login'))
      logins.push(`${request.headers()['x-client-source']} ${request.postData()}`)
  })
  await page.getByLabel('手机号码').fill('13811110002')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  // The code of the invite lies on the phone, and cannot be read there.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('invite_code'))).toBeTruthy()
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain(code)
  await expect.poll(() => page.evaluate(readSealed)).toEqual({ code, exported: 'InvalidAccessError' })
  await page.getByLabel('验证码', { exact: true }).fill(await server.codeFor('13811110002'))
  await submit(page).dblclick()
  const dialog = page.getByRole('alertdialog', { name: '邀请成功' })
  await dialog.getByText(/你已成功接受 .+ 的邀请，祝你玩得开心/).waitFor()
  await expectAccessible(page)
  await picture(page, 'user-invite-done')
  expect(logins).toHaveLength(1)
  expect(logins[0]).toMatch(/^0 /)
  expect(JSON.parse(logins[0]!.slice(2))).toMatchObject({
    type: 'invite_reg',
    invite_code: code,
    remember: true,
  })
  await expectStored(page, 'invite_code', null)
  await expect.poll(async () => (await codes())[0]?.count).toBe(1)
  await page.reload()
  await page.getByText('你已登录。邀请只用于新用户注册').waitFor()
  await picture(page, 'user-invite-known')
  await page.getByRole('link', { name: '进入公会厅' }).click()
  await page.locator('[data-part=user-menu-button]').waitFor()
  await expect.poll(async () => (await codes())[0]?.count).toBe(1)
})

test('the dialog leads into the app, and Back does not lead to the invite', async () => {
  const page = await open()
  await page.getByLabel('手机号码').fill('13811110003')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.codeFor('13811110003'))
  await submit(page).click()
  await page.getByRole('button', { name: '进入公会厅' }).click()
  await page.waitForURL('**/channels/**')
  await page.locator('[data-part=user-menu-button]').waitFor()
})

test('on a phone with a store the dialog leads there, and Back leads into the app', async () => {
  const other = await openTestServer({ IOS_STORE_URL: 'https://apps.example/app/id1' })
  const { items } = await other.as('owner').call(myInviteCodes)
  const phone = await openPhone(browser, other.url, {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Safari/604.1',
  })
  try {
    const { page } = phone
    await page.route('https://apps.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>the store</h1>' }),
    )
    await page.goto(`${other.url}/user-invite/${items[0]!.code}`)
    await page.getByLabel('手机号码').fill('13811110009')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
    await page.getByLabel('验证码', { exact: true }).fill(await other.codeFor('13811110009'))
    await submit(page).click()
    const dialog = page.getByRole('alertdialog', { name: '邀请成功' })
    await dialog.getByRole('button', { name: '进入公会厅' }).waitFor()
    await picture(page, 'user-invite-store')
    await dialog.getByRole('button', { name: '下载 APP' }).click()
    await page.getByRole('heading', { name: 'the store' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/channels/**')
    await page.locator('[data-part=user-menu-button]').waitFor()
  } finally {
    await phone.close()
    await other.close()
  }
})

test('the countries that get no codes come last, and say so', async () => {
  const page = await open()
  await page.getByRole('button', { name: /国家或地区/ }).click()
  const list = page.getByRole('listbox', { name: '国家或地区' })
  const without = list.getByRole('group', { name: '以下国家或地区暂不支持短信验证码' })
  await expect(without.getByRole('option', { name: '新加坡' })).toBeVisible()
  await expect(without.getByRole('option', { name: '中国 +86' })).toHaveCount(0)
  await expect(list.locator('[role=option]').first()).toHaveText('中国+86')
  await expectAccessible(page)
  await picture(page, 'countries')
})

test('an unknown code says so and offers a way on; without a code there is nothing', async () => {
  const unknown = await open('/user-invite/ZZZZZZZZ')
  await unknown.getByRole('heading', { name: '邀请无效' }).waitFor()
  await unknown.getByRole('link', { name: '不用邀请，直接注册' }).click()
  await unknown.getByRole('heading', { name: '登录', exact: true }).waitFor()
  const bare = await open('/user-invite')
  await bare.waitForLoadState('networkidle')
  await expect(bare.locator('#root')).toHaveText('')
})

test('the old registration route leads to the start', async () => {
  const page = await open('/register?from=old')
  await page.getByRole('heading', { name: '公会厅' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
})

test('a chat app that is given the link sees who invites', async () => {
  const html = await (await fetch(`${server.url}/user-invite/${code}`)).text()
  expect(html).toMatch(/<title>.+ 邀请你使用公会厅 · 公会厅<\/title>/)
  expect(html).toMatch(/property="og:image" content="[^"]+\/share\.png"/)
  expect((await fetch(`${server.url}/user-invite/ZZZZZZZZ`)).status).toBe(404)
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`is readable by everybody, in ${locale}`, async () => {
    const page = await open(undefined, { locale })
    await submit(page).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await look(page, `user-invite-${locale}`)
    const unknown = await open('/user-invite/ZZZZZZZZ', { locale })
    await unknown.locator('main h1').waitFor()
    await look(unknown, `user-invite-invalid-${locale}`)
  })

test('a session that ends while somebody accepts a guild’s invite leads to the start, with the way back', async () => {
  const token = await server.login('outsider')
  const phone = await openPhone(browser, server.url)
  phones.push(phone)
  const { page } = phone
  await phone.context.addInitScript((it) => {
    if (!sessionStorage.getItem('once')) localStorage.setItem('authorization', it)
    sessionStorage.setItem('once', '1')
  }, token)
  await page.goto(`/invite/${server.invite}`)
  await page.getByRole('button', { name: '接受邀请' }).waitFor()
  await page.waitForLoadState('networkidle')
  await server.as({ token }).call(logout)
  await page.getByRole('button', { name: '接受邀请' }).click()
  await page.waitForURL(`**/?redir=${encodeURIComponent(`/invite/${server.invite}`)}`)
  await expectStored(page, 'authorization', null)
})
