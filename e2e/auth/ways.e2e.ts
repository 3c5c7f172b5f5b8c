/**
 * Registering without SMS: by an address and by a name, from an invite, and logging in again. In both themes
 * and languages, on a phone and at a desk.
 */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, expectFits } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer({ REGISTRATION: 'email,invite', CAPTCHA: 'never' })
  browser = await openBrowser()
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

async function open(path: string, options?: Parameters<typeof openPhone>[2]): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  await phone.page.goto(path)
  return phone.page
}

async function codeFor(address: string): Promise<string> {
  const [mail] = (await (await fetch(`${server.url}/dev/mailbox?address=${address}`)).json()) as {
    code: string
  }[]
  return mail!.code
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page
    .getByRole('alertdialog', { name: '确定要退出登录吗？' })
    .getByRole('button', { name: '退出登录' })
    .click()
  await page.waitForURL((url) => !url.pathname.startsWith('/account'))
}

test('an address registers by a code from an invite, sets a password and logs in by it', async () => {
  const address = 'newcomer@example.com'
  const page = await open(`/invite/${server.invite}`)
  await page.getByRole('button', { name: '接受邀请' }).click()
  await page.getByRole('textbox', { name: '邮箱' }).fill(address)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('button', { name: /^\d+/ })).toBeVisible()
  await page.getByLabel('验证码', { exact: true }).fill(await codeFor(address))
  await look(page, 'register-by-mail')
  await page.getByRole('button', { name: '注册并加入' }).click()
  await page.waitForURL(/\/channels\//)
  await page.goto('/account')
  const row = page.getByRole('link', { name: '邮箱 n***@example.com' })
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
  await page.goto('/account/password')
  // Without a password a code to the address proves whose account it is, or none is asked for.
  await page.getByLabel('设置密码', { exact: true }).fill('secret1')
  await page.getByLabel('确认密码').fill('secret1')
  await page.getByRole('button', { name: '保存' }).click()
  await page.waitForURL(/\/account$/)
  await logOut(page)
  await page.goto('/login')
  await page.getByRole('tab', { name: '密码登录' }).click()
  await page.getByRole('textbox', { name: '邮箱' }).fill(address)
  await page.getByLabel('密码', { exact: true }).fill('secret1')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(/\/channels/)
})

test('a name registers by an invite, is told its digits, and logs in by them', async () => {
  const page = await open(`/invite/${server.invite}`)
  await page.getByRole('button', { name: '接受邀请' }).click()
  await page.getByRole('tab', { name: '用户名' }).click()
  await page.getByRole('textbox', { name: '用户名', exact: true }).fill('新社员')
  await page.getByLabel('设置密码', { exact: true }).fill('secret1')
  await page.getByLabel('确认密码').fill('secret1')
  await look(page, 'register-by-name')
  await page.getByRole('button', { name: '注册并加入' }).click()
  const shown = page.getByText(/^新社员#\d{4}$/)
  await expect(shown).toBeVisible()
  const name = await atRest(() => shown.textContent())
  await page.getByRole('button', { name: '继续' }).click()
  await page.waitForURL(/\/channels\//)
  await logOut(page)
  await page.goto('/login')
  // The device remembers the way.
  await page.getByLabel('用户名和编号').fill(name!)
  await page.getByLabel('密码', { exact: true }).fill('secret1')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(/\/channels/)
})

for (const [options, byName] of [
  [{ theme: 'dark', locale: 'en-US' }, 'Name'],
  [{ theme: 'light', isDesk: true }, '用户名'],
] as const)
  test(`the page to log in fits, and so does a forgotten password: ${JSON.stringify(options)}`, async () => {
    const page = await open('/login', options)
    const tab = page.getByRole('tab', { name: byName, exact: true })
    await tab.waitFor()
    await look(page, `login-ways-${options.theme}`)
    await tab.click()
    await look(page, `login-name-${options.theme}`)
    await expectFits(page)
    await page.goto('/forgot')
    await page.locator('input[type=email]').waitFor()
    await look(page, `forgot-mail-${options.theme}`)
    await expectFits(page)
  })
